import { applyBookingEvent } from '../booking/applyBookingEvent'
import { getOpenRefunds, getRiderCredits } from '../booking/events/compensate/compensationLimits'
import { type PushMessage, SYSTEM_ACTOR } from '../booking/eventTypes'
import { listParked, listWaitingParked, type ParkedMoney } from './parkedMoney'
import type { DatabaseValue } from '../data/databaseValue'
import { buildNotification } from '../messages/messageTable'
import { MAX_DECIMALS, subtractAmount, sumAmounts } from '../money/money'
import { buildWalletUpdates } from '../money/wallet'
import { getAttemptAccount, toAttemptMinorUnits } from './attemptAccount'
import { fromCurrencyMinorUnits } from './currencyUnits'
import type { PaymentAttempt, PaymentProblem } from './paymentAttempt'
import { buildDetailUpdates, type AttemptFieldUpdates, type PaymentContext } from './paymentChange'
import { getNetPayment } from './paymentStatement'
import type { Complaint } from '../api/inputFields'
import type { Booking } from '../booking/types'
import type { MinorUnits } from '../language/units'

/**
 * Returns true when a paid attempt's money is in its payer's wallet: a top-up, a late payment or a
 * canceled booking's payment.
 */
export const isInWallet = (
  { applied_to }: Pick<PaymentAttempt, 'applied_to'>,
  booking: Pick<Booking, 'status'> | null,
): boolean => applied_to === 'wallet' || booking?.status === 'CANCELLED'

/** Returns the amount that the provider can still take or pay back, in minor units. */
export const getRemainingMinorUnits = (attempt: PaymentAttempt): MinorUnits => {
  const { applied, returned } = getAttemptAccount(attempt)
  return applied + returned
}

/**
 * Returns what the payer paid for a booking and has not got back as credit for a complaint, in
 * minor units. Money that open refunds of its other payments are about to return counts as
 * returned.
 */
export const getUncompensatedMinorUnits = (
  attempt: PaymentAttempt,
  booking: Booking,
  cardPayments: readonly PaymentAttempt[],
): MinorUnits => {
  const decimal = MAX_DECIMALS
  const credits = getRiderCredits(booking, { decimal })
  if (credits === 0) return Infinity
  const others = cardPayments.filter(({ id }) => id !== attempt.id)
  const returned = sumAmounts([credits, getOpenRefunds(others, { decimal })], decimal)
  return toAttemptMinorUnits(
    attempt,
    Math.max(0, subtractAmount(getNetPayment(booking, decimal), returned, decimal)),
  )
}

/** Money that the provider or the bank has paid back. `key` is that of the wallet entry. */
interface Reversal {
  minor: MinorUnits
  key: string
  isChargeback?: true
  complaint?: Complaint | undefined
}

export interface MoneyMove {
  updates: Record<string, DatabaseValue>
  pushes: PushMessage[]
  problem?: PaymentProblem
}

/** The parts of the money that were taken, in minor units. A part that failed is in neither. */
interface FundsReversal extends MoneyMove {
  fromWallet: number
  fromBooking: number
}

export const buildRefundPush = (
  to: string,
  amount: number,
  event: 'refunded' | 'card_refund_started' | 'card_refund_failed' | 'chargeback_won' = 'refunded',
): PushMessage => ({ to, ...buildNotification(event, 'account'), params: { amount } })

/** Takes money that went back from the payer's wallet, which may become negative. */
export const takeFromPayer = (
  { id, uid, currency }: PaymentAttempt,
  { minor, key, isChargeback }: Pick<Reversal, 'minor' | 'key' | 'isChargeback'>,
  { payer, eventContext: { settings } }: PaymentContext,
  now: number,
): MoneyMove => {
  // The account is deleted, and so is its wallet.
  if (!payer) return { updates: {}, pushes: [], problem: 'payer_gone' }
  const amount = fromCurrencyMinorUnits(minor, currency)
  const reason = isChargeback ? 'chargeback' : 'card_refund'
  const entry = { type: 'Debit', amount, date: now, txRef: id, reason } as const
  return {
    updates: buildWalletUpdates(payer, { [key]: entry }, settings),
    pushes: [buildRefundPush(uid, amount)],
  }
}

/** Takes money that went back from the booking that it paid for. */
const takeFromBooking = (
  { id, currency }: PaymentAttempt,
  { minor, isChargeback, complaint }: Pick<Reversal, 'minor' | 'isChargeback' | 'complaint'>,
  { booking, eventContext }: PaymentContext,
  now: number,
): MoneyMove => {
  const eventResult = applyBookingEvent(
    booking,
    {
      event: 'refund',
      payment: id,
      amount: fromCurrencyMinorUnits(minor, currency),
      ...(isChargeback && { isChargeback }),
      ...(complaint && { complaint }),
    },
    { actor: SYSTEM_ACTOR, context: eventContext, now },
  )
  if (!eventResult.ok) return { updates: {}, pushes: [], problem: 'refund_unbalanced' }
  const { updates, pushes } = eventResult.value
  return { updates, pushes }
}

