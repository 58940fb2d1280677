import { exportBookings } from '~/domain/api'
import type { Booking } from '~/domain/entities'
import { actionRefused } from '~/domain/permissions'
import { forUsers } from '../definition'
import { refuseIf } from '../refused'
import { readSettings } from '../settings'

/** Gives bookings page by page, for tables that are exported whole. */
export const export_bookings = forUsers({
  name: 'export_bookings',
  summary:
    "Bookings in pages, oldest first: all for an admin, his own drivers' for a fleet admin. `cursor` is the last page's `next`.",
  input: exportBookings,
  allow: ['admin', 'fleetadmin'],
  limit: 240,
  answers: '{rows: Booking[], next: string | null}',
  refuses: ['demo_mode'],
  async handle({ cursor, limit, from = 0, to = Infinity, status }, { actor, db }) {
    refuseIf(actionRefused('table_export', actor.role, await readSettings(db)))
    // Keys are push keys: their order is the order of making.
    const whose = actor.role === 'admin' ? { by: '$key' } : { by: 'fleetadmin', equalTo: actor.uid }
    const page = await db.list<Booking>('bookings', {
      ...whose,
      ...(cursor !== undefined && { afterKey: cursor }),
      first: limit,
    })
    const rows = page
      .map(([, booking]) => booking)
      .filter(({ bookingDate }) => bookingDate >= from && bookingDate <= to)
      .filter((booking) => status === undefined || booking.status === status)
    return { rows, next: page.length < limit ? null : (page.at(-1)?.[0] ?? null) }
  },
})
