import type { WalletEntry } from '~/domain/entities'
import {
  all,
  any,
  each,
  number,
  oneOf,
  quoted,
  record,
  text,
  time,
  type Condition,
  type FieldsOf,
} from '../language'
import { server } from '../who'

/** What one event on a booking can enter into one wallet, beside a referral bonus. */
const OF_ONE_BOOKING = ['-share', '-cash', '-wallet', '-rest-wallet', '-refund', '-cancel-fee']

const balance = (state: 'data' | 'newData') =>
  `${state}.parent().parent().child('walletBalance').val()`
const signed = (entry: string) =>
  `(${entry}.child('type').val() === 'Credit' ? ${entry}.child('amount').val() : 0 - ${entry}.child('amount').val())`
/** What the entry under `key` adds to the balance, if it comes with this write and is not the entry itself. */
const sibling = (key: string) => {
  const entry = `newData.parent().child(${key})`
  return `(${key} !== $entry && ${entry}.exists() && !data.parent().child(${key}).exists() ? ${signed(entry)} : 0)`
}
const reference = `newData.child('txRef').val()`
const itsBooking = `newData.parent().parent().parent().parent().child('bookings').child(${reference})`
const referral = `(${itsBooking}.exists() ? ${sibling(`(${itsBooking}.child('customer').val() + '-referral')`)} : 0)`
const moved = `(${balance('newData')} - ${balance('data')})`
const entered = [
  signed('newData'),
  ...OF_ONE_BOOKING.map((suffix) => sibling(`(${reference} + ${quoted(suffix)})`)),
  referral,
].join(' + ')

// Balances are floats that were added to many times; the last bits don't count, the smallest coin does.
const moneyMoved: Condition = any(
  // A bonus does not name the booking it comes with, whose entries count it in.
  `${reference} === 'Referral'`,
  all(`${moved} - (${entered}) < 0.00001`, `${moved} - (${entered}) > -0.00001`),
)

// A cancellation fee and the cash a driver keeps may take a wallet below zero; what is asked for may not. A wallet
// emptied to the last coin may be left a billionth short of nothing.
const affordable: Condition = any(
  `${balance('newData')} > -0.000001`,
  all(
    `newData.child('type').val() !== 'Withdraw'`,
    any(`newData.child('type').val() !== 'Debit'`, `!$entry.endsWith('-wallet')`),
  ),
)

// Money moves once for each entry: the balance by exactly what is entered in the same write, and an entry is neither
// changed nor removed. So the balance is the sum of the history, and nothing is paid twice.
export const walletHistory = each(
  '$entry',
  record(
    {
      type: oneOf('Credit', 'Debit', 'Withdraw'),
      amount: number(0, 1e9, 'newData.val() > 0'),
      date: time(),
      txRef: text(1, 200),
    } satisfies FieldsOf<WalletEntry>,
    {
      create: all(
        server,
        'data.parent().parent().exists()',
        `newData.parent().parent().child('walletBalance').isNumber()`,
        `data.parent().parent().child('walletBalance').isNumber()`,
        affordable,
        moneyMoved,
      ),
    },
  ),
)
