import type { Draft } from '../changeDraft'
import type { TransitionArgs } from '../eventArgs'

/** Puts a booking that no asked driver took first in the queue and alerts the back office. */
export const requeueUnanswered = (draft: Draft, { booking, now }: TransitionArgs) => {
  draft.setFields({ requeued_at: now })
  draft.notifyOffice('booking_declined', { reference: booking.reference })
}
