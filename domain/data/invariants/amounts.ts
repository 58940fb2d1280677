import { roundAmount } from '../../money/money'
import { getDecimals } from '../../payments/currencyUnits'
import type { Booking } from '../../booking/types'
import { byOwnKey, type Check, type CheckedData } from './check'

/** Returns true when an amount has no more digits than its currency. */
export const hasValidDecimals = (amount: number, decimal: number): boolean =>
  Object.is(amount, roundAmount(amount, decimal))

/** Fields of a booking that are amounts. */
const AMOUNT_FIELDS = [
  'estimate',
  'trip_cost',
  'convenience_fees',
  'driver_share',
  'cancellationFee',
  'discount',
  'discount_amount',
  'customer_paid',
  'cashPaymentAmount',
  'cardPaymentAmount',
  'usedWalletMoney',
  'payableAmount',
] as const satisfies (keyof Booking)[]

const checkDecimals = ({
  bookings,
  withdraws = {},
  payments = {},
  findCurrency,
}: CheckedData): string[] => [
  ...Object.entries(bookings).flatMap(([id, booking]) => {
    const { decimal } = findCurrency(booking.bookingDate)
    return AMOUNT_FIELDS.filter((field) => !hasValidDecimals(booking[field] ?? 0, decimal)).map(
      (field) => `bookings/${id}: ${field} is ${booking[field]}, too many digits`,
    )
  }),
  ...Object.entries(bookings).flatMap(([id, { adjustments = {} }]) =>
    Object.values(adjustments).flatMap(({ at, rider = 0, driver = 0 }) =>
      [rider, driver]
        .filter((amount) => !hasValidDecimals(amount, findCurrency(at).decimal))
        .map((amount) => `bookings/${id}: an adjustment is ${amount}, too many digits`),
    ),
  ),
  ...Object.entries(withdraws)
    .filter(([, { amount, date }]) => !hasValidDecimals(amount, findCurrency(date).decimal))
    .map(([id, { amount }]) => `withdraws/${id}: ${amount} has too many digits`),
  ...Object.entries(payments).flatMap(([id, { amount, refunded = 0, currency: code }]) =>
    [amount, refunded]
      .filter((one) => !hasValidDecimals(one, getDecimals(code)))
      .map((one) => `payments/${id}: ${one} has too many digits`),
  ),
]

export const AMOUNT_CHECKS: Record<string, Check> = {
  digits: {
    groupingKeys: { bookings: byOwnKey, withdraws: byOwnKey, payments: byOwnKey },
    find: checkDecimals,
  },
}
