import { getRiderCredits } from '../booking/events/compensate/compensationLimits'
import { MAX_DECIMALS, sumAmounts, toMinorUnits } from '../money/money'
import { getDecimals } from './currencyUnits'
import { hasWaitingDispute } from './disputeRecords'
import { listParked, listWaitingParked } from './parkedMoney'
import {
  isPaidStatus,
  type Dispute,
  type PaymentAttempt,
  type UnmatchedPayment,
} from './paymentAttempt'
import type { Booking } from '../booking/types'
import type { Currency } from '../catalog/types'
import type { User } from '../accounts/types'

const units = (amount = 0): number => toMinorUnits(amount, MAX_DECIMALS)
const sum = (amounts: readonly (number | undefined)[]): number =>
  sumAmounts(
    amounts.map((amount) => amount ?? 0),
    MAX_DECIMALS,
  )
const listDisputes = ({ details }: PaymentAttempt): [string, Dispute][] =>
  Object.entries(details?.disputes ?? {})

const sumPlaces = ({ wallet, booking, paidBooking, undelivered, unbooked }: Dispute): number =>
  sum([wallet, booking, paidBooking, undelivered, unbooked])

const isSound = (dispute: Dispute): boolean => {
  const { amount, taken, won, covered, waiting } = dispute
  return (
    units(taken) <= units(amount) &&
    units(sumPlaces(dispute)) <= units(taken) &&
    units(won) <= units(amount) &&
    units(sum([covered, waiting])) <= units(won)
  )
}

/**
 * Returns what disputes have taken and not given back. One without a place was won before the back
 * office decided which of the others it was.
 */
const sumOpen = (disputes: readonly Dispute[]): number =>
  sum(
    disputes.flatMap((dispute) => {
      const { taken, won = 0, covered = 0, credited = 0 } = dispute
      const places = sumPlaces(dispute)
      if (taken === 0) return [places, -won]
      // The office had credited what was won before the chargeback came and took as much again.
      const isWonFirst = units(sum([places, won])) > units(sum([taken, covered]))
      return [places, -covered, isWonFirst ? -credited : 0]
    }),
  )

/** Returns true when money waits for the back office, which sees only payments with a problem. */
const isForgotten = (attempt: PaymentAttempt): boolean =>
  !attempt.problem &&
  (listWaitingParked(attempt).length > 0 || hasWaitingDispute(attempt.details?.disputes ?? {}))

/** Returns the violations of one payment's account, in sentences. */
export const findAccountViolations = (id: string, attempt: PaymentAttempt): string[] => {
  const { amount, refunded, returned, charged_back } = attempt
  const disputes = listDisputes(attempt)
  const open = sumOpen(disputes.map(([, dispute]) => dispute))
  return [
    ...(units(sum([refunded, returned, charged_back, attempt.details?.undelivered])) > units(amount)
      ? [`payments/${id}: more went back than came`]
      : []),
    ...(units(open) > units(sum([charged_back, attempt.details?.uncovered]))
      ? [`payments/${id}: its disputes took ${open}, and charged_back is ${charged_back ?? 0}`]
      : []),
    ...disputes
      .filter(([, dispute]) => !isSound(dispute))
      .map(([key]) => `payments/${id}: dispute ${key} moved more than was disputed`),
    ...(isForgotten(attempt)
      ? [`payments/${id}: money waits for the back office, which sees no problem`]
      : []),
  ]
}

/**
 * Returns the function that compares amounts of a payment with entries of a wallet. A wallet may
 * have fewer decimals than the currency, and then rounds each entry.
 */
const createComparison =
  ({ currency }: PaymentAttempt, decimal: number) =>
  (amount: number | undefined, entries: number, count = 1): number => {
    const slack = decimal < getDecimals(currency) ? (count * 10 ** -decimal) / 2 : 0
    const difference = sum([entries, -(amount ?? 0)])
    return Math.abs(difference) <= slack ? 0 : difference
  }

