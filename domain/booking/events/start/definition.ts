import * as v from 'valibot'
import { imageUrl } from '../../../api/inputFields'
import { clientTimestamp, defineEvent, OFFICE_STEP_ERRORS, officeStepInput } from '../defineEvent'

/** The driver starts the trip. */
export const start = defineEvent({
  from: ['ARRIVED'],
  to: ['STARTED'],
  by: ['driver', 'admin'],
  isTripStep: true,
  input: {
    otp: v.optional(v.pipe(v.number(), v.integer())),
    pickup_image: v.optional(imageUrl),
    ...clientTimestamp,
    ...officeStepInput,
  },
  needs: ['driver', 'otp', 'otpAttempts'],
  errors: [
    'code_required',
    'code_wrong',
    'code_locked',
    'image_required',
    'too_many_files',
    ...OFFICE_STEP_ERRORS,
  ],
})
