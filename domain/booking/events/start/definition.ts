import * as v from 'valibot'
import { imageUrl } from '../../../api/inputFields'
import { defineTripStep } from '../defineEvent'

/** The driver starts the trip. */
export const start = defineTripStep({
  from: ['ARRIVED'],
  to: ['STARTED'],
  input: {
    otp: v.optional(v.pipe(v.number(), v.integer())),
    pickup_image: v.optional(imageUrl),
  },
  needs: ['driver', 'otp', 'otpAttempts'],
  errors: ['code_required', 'code_wrong', 'code_locked', 'image_required', 'too_many_files'],
})
