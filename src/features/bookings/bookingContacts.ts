import { getReadableContacts } from '~/domain/booking/contactAccess'
import { selectProfile } from '~/src/store/auth'
import { useContactsHidden } from '~/src/store/demoMode'
import { useAppSelector } from '~/src/store/hooks'
import { createLiveSlice, useLive } from '~/src/store/live/liveSlice'
import { createRowSchema } from '~/src/store/live/rowSchemas'
import { useNow } from '~/src/ui/useNow'
import type { Booking, BookingContacts } from '~/domain/booking/types'

type Field = keyof BookingContacts

/**
 * The requested contact fields of bookings; omits those that are missing or that the rules hide.
 */
export const bookingContacts = createLiveSlice('bookingcontacts', 'contacts', {
  toQuery: ({ ids, fields }: { ids: readonly string[]; fields: readonly Field[] }) =>
    ids.length > 0 && fields.length > 0
      ? { path: 'booking_contacts', records: { keys: ids, fields } }
      : null,
  schema: createRowSchema<Partial<BookingContacts> & { id: string }>({}),
})

/** Maximum number of bookings found by their recipient's phone. */
const TO_ONE_PHONE = 20

/** The newest bookings with this recipient's phone, exactly as the sender typed it; admins only. */
export const bookingsToPhone = createLiveSlice('bookingstophone', 'to', {
  toQuery: (phone: string, profile) =>
    phone && profile?.usertype === 'admin'
      ? {
          path: 'booking_contacts',
          orderBy: { child: 'deliveryPersonPhone' },
          equalTo: phone,
          limitToLast: TO_ONE_PHONE,
        }
      : null,
  schema: createRowSchema<Partial<BookingContacts> & { id: string }>({}),
  order: (a, b) => (a.id < b.id ? 1 : -1),
})

/**
 * Milliseconds between checks for the end of the contact hour on the screen; the rules are exact.
 */
const RECHECK_MS = 30_000
const NO_CONTACTS: Partial<BookingContacts> = {}

/**
 * Returns the contacts of a booking that the signed-in person may see now. Reads nothing that the
 * rules would refuse. `fields` limits the result; the default is all.
 */
export const useBookingContacts = (
  booking: Booking | null,
  fields?: readonly Field[],
): Partial<BookingContacts> => {
  const profile = useAppSelector(selectProfile)
  const now = useNow(RECHECK_MS)
  const isDemo = useContactsHidden() !== false
  const readable =
    booking && profile ? getReadableContacts(booking, { ...profile, isDemo }, now) : []
  const requestedFields = fields ? readable.filter((field) => fields.includes(field)) : readable
  const { contacts } = useLive(bookingContacts, {
    ids: booking ? [booking.id] : [],
    fields: requestedFields,
  })
  return contacts[0] ?? NO_CONTACTS
}
