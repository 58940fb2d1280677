import { type RefObject, useMemo, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { sortByWait } from '~/domain/dispatch/waitingBookings'
import { liveBooking, waitingBookings } from '~/src/features/bookings/bookings'
import { statusCounts } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/live/liveSlice'
import type { MapBounds } from '~/src/ui/map/mapPort'
import type { VirtualListHandle } from '~/src/ui/table/VirtualList'
import {
  type BoardDriver,
  type DriverFilter,
  filterDrivers,
  isCandidate,
  sortDrivers,
} from './boardDrivers'
import { useAssign } from './useAssign'
import { useBoardDrivers } from './useBoardDrivers'
import { usePickupTimes } from './usePickupTimes'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Maximum number of waiting bookings on the board: each is read whole. */
const MAX_WAITING = 200
const ANY_DRIVER: DriverFilter = { text: '', carType: '', fleet: '', zone: null }

/** Returns the waiting bookings, those that waited longest first, and how many there are in all. */
const useQueue = () => {
  const { waiting: unsorted, loading, error, retry } = useLive(waitingBookings, MAX_WAITING)
  const { counts } = useLive(statusCounts)
  const waiting = useMemo(() => sortByWait(unsorted), [unsorted])
  const total = waiting.length < MAX_WAITING ? waiting.length : (counts?.NEW ?? 0)
  return { waiting, total, loading, error, retry }
}

/** Holds the filter of the drivers; returns those on the map and, of them, those in the list. */
const useDriverFilter = (drivers: readonly BoardDriver[], booking: Booking | null) => {
  const [filter, setFilter] = useState(ANY_DRIVER)
  const [isInZone, setInZone] = useState(false)
  const [bounds, setBounds] = useState<MapBounds | null>(null)
  const onMap = useMemo(() => filterDrivers(drivers, filter), [drivers, filter])
  const listedDrivers = useMemo(
    () =>
      sortDrivers(filterDrivers(onMap, { ...ANY_DRIVER, zone: isInZone ? bounds : null }), booking),
    [onMap, isInZone, bounds, booking],
  )
  const changeFilter = (changes: Partial<DriverFilter>) => setFilter({ ...filter, ...changes })
  return { onMap, listedDrivers, filter, changeFilter, isInZone, setInZone, setBounds }
}

/** Returns the drivers who can take a booking, with their positions. */
const getCandidates = (drivers: readonly BoardDriver[], booking: Booking | null) =>
  booking
    ? drivers.flatMap((driver) =>
        driver.at && isCandidate(driver, booking) ? [{ id: driver.id, at: driver.at }] : [],
      )
    : []

type ListRef = RefObject<VirtualListHandle | null>

/** Holds what is chosen on the board, and assigns. Moves the focus between the two lists. */
export const useBoard = (settings: Settings, queueList: ListRef, driverList: ListRef) => {
  const queue = useQueue()
  const { waiting } = queue
  const { drivers, ...onDuty } = useBoardDrivers(waiting, settings)
  // A link leads to one booking; from then on, the list chooses.
  const [params] = useSearchParams()
  const [bookingId, setBookingId] = useState<string | null>(params.get('open'))
  const [driverId, setDriverId] = useState<string | null>(null)
  const [pane, setPane] = useState('queue')
  const assign = useAssign()
  // The card stays open after the booking has left the queue.
  const { booking } = useLive(liveBooking, bookingId ?? '')
  const unassignedBooking = booking?.status === 'NEW' ? booking : null
  const filter = useDriverFilter(drivers, unassignedBooking)
  const { listedDrivers } = filter
  const candidates = getCandidates(listedDrivers, unassignedBooking)
  const pickupTimes = usePickupTimes(unassignedBooking?.pickup ?? null, candidates)

  const offer = async (driver: string, of: string) => {
    const to = drivers.find(({ id }) => id === driver)
    const offered = waiting.find(({ id }) => id === of)
    if (!to || !offered || !(await assign(offered, to))) return
    setDriverId(null)
    queueList.current?.focus()
  }
  const goToDrivers = () => {
    setPane('drivers')
    setDriverId(candidates[0]?.id ?? listedDrivers[0]?.id ?? null)
    driverList.current?.focus()
  }
  const goToQueue = () => {
    setPane('queue')
    queueList.current?.focus()
  }
  const closeBooking = () => {
    setBookingId(null)
    queueList.current?.focus()
  }
  return {
    queue,
    drivers,
    onDuty,
    filter,
    booking,
    unassignedBooking,
    bookingId,
    setBookingId,
    driverId,
    setDriverId,
    pickupTimes,
    pane,
    setPane,
    offer,
    goToDrivers,
    goToQueue,
    closeBooking,
  }
}
export type BoardState = ReturnType<typeof useBoard>
