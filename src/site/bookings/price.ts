import type { Booking, FareHistoryEntry } from '~/domain/entities'

/** What a booking costs as far as it is known: the final price, what was paid for a cancelled one, else the estimate. */
export const priceOf = ({ status, cancellationFee, trip_cost, estimate }: Booking): number =>
  status === 'CANCELLED' ? (cancellationFee ?? 0) : (trip_cost ?? estimate)

/** Its fares, the newest first. */
export const faresOf = ({ fare_history }: Booking): FareHistoryEntry[] =>
  Object.values(fare_history).sort((a, b) => b.at - a.at)

/** A discount that is not among the lines of its newest fare: a final one has it there, an estimate has not. */
export const discountBeside = (booking: Booking): number =>
  Object.values(faresOf(booking)[0]?.lines ?? {}).some(({ label }) => label === 'fare_discount')
    ? 0
    : (booking.discount_amount ?? 0)
