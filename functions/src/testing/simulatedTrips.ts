// Simulates trips through the demo city and the points that a driver's phone records, for tests.
// Deployed code never imports it.
import type { Trip } from '~/domain/booking/trip/track'
import { decodeRoute, toStoredRoute } from '~/domain/booking/trip/route'
import { getDistanceKm } from '~/domain/geo/geo'
import { type TimedPosition, isPositionReportDue } from '~/domain/dispatch/reportingInterval'
import type { Random } from '~/domain/data/seededRandom'
import type { MapsPort, Route } from '../ports/mapsPort'
import type { LatLng } from '~/domain/geo/types'
import type { TrackingPoint } from '~/domain/booking/types'
import type { Kilometers, Meters, Seconds } from '~/domain/language/units'

const DEGREES_PER_METER = 1 / 111_195
const START_TIME = Date.UTC(2026, 10, 20, 15)

/** Returns the position that lies this many meters east and north of another. */
export const shiftPosition = ({ lat, lng }: LatLng, east: number, north: number): LatLng => ({
  lat: lat + north * DEGREES_PER_METER,
  lng: lng + (east * DEGREES_PER_METER) / Math.cos((lat * Math.PI) / 180),
})

/** Draws from the standard normal distribution. */
const drawNormal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next())

/** Returns a function for the position and speed at each kilometer of a route. */
export const createRouteProfile = ({ coords, steps }: Route) => {
  const reached = [0]
  coords.slice(1).forEach((to, i) => reached.push(reached[i]! + getDistanceKm(coords[i]!, to)))
  const km = reached.at(-1) ?? 0
  const speeds = steps
    .filter(({ distance_in_km, time_in_secs }) => distance_in_km > 0 && time_in_secs > 0)
    .map((routeStep) => ({
      km: routeStep.distance_in_km,
      kmh: (routeStep.distance_in_km * 3600) / routeStep.time_in_secs,
    }))
  let low = 0
  return {
    km,
    getPositionAt(along: number): LatLng {
      if (reached[low]! > along) low = 0
      while (low < coords.length - 2 && reached[low + 1]! <= along) low++
      const [a, b] = [coords[low]!, coords[low + 1] ?? coords[low]!]
      const span = (reached[low + 1] ?? along) - reached[low]!
      const share = span > 0 ? Math.min(1, Math.max(0, (along - reached[low]!) / span)) : 0
      return { lat: a.lat + (b.lat - a.lat) * share, lng: a.lng + (b.lng - a.lng) * share }
    },
    getSpeedAt(along: number): number {
      let passed = 0
      for (const section of speeds) {
        passed += section.km
        if (along < passed) return section.kmh
      }
      return speeds.at(-1)?.kmh ?? 30
    },
  }
}

/** The true position and speed (m/s) of the car at one second. */
export interface CarState extends LatLng {
  speed: number
}

interface DrivingOptions {
  /** Seconds before the car leaves, and from its arrival until the driver taps the button. */
  departureDelaySeconds: Seconds
  arrivalDelaySeconds: Seconds
  /** Multiplier of the planned time; below 1 is faster. */
  trafficFactor: number
  /** Stops along the route: the kilometer and the seconds that the car stands there. */
  standstills: readonly { km: Kilometers; seconds: Seconds }[]
}

/** Drives a route second by second. */
export const driveRoute = (
  route: Route,
  { departureDelaySeconds, arrivalDelaySeconds, trafficFactor, standstills }: DrivingOptions,
): CarState[] => {
  const line = createRouteProfile(route)
  const seconds: CarState[] = []
  const stand = (at: LatLng, count: number) => {
    for (let i = 0; i < count; i++) seconds.push({ ...at, speed: 0 })
  }
  stand(line.getPositionAt(0), departureDelaySeconds)
  const open = [...standstills].sort((a, b) => a.km - b.km)
  let km = 0
  while (km < line.km) {
    if (open[0] && open[0].km <= km) stand(line.getPositionAt(km), open.shift()!.seconds)
    const speed = Math.max(1, line.getSpeedAt(km) / trafficFactor / 3.6)
    seconds.push({ ...line.getPositionAt(km), speed })
    km += speed / 1000
  }
  stand(line.getPositionAt(line.km), arrivalDelaySeconds + 1)
  return seconds
}

/** Old town and center: tall buildings on both sides of narrow streets. */
const URBAN_CANYON_CENTER = { lat: -34.906, lng: -56.193 }
const URBAN_CANYON_RADIUS_KM = 1.6

export interface SignalConditions {
  /** Standard deviation of a position, in meters. */
  errorMeters: Meters
  /** Standard deviation between tall buildings, in meters. */
  canyonErrorMeters: Meters
  /** Intervals in seconds without any position: [from, to]. */
  outages: readonly [number, number][]
  /** Rate of outlier positions per second. */
  outlierRate: number
  isBatterySaving: boolean
}

