import { isReviewOpen } from '~/domain/booking/events/review/openReview'
import { dbPaths } from '~/domain/data/databasePaths'
import { subtractAmount, sumAmounts } from '~/domain/money/money'
import type { DatabasePort } from '../../ports/database'
import type { Booking, FareReview } from '~/domain/booking/types'

/** Most reviews of one driver that are looked at; the office decides them one by one. */
const MAX_REVIEWS = 100

/**
 * Returns the part of a driver's wallet that came from trips which the office has yet to review.
 * Cash is left out: the driver has it already.
 */
export const readHeldShare = async (
  db: DatabasePort,
  driver: string,
  decimal: number,
): Promise<number> => {
  const reviews = await db.list<FareReview>('fare_reviews', {
    by: 'driver',
    equalTo: driver,
    first: MAX_REVIEWS,
  })
  const bookings = await Promise.all(reviews.map(([id]) => db.read<Booking>(dbPaths.booking(id))))
  const shares = bookings.map((booking) => {
    const isPaid = booking?.status === 'PAID' || booking?.status === 'COMPLETE'
    if (!booking || !isPaid || !isReviewOpen(booking)) return 0
    return Math.max(
      0,
      subtractAmount(booking.driver_share, booking.cashPaymentAmount ?? 0, decimal),
    )
  })
  return sumAmounts(shares, decimal)
}
