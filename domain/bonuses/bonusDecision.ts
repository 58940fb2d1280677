import { getOpenRefunds, getRiderCredits } from '../booking/events/compensate/compensationLimits'
import { MAX_DECIMALS, roundAmount, sumAmounts } from '../money/money'
import type { PaymentAttempt } from '../payments/paymentAttempt'
import { getNetPayment } from '../payments/paymentStatement'
import { isTripAmongTied } from '../accounts/ties'
import { DAY_MS, HOUR_MS } from '../language/timeUnits'
import type { Wallet } from '../money/wallet'
import type { PendingBonus } from './pendingBonus'
import { isReviewOpen } from '../booking/events/review/openReview'
import type { Booking } from '../booking/types'
import type { Settings } from '../catalog/types'
import type { User } from '../accounts/types'

/** The reasons to drop a bonus. Each is the end of a translation key. */
export const BONUS_DROP_REASONS = [
  'already_paid',
  'no_bonus',
  'booking_missing',
  'account_deleted',
  'account_blocked',
  'accounts_tied',
  'payment_charged_back',
  'payment_refunded',
  'not_reviewed',
] as const
export type BonusDropReason = (typeof BONUS_DROP_REASONS)[number]

/** The decision about a bonus that is due. */
type BonusDecision =
  | { kind: 'pay'; amount: number; wallet: Wallet }
  /** The office has still to decide about the trip or an account; `until` is in ms. */
  | { kind: 'wait'; until: number }
  | { kind: 'drop'; reason: BonusDropReason }

/** The people of a referral and of the trip that earned its bonus; null when deleted. */
export interface BonusPeople {
  referred: User | null
  referrer: User | null
  customer: User | null
  driver: User | null
}

/** Everything that decides what happens to a bonus that is due. */
export interface BonusFacts {
  people: BonusPeople
  /** True when the wallet's history has the bonus. */
  isPaid: boolean
  booking: Booking | null
  cardPayments: readonly PaymentAttempt[]
  settings: Pick<Settings, 'bonus' | 'code' | 'decimal'>
}

/** Time after which a bonus that waits for the office is decided about again. */
const RECHECK_MS = HOUR_MS
/** Time from the payment of the trip for which a bonus waits for the office. */
const MAX_WAIT_MS = 90 * DAY_MS

/** Returns the amount to pay, at the decimals of the present currency. */
const getPayableAmount = (
  { amount, code }: PendingBonus,
  settings: BonusFacts['settings'],
): number => {
  // An amount of another currency has no value in this one.
  const payable = code === settings.code ? amount : settings.bonus
  return roundAmount(payable, settings.decimal)
}

/**
 * Returns what the platform keeps of the payment of a booking after refunds, chargebacks and
 * complaints; goodwill does not count. Refunds that are under way count as made.
 */
const getKeptPayment = (booking: Booking, cardPayments: readonly PaymentAttempt[]): number => {
  const currency = { decimal: MAX_DECIMALS }
  return sumAmounts(
    [
      getNetPayment(booking, MAX_DECIMALS),
      -getRiderCredits(booking, currency),
      -getOpenRefunds(cardPayments, currency),
    ],
    MAX_DECIMALS,
  )
}

/** Returns true when the payer's bank took money back and has not returned it. */
const isChargedBack = (
  { fare_history = {} }: Booking,
  cardPayments: readonly PaymentAttempt[],
): boolean => {
  const disputed = Object.values(fare_history)
    .filter(({ cause }) => cause === 'chargeback' || cause === 'chargeback_won')
    .flatMap(({ lines = [] }) => Object.values(lines).map(({ amount }) => amount))
  return (
    sumAmounts(disputed, MAX_DECIMALS) < 0 ||
    cardPayments.some(({ charged_back = 0 }) => charged_back > 0)
  )
}

/**
 * Returns what is wrong with the payment of the trip, which then proves no new customer. `bonus` is
 * the amount as it was earned, because it and the payment are in the currency of the trip.
 */
const findPaymentFault = (
  booking: Booking,
  cardPayments: readonly PaymentAttempt[],
  bonus: number,
): BonusDropReason | undefined => {
  if (isChargedBack(booking, cardPayments)) return 'payment_charged_back'
  const keptPayment = getKeptPayment(booking, cardPayments)
  // A trip that cost less than the bonus from the start earns it.
  const isReduced = keptPayment < (booking.customer_paid ?? 0)
  return isReduced && (keptPayment <= 0 || keptPayment < bonus) ? 'payment_refunded' : undefined
}

/**
 * Returns true when the office has blocked the account. A driver without an approval may also wait
 * for it after a change of their profile.
 */
const isSurelyBlocked = ({ approved, usertype }: User): boolean =>
  !approved && usertype !== 'driver'

/** Returns everyone whose ties decide about the bonus; null for a deleted account. */
const listParties = (
  { driver: driverId }: Pick<Booking, 'driver'>,
  { referred, referrer, customer, driver }: BonusPeople,
): (User | null)[] => [referred, referrer, customer, ...(driverId === undefined ? [] : [driver])]

const isPresent = (party: User | null): party is User => party !== null

/**
 * Returns the reason to drop the bonus if the office does not decide about its trip or people.
 * Without one, the bonus of a payment can be paid at once.
 */
export const findOpenQuestion = (
  booking: Booking,
  people: BonusPeople,
): BonusDropReason | undefined => {
  if (isReviewOpen(booking)) return 'not_reviewed'
  const parties = listParties(booking, people)
  if (!parties.every(isPresent)) return 'account_deleted'
  return parties.every(({ approved }) => approved) ? undefined : 'account_blocked'
}

/**
 * Returns what is wrong with the people. The ties of a deleted account cannot be judged, so it may
 * not make a bonus payable.
 */
const findPeopleFault = (booking: Booking, people: BonusPeople): BonusDropReason | undefined => {
  const parties = listParties(booking, people)
  if (!parties.every(isPresent)) return 'account_deleted'
  if (parties.some(isSurelyBlocked)) return 'account_blocked'
  const { customer, driver, referrer } = people
  return isTripAmongTied(customer, driver, referrer) ? 'accounts_tied' : undefined
}

/** Decides what happens to a bonus that is due at `now`, ms. */
export const decideBonus = (
  bonus: PendingBonus,
  { people, isPaid, booking, cardPayments, settings }: BonusFacts,
  now: number,
): BonusDecision => {
  const drop = (reason: BonusDropReason): BonusDecision => ({ kind: 'drop', reason })
  const { referred, referrer } = people
  const amount = getPayableAmount(bonus, settings)
  if (isPaid) return drop('already_paid')
  if (amount <= 0) return drop('no_bonus')
  if (!booking) return drop('booking_missing')
  if (!referred || !referrer) return drop('account_deleted')
  const fault =
    findPeopleFault(booking, people) ?? findPaymentFault(booking, cardPayments, bonus.amount)
  if (fault) return drop(fault)
  const question = findOpenQuestion(booking, people)
  if (!question)
    return { kind: 'pay', amount, wallet: bonus.uid === referred.id ? referred : referrer }
  const isOverdue = now >= bonus.at + MAX_WAIT_MS
  return isOverdue ? drop(question) : { kind: 'wait', until: now + RECHECK_MS }
}