/** Returns the violations between a payment's account and its payer's wallet, in sentences. */
export const findWalletViolations = (
  id: string,
  attempt: PaymentAttempt,
  payer: Pick<User, 'walletHistory'> | undefined,
  decimal = MAX_DECIMALS,
): string[] => {
  // A deleted account has no wallet.
  if (!payer) return []
  const { amount, status, applied_to, refunded, refund } = attempt
  const history = payer.walletHistory ?? {}
  const compare = createComparison(attempt, decimal)
  const listEntries = (pattern: RegExp): number[] =>
    Object.entries(history)
      .filter(([key]) => key.startsWith(`${id}-`) && pattern.test(key.slice(id.length)))
      .map(([, entry]) => entry.amount)
  const topUp = history[`${id}-topup`]?.amount
  const gone = listEntries(/^-r\d+-hold$|^-refund-\d+(-\d+)?$/)
  const left = sum([...gone, -sum(listEntries(/^-r\d+-back$/))])
  const failed = Object.values(attempt.refunds ?? {}).filter(({ state }) => state === 'returned')
  const open = refund?.from_wallet ? refund.amount : 0
  const most = sum([refunded, open, ...failed.map((one) => one.amount)])
  const disputes = listDisputes(attempt)
  const inDispute = sum(
    disputes
      .filter(([, { parked: isParked }]) => isParked === undefined)
      .flatMap(([key]) => [
        history[`${id}-dispute-${key}`]?.amount,
        -(history[`${id}-dispute-${key}-won`]?.amount ?? 0),
      ]),
  )
  const credits = listEntries(/^-won-\d+$/)
  const credited = sum(credits)
  const sumOfParked = ({ at }: UnmatchedPayment): number => {
    const key = `-parked-${at}`
    const back = listEntries(new RegExp(`^${key}-back(-\\d+)?$`))
    return sum([history[`${id}${key}`]?.amount, ...back.map((part) => -part)])
  }
  return [
    ...(isPaidStatus(status) &&
    applied_to === 'wallet' &&
    topUp !== undefined &&
    compare(amount, topUp) !== 0
      ? [`payments/${id}: ${amount} came, ${topUp} reached the payer’s wallet`]
      : []),
    ...(compare(most, left, gone.length) > 0
      ? [`payments/${id}: ${left} left the wallet for the card, which got ${most}`]
      : []),
    ...(compare(sum(disputes.map(([, { wallet }]) => wallet)), inDispute, disputes.length) < 0
      ? [`payments/${id}: its disputes and the payer’s wallet say something else`]
      : []),
    ...(compare(sum(disputes.map(([, { won }]) => won)), credited, credits.length) > 0
      ? [`payments/${id}: ${credited} of won disputes was credited, which is more than was won`]
      : []),
    ...listParked(attempt)
      .filter((money) => money.settled === 'credited')
      .filter((money) => compare(money.amount, sumOfParked(money)) !== 0)
      .map(
        (money) => `payments/${id}: ${money.amount} is parked, ${sumOfParked(money)} was credited`,
      ),
  ]
}

/** The parts of the database that the check of bookings reads. */
interface BookingPaymentTree {
  payments?: Record<string, PaymentAttempt>
  bookings?: Record<string, Booking>
  findCurrency: (at: number) => Currency
}

/**
 * Returns bookings that have more card money than their payments still have, which a cancellation
 * or a refund would return a second time. Money of an earlier currency is left out: it cannot
 * return. So are bookings whose payments are not stored.
 */
export const findBookingPaymentViolations = ({
  payments = {},
  bookings = {},
  findCurrency,
}: BookingPaymentTree): string[] => {
  const { code, decimal } = findCurrency(Infinity)
  const attemptsOf = new Map<string, PaymentAttempt[]>()
  for (const attempt of Object.values(payments))
    if (attempt.booking !== undefined && attempt.applied_to === 'booking')
      attemptsOf.set(attempt.booking, [...(attemptsOf.get(attempt.booking) ?? []), attempt])
  return Object.entries(bookings).flatMap(([id, booking]) => {
    const attempts = attemptsOf.get(id) ?? []
    const { status, paymentPacket, refunded = 0 } = booking
    if (attempts.length === 0 || status === 'CANCELLED') return []
    if (attempts.some(({ currency }) => currency !== code)) return []
    const has = sum([
      paymentPacket?.cardPaymentAmount,
      -refunded,
      -getRiderCredits(booking, { decimal }),
    ])
    const held = sum(
      attempts.flatMap(
        ({ amount, refunded: back = 0, returned = 0, charged_back = 0, details }) => [
          amount,
          -back,
          -returned,
          -charged_back,
          -(details?.undelivered ?? 0),
        ],
      ),
    )
    return units(has) > units(held)
      ? [`bookings/${id}: ${has} of its price was paid by card, and its payments have ${held}`]
      : []
  })
}
