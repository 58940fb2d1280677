import { exportBookings } from '~/domain/api'
import { type BookingFilter, isFound, leadOf } from '~/domain/bookingFilter'
import type { Booking } from '~/domain/entities'
import { actionRefused } from '~/domain/permissions'
import { forUsers } from '../definition'
import type { Query } from '../ports/database'
import { refuseIf } from '../refused'
import { readSettings } from '../settings'

/** A fleet has many bookings, a person few. */
const asFleet = (filter: BookingFilter, fleetadmin: string): Query => {
  const lead = leadOf(filter)
  return lead === 'customer' || lead === 'driver'
    ? { by: lead, equalTo: filter[lead] ?? '' }
    : { by: 'fleetadmin', equalTo: fleetadmin }
}

const asOffice = (filter: BookingFilter): Query => {
  const lead = leadOf(filter)
  // Keys are push keys: their order is the order of making.
  if (lead === null) return { by: '$key' }
  if (lead !== 'bookingDate') return { by: lead, equalTo: filter[lead] ?? '' }
  const { from = 0, until } = filter
  return { by: lead, startAt: from, ...(until !== undefined && { endAt: until }) }
}

const after = (cursor: string): Partial<Query> => {
  const [key = '', date] = cursor.split('.').reverse()
  return { afterKey: key, ...(date !== undefined && { afterValue: Number(date) }) }
}

/** Gives bookings page by page, for tables that are exported whole. */
export const export_bookings = forUsers({
  name: 'export_bookings',
  summary:
    "Bookings in pages, oldest first: all for an admin, his own drivers' for a fleet admin. `cursor` is the last page's `next`; a page may have fewer than `limit` and not be the last.",
  input: exportBookings,
  allow: ['admin', 'fleetadmin'],
  limit: 240,
  answers: '{rows: Booking[], next: string | null}',
  refuses: ['demo_mode'],
  async handle({ cursor, limit, to, ...asked }, { actor, db }) {
    refuseIf(actionRefused('table_export', actor.role, await readSettings(db)))
    const filter: BookingFilter = { ...asked, ...(to !== undefined && { until: to }) }
    const isOffice = actor.role === 'admin'
    const query = isOffice ? asOffice(filter) : asFleet(filter, actor.uid)
    const page = await db.list<Booking>('bookings', {
      ...query,
      ...(cursor !== undefined && after(cursor)),
      first: limit,
    })
    const rows = page
      .map(([, booking]) => booking)
      .filter((booking) => isOffice || booking.fleetadmin === actor.uid)
      .filter((booking) => isFound(booking, filter))
    const last = page.length < limit ? undefined : page.at(-1)
    const next =
      last && (query.by === 'bookingDate' ? `${last[1].bookingDate}.${last[0]}` : last[0])
    return { rows, next: next ?? null }
  },
})
