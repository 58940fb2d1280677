import { isPaidOut } from '../../booking/payment/paidOut'
import { getOwn } from '../ownValue'
import { MAX_DECIMALS, roundAmount, sumAmounts } from '../../money/money'
import { sumWalletHistory, toSignedAmount } from '../../money/wallet'
import type { User } from '../../accounts/types'
import type { Booking } from '../../booking/types'
import { hasValidDecimals } from './amounts'
import { byOwnKey, type Check, type CheckedData } from './check'

/** Formats an amount and keeps the sign of negative zero, which plain text conversion drops. */
const formatAmount = (amount: number): string => (Object.is(amount, -0) ? '-0' : `${amount}`)

const checkWalletBalances = ({ users, findCurrency }: CheckedData): string[] =>
  Object.entries(users).flatMap(([uid, { walletBalance = 0, walletHistory = {} }]) => {
    const history = sumWalletHistory(walletHistory)
    return [
      ...(Object.is(walletBalance, history)
        ? []
        : [
            `users/${uid}: the balance is ${formatAmount(walletBalance)}, its history adds up to ${history}`,
          ]),
      ...(hasValidDecimals(walletBalance, findCurrency(Infinity).decimal)
        ? []
        : [`users/${uid}: the balance ${formatAmount(walletBalance)} has too many digits`]),
      ...Object.entries(walletHistory)
        .filter(([, { amount, date }]) => !hasValidDecimals(amount, findCurrency(date).decimal))
        .map(
          ([key, { amount }]) => `users/${uid}: ${key} is ${formatAmount(amount)}, too many digits`,
        ),
    ]
  })

/**
 * Checks that the last write to each wallet, as recorded, is in the history and led to the balance.
 */
const checkLastWalletWrites = ({ users }: CheckedData): string[] =>
  Object.entries(users).flatMap(([uid, { walletBalance = 0, walletHistory = {}, walletMove }]) => {
    if (!walletMove) return []
    const { scale, before, after, slots } = walletMove
    const entries = Object.values(slots)
    const moved = entries.reduce((total, { units }) => total + units, before)
    const entered = entries.every(({ entry, units }) => {
      const historyEntry = walletHistory[entry]
      return historyEntry !== undefined && toSignedAmount(historyEntry) === units / scale
    })
    return after / scale === walletBalance && moved === after && entered
      ? []
      : [`users/${uid}: the last write to the wallet is not what its balance and history say`]
  })

const sumAdjustments = (
  { adjustments = {} }: Booking,
  side: 'rider' | 'driver',
  isTip: boolean,
): number =>
  sumAmounts(
    Object.values(adjustments)
      .filter(({ reason }) => (reason === 'tip') === isTip)
      .map((one) => one[side] ?? 0),
    MAX_DECIMALS,
  )

/**
 * Returns the wallet entries that a booking must have made: [uid, key after the booking's id,
 * signed amount].
 */
const getExpectedEntries = (booking: Booking): [string | undefined, string, number][] => {
  const { customer, driver, status, paymentPacket: packet, cancellationFee = 0 } = booking
  const wallet = packet?.usedWalletMoney ?? 0
  const paidOut = isPaidOut(booking)
  const cancelled = status === 'CANCELLED'
  return [
    [customer, 'wallet', -wallet],
    [customer, 'refund', cancelled ? wallet + (packet?.cardPaymentAmount ?? 0) : 0],
    [customer, 'cancel-fee', cancelled ? -cancellationFee : 0],
    [driver, 'share', paidOut ? booking.driver_share : 0],
    [driver, 'cash', paidOut ? -(packet?.cashPaymentAmount ?? 0) : 0],
    [driver, 'review', booking.distance_review?.credited ?? 0],
    [customer, 'compensation', sumAdjustments(booking, 'rider', false)],
    [driver, 'compensation', sumAdjustments(booking, 'driver', false)],
    [customer, 'tip', sumAdjustments(booking, 'rider', true)],
    [driver, 'tip', sumAdjustments(booking, 'driver', true)],
  ]
}

/**
 * Endings of the keys, after the booking's id, of entries that pay for a booking from the wallet or
 * return money to it.
 */
const WALLET_PART = /^((rest-|amend_\d+-)?wallet|amend_\d+-returned)$/

/** Kinds of entries of which a booking may have several, and the endings of their keys. */
const REPEATED_ENTRIES: Readonly<Record<string, RegExp>> = {
  wallet: WALLET_PART,
  compensation: /^-[\w-]{19}-compensation$/,
  tip: /^-[\w-]{19}-tip$/,
}

/** Returns a booking's entries of one kind. */
const getBookingEntries = (history: User['walletHistory'] = {}, id: string, kind: string) => {
  const repeated = getOwn(REPEATED_ENTRIES, kind)
  const entry = history[`${id}-${kind}`]
  if (!repeated) return entry ? [entry] : []
  return Object.keys(history)
    .filter((key) => key.startsWith(id) && repeated.test(key.slice(id.length + 1)))
    .flatMap((key) => history[key] ?? [])
}

const checkBookingEntries = ({ users, bookings }: CheckedData): string[] =>
  Object.values(bookings).flatMap((booking) =>
    getExpectedEntries(booking).flatMap(([uid = '', key, must]) => {
      const user = users[uid]
      // A deleted account has no wallet.
      if (!user) return []
      const entries = getBookingEntries(user.walletHistory, booking.id, key)
      const moved = sumAmounts(entries.map(toSignedAmount), MAX_DECIMALS)
      return moved === roundAmount(must, MAX_DECIMALS)
        ? []
        : [`users/${uid}: ${booking.id}-${key} moved ${moved}, the booking says ${must}`]
    }),
  )

/**
 * Checks that every requested withdrawal left its wallet, that every returned one is back, and that
 * no other did or is.
 */
const checkWithdrawals = ({ users, withdraws = {} }: CheckedData): string[] => [
  ...Object.entries(withdraws).flatMap(([id, { uid, amount, returned_at }]) => {
    const user = users[uid]
    if (!user) return []
    const left = user.walletHistory?.[`${id}-withdraw`]?.amount ?? 0
    const back = user.walletHistory?.[`${id}-unpaid`]?.amount ?? 0
    const mustBeBack = returned_at === undefined ? 0 : amount
    return [
      ...(left === amount
        ? []
        : [`withdraws/${id}: ${amount} asked for, ${left} left users/${uid}`]),
      ...(back === mustBeBack
        ? []
        : [`withdraws/${id}: ${mustBeBack} returned, ${back} back in users/${uid}`]),
    ]
  }),
  ...Object.entries(users).flatMap(([uid, { walletHistory = {} }]) =>
    Object.entries(walletHistory)
      .filter(
        ([key, { type }]) =>
          type === 'Withdraw' && withdraws[key.replace(/-withdraw$/, '')]?.uid !== uid,
      )
      .map(([key]) => `users/${uid}: ${key} left without a request`),
  ),
]

export const WALLET_CHECKS: Record<string, Check> = {
  wallets: { groupingKeys: { users: byOwnKey }, find: checkWalletBalances },
  walletMoves: { groupingKeys: { users: byOwnKey }, find: checkLastWalletWrites },
  ledger: {
    groupingKeys: { users: byOwnKey, bookings: ({ customer, driver }) => [customer, driver] },
    find: checkBookingEntries,
  },
  withdraws: {
    groupingKeys: { users: byOwnKey, withdraws: ({ uid }) => [uid] },
    find: checkWithdrawals,
  },
}
