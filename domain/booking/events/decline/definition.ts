import { isAsked } from '../../offers/waitingBooking'
import { defineEvent } from '../defineEvent'

/**
 * A driver refuses an offer. When the back office assigned the booking, a decline of the only offer
 * ends it, or with `requeueDeclined` puts it first in the queue.
 */
export const decline = defineEvent({
  from: ['NEW'],
  to: ['NEW', 'CANCELLED'],
  by: ['driver'],
  logKey: 'perRevision',
  isForAskedDrivers: true,
  startsDispatch: () => true,
  input: {},
  // When the last driver declines, the booking ends, and prepaid money and promo are returned.
  needs: ['customer', 'promo', 'offers'],
  errors: ['not_requested'],
  isAvailable: isAsked,
  findRepeat: ([last], _, booking, actor) => (isAsked(booking, actor) ? undefined : last),
})
