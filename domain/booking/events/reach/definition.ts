import * as v from 'valibot'
import { imageUrl } from '../../../api/inputFields'
import {
  clientTimestamp,
  defineEvent,
  driverPosition,
  OFFICE_STEP_ERRORS,
  officeStepInput,
} from '../defineEvent'

/** The driver is at the drop-off. Skips the stops that are left. */
export const reach = defineEvent({
  from: ['STARTED'],
  to: ['REACHED'],
  by: ['driver', 'admin'],
  isTripStep: true,
  input: {
    ...driverPosition,
    deliver_image: v.optional(imageUrl),
    ...clientTimestamp,
    ...officeStepInput,
  },
  needs: ['customer', 'carType', 'tracking', 'dropAddress', 'roadResults', 'next'],
  errors: ['image_required', 'too_many_files', ...OFFICE_STEP_ERRORS],
})
