import { expect, test } from 'vitest'
import { makeI18n } from './i18n'
import inbox from './locales/en/inbox.json'
import { translateFareCause, translateReason } from './reasonTexts'

const i18n = makeI18n()
i18n.addResourceBundle('en', 'translation', inbox)
const { t } = i18n
const getReason = (reason: string) => translateReason(reason, t)

test('translates the system’s reasons and causes', () => {
  expect(translateReason('no_driver', t)).toBe('No driver was found.')
  expect(translateFareCause('paid_cash', t, getReason)).toBe('Paid in cash')
  expect(translateFareCause('no_driver', t, getReason)).toBe('No driver was found.')
})

test.each([
  'Too late: see $t(menu_home)',
  '{{name}} is ill',
  'menu_home',
  '<b>no</b>',
  '$t($t(t))',
])('leaves a person’s words unchanged: %s', (words) => {
  expect(translateReason(words, t)).toBe(words)
  expect(translateFareCause(words, t, getReason)).toBe(words)
  expect(t('push_cancelled_msg', { reason: translateReason(words, t) })).toContain(words)
})