/** Returns the points that a phone in the car records. */
export const recordTrack = (
  seconds: readonly CarState[],
  sky: SignalConditions,
  random: Random,
): TrackingPoint[] => {
  const points: TrackingPoint[] = []
  // A position's error changes slowly, so each error mostly depends on the one a second earlier.
  const KEEPS = 0.95
  let [east, north] = [drawNormal(random) * sky.errorMeters, drawNormal(random) * sky.errorMeters]
  let bounce = { east: 0, north: 0, left: 0 }
  let last: TimedPosition | null = null
  seconds.forEach((second, i) => {
    const isCanyon = getDistanceKm(second, URBAN_CANYON_CENTER) < URBAN_CANYON_RADIUS_KM
    const error = isCanyon ? sky.canyonErrorMeters : sky.errorMeters
    const renewed = error * Math.sqrt(1 - KEEPS ** 2)
    east = KEEPS * east + renewed * drawNormal(random)
    north = KEEPS * north + renewed * drawNormal(random)
    // A signal reflected by a building shifts the car off the street for some seconds.
    if (bounce.left > 0) bounce.left--
    else if (random.chance(isCanyon ? 0.02 : 0.001))
      bounce = {
        east: drawNormal(random) * 2 * error,
        north: drawNormal(random) * 2 * error,
        left: random.integer(4, 15),
      }
    else bounce = { east: 0, north: 0, left: 0 }
    if (sky.outages.some(([from, to]) => i >= from && i < to)) return
    const wild = random.chance(sky.outlierRate) ? 100 + random.next() * 1500 : 0
    const angle = random.next() * 2 * Math.PI
    const place = shiftPosition(
      second,
      east + bounce.east + wild * Math.cos(angle),
      north + bounce.north + wild * Math.sin(angle),
    )
    const fix: TimedPosition = { ...place, at: START_TIME + i * 1000 }
    if (!isPositionReportDue(last, fix, { speed: second.speed, saving: sky.isBatterySaving }))
      return
    last = fix
    points.push({ ...fix, status: 'STARTED' })
  })
  return points
}

export interface SimulatedTrip {
  trip: Trip
  /** The true distance in kilometers. */
  trueKm: Kilometers
  /** Incidents during the trip. */
  incidents: string[]
}

/**
 * Returns the trip that the platform receives at `reach`: the server's first point, the phone's
 * points and the end.
 */
export const buildTrip = (
  planned: Route,
  points: readonly TrackingPoint[],
  {
    start,
    end,
    seconds,
    stops = [],
  }: { start: LatLng; end: LatLng; seconds: Seconds; stops?: readonly LatLng[] },
): Trip => {
  const endedAt = START_TIME + seconds * 1000
  return {
    points: [
      { ...start, at: START_TIME, status: 'STARTED' },
      ...points.filter(({ at }) => at > START_TIME),
      { ...end, at: endedAt, status: 'REACHED' },
    ],
    startedAt: START_TIME,
    endedAt,
    pickup: planned.coords[0]!,
    drop: planned.coords.at(-1)!,
    stops,
    plannedSeconds: planned.time_in_secs,
    route: {
      positions: decodeRoute({ route: toStoredRoute(planned) }),
      km: planned.distance_in_km,
    },
  }
}

/** Positions where trips begin and end: center, port, university, shopping malls, suburbs. */
const TRIP_POSITIONS: readonly LatLng[] = [
  { lat: -34.90643, lng: -56.19871 },
  { lat: -34.89384, lng: -56.16649 },
  { lat: -34.90307, lng: -56.13646 },
  { lat: -34.92397, lng: -56.1588 },
  { lat: -34.9057, lng: -56.21173 },
  { lat: -34.88095, lng: -56.08161 },
  { lat: -34.86882, lng: -56.16971 },
  { lat: -34.85311, lng: -56.19854 },
  { lat: -34.88842, lng: -56.25994 },
  { lat: -34.8593, lng: -56.20071 },
  { lat: -34.8905, lng: -56.05539 },
  { lat: -34.83528, lng: -56.21001 },
]
const drawPosition = (random: Random): LatLng =>
  shiftPosition(random.pick(TRIP_POSITIONS), drawNormal(random) * 900, drawNormal(random) * 900)
/**
 * Draws a destination. Half of all trips are shorter than 3.5 km in a straight line; one in twenty
 * is longer than 9 km.
 */
const drawDestination = (from: LatLng, random: Random): LatLng => {
  const [meters, angle] = [3500 * Math.exp(0.6 * drawNormal(random)), random.next() * 2 * Math.PI]
  return shiftPosition(from, meters * Math.cos(angle), meters * Math.sin(angle))
}
/** Maximum distance from a street in meters; a place farther away is in the river. */
const MAX_STREET_METERS = 300

/** Draws two places in the city and plans the route between them. */
export const planTrip = async (
  maps: MapsPort,
  random: Random,
  { leastKm = 0.7, stops = 0.08 }: { leastKm?: Kilometers; stops?: number } = {},
) => {
  for (;;) {
    const pickup = drawPosition(random)
    const drop = drawDestination(pickup, random)
    const stop = random.chance(stops) ? [drawDestination(pickup, random)] : []
    const places = [pickup, ...stop, drop]
    const beside = (await maps.getStreetDistances?.(places)) ?? []
    if (
      getDistanceKm(pickup, drop) < leastKm ||
      !beside.every((m) => m !== null && m < MAX_STREET_METERS)
    )
      continue
    const planned = await maps.getDirections(pickup, drop, stop)
    if (planned && !planned.approximate) return { pickup, drop, stop, planned }
  }
}

