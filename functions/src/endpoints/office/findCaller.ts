import { summarizeCaller } from '~/domain/booking/search/callerTrips'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { areContactsHidden } from '~/domain/access/permissions'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { readUser, type DatabasePort } from '../../ports/database'
import { readSettings } from '../../services/office/settings'
import { findUsers } from '../../services/users/userLookup'
import type { Booking, BookingContacts, CallerTrip } from '~/domain/booking/types'
import type { PersonNote, User } from '~/domain/accounts/types'

/** Number of a caller's last bookings that are read. */
const MAX_BOOKINGS = 20

/** Finds what the office needs to know about a caller. */
export const find_caller = defineUserEndpoint({
  name: 'find_caller',
  summary:
    "Returns the person with a phone number or an id: their last trips (each route once, newest first, at most 5), the bookings of their last 20 that are not over, and the office's note. `person` is null for an unknown number.",
  allow: ['admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  async handle(input, { actor, db }) {
    const person =
      'uid' in input
        ? await readUser<User>(db, input.uid)
        : ((await findUsers(db, { mobile: input.mobile }))[0] ?? null)
    if (!person) return { person: null, trips: [], open: [], note: { text: '', revision: 0 } }
    const { id, usertype, firstName, lastName, mobile = '' } = person
    const [rows, note, settings] = await Promise.all([
      db.list<Booking>('bookings', { by: 'customer', equalTo: id, last: MAX_BOOKINGS }),
      db.read<PersonNote>(internalPaths.personNote(id)),
      readSettings(db),
    ])
    const { trips, open } = summarizeCaller(rows.map(([, booking]) => booking))
    const isDemo = areContactsHidden(actor.role, settings)
    return {
      person: { id, usertype, firstName, lastName, mobile: isDemo ? '' : mobile },
      trips: isDemo ? trips : await addRecipientPhones(db, trips),
      open: open.map(({ id, reference, status, tripdate, dropAddress }) => ({
        id,
        reference,
        status,
        tripdate,
        dropAddress,
      })),
      note: { text: note?.text ?? '', revision: note?.revision ?? 0 },
    }
  },
})

const addRecipientPhones = (db: DatabasePort, trips: CallerTrip[]): Promise<CallerTrip[]> =>
  Promise.all(
    trips.map(async (trip) => {
      const path = `${dbPaths.bookingContacts(trip.booking_id)}/deliveryPersonPhone`
      const deliveryPersonPhone = await db.read<BookingContacts['deliveryPersonPhone']>(path)
      return { ...trip, ...(deliveryPersonPhone && { deliveryPersonPhone }) }
    }),
  )
