import { hasWords } from '~/domain/booking/search/bookingSearch'
import { getDistanceKm } from '~/domain/geo/geo'
import { formatFullName } from '~/domain/accounts/userAccounts'
import type { DirectoryPerson } from '~/src/features/users/users'
import type { MapBounds } from '~/src/ui/map/mapPort'
import type { AvailableDriver, BusyDriver } from '~/domain/dispatch/types'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { Seconds } from '~/domain/language/units'

/** The states in the order of the list; an asked driver has an open offer. */
export const DRIVER_STATES = ['free', 'asked', 'busy'] as const
type DriverState = (typeof DRIVER_STATES)[number]
export const DRIVER_STATE_TEXTS = {
  free: 'driver_is_free',
  asked: 'board_asked',
  busy: 'driver_is_busy',
} as const satisfies Record<DriverState, string>

export interface BoardDriver {
  id: string
  state: DriverState
  /** Empty while unknown. */
  name: string
  plate: string
  /** The vehicle type's id. */
  carType: string
  fleet: string | undefined
  /** Missing until the driver's device has sent it. */
  at: LatLng | undefined
  /** The booking that the driver drives or is asked to take. */
  booking: string | undefined
}

type WithId<Row> = Row & { id: string }

/** Joins the lists of free and busy drivers, the names, and the open offers by driver. */
export const toBoardDrivers = ({
  available,
  busy,
  positions,
  people,
  offeredBookings,
}: {
  available: readonly WithId<AvailableDriver>[]
  busy: readonly WithId<BusyDriver>[]
  /** Positions of busy drivers. */
  positions: ReadonlyMap<string, { at: LatLng }>
  people: readonly DirectoryPerson[]
  /** The booking that each driver is asked to take. */
  offeredBookings: ReadonlyMap<string, string>
}): BoardDriver[] => {
  const byId = new Map(people.map((person) => [person.id, person]))
  const isBusy = new Set(busy.map(({ id }) => id))
  const describe = (id: string, name = '') => ({
    id,
    name: formatFullName(byId.get(id) ?? { firstName: name, lastName: '' }),
    plate: byId.get(id)?.vehicleNumber ?? '',
  })
  return [
    // An accepted offer puts a driver on the second list before it takes them off the first.
    ...available
      .filter(({ id }) => !isBusy.has(id))
      .map(({ id, lat, lng, carType, fleetadmin }): BoardDriver => ({
        ...describe(id),
        state: offeredBookings.has(id) ? 'asked' : 'free',
        carType,
        fleet: fleetadmin,
        at: { lat, lng },
        booking: offeredBookings.get(id),
      })),
    ...busy.map(({ id, name, carType, fleetadmin, booking }): BoardDriver => ({
      ...describe(id, name),
      state: 'busy',
      carType,
      fleet: fleetadmin,
      at: positions.get(id)?.at,
      booking,
    })),
  ]
}

export interface DriverFilter {
  text: string
  /** A vehicle type's id; empty for all. */
  carType: string
  /** A fleet admin's id; empty for all. */
  fleet: string
  /** The visible part of the map; null for everywhere. */
  zone: MapBounds | null
}

/** Returns true for a position within the part of the map. */
const isWithin = ({ lat, lng }: LatLng, { south, west, north, east }: MapBounds): boolean =>
  lat >= south && lat <= north && lng >= west && lng <= east

/** Returns the drivers that match all parts of the filter. */
export const filterDrivers = (
  drivers: readonly BoardDriver[],
  { text, carType, fleet, zone }: DriverFilter,
): BoardDriver[] =>
  drivers.filter(
    (driver) =>
      (!carType || driver.carType === carType) &&
      (!fleet || driver.fleet === fleet) &&
      (!zone || (driver.at !== undefined && isWithin(driver.at, zone))) &&
      hasWords(`${driver.name} ${driver.plate}`, text),
  )

/** Returns true when a booking can be offered to the driver: free, and of its vehicle type. */
export const isCandidate = (
  { state, carType }: Pick<BoardDriver, 'state' | 'carType'>,
  { carTypeId }: Pick<Booking, 'carTypeId'>,
): boolean => state === 'free' && carType === carTypeId

/** Kilometers per step of the order: rows that change places with every movement can't be read. */
const ORDER_STEP_KM = 0.25

/**
 * Sorts drivers: for a booking its candidates first, the nearest to the pickup leading; then by
 * state and name.
 */
export const sortDrivers = (
  drivers: readonly BoardDriver[],
  booking: { carTypeId: string; pickup: LatLng } | null,
): BoardDriver[] => {
  const rank = (driver: BoardDriver) => {
    if (!booking || !isCandidate(driver, booking) || !driver.at) return Infinity
    return Math.floor(getDistanceKm(driver.at, booking.pickup) / ORDER_STEP_KM)
  }
  return drivers
    .map((driver) => ({ driver, near: rank(driver) }))
    .sort(
      (a, b) =>
        (a.near === b.near ? 0 : a.near - b.near) ||
        DRIVER_STATES.indexOf(a.driver.state) - DRIVER_STATES.indexOf(b.driver.state) ||
        a.driver.name.localeCompare(b.driver.name) ||
        (a.driver.id < b.driver.id ? -1 : 1),
    )
    .map(({ driver }) => driver)
}

/** The speed of a car in a city, and how much longer streets are than a straight line. */
const CITY_KM_PER_HOUR = 25
const DETOUR = 1.3

/** Returns an estimate of the seconds to a pickup from the straight line alone. */
export const estimateSeconds = (from: LatLng, to: LatLng): Seconds =>
  ((getDistanceKm(from, to) * DETOUR) / CITY_KM_PER_HOUR) * 3600

/** The state of a driver and since when the board has seen it, ms. */
export interface SeenState {
  state: DriverState
  at: number
  /** True when the board saw the change; false when the driver was already in the state. */
  isExact: boolean
}

/**
 * Returns since when each driver is in their state, as seen by the board. Returns `before` itself
 * when nothing changed. While `isLoading`, no driver counts as newly arrived.
 */
export const trackStates = (
  before: ReadonlyMap<string, SeenState>,
  drivers: readonly Pick<BoardDriver, 'id' | 'state'>[],
  { now, isLoading }: { now: number; isLoading: boolean },
): ReadonlyMap<string, SeenState> => {
  const isSame =
    before.size === drivers.length &&
    drivers.every(({ id, state }) => before.get(id)?.state === state)
  if (isSame) return before
  return new Map(
    drivers.map(({ id, state }) => {
      const previousState = before.get(id)
      const seenState =
        previousState?.state === state ? previousState : { state, at: now, isExact: !isLoading }
      return [id, seenState]
    }),
  )
}
