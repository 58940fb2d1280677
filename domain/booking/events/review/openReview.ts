import type { Booking } from '../../types'

/** Returns true while a flagged trip awaits a decision by the back office, from its end on. */
export const isReviewOpen = ({
  status,
  distance_review: review,
}: Pick<Booking, 'status' | 'distance_review'>): boolean =>
  status !== 'STARTED' && review?.verdict === 'flagged' && review.decision === undefined
