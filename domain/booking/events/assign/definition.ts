import * as v from 'valibot'
import { idSchema } from '../../../api/inputFields'
import { isDispatchedAutomatically } from '../../deadlines'
import { isLeftToOffice } from '../../offers/waitingBooking'
import { defineEvent } from '../defineEvent'

/** The back office asks a driver. */
export const assign = defineEvent({
  from: ['NEW'],
  to: ['NEW'],
  by: ['admin'],
  logKey: 'perRevision',
  input: {
    driver: idSchema,
    /** Asks the driver although their vehicle is of another type. */
    override: v.optional(v.literal(true)),
  },
  needs: ['customer', 'driver', 'referrer', 'openRequests', 'offers'],
  errors: [
    'auto_dispatch_on',
    'driver_not_available',
    'driver_busy',
    'driver_promo_tied',
    'driver_asked',
  ],
  isAvailable: (booking, _, settings) =>
    !isDispatchedAutomatically(booking, settings ?? {}) ||
    (settings !== undefined && isLeftToOffice(booking, settings)),
  findRepeat: ([last], { driver }: { driver: string }, booking) =>
    booking.requestedDrivers?.[driver] || booking.driver === driver ? last : undefined,
})
