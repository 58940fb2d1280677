import { sumHeldPayouts } from '~/domain/booking/payment/driverPayout'
import { dbPaths } from '~/domain/data/databasePaths'
import type { DatabasePort } from '../../ports/database'
import type { Booking, FareReview } from '~/domain/booking/types'

/** Most reviews of one driver whose bookings are read; the office decides them one by one. */
const MAX_REVIEWS = 100

/**
 * Returns the part of a driver's wallet that came from trips which the office has yet to review.
 * Null when they have more reviews than are read: any part may be held then.
 */
export const readHeldShare = async (
  db: DatabasePort,
  driver: string,
  decimal: number,
): Promise<number | null> => {
  const reviews = await db.list<FareReview>('fare_reviews', {
    by: 'driver',
    equalTo: driver,
    first: MAX_REVIEWS + 1,
  })
  if (reviews.length > MAX_REVIEWS) return null
  const bookings = await Promise.all(reviews.map(([id]) => db.read<Booking>(dbPaths.booking(id))))
  return sumHeldPayouts(
    bookings.filter((booking) => booking !== null),
    decimal,
  )
}
