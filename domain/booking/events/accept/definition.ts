import { domainError } from '../../../api/errors'
import { isAsked } from '../../offers/waitingBooking'
import { defineEvent } from '../defineEvent'

/** A driver takes an offer. */
export const accept = defineEvent({
  from: ['NEW'],
  to: ['ACCEPTED'],
  by: ['driver'],
  logKey: 'perRevisionAfterFirst',
  isForAskedDrivers: true,
  input: {},
  needs: ['customer', 'driver', 'referrer', 'openRequests', 'offers', 'followed'],
  errors: [
    'booking_taken',
    'not_requested',
    'driver_busy',
    'driver_not_available',
    'driver_wallet_negative',
  ],
  isAvailable: isAsked,
  findRefusal: ({ status, driver }, { uid }) =>
    status !== 'NEW' && driver !== undefined && driver !== uid
      ? domainError('booking_taken', undefined, { status })
      : undefined,
  // An earlier acceptance does not count after a release.
  findRepeat: ([last], _, { status, driver }, { uid }) =>
    status !== 'NEW' && driver === uid ? last : undefined,
})
