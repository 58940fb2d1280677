import { useMemo } from 'react'
import { eventsFor } from '~/domain/booking/eventsFor'
import type { BookingEvent } from '~/domain/booking/transitions'
import { type Booking, type Settings, TRACKED_STATUSES, type User } from '~/domain/entities'
import { bookings as liveBookings } from '~/src/features/bookings/bookings'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { selectOutbox } from './outbox/outbox'
import { projected } from './outbox/projected'

/** So many of the newest bookings are looked at; the list page shows the same ones first. */
export const RECENT = { size: 50 }

export const isTracked = ({ status }: Booking): boolean =>
  (TRACKED_STATUSES as readonly string[]).includes(status)

/** What the driver may do with a booking that is his: exactly the buttons to draw. */
export const stepsOf = (booking: Booking, driver: User, settings: Settings): BookingEvent[] =>
  eventsFor(booking, { uid: driver.id, role: 'driver' }, settings).filter(
    (event) => event !== 'accept' && event !== 'decline',
  )

export interface Current {
  booking: Booking
  steps: BookingEvent[]
}

/** The driver's newest bookings as he has left them: steps that could not be sent yet are taken as done. */
export const useRecent = (): { recent: Booking[]; loading: boolean } => {
  const driver = useAppSelector(selectProfile)
  const { items, assuming } = useAppSelector(selectOutbox)
  const { settings } = useLive(liveSettings)
  const { bookings, loading } = useLive(liveBookings, RECENT)
  const recent = useMemo(
    () =>
      assuming && driver && settings
        ? bookings.map((row) => projected(row, items, { driver, settings }))
        : bookings,
    [driver, settings, bookings, items, assuming],
  )
  return { recent, loading }
}

/** The driver's bookings that still ask something of him; the one he is driving first. */
export const useCurrent = (): { current: Current[]; loading: boolean } => {
  const driver = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { recent, loading } = useRecent()
  const current = useMemo(() => {
    if (!driver || !settings) return []
    return recent
      .map((booking) => ({ booking, steps: stepsOf(booking, driver, settings) }))
      .filter(({ steps }) => steps.length > 0)
      .sort((a, b) => Number(isTracked(b.booking)) - Number(isTracked(a.booking)))
  }, [driver, settings, recent])
  return { current, loading }
}
