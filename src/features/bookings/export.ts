import type { BookingFilter } from '~/domain/bookingFilter'
import type { Booking } from '~/domain/entities'
import { operation } from '~/src/store/operation'

interface Asked {
  filter: BookingFilter
  /** Told how many bookings have been looked at so far. */
  onProgress?: (count: number) => void
}

/** Every booking that matches, oldest first, fetched page by page; refused in demo mode. */
export const fetchBookingsToExport = operation<Asked, Booking[]>(
  'bookinglistdata/export',
  async ({ filter, onProgress }, { functions }) => {
    const { until, ...equals } = filter
    const rows: Booking[] = []
    let cursor: string | null = null
    do {
      const page: { rows: Booking[]; next: string | null } = await functions.call(
        'export_bookings',
        {
          limit: 500,
          ...(cursor && { cursor }),
          ...equals,
          ...(until !== undefined && { to: until }),
        },
      )
      rows.push(...page.rows)
      onProgress?.(rows.length)
      cursor = page.next
    } while (cursor)
    return rows
  },
)
