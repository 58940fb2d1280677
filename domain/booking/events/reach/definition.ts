import * as v from 'valibot'
import { imageUrl } from '../../../api/inputFields'
import { defineTripStep, driverPosition } from '../defineEvent'

/** The driver is at the drop-off. Skips the stops that are left. */
export const reach = defineTripStep({
  from: ['STARTED'],
  to: ['REACHED'],
  input: { ...driverPosition, deliver_image: v.optional(imageUrl) },
  needs: ['customer', 'carType', 'tracking', 'dropAddress', 'roadResults', 'next'],
  errors: ['image_required', 'too_many_files'],
})
