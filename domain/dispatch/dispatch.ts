import type { DatabaseValue } from '../data/databaseValue'
import { getDistanceKm, getSearchRadiusKm } from '../geo/geo'
import { encodeGeohash } from '../geo/geohash'
import { getPushKeyTime } from '../data/pushKeys'
import { dbPaths, SERVER_UID } from '../data/databasePaths'
import type { AvailableDriver, BusyDriver } from './types'
import type { Booking } from '../booking/types'
import type { LatLng } from '../geo/types'
import type { Settings } from '../catalog/types'
import type { User } from '../accounts/types'
import type { Kilometers, Milliseconds, Seconds } from '../language/units'

export interface NearbyDriver extends AvailableDriver {
  uid: string
  /** Kilometers. */
  distance: number
  /**
   * Seconds until the driver's current booking probably ends, at the driver's place here; missing
   * for a free driver.
   */
  wait_s?: Seconds
}

/** Maximum number of drivers with an offer of one booking at the same time. */
export const MAX_OFFERED_DRIVERS = 20
/**
 * Maximum number of open requests of one driver, because an accept withdraws them all in one write.
 */
export const MAX_OPEN_REQUESTS = 100
const DEFAULT_OFFER_SECONDS = 30

/** Returns the time in milliseconds after which the next driver may be asked. */
export const getOfferMs = ({ dispatchSeconds }: Pick<Settings, 'dispatchSeconds'>): Milliseconds =>
  (dispatchSeconds ?? DEFAULT_OFFER_SECONDS) * 1000

/**
 * Returns true when the driver has had their time to answer. Without a time, the offer counts as
 * new.
 */
export const isRequestExpired = (
  { askedDrivers = {} }: Booking,
  driver: string,
  settings: Pick<Settings, 'dispatchSeconds'>,
  now: number,
): boolean => now - (askedDrivers[driver] ?? now) >= getOfferMs(settings)

/** Returns true while a driver of this booking still has time to answer. */
export const isAnswerAwaited = (
  booking: Booking,
  settings: Pick<Settings, 'dispatchSeconds'>,
  now: number,
): boolean =>
  Object.keys(booking.requestedDrivers ?? {}).some(
    (uid) => !isRequestExpired(booking, uid, settings, now),
  )

/** Returns true when a driver can receive offers: approved, on duty, not busy, position known. */
export const isAvailable = (
  user: Pick<User, 'usertype' | 'approved' | 'queue' | 'driverActiveStatus' | 'location'>,
): boolean =>
  user.usertype === 'driver' &&
  user.approved &&
  user.queue !== true &&
  user.driverActiveStatus === true &&
  user.location !== undefined

/** Returns the entry that an available driver publishes, without personal data. */
export const toAvailability = (
  {
    carType = '',
    fleetadmin,
    location,
  }: Pick<User, 'carType' | 'fleetadmin'> & { location: LatLng },
  now: number,
): AvailableDriver => ({
  carType,
  geohash: encodeGeohash(location),
  lat: location.lat,
  lng: location.lng,
  at: now,
  ...(fleetadmin && { fleetadmin }),
})

/** Maximum time (ms) that riders see a car under one key, so that no key tracks a car. */
const CAR_KEY_MS = 2 * 60_000

/** Returns true when a car needs a new key. A wrong clock only makes keys change sooner. */
export const isCarKeyExpired = (key: string, now: number): boolean =>
  Math.abs(now - getPushKeyTime(key)) > CAR_KEY_MS

/**
 * Returns the update that lists a free driver at a position or moves them: by uid for the back
 * office and dispatch, under `key` for riders. It is one update because the rules compare the two.
 * `when` is the server's time, so that an old position never counts as new.
 */
export const buildAvailabilityUpdates = (
  driver: Pick<User, 'id' | 'carType' | 'fleetadmin' | 'shift'>,
  place: LatLng,
  key: string,
  when: DatabaseValue = { '.sv': 'timestamp' },
): Record<string, DatabaseValue> => {
  const { fleetadmin, ...line } = { ...toAvailability({ ...driver, location: place }, 0), at: when }
  const isNew = driver.shift !== key
  return {
    [dbPaths.availableDriver(driver.id)]: { ...line, ...(fleetadmin && { fleetadmin }) },
    [dbPaths.nearbyCar(key)]: line,
    ...(isNew && { [`${dbPaths.user(driver.id)}/shift`]: key }),
    ...(isNew && driver.shift !== undefined && { [dbPaths.nearbyCar(driver.shift)]: null }),
  }
}

/**
 * Returns the update that removes a driver from both lists. The rules refuse it when the car has
 * received a new key; the caller then reads the key again.
 */
export const buildUnavailabilityUpdates = ({
  id,
  shift,
}: Pick<User, 'id' | 'shift'>): Record<string, DatabaseValue> => ({
  [dbPaths.availableDriver(id)]: null,
  ...(shift !== undefined && {
    [`${dbPaths.user(id)}/shift`]: null,
    [dbPaths.nearbyCar(shift)]: null,
  }),
})

/**
 * Returns the listed drivers of a vehicle type within the search radius of a position, nearest
 * first.
 */
