import type { EndpointOutput } from '~/domain/api/api'
import type { ImportBookingsInput } from '~/domain/api/inputs/imports'
import { createServiceThunk } from '~/src/store/serviceThunk'

/** Imports a batch of later bookings; returns the outcome of each row. */
export const importBookings = createServiceThunk<
  ImportBookingsInput,
  EndpointOutput<'import_bookings'>
>('bookingdata/import', (input, { functions }) => functions.call('import_bookings', input))
