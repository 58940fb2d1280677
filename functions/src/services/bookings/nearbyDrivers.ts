import { getFollowOnMs } from '~/domain/booking/offers/followOn'
import {
  addEndingDrivers,
  estimatePickupSeconds,
  findNearestDrivers,
  getEndingTimes,
  toEndingDrivers,
  type NearbyDriver,
} from '~/domain/dispatch/dispatch'
import { getSearchRadiusKm } from '~/domain/geo/geo'
import { getGeohashRanges } from '~/domain/geo/geohash'
import { HOUR_MS } from '~/domain/language/timeUnits'
import type { DatabasePort } from '../../ports/database'
import type { AvailableDriver, BusyDriver } from '~/domain/dispatch/types'
import type { LatLng } from '~/domain/geo/types'
import type { Settings } from '~/domain/catalog/types'
import type { Milliseconds } from '~/domain/language/units'

/** The initial search radius. Each expansion reaches about the next larger geohash cell. */
const INITIAL_RADIUS_KM = 0.15
const RADIUS_FACTOR = 4

/** A search for drivers of a vehicle type around a position. */
interface DriverSearch {
  from: LatLng
  carType: string
  /** Number of drivers after which the search need not expand. */
  enough: number
}

/**
 * Returns available drivers of a vehicle type within the radius in the settings, nearest first: at
 * least the `enough` nearest, or all. Reads only the geohash cells in reach and expands the search
 * only as needed, because the nearest drivers of a big city are around the corner.
 */
export const findNearbyDrivers = async (
  db: DatabasePort,
  search: DriverSearch,
  settings: Settings,
): Promise<NearbyDriver[]> => {
  const { from, enough } = search
  const farthest = getSearchRadiusKm(settings)
  for (let radius = INITIAL_RADIUS_KM; ; radius *= RADIUS_FACTOR) {
    const isLast = radius * 1.5 >= farthest
    const reach = isLast ? farthest : radius
    const cells = await Promise.all(
      getGeohashRanges(from, reach).map(([startAt, endAt]) =>
        db.list<AvailableDriver>('available_drivers', { by: 'geohash', startAt, endAt }),
      ),
    )
    const availableDrivers = Object.fromEntries(cells.flat())
    const nearestDrivers = findNearestDrivers(availableDrivers, search, settings)
    // Cells extend beyond the reach, so a closer driver could be just outside them.
    const sure = isLast
      ? nearestDrivers
      : nearestDrivers.filter(({ distance }) => distance <= reach)
    if (isLast || sure.length >= enough) return sure
  }
}

/** Maximum number of trips read that end soon: those that end first. */
const MAX_ENDING_TRIPS = 500

/**
 * Returns the drivers of `findNearbyDrivers` and, when the settings say so, those whose trip
 * probably ends soon, in the order of their estimated time to the position.
 */
export const findReachableDrivers = async (
  db: DatabasePort,
  search: DriverSearch,
  { settings, now }: { settings: Settings; now: number },
): Promise<NearbyDriver[]> => {
  const withinMs = getFollowOnMs(settings)
  const findFree = () => findNearbyDrivers(db, search, settings)
  if (withinMs === 0) return findFree()
  const [free, ending] = await Promise.all([findFree(), listEndingDrivers(db, withinMs, now)])
  return addEndingDrivers({ free, ending }, search, settings, now)
}

/** Returns the drivers whose trips probably end within a time, where they end. */
const listEndingDrivers = async (db: DatabasePort, withinMs: Milliseconds, now: number) => {
  const [startAt, endAt] = getEndingTimes(withinMs, now)
  const trips = await db.list<BusyDriver>('busy_drivers', {
    by: 'ends_at',
    startAt,
    endAt,
    first: MAX_ENDING_TRIPS,
  })
  return toEndingDrivers(Object.fromEntries(trips))
}

/** Trips that end later say nothing about when a driver is there. */
const SOONEST_WITHIN_MS = 2 * HOUR_MS

/**
 * Returns when (ms) the first of the busy drivers is probably at a position, as if no other booking
 * waited; null when none ends within two hours in reach.
 */
export const findSoonestPickup = async (
  db: DatabasePort,
  { from, carType }: DriverSearch,
  { settings, now }: { settings: Settings; now: number },
): Promise<number | null> => {
  const ending = await listEndingDrivers(db, SOONEST_WITHIN_MS, now)
  const times = findNearestDrivers(ending, { from, carType }, settings).map(
    (driver) => Math.max(now, driver.at) + estimatePickupSeconds(driver, from) * 1000,
  )
  return times.length === 0 ? null : Math.min(...times)
}