/** Draws a position near the route, for a closed street or a wrong turn. */
const drawPositionNearRoute = (planned: Route, random: Random, meters: Meters): LatLng => {
  const line = createRouteProfile(planned)
  const angle = random.next() * 2 * Math.PI
  const place = line.getPositionAt(line.km * (0.15 + 0.7 * random.next()))
  return shiftPosition(place, meters * Math.cos(angle), meters * Math.sin(angle))
}

/** Draws an honest trip with noise, tunnels, tall buildings, detours, jams and wrong turns. */
export const simulateHonestTrip = async (
  maps: MapsPort,
  random: Random,
): Promise<SimulatedTrip> => {
  const kinds: string[] = []
  const happens = (kind: string, chance: number) => {
    const does = random.chance(chance)
    if (does) kinds.push(kind)
    return does
  }
  const { pickup, drop, stop, planned } = await planTrip(maps, random)
  if (stop.length > 0) kinds.push('stop')
  let via: LatLng[] = stop
  if (happens('detour', 0.12)) {
    // A driver who must leave the route returns to it, and does not drive half the distance again
    // around a closed street.
    for (let tries = 0; tries < 6; tries++) {
      const through = drawPositionNearRoute(planned, random, 200 + 500 * random.next())
      const route = await maps.getDirections(pickup, drop, [...stop, through])
      const longer = (route?.distance_in_km ?? Infinity) / planned.distance_in_km
      if (longer < 1.02 || longer > 1.35) continue
      via = [...stop, through]
      break
    }
  } else if (happens('wrong turn', 0.15)) {
    const through = drawPositionNearRoute(planned, random, 60 + 120 * random.next())
    const route = await maps.getDirections(pickup, drop, [...stop, through])
    const extra = (route?.distance_in_km ?? Infinity) - planned.distance_in_km
    if (extra > 0 && extra < 1) via = [...stop, through]
  }
  const stopPosition = shiftPosition(drop, drawNormal(random) * 30, drawNormal(random) * 30)
  const whole = (await maps.getDirections(pickup, stopPosition, via)) ?? planned
  const line = createRouteProfile(whole)
  const driving: DrivingOptions = {
    departureDelaySeconds: random.integer(5, 120),
    arrivalDelaySeconds: random.integer(5, 150),
    trafficFactor: Math.exp(0.05 + 0.2 * drawNormal(random)),
    standstills: [
      // The router's time includes traffic lights but not these stops: buses, parked vans,
      // pedestrians.
      ...Array.from({ length: random.integer(0, Math.ceil(line.km / 1.5)) }, () => ({
        km: line.km * random.next(),
        seconds: random.integer(5, 60),
      })),
      ...stop.map(() => ({ km: line.km / 2, seconds: random.integer(20, 240) })),
      ...(happens('jam', 0.05)
        ? [{ km: line.km * random.next(), seconds: random.integer(120, 600) }]
        : []),
    ],
  }
  let seconds = driveRoute(whole, driving)
  if (happens('gets out early', 0.03))
    seconds = seconds.slice(0, Math.ceil(seconds.length * (0.4 + 0.5 * random.next())))
  const error = 3 + 5 * random.next()
  const isCanyon =
    seconds.some((second) => getDistanceKm(second, URBAN_CANYON_CENTER) < URBAN_CANYON_RADIUS_KM) &&
    happens('canyon', 0.7)
  const outages: [number, number][] = []
  const cut = (most: number) => {
    const from = random.integer(0, seconds.length)
    outages.push([from, from + random.integer(30, most)])
  }
  if (happens('outage', 0.12)) for (let n = random.integer(1, 3); n > 0; n--) cut(240)
  if (happens('phone asleep', 0.02)) outages.push([random.integer(5, 60), seconds.length - 2])
  const sky: SignalConditions = {
    errorMeters: error,
    canyonErrorMeters: isCanyon ? 12 + 10 * random.next() : error,
    outages,
    outlierRate: happens('wild positions', 0.15) ? 0.004 : 0,
    isBatterySaving: happens('low battery', 0.1),
  }
  const points = recordTrack(seconds, sky, random)
  const near = (place: LatLng, meters: Meters) =>
    shiftPosition(place, drawNormal(random) * meters, drawNormal(random) * meters)
  const end = seconds.at(-1)!
  const trueKm = seconds
    .slice(1)
    .reduce((km, second, i) => km + getDistanceKm(seconds[i]!, second), 0)
  return {
    trip: buildTrip(planned, points, {
      start: near(seconds[0]!, 25),
      end: near(end, sky.errorMeters),
      seconds: seconds.length,
      stops: stop,
    }),
    trueKm,
    incidents: kinds,
  }
}
