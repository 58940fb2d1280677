import { expect, test } from 'vitest'
import { makeI18n } from '~/src/i18n/i18n'
import inbox from '~/src/i18n/locales/en/inbox.json'
import type { Format } from '~/src/ui/format/format'
import { type GetCatalogName, translatePush } from './pushTexts'
import type { InboxEntry } from '~/domain/messages/types'

const i18n = makeI18n()
i18n.addResourceBundle('en', 'translation', inbox)
const { t } = i18n
const format = { money: (amount: number) => `$${amount}` } as Format
const keepStored: GetCatalogName = (_, stored) => stored
const push = (over: Partial<InboxEntry>): InboxEntry => ({
  title: 'push_paid_title',
  msg: 'push_paid_msg',
  screen: 'BookedCab',
  at: 1,
  ...over,
})

test('translates a push of the platform and formats its amount as money', () => {
  expect(translatePush(push({ params: { amount: 25 } }), t, format, keepStored)).toEqual({
    title: 'Paid',
    msg: '$25 was paid in total. Thank you.',
  })
})

test('formats the fee of a cancellation as money too', () => {
  const params = { amount: 183.32, reference: 'K7M-4QX', fee: 60 }
  const entry = push({
    title: 'push_returned_less_fee_title',
    msg: 'push_returned_less_fee_msg',
    params,
  })
  expect(translatePush(entry, t, format, keepStored).msg).toBe(
    '$183.32 of booking K7M-4QX went back to your wallet. The cancellation fee of $60 was taken from it.',
  )
})

test.each([
  ['reason', 'push_cancelled', 'Reason: [reason: Rain]'],
  ['carType', 'push_task', 'A booking is waiting for you: [carType: Rain].'],
] as const)('shows a %s of the office’s catalogs in the reader’s language', (param, key, msg) => {
  const entry = push({ title: `${key}_title`, msg: `${key}_msg`, params: { [param]: 'Rain' } })
  expect(translatePush(entry, t, format, (...name) => `[${name.join(': ')}]`).msg).toBe(msg)
})

test.each(['See $t(menu_home)', '{{amount}} for you', 'menu_home', 'push_ups $t(close)'])(
  'leaves text that a person wrote unchanged: %s',
  (words) => {
    const entry = push({ title: words, msg: words, params: { amount: 25 } })
    expect(translatePush(entry, t, format, keepStored)).toEqual({ title: words, msg: words })
  },
)
