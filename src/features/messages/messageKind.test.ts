import { expect, test } from 'vitest'
import { getMessagePreferences } from '~/domain/messages/messagePreferences'
import { makeI18n } from '~/src/i18n/i18n'
import inbox from '~/src/i18n/locales/en/inbox.json'
import { getMessageKind } from './messageKind'
import { USER_TYPES } from '~/domain/access/types'

test('names the kind of each optional message without a variable', () => {
  const i18n = makeI18n()
  i18n.addResourceBundle('en', 'translation', inbox)
  const { t } = i18n
  const events = USER_TYPES.flatMap((usertype) => getMessagePreferences(usertype))
  const texts = events.map(({ event }) => t(getMessageKind(event)))
  expect(texts.length).toBeGreaterThan(5)
  expect(texts.filter((text) => /^$|[{_]/.test(text))).toEqual([])
})
