import type { EndpointOutput } from '~/domain/api/api'
import type { BookingFilter } from '~/domain/booking/search/bookingFilter'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { BookingWithContacts } from '~/domain/booking/types'

interface ExportRequest {
  filter: BookingFilter
  /** Receives the number of bookings examined so far. */
  onProgress?: (count: number) => void
}

/** Returns every matching booking, oldest first, fetched page by page; refuses in demo mode. */
export const fetchBookingsToExport = createServiceThunk<ExportRequest, BookingWithContacts[]>(
  'bookinglistdata/export',
  async ({ filter, onProgress }, { functions }) => {
    const { until, ...equals } = filter
    const rows: BookingWithContacts[] = []
    let cursor: string | null = null
    do {
      const page: EndpointOutput<'export_bookings'> = await functions.call('export_bookings', {
        limit: 500,
        ...(cursor && { cursor }),
        ...equals,
        ...(until !== undefined && { to: until }),
      })
      rows.push(...page.rows)
      onProgress?.(rows.length)
      cursor = page.next
    } while (cursor)
    return rows
  },
)
