import * as v from 'valibot'
import { idSchema, required } from '../../../api/inputFields'
import { defineEvent } from '../defineEvent'

/**
 * The driver cannot come, or the back office takes the booking back: it looks for another driver.
 */
export const release = defineEvent({
  from: ['ACCEPTED', 'ARRIVED'],
  to: ['NEW'],
  by: ['driver', 'admin'],
  logKey: 'perRevision',
  mayFormerDriverRepeat: true,
  // A driver whom the office chose is asked alone.
  startsDispatch: ({ driver }: { driver?: string | undefined }) => driver === undefined,
  // Without the driver's time: a release takes effect when the server receives it.
  input: {
    reason: required(500, 'remark'),
    /** The driver to ask next. Admins only. */
    driver: v.optional(idSchema),
  },
  needs: [
    'customer',
    'driver',
    'nextDriver',
    'referrer',
    'openRequests',
    'offers',
    'otpAttempts',
    'followed',
  ],
  errors: [
    'demo_mode',
    'reason_required',
    'driver_busy',
    'driver_not_available',
    'driver_promo_tied',
    'driver_asked',
  ],
  // While there is a driver to release, the event is new.
  findRepeat: ([last], _, { driver }, { role, uid }) =>
    (role === 'driver' ? driver === uid : driver !== undefined) ? undefined : last,
})