export const findNearestDrivers = (
  availableDrivers: Readonly<Record<string, AvailableDriver>>,
  { from, carType }: { from: LatLng; carType: string },
  settings: Pick<Settings, 'driverRadius' | 'convert_to_mile'>,
): NearbyDriver[] => {
  const radius = getSearchRadiusKm(settings)
  return Object.entries(availableDrivers)
    .filter(([, driver]) => driver.carType === carType)
    .map(([uid, driver]) => ({ ...driver, uid, distance: getDistanceKm(from, driver) }))
    .filter(({ distance }) => distance <= radius)
    .sort((a, b) => a.distance - b.distance || (a.uid < b.uid ? -1 : 1))
}

/** Straight-line speed for estimates without street data. */
const STRAIGHT_LINE_KMH = 20

const toStraightSeconds = (km: Kilometers): Seconds => (km / STRAIGHT_LINE_KMH) * 3600

/** Estimates the seconds from one position to the other without street data. */
export const estimatePickupSeconds = (from: LatLng, to: LatLng): Seconds =>
  Math.round(toStraightSeconds(getDistanceKm(from, to)))

/** Milliseconds after the expected end of a trip after which it says nothing about the real end. */
const MAX_OVERDUE_MS = 5 * 60_000

/** Returns the earliest and the latest end (ms) of trips that probably end within a time. */
export const getEndingTimes = (withinMs: Milliseconds, now: number): [from: number, to: number] => [
  now - MAX_OVERDUE_MS,
  now + withinMs,
]

/**
 * Returns the busy drivers who may be asked about their next booking, at the place and the time
 * (`at`) at which their trip probably ends.
 */
export const toEndingDrivers = (
  busy: Readonly<Record<string, BusyDriver>>,
): Record<string, AvailableDriver> =>
  Object.fromEntries(
    Object.entries(busy).flatMap(([uid, { carType, ends_at, lat, lng }]) =>
      ends_at === undefined || lat === undefined || lng === undefined
        ? []
        : [[uid, { carType, lat, lng, geohash: '', at: ends_at }]],
    ),
  )

/**
 * Returns free drivers together with those whose current booking probably ends soon, in the order
 * of their estimated time to the position.
 */
export const addEndingDrivers = (
  {
    free,
    ending,
  }: { free: readonly NearbyDriver[]; ending: Readonly<Record<string, AvailableDriver>> },
  search: { from: LatLng; carType: string },
  settings: Pick<Settings, 'driverRadius' | 'convert_to_mile'>,
  now: number,
): NearbyDriver[] => {
  const following = findNearestDrivers(ending, search, settings).map((driver) => ({
    ...driver,
    wait_s: Math.max(0, Math.round((driver.at - now) / 1000)),
  }))
  if (following.length === 0) return [...free]
  const getSeconds = ({ distance, wait_s = 0 }: NearbyDriver) =>
    toStraightSeconds(distance) + wait_s
  return [...free, ...following].sort(
    (a, b) => getSeconds(a) - getSeconds(b) || (a.uid < b.uid ? -1 : 1),
  )
}

/** A driver whom dispatch may ask, with the seconds to the pickup. */
export interface DispatchCandidate {
  uid: string
  eta_s: Seconds
}

/**
 * Returns the candidates with the shortest time to the pickup first, without those beyond the limit
 * in the settings. Candidates with the same time keep their order.
 */
export const orderByPickupTime = <C extends DispatchCandidate>(
  candidates: readonly C[],
  { maxPickupMinutes }: Pick<Settings, 'maxPickupMinutes'>,
): C[] =>
  candidates
    .filter(({ eta_s }) => maxPickupMinutes === undefined || eta_s <= maxPickupMinutes * 60)
    .sort((a, b) => a.eta_s - b.eta_s)

/**
 * Returns the drivers whom the system does not ask again about this booking: they declined or
 * released it, or the back office took it or their request back.
 */
export const getExcludedDrivers = ({ event_log = {} }: Pick<Booking, 'event_log'>): Set<string> =>
  new Set(
    Object.values(event_log).flatMap(({ event, by, ref }) => {
      if (event === 'decline') return [by]
      const isTaken = event === 'release' || (event === 'withdraw' && by !== SERVER_UID)
      return isTaken && ref !== undefined ? [ref] : []
    }),
  )

/**
 * Returns the drivers to send the next offers of a NEW booking to in mode `broadcast`, given those
 * nearby (nearest first); empty when there is nothing to do but wait.
 */
export const selectDriversToOffer = (
  booking: Booking,
  nearby: readonly Pick<NearbyDriver, 'uid'>[],
  { autoDispatch }: Pick<Settings, 'autoDispatch'>,
): string[] => {
  if (!autoDispatch || booking.status !== 'NEW') return []
  const excluded = getExcludedDrivers(booking)
  const willing = nearby.map(({ uid }) => uid).filter((uid) => !excluded.has(uid))
  const requested = booking.requestedDrivers ?? {}
  const all = [...Object.keys(requested), ...willing.filter((uid) => !requested[uid])]
  const isNews = all.length > Object.keys(requested).length
  return isNews ? all.slice(0, Math.max(MAX_OFFERED_DRIVERS, Object.keys(requested).length)) : []
}
