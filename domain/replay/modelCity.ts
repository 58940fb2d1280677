import { getDistanceKm } from '../geo/geo'
import { createSeededRandom } from '../data/seededRandom'
import { comparePolicies, type PolicyComparison } from './comparison'
import { generateDemand, TRIP_MINUTES } from './generatedDemand'
import { findPolicy } from './policies'
import type { TravelTimes } from './scenario'
import type { LatLng } from '../geo/types'
import type { Settings, VehicleType } from '../catalog/types'

/** A comparison of dispatch policies in a model city, small enough for a browser. */
export interface ModelTask {
  settings: Settings
  vehicleType: VehicleType
  /** Drivers on duty at the same time. */
  drivers: number
  /** Bookings in an hour. */
  bookingsPerHour: number
  /** Names of policies; the first one is the base of the differences. */
  policies: readonly string[]
  seeds: number
}

/** The largest task, which takes minutes. */
export const MAX_DRIVERS = 300
export const MAX_BOOKINGS_PER_HOUR = 800

/** The first hour fills the streets and does not count. */
const HOURS = 3
const START = Date.UTC(2026, 8, 7, 11)
const CENTER: LatLng = { lat: 0, lng: 0 }
const PLACES = 600
/** Half the side of the city, in degrees; about 10 km. */
const HALF_SIDE = 0.09
/** Ways are longer than the straight line, and cars are slow in a city. */
const DETOUR = 1.3
const KMH = 24

const travel: TravelTimes = (from, to) => {
  const km = getDistanceKm(from, to) * DETOUR
  return { km, seconds: (km / KMH) * 3600 }
}

/**
 * Plays the same generated demand under several policies with the settings and prices of the
 * operator. `onProgress` gets the share of finished runs. The same task gives the same result.
 */
export const compareInModelCity = (
  { settings, vehicleType, drivers, bookingsPerHour, policies, seeds }: ModelTask,
  onProgress: (share: number) => void,
): PolicyComparison[] => {
  const random = createSeededRandom(1)
  const places = Array.from({ length: PLACES }, () => ({
    lat: CENTER.lat + HALF_SIDE * (2 * random.next() - 1),
    lng: CENTER.lng + HALF_SIDE * (2 * random.next() - 1),
  }))
  let begun = 0
  return comparePolicies({
    policies: policies.map(findPolicy),
    seeds: Array.from({ length: seeds }, (_, i) => i + 1),
    createScenario: (seed) =>
      generateDemand({
        seed,
        drivers,
        load: (bookingsPerHour * TRIP_MINUTES) / 60 / drivers,
        hours: HOURS,
        start: START,
        places,
        center: CENTER,
        travel,
        settings: { ...settings, appcat: 'taxi' },
        vehicleType,
      }),
    travel,
    onRun: () => onProgress(begun++ / (seeds * policies.length)),
  })
}

/** Returns the policy that plays the dispatch mode of the settings. */
export const toPolicyName = ({
  dispatchMode = 'nearest',
  fairnessWeight = 0,
}: Pick<Settings, 'dispatchMode' | 'fairnessWeight'>): string =>
  dispatchMode === 'matched' && fairnessWeight > 0
    ? `matched:${Math.min(99_999, Math.round(fairnessWeight))}`
    : dispatchMode
