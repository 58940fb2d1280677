import type { EndpointOutput } from '~/domain/api/api'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { createServiceThunk } from '~/src/store/serviceThunk'

/**
 * Creates a booking. The same booking_id again returns the same response and creates no second
 * booking. In its own file so that the public page loads no lists of bookings.
 */
export const addBooking = createServiceThunk<CreateBookingInput, EndpointOutput<'create_booking'>>(
  'bookingdata/addBooking',
  (input, { functions }) => functions.call('create_booking', input),
)
