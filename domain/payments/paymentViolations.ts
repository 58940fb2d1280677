import { createEventKey, isPaidStatus, type PaymentAttempt } from './paymentAttempt'
import { findAccountViolations, findWalletViolations } from './accountViolations'
import { toCurrencyMinorUnits } from './currencyUnits'
import type { Booking } from '../booking/types'
import type { Currency } from '../catalog/types'
import type { User } from '../accounts/types'

/** The parts of the database that payments use. */
export interface PaymentTree {
  payments?: Record<string, PaymentAttempt>
  payment_events?: Record<string, { payment: string }>
  users?: Record<string, Pick<User, 'walletHistory'>>
  bookings?: Record<string, Pick<Booking, 'event_log'>>
  /** Returns the currency at a time (ms); amounts are exact without it. */
  findCurrency?: (at: number) => Currency
}

/**
 * Returns the violations of our refunds, open and settled: each must hold its amount once, and
 * return it when refused.
 */
const findRefundViolations = (
  id: string,
  attempt: PaymentAttempt,
  users: NonNullable<PaymentTree['users']>,
): string[] => {
  const payer = users[attempt.uid]
  const { refund, refunds = {}, refunded = 0, currency } = attempt
  const all = [
    ...Object.entries(refunds),
    ...(refund ? [[refund.id, { ...refund, state: 'open' }] as const] : []),
  ]
  const confirmed = all
    .filter(([, { state }]) => state === 'confirmed')
    .reduce((sum, [, { amount }]) => sum + (toCurrencyMinorUnits(amount, currency) ?? 0), 0)
  return [
    ...(confirmed > (toCurrencyMinorUnits(refunded, currency) ?? 0)
      ? [`payments/${id}: its refunds are more than went back`]
      : []),
    ...all.flatMap(([key, { amount, from_wallet, state }]) => {
      // A deleted account has no wallet.
      if (!payer) return []
      const moved = (suffix: string) => payer.walletHistory?.[`${id}-${key}-${suffix}`]?.amount ?? 0
      const must = from_wallet ? amount : 0
      return moved('hold') === must && moved('back') === (state === 'refused' ? must : 0)
        ? []
        : [`payments/${id}: refund ${key} is ${state}, and its wallet entries say something else`]
    }),
  ]
}

const describeMisplacedMoney = (id: string, { status }: PaymentAttempt): string =>
  isPaidStatus(status)
    ? `payments/${id} is ${status}, and its money is not where it says`
    : `payments/${id} moved money and is ${status}`

/** Returns the decimals of the wallet's entries, the fewest that it may have had. */
const getWalletDecimals = (
  { createdAt }: PaymentAttempt,
  findCurrency: PaymentTree['findCurrency'],
): number | undefined =>
  findCurrency && Math.min(...[createdAt, Infinity].map((at) => findCurrency(at).decimal))

/** Returns the violations between payments and their payers' wallets, in sentences. */
export const findPayerViolations = ({
  payments = {},
  users = {},
  findCurrency,
}: PaymentTree): string[] =>
  Object.entries(payments).flatMap(([id, attempt]) => {
    const { uid, status, applied_to } = attempt
    const payer = users[uid]
    const topUp = payer?.walletHistory?.[`${id}-topup`] !== undefined
    // A deleted account has no wallet.
    const isRight = isPaidStatus(status) && applied_to === 'wallet' ? topUp || !payer : !topUp
    return [
      ...(isRight ? [] : [describeMisplacedMoney(id, attempt)]),
      ...findRefundViolations(id, attempt, users),
      ...findWalletViolations(id, attempt, payer, getWalletDecimals(attempt, findCurrency)),
    ]
  })

/** Returns the violations between payments, their events and their bookings, in sentences. */
export const findPaymentViolations = ({
  payments = {},
  payment_events = {},
  bookings = {},
}: PaymentTree): string[] =>
  Object.entries(payments).flatMap(([id, attempt]) => {
    const { booking = '', status, applied_to, gateway, ref = '', currency } = attempt
    const pays = Object.values(bookings[booking]?.event_log ?? {}).some((entry) => entry.ref === id)
    const isRight = isPaidStatus(status) ? applied_to === (pays ? 'booking' : 'wallet') : !pays
    const event = { payment: id, gateway, ref, status: 'paid', minor: 0, currency } as const
    const isRemembered = payment_events[createEventKey(event)]?.payment === id
    return [
      ...(isRight ? [] : [describeMisplacedMoney(id, attempt)]),
      ...(isPaidStatus(status) && !isRemembered ? [`payments/${id}: who paid it is unknown`] : []),
      ...findAccountViolations(id, attempt),
    ]
  })
