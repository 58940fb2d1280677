import { useMemo } from 'react'
import {
  type BookingFilter,
  isCoveredByIndex,
  isMatch,
} from '~/domain/booking/search/bookingFilter'
import { liveBookings, getCursor, isByDate } from '~/src/features/bookings/bookings'
import { useLive } from '~/src/store/live/liveSlice'
import { useCursor, useTableState } from '~/src/ui/table/tableState'
import { useFleetRows } from '../fleetRows'
import { useOfficeSession } from '../useOfficeSession'
import type { Booking } from '~/domain/booking/types'

export const TABLE_DEFAULTS = { size: 25, sort: 'date', descending: true }
/** Number of bookings that a fleet admin sees at first. */
const FLEET_PAGE_SIZE = 30
/** Maximum number of bookings that one search by an admin reads at once. */
const ADMIN_SEARCH_SIZE = 100

interface Order {
  isPaged: boolean
  isDated: boolean
  isAscending: boolean
  size: number
}

/** Returns the loaded bookings in the order of the list, and those that the page shows. */
const useShownRows = (
  bookings: readonly Booking[],
  filter: BookingFilter,
  { isPaged, isDated, isAscending, size }: Order,
) => {
  const { isAdmin } = useOfficeSession()
  // Pages follow the order of the index; the last row is beyond the page.
  const ordered = useMemo(() => {
    const newestFirst =
      isAdmin && !isDated ? [...bookings].sort((a, b) => (a.id < b.id ? 1 : -1)) : [...bookings]
    return isAscending ? newestFirst.reverse() : newestFirst
  }, [bookings, isAdmin, isDated, isAscending])
  const filterKey = JSON.stringify(filter)
  const rows = useMemo(() => {
    if (isPaged) return ordered.slice(0, size)
    return ordered.filter((b) => isMatch(b, JSON.parse(filterKey) as BookingFilter))
  }, [ordered, isPaged, size, filterKey])
  return { rows, last: (isPaged ? rows : ordered).at(-1) }
}

/**
 * Loads the bookings of the list: a page of an index for admins, a window that is filtered here
 * when no index covers their search, and the newest ones of a fleet.
 */
export const useBookingRows = (filter: BookingFilter) => {
  const { isAdmin } = useOfficeSession()
  const [{ size, search, sort, descending }] = useTableState(TABLE_DEFAULTS)
  const cursor = useCursor()
  const fleet = useFleetRows(FLEET_PAGE_SIZE, cursor)
  // When no index covers the search, we filter a window of the results of an index that covers part
  // of it.
  const isWindow = isAdmin && (search.trim() !== '' || !isCoveredByIndex(filter))
  const isPaged = isAdmin && !isWindow
  const ascending = isAdmin && sort === 'date' && !descending
  const { bookings, ...query } = useLive(liveBookings, {
    // We request one more than we show, to learn whether a next page exists.
    size: isPaged ? size + 1 : isWindow ? ADMIN_SEARCH_SIZE : fleet.size,
    ...(cursor.before && { cursor: cursor.before }),
    ...(ascending && { ascending }),
    ...(isAdmin && filter),
  })
  const isDated = isByDate(filter)
  const order = { isPaged, isDated, isAscending: ascending, size }
  const { rows, last } = useShownRows(bookings, filter, order)
  return {
    rows,
    query,
    search: search.trim(),
    /** The paging of a window; null otherwise. */
    window: isWindow
      ? {
          count: bookings.length,
          onNearer: cursor.hasPrevious ? cursor.onPrevious : undefined,
          onFurther:
            last && bookings.length >= ADMIN_SEARCH_SIZE
              ? () => cursor.onNext(getCursor(last, filter))
              : undefined,
        }
      : null,
    /** The paging of an index; null otherwise. */
    paging: isPaged
      ? {
          // With a filter by status, person or vehicle type, pages follow the ids.
          sortedBy: isDated ? { column: 'date', descending: !ascending } : null,
          hasNext: bookings.length > size,
          hasPrevious: cursor.hasPrevious,
          onNext: () => cursor.onNext(last && getCursor(last, filter)),
          onPrevious: cursor.onPrevious,
        }
      : null,
    onNewer: cursor.hasPrevious ? cursor.onPrevious : undefined,
    loadOlder: isAdmin ? undefined : fleet.getLoadOlder(bookings),
  }
}
