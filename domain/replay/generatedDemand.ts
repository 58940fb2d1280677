import { getDistanceKm } from '../geo/geo'
import { createPushKey } from '../data/pushKeys'
import { createSeededRandom, type Random } from '../data/seededRandom'
import {
  USUAL_BEHAVIOR,
  type ReplayRequest,
  type ReplayScenario,
  type TravelTimes,
} from './scenario'
import { HOUR_MS, MINUTE_MS } from '../language/timeUnits'
import type { LatLng, Place } from '../geo/types'
import type { Settings, VehicleType } from '../catalog/types'
import type { Hours } from '../language/units'

/** Minutes for which one trip keeps a driver, as used to convert a load into requests. */
export const TRIP_MINUTES = 25
/** The first hour fills the streets, and requests of the last minutes may end after the drivers. */
const WARM_UP_MS = HOUR_MS
const LAST_MS = 20 * MINUTE_MS
/** Kilometers by the streets of the shortest and the longest trip. */
const TRIP_KM = [1.2, 14] as const
/** Kilometers from the center at which a place is chosen about a third as often. */
const CENTER_KM = 4

interface GeneratedDemand {
  seed: number
  drivers: number
  /** The demand as a share of what the drivers can serve. */
  load: number
  hours: Hours
  /** Start of the first hour, ms. */
  start: number
  /** Places of the city, near which trips begin and end. */
  places: readonly LatLng[]
  center: LatLng
  travel: TravelTimes
  settings: Settings
  vehicleType: VehicleType
}

/** Returns a function that draws places, those near the center more often. */
export const createPlacePicker = (places: readonly LatLng[], center: LatLng, random: Random) => {
  let sum = 0
  const sums = places.map((place) => (sum += Math.exp(getDistanceKm(place, center) / -CENTER_KM)))
  return (): Place => {
    const drawn = random.next() * sum
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) > drawn) high = middle
      else low = middle + 1
    }
    const { lat, lng } = places[low] ?? center
    return { lat, lng, add: `${lat.toFixed(5)}, ${lng.toFixed(5)}` }
  }
}

/** Draws a drop-off whose way from the pickup by the streets is within a range of kilometers. */
export const drawDrop = (
  pickup: Place,
  pickPlace: () => Place,
  travel: TravelTimes,
  [shortestKm, longestKm]: readonly [number, number],
) => {
  for (;;) {
    const drop = pickPlace()
    const way = travel(pickup, drop)
    if (way.km >= shortestKm && way.km <= longestKm) return { drop, way }
  }
}

/**
 * Generates requests at random times at a constant rate, between random places that are denser
 * near the center, for drivers who are on duty the whole time.
 */
export const generateDemand = (options: GeneratedDemand): ReplayScenario => {
  const { seed, drivers, load, hours, start, places, center, travel, vehicleType } = options
  const random = createSeededRandom(seed)
  const pickPlace = createPlacePicker(places, center, random)
  const end = start + hours * HOUR_MS
  const meanGap = (TRIP_MINUTES * MINUTE_MS) / (load * drivers)
  const requests: ReplayRequest[] = []
  for (let at = start; (at += -Math.log(1 - random.next()) * meanGap) < end;) {
    const pickup = pickPlace()
    const { drop, way } = drawDrop(pickup, pickPlace, travel, TRIP_KM)
    const time = Math.round(at)
    requests.push({
      id: createPushKey(time, requests.length),
      at: time,
      pickup,
      drop,
      carType: vehicleType.id,
      km: way.km,
      plannedSeconds: Math.round(way.seconds),
      tripSeconds: Math.round(way.seconds * (0.95 + 0.1 * random.next())),
      pickupSeconds: random.integer(60, 120),
      dropSeconds: random.integer(60, 90),
      patienceSeconds: random.integer(360, 600),
    })
  }
  return {
    settings: options.settings,
    vehicleTypes: { [vehicleType.id]: vehicleType },
    requests,
    drivers: Array.from({ length: drivers }, (_, i) => ({
      uid: `driver${String(i).padStart(4, '0')}`,
      carType: vehicleType.id,
      duty: [{ from: start - MINUTE_MS, to: end + HOUR_MS, place: pickPlace() }],
    })),
    behavior: USUAL_BEHAVIOR,
    countFrom: start + WARM_UP_MS,
    countTo: end - LAST_MS,
  }
}
