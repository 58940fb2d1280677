import * as v from 'valibot'
import { bookingRef, imageUrl } from '../../../api/inputFields'
import { clientTimestamp, defineEvent } from '../defineEvent'

/** The driver starts the trip. */
export const start = defineEvent({
  from: ['ARRIVED'],
  to: ['STARTED'],
  by: ['driver'],
  needs: ['driver', 'otp', 'otpAttempts'],
  errors: ['code_required', 'code_wrong', 'code_locked', 'image_required', 'too_many_files'],
})

export const startInput = v.strictObject({
  ...bookingRef,
  event: v.literal('start'),
  otp: v.optional(v.pipe(v.number(), v.integer())),
  pickup_image: v.optional(imageUrl),
  ...clientTimestamp,
})
