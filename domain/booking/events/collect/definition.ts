import * as v from 'valibot'
import { bookingRef } from '../../../api/inputFields'
import { clientTimestamp, defineEvent } from '../defineEvent'

/** The driver has the cash. */
export const collect = defineEvent({
  from: ['PENDING'],
  to: ['PAID'],
  by: ['driver'],
  needs: ['customer', 'driver', 'referrer', 'driverReferrer'],
  errors: [],
})

export const collectInput = v.strictObject({
  ...bookingRef,
  event: v.literal('collect'),
  ...clientTimestamp,
})
