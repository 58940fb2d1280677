import * as v from 'valibot'
import { bookingRef } from '../../../api/inputFields'
import { clientTimestamp, defineEvent } from '../defineEvent'

/** The driver ends the trip. */
export const finish = defineEvent({
  from: ['REACHED'],
  to: ['PENDING', 'PAID'],
  by: ['driver'],
  needs: ['customer', 'driver', 'referrer', 'driverReferrer', 'next'],
  errors: [],
})

export const finishInput = v.strictObject({
  ...bookingRef,
  event: v.literal('finish'),
  ...clientTimestamp,
})
