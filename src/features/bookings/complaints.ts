import * as v from 'valibot'
import type { EndpointOutput } from '~/domain/api/api'
import { dbPaths } from '~/domain/data/databasePaths'
import type { AddBookingNoteInput, SendReceiptInput } from '~/domain/api/inputs/bookings'
import { createLiveSlice } from '~/src/store/live/liveSlice'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { BookingNote } from '~/domain/booking/types'

/** Maximum number of notes read for one booking, the newest. */
const MAX_NOTES = 100

/** The office's notes about a booking, oldest first; admins only. */
export const bookingNotes = createLiveSlice('bookingnotes', 'notes', {
  toQuery: (booking: string, profile) =>
    profile?.usertype === 'admin'
      ? { path: dbPaths.bookingNotes(booking), orderBy: 'key', limitToLast: MAX_NOTES }
      : null,
  schema: createRowSchema<BookingNote & { id: string }>({
    text: v.string(),
    by: v.string(),
    at: v.number(),
  }),
  order: (a, b) => a.at - b.at,
})

/** Adds the office's note to a booking. */
export const addBookingNote = createServiceThunk<
  AddBookingNoteInput,
  EndpointOutput<'add_booking_note'>
>('bookingnotes/add', (input, { functions }) => functions.call('add_booking_note', input))

/** Sends the receipt of a booking to its rider again. */
export const sendReceipt = createServiceThunk<SendReceiptInput, EndpointOutput<'send_receipt'>>(
  'bookingdata/sendReceipt',
  (input, { functions }) => functions.call('send_receipt', input),
)
