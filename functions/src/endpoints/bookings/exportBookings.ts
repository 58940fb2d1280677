import { getReadableContacts } from '~/domain/booking/contactAccess'
import { type BookingFilter, isMatch, chooseIndex } from '~/domain/booking/search/bookingFilter'
import { dbPaths } from '~/domain/data/databasePaths'
import { checkAction, isOfficeRole } from '~/domain/access/permissions'
import { ALL_USER_TYPES, defineUserEndpoint } from '../../http/endpointTypes'
import type { Query } from '../../ports/database'
import { throwIfError } from '../../domainException'
import { readSettings } from '../../services/office/settings'
import type { UserRequestContext } from '../../ports/requestContext'
import type { Booking, BookingContacts, BookingWithContacts } from '~/domain/booking/types'

/**
 * Returns the query for the bookings of a fleet. A query for a customer or a driver would read
 * fewer rows, but also those of other fleets, and `next` would name one of them.
 */
const asFleet = (fleetadmin: string): Query => ({ by: 'fleetadmin', equalTo: fleetadmin })

/** Returns the query for the bookings that a rider made or a driver drove. */
export const asParty = ({ uid, role }: UserRequestContext['actor']): Query => ({
  by: role === 'driver' ? 'driver' : 'customer',
  equalTo: uid,
})

const buildAdminQuery = (filter: BookingFilter): Query => {
  const lead = chooseIndex(filter)
  // Push keys sort by creation time.
  if (lead === null) return { by: '$key' }
  if (lead !== 'bookingDate') return { by: lead, equalTo: filter[lead] ?? '' }
  const { from = 0, until } = filter
  return { by: lead, startAt: from, ...(until !== undefined && { endAt: until }) }
}

const parseCursor = (cursor: string): Partial<Query> => {
  const [key = '', date] = cursor.split('.').reverse()
  return { afterKey: key, ...(date !== undefined && { afterValue: Number(date) }) }
}

const pick = (contacts: Partial<BookingContacts>, fields: readonly (keyof BookingContacts)[]) =>
  Object.fromEntries(
    fields.flatMap((field) => (contacts[field] === undefined ? [] : [[field, contacts[field]]])),
  ) as Partial<BookingContacts>

/**
 * Adds the contacts that the caller may read to the bookings of a page. A page in the order of keys
 * needs one range query; the rows of any other page are read one by one.
 */
const addContacts = async (
  { db, actor, now }: Pick<UserRequestContext, 'db' | 'actor' | 'now'>,
  rows: readonly Booking[],
  by: string,
): Promise<BookingWithContacts[]> => {
  const [first, last] = [rows[0], rows.at(-1)]
  if (!first || !last) return []
  const contactRows =
    by === '$key'
      ? await db.list<BookingContacts>('booking_contacts', {
          by,
          startAt: first.id,
          endAt: last.id,
          first: rows.length,
        })
      : await Promise.all(
          rows.map(async ({ id }): Promise<[string, BookingContacts | null]> => [
            id,
            await db.read<BookingContacts>(dbPaths.bookingContacts(id)),
          ]),
        )
  const contacts = new Map(contactRows)
  return rows.map((booking) => {
    const bookingContacts = contacts.get(booking.id) ?? {}
    const reader = { id: actor.uid, usertype: actor.role }
    const readable = getReadableContacts(booking, reader, now)
    return { ...booking, ...pick(bookingContacts, readable) }
  })
}

/** Returns bookings page by page, for complete exports. */
export const export_bookings = defineUserEndpoint({
  name: 'export_bookings',
  summary:
    "Returns bookings with their contacts in pages, oldest first: all for an admin, those of their drivers for a fleet admin, their own for a driver and a rider. `cursor` is the last page's `next`; a page that is not the last may have fewer rows than `limit`.",
  allow: ALL_USER_TYPES,
  limit: 240,
  spends: [],
  needsFreshSignIn: (_, { role }) => isOfficeRole(role),
  errors: ['fresh_sign_in_needed', 'demo_mode'],
  async handle({ cursor, limit, to, ...filters }, { actor, db, now }) {
    throwIfError(checkAction('table_export', actor.role, await readSettings(db)))
    const filter: BookingFilter = { ...filters, ...(to !== undefined && { until: to }) }
    const isOffice = actor.role === 'admin'
    const isFleet = actor.role === 'fleetadmin'
    const query = isOffice ? buildAdminQuery(filter) : isFleet ? asFleet(actor.uid) : asParty(actor)
    const page = await db.list<Booking>('bookings', {
      ...query,
      ...(cursor !== undefined && parseCursor(cursor)),
      first: limit,
    })
    const rows = page.map(([, booking]) => booking).filter((booking) => isMatch(booking, filter))
    const last = page.length < limit ? undefined : page.at(-1)
    const next =
      last && (query.by === 'bookingDate' ? `${last[1].bookingDate}.${last[0]}` : last[0])
    return { rows: await addContacts({ db, actor, now }, rows, query.by), next: next ?? null }
  },
})
