import * as v from 'valibot'
import { isReviewOpen } from './openReview'
import { defineEvent } from '../defineEvent'
import { REVIEW_DECISIONS, type ReviewDecision } from '../../types'

/** The back office decides the price of a flagged trip (`distance_review`). */
export const review = defineEvent({
  from: ['REACHED', 'PENDING', 'PAID', 'COMPLETE'],
  to: ['REACHED', 'PENDING', 'PAID', 'COMPLETE'],
  by: ['admin'],
  isStatusKept: true,
  input: { decision: v.picklist(REVIEW_DECISIONS) },
  needs: ['driver', 'carType'],
  errors: ['demo_mode', 'already_processed', 'payment_mismatch'],
  isAvailable: isReviewOpen,
  findRepeat: ([last], { decision }: { decision: ReviewDecision }, { distance_review }) =>
    distance_review?.decision === decision ? last : undefined,
})
