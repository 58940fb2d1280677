import type { Booking } from '~/domain/entities'

/** What a booking costs as far as it is known: the final price, what was paid for a cancelled one, else the estimate. */
export const priceOf = ({ status, cancellationFee, trip_cost, estimate }: Booking): number =>
  status === 'CANCELLED' ? (cancellationFee ?? 0) : (trip_cost ?? estimate)
