import { expect, test } from 'vitest'
import type { InboxEntry } from '~/domain/entities'
import { makeI18n } from '~/src/i18n/i18n'
import type { Format } from '~/src/ui/format'
import { wordsOf } from './words'

const { t } = makeI18n()
const format = { money: (amount: number) => `$${amount}` } as Format
const push = (over: Partial<InboxEntry>): InboxEntry => ({
  title: 'push_paid_title',
  msg: 'push_paid_msg',
  screen: 'BookedCab',
  at: 1,
  ...over,
})

test('a push of the platform is told in words, with its amount as money', () => {
  expect(wordsOf(push({ params: { amount: 25 } }), t, format)).toEqual({
    title: 'Paid',
    msg: '$25 was paid. Thank you.',
  })
})

test.each(['See $t(menu_home)', '{{amount}} for you', 'menu_home', 'push_ups $t(close)'])(
  'what somebody wrote stays as it is: %s',
  (words) => {
    const entry = push({ title: words, msg: words, params: { amount: 25 } })
    expect(wordsOf(entry, t, format)).toEqual({ title: words, msg: words })
  },
)
