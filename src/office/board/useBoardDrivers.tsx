import { type ReactNode, useMemo, useState } from 'react'
import { getAskedDrivers } from '~/domain/dispatch/waitingBookings'
import { useDirectory } from '~/src/features/users/directory'
import {
  availableDrivers,
  busyDrivers,
  type DirectoryPerson,
  MAX_DRIVERS,
} from '~/src/features/users/users'
import { useLive } from '~/src/store/live/liveSlice'
import { useNow } from '~/src/ui/useNow'
import { BusyDriverSubscription, useBusyDriversOnMap } from '../driversOnMap'
import { type BoardDriver, type SeenState, toBoardDrivers, trackStates } from './boardDrivers'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Maximum number of busy drivers whose positions the board follows; each has its own query. */
const MAX_FOLLOWED = 250
/** Milliseconds between readings of the clock; times in a state are shown in minutes. */
const TICK_MS = 10_000
const NO_PEOPLE: readonly DirectoryPerson[] = []

/**
 * Returns the drivers on duty, since when each is in their state, and the elements that follow the
 * busy ones. Reads three bounded lists; a fleet admin's contain only their own drivers.
 */
export const useBoardDrivers = (
  waiting: readonly Booking[],
  settings: Settings,
): {
  drivers: BoardDriver[]
  seen: ReadonlyMap<string, SeenState>
  loading: boolean
  subscriptions: ReactNode
} => {
  const { available, loading: isLoadingFree } = useLive(availableDrivers, { most: MAX_DRIVERS })
  const { busy, loading: isLoadingBusy } = useLive(busyDrivers, MAX_DRIVERS)
  const { entries } = useDirectory({ usertype: 'driver', size: MAX_DRIVERS })
  const [positions, onSeen] = useBusyDriversOnMap()
  const offeredBookings = useMemo(
    () =>
      new Map(
        waiting.flatMap((booking) =>
          getAskedDrivers(booking, settings).map(({ id }) => [id, booking.id] as const),
        ),
      ),
    [waiting, settings],
  )
  const people = entries.length > 0 ? entries : NO_PEOPLE
  const drivers = useMemo(
    () => toBoardDrivers({ available, busy, positions, people, offeredBookings }),
    [available, busy, positions, people, offeredBookings],
  )
  const loading = isLoadingFree || isLoadingBusy
  const now = useNow(TICK_MS)
  const [seenStates, setSeenStates] = useState<ReadonlyMap<string, SeenState>>(new Map())
  const tracked = trackStates(seenStates, drivers, {
    now,
    isLoading: loading || seenStates.size === 0,
  })
  if (tracked !== seenStates) setSeenStates(tracked)
  return {
    drivers,
    seen: seenStates,
    loading,
    subscriptions: busy
      .slice(0, MAX_FOLLOWED)
      .map((driver) => <BusyDriverSubscription key={driver.id} driver={driver} onSeen={onSeen} />),
  }
}
