import type { Booking, Status } from '~/domain/entities'
import { operation } from '~/src/store/operation'

/** Every booking that matches, oldest first, fetched page by page; refused in demo mode. */
export const fetchBookingsToExport = operation<{ status: Status | null }, Booking[]>(
  'bookinglistdata/export',
  async ({ status }, { functions }) => {
    const rows: Booking[] = []
    let cursor: string | null = null
    do {
      const page: { rows: Booking[]; next: string | null } = await functions.call(
        'export_bookings',
        { limit: 500, ...(cursor && { cursor }), ...(status && { status }) },
      )
      rows.push(...page.rows)
      cursor = page.next
    } while (cursor)
    return rows
  },
)
