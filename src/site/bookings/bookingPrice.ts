import { isPaidOut } from '~/domain/booking/payment/paidOut'
import { isPaymentEntry } from '~/domain/booking/payment/paymentHistory'
import type { Booking, FareHistoryEntry } from '~/domain/booking/types'

/**
 * Returns the known price of a booking: the final fare, the fee of a canceled one, or else the
 * estimate.
 */
export const getPrice = ({ status, cancellationFee, trip_cost, estimate }: Booking): number =>
  status === 'CANCELLED' ? (cancellationFee ?? 0) : (trip_cost ?? estimate)

/** Returns the fares of a booking, newest first, without the entries about money that moved. */
export const getFareHistory = ({ fare_history }: Booking): FareHistoryEntry[] =>
  Object.values(fare_history)
    .filter((entry) => !isPaymentEntry(entry))
    .sort((a, b) => b.at - a.at)

/** Returns the newest fare; of a canceled booking its fee, if it has one. */
export const getCurrentFare = (booking: Booking): FareHistoryEntry | undefined =>
  getFareHistory(booking).find(
    ({ kind }) => booking.status !== 'CANCELLED' || kind === 'cancellation',
  )

/**
 * Returns the discount that the newest fare does not list: a final fare lists it, an estimate does
 * not.
 */
export const getUnlistedDiscount = (booking: Booking): number =>
  booking.status === 'CANCELLED' ||
  Object.values(getCurrentFare(booking)?.lines ?? {}).some(({ label }) => label === 'fare_discount')
    ? 0
    : (booking.discount_amount ?? 0)

/** Returns true when the booking's money is final. */
export const isSettled = ({ status }: Booking) => isPaidOut({ status }) || status === 'CANCELLED'