const NOTHING = { updates: {}, pushes: [], fromWallet: 0, fromBooking: 0 }

/**
 * Returns how much of the money comes from the booking. The rest is in the payer's wallet: an
 * amendment returned it, or it was credited for a complaint.
 */
const getBookingPart = (
  attempt: PaymentAttempt,
  minor: MinorUnits,
  { booking, eventContext }: PaymentContext,
): number => {
  const { applied } = getAttemptAccount(attempt)
  if (!booking) return Math.min(minor, applied)
  return Math.min(
    minor,
    applied,
    getUncompensatedMinorUnits(attempt, booking, eventContext.cardPayments),
  )
}

/**
 * Takes money that the provider or the bank has already paid back from where it is: the booking it
 * paid, then the wallet to which an amendment or a complaint returned it. The rest is a problem for
 * the back office.
 */
export const reverseFunds = (
  attempt: PaymentAttempt,
  { minor, key, ...about }: Reversal,
  facts: PaymentContext,
  now: number,
): FundsReversal => {
  if (minor <= 0) return NOTHING
  // Wallets and bookings now use another currency and cannot give back money of an earlier one.
  if (attempt.currency !== facts.eventContext.settings.code)
    return { ...NOTHING, problem: 'refund_unbalanced' }
  const bookingPart = isInWallet(attempt, facts.booking) ? 0 : getBookingPart(attempt, minor, facts)
  const walletPart = minor - bookingPart
  const booking: MoneyMove =
    bookingPart > 0
      ? takeFromBooking(attempt, { minor: bookingPart, ...about }, facts, now)
      : NOTHING
  const wallet: MoneyMove =
    walletPart > 0
      ? takeFromPayer(attempt, { minor: walletPart, key, ...about }, facts, now)
      : NOTHING
  const problem = booking.problem ?? wallet.problem
  return {
    updates: { ...booking.updates, ...wallet.updates },
    pushes: [...booking.pushes, ...wallet.pushes],
    fromBooking: booking.problem ? 0 : bookingPart,
    fromWallet: wallet.problem ? 0 : walletPart,
    ...(problem && { problem }),
  }
}

/**
 * Returns what is left of the part that amendments returned to the wallet, in minor units, after
 * more of the money has left the platform. Nothing changes while the rest of the attempt covers
 * that.
 */
export const getReturnedAfter = (attempt: PaymentAttempt, minor: MinorUnits): number => {
  const { applied, returned } = getAttemptAccount(attempt)
  return Math.max(0, Math.min(returned, applied + returned - minor))
}

/** Returns the update of the part that amendments returned, after more money has left. */
export const reduceReturned = (attempt: PaymentAttempt, minor: MinorUnits): AttemptFieldUpdates => {
  const left = getReturnedAfter(attempt, minor)
  return left < getAttemptAccount(attempt).returned
    ? { returned: fromCurrencyMinorUnits(left, attempt.currency) }
    : {}
}

/**
 * Takes money that has left from refunds that could not be delivered. If they wait for the back
 * office, less of them can be credited then.
 */
export const takeUndelivered = (
  attempt: PaymentAttempt,
  minor: MinorUnits,
): { taken: number; fields: AttemptFieldUpdates; updates: Record<string, DatabaseValue> } => {
  const { undelivered } = getAttemptAccount(attempt)
  const takenUnits = Math.max(0, Math.min(minor, undelivered))
  if (takenUnits === 0) return { taken: takenUnits, fields: {}, updates: {} }
  const waiting = listWaitingParked(attempt).filter(({ ref }) => ref === attempt.ref)
  let left = takenUnits
  const parkedMoney = listParked(attempt).map((money): ParkedMoney => {
    if (left === 0 || !waiting.some(({ key }) => key === money.key)) return money
    const waits = toAttemptMinorUnits(attempt, money.amount)
    const part = Math.min(left, waits)
    left -= part
    return part < waits
      ? { ...money, amount: fromCurrencyMinorUnits(waits - part, attempt.currency) }
      : { ...money, settled: 'refunded' }
  })
  return {
    taken: takenUnits,
    fields: { parkedMoney },
    updates: buildDetailUpdates(attempt, { undelivered: undelivered - takenUnits }),
  }
}
