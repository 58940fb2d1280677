import { useMemo } from 'react'
import { getAvailableEvents } from '~/domain/booking/availableEvents'
import { canBeFollowed, getFollowOnMs } from '~/domain/booking/offers/followOn'
import { type DriverEvent, isDriverEvent } from '~/domain/booking/transitions'
import { liveBookings } from '~/src/features/bookings/bookings'
import { liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { selectOutbox } from './outbox/outbox'
import { applyUnsentEvents } from './outbox/optimisticBooking'
import { TRACKED_STATUSES, type Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Number of newest bookings considered; the list page uses the same query and shares its cache. */
export const RECENT_BOOKINGS_QUERY = { size: 50 }

/** Returns true for the booking that the driver drives now, and not for their next one. */
const isTracked = ({ status, follows }: Booking): boolean =>
  follows === undefined && (TRACKED_STATUSES as readonly string[]).includes(status)

/** Returns true when the driver may accept an offer now: a free one, or for after their trip. */
export const mayAcceptOffer = (
  driver: User,
  current: readonly BookingWithEvents[],
  settings: Settings,
): boolean =>
  driver.queue !== true ||
  (getFollowOnMs(settings) > 0 && current.some(({ booking }) => canBeFollowed(booking, driver.id)))

/** Returns the events the driver may apply to their booking, one for each button. */
export const getDriverEvents = (
  booking: Booking,
  driver: User,
  settings: Settings,
): DriverEvent[] =>
  getAvailableEvents(booking, { uid: driver.id, role: 'driver' }, settings).filter(isDriverEvent)

export interface BookingWithEvents {
  booking: Booking
  events: DriverEvent[]
}

/** Returns the booking whose track the driver's device records, if any. */
export const findTracked = (current: readonly BookingWithEvents[]): Booking | undefined =>
  current.map(({ booking }) => booking).find(isTracked)

/** Returns the driver's newest bookings; unsent events count as done. */
export const useRecentBookings = (): { recent: Booking[]; loading: boolean } => {
  const driver = useAppSelector(selectProfile)
  const { items, isOptimistic } = useAppSelector(selectOutbox)
  const { settings } = useLive(liveSettings)
  const { bookings, loading } = useLive(liveBookings, RECENT_BOOKINGS_QUERY)
  const recent = useMemo(
    () =>
      isOptimistic && driver && settings
        ? bookings.map((row) => applyUnsentEvents(row, items, { driver, settings }))
        : bookings,
    [driver, settings, bookings, items, isOptimistic],
  )
  return { recent, loading }
}

/** Returns the driver's bookings with events left to apply, the one being driven first. */
export const useCurrentBookings = (): { current: BookingWithEvents[]; loading: boolean } => {
  const driver = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { recent, loading } = useRecentBookings()
  const current = useMemo(() => {
    if (!driver || !settings) return []
    return recent
      .map((booking) => ({ booking, events: getDriverEvents(booking, driver, settings) }))
      .filter(({ events }) => events.length > 0)
      .sort((a, b) => Number(isTracked(b.booking)) - Number(isTracked(a.booking)))
  }, [driver, settings, recent])
  return { current, loading }
}
