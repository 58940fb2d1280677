import { isPaidOut } from './paidOut'
import { subtractAmount, sumAmounts } from '../../money/money'
import { isReviewOpen } from '../events/review/openReview'
import type { Booking } from '../types'

/**
 * Returns what a paid trip moves in its driver's wallet: their share less the cash that they have
 * kept. It is negative when the cash was more.
 */
export const getDriverPayout = (
  { driver_share, cashPaymentAmount = 0 }: Pick<Booking, 'driver_share' | 'cashPaymentAmount'>,
  decimal: number,
): number => subtractAmount(driver_share, cashPaymentAmount, decimal)

/**
 * Returns the part of a driver's wallet that came from paid trips whose fare reviews are open. The
 * cash of a trip covers no part of another trip's share.
 */
export const sumHeldPayouts = (
  bookings: readonly Pick<
    Booking,
    'status' | 'distance_review' | 'driver_share' | 'cashPaymentAmount'
  >[],
  decimal: number,
): number =>
  sumAmounts(
    bookings
      .filter(isPaidOut)
      .filter(isReviewOpen)
      .map((booking) => Math.max(0, getDriverPayout(booking, decimal))),
    decimal,
  )
