// Forges the tracks of drivers who claim more than they earned, for tests. Deployed code never
// imports it.
import type { Trip } from '~/domain/booking/trip/track'
import { getDistanceKm } from '~/domain/geo/geo'
import type { Random } from '~/domain/data/seededRandom'
import type { MapsPort, Route } from '../ports/mapsPort'
import {
  driveRoute,
  createRouteProfile,
  recordTrack,
  shiftPosition,
  buildTrip,
} from './simulatedTrips'
import type { LatLng } from '~/domain/geo/types'
import type { TrackingPoint } from '~/domain/booking/types'
import type { Meters, Seconds } from '~/domain/language/units'

const CLEAR_SIGNAL = {
  errorMeters: 5,
  canyonErrorMeters: 5,
  outages: [],
  outlierRate: 0,
  isBatterySaving: false,
} as const
const STEADY_DRIVING = {
  departureDelaySeconds: 20,
  arrivalDelaySeconds: 20,
  trafficFactor: 1,
  standstills: [],
} as const

/** The honest trip that a forgery starts from. */
interface HonestRecording {
  maps: MapsPort
  random: Random
  planned: Route
  /** The points that an honest phone recorded. */
  points: TrackingPoint[]
  start: LatLng
  end: LatLng
  seconds: Seconds
  startAt: number
}

interface ForgedRecording {
  points?: TrackingPoint[]
  end?: LatLng
  seconds?: Seconds
}

const toStartedPoint = (at: number, place: LatLng): TrackingPoint => ({
  at,
  lat: place.lat,
  lng: place.lng,
  status: 'STARTED',
})

/** Adds timestamps to places from a start time on, one every `every` seconds. */
const addTimestamps = (places: readonly LatLng[], from: number, every: number): TrackingPoint[] =>
  places.map((place, i) => toStartedPoint(from + (i + 1) * every * 1000, place))

/**
 * Inserts an invented section into the middle of the real track and moves everything after it to a
 * later time.
 */
const insertPositions = (
  { points, seconds }: HonestRecording,
  places: LatLng[],
  every: number,
): ForgedRecording => {
  const middle = Math.floor(points.length / 2)
  const from = points[middle]!.at
  const later = (places.length + 1) * every * 1000
  return {
    points: [
      ...points.slice(0, middle + 1),
      ...addTimestamps(places, from, every),
      ...points.slice(middle + 1).map((point) => ({ ...point, at: point.at + later })),
    ],
    seconds: seconds + later / 1000,
  }
}

const getMiddle = ({ points }: HonestRecording): LatLng => points[Math.floor(points.length / 2)]!

/** Returns positions on a straight line, one every `meters`. */
const buildStraightLine = (from: LatLng, to: LatLng, meters: Meters): LatLng[] => {
  const count = Math.max(1, Math.ceil((getDistanceKm(from, to) * 1000) / meters))
  return Array.from({ length: count }, (_, i) => ({
    lat: from.lat + ((to.lat - from.lat) * (i + 1)) / count,
    lng: from.lng + ((to.lng - from.lng) * (i + 1)) / count,
  }))
}

const buildCircle = (center: LatLng, meters: Meters, rounds: number): LatLng[] =>
  Array.from({ length: rounds * 36 }, (_, i) => {
    const angle = (i * 10 * Math.PI) / 180
    return shiftPosition(center, meters * Math.cos(angle), meters * Math.sin(angle))
  })

/** Moves each point by the number of meters that `by` returns. */
const shiftPoints = (
  points: readonly TrackingPoint[],
  by: (i: number, share: number) => [east: number, north: number],
): TrackingPoint[] =>
  points.map((point, i) => ({
    ...point,
    ...shiftPosition(point, ...by(i, i / Math.max(1, points.length - 1))),
  }))

/** Returns the honest track of another route. */
const recordRoute = (
  route: Route,
  random: Random,
): { points: TrackingPoint[]; seconds: Seconds } => {
  const seconds = driveRoute(route, STEADY_DRIVING)
  return { points: recordTrack(seconds, CLEAR_SIGNAL, random), seconds: seconds.length }
}

const getRouteVia = async (
  { maps, planned }: HonestRecording,
  ...via: LatLng[]
): Promise<Route> => {
  const [from, to] = [planned.coords[0]!, planned.coords.at(-1)!]
  return (await maps.getDirections(from, to, via)) ?? planned
}

/** Returns a position on the route, moved sideways at a right angle. */
const getPositionBesideRoute = (
  { planned }: HonestRecording,
  share: number,
  meters: Meters,
): LatLng => {
  const line = createRouteProfile(planned)
  const [a, b] = [line.getPositionAt(line.km * share), line.getPositionAt(line.km * (share + 0.02))]
  const [north, east] = [b.lat - a.lat, (b.lng - a.lng) * Math.cos((a.lat * Math.PI) / 180)]
  const length = Math.hypot(north, east) || 1
  return shiftPosition(a, (-north / length) * meters, (east / length) * meters)
}

/** Twenty kinds of tracks that forge a longer trip. */
export const FORGERIES: Record<
  string,
  (real: HonestRecording) => ForgedRecording | Promise<ForgedRecording>
> = {
  'jumps to another country and back in two seconds': (real) =>
    insertPositions(
      real,
      [...Array<undefined>(10)].flatMap((_, i) => [
        { lat: -20 + i / 10, lng: -50 },
        getMiddle(real),
      ]),
      0.1,
    ),
  'jumps across the city at every other point': (real) => ({
    points: shiftPoints(real.points, (i) => (i % 2 ? [3000, 1500] : [0, 0])),
  }),
  'weaves 80 m from side to side': (real) => ({
    points: shiftPoints(real.points, (i) => [(i % 2 ? 80 : -80) * 0.7, (i % 2 ? 80 : -80) * 0.7]),
  }),
  'weaves a little at every point': (real) => ({
    points: shiftPoints(real.points, (i) => [(i % 2) * 45, ((i + 1) % 2) * 45]),
  }),
  'swings 400 m to both sides at the speed of a car': (real) =>
    insertPositions(
      real,
      [...Array<undefined>(6)].flatMap((_, i) =>
        buildStraightLine(
          shiftPosition(getMiddle(real), i % 2 ? 400 : -400, 0),
          shiftPosition(getMiddle(real), i % 2 ? -400 : 400, 60),
          60,
        ),
      ),
      5,
    ),
  'creeps at a third of the speed': (real) => ({
    points: real.points.map((point) => ({
      ...point,
      at: real.startAt + (point.at - real.startAt) * 3.2,
    })),
    seconds: real.seconds * 3.2,
  }),
  'drives in circles of 300 m': (real) =>
    insertPositions(real, buildCircle(getMiddle(real), 300, 5), 6),
  'drives eight times around the block': async (real) => {
    const block = await getRouteVia(
      real,
      getPositionBesideRoute(real, 0.5, 130),
      getPositionBesideRoute(real, 0.52, -20),
    )
    const line = createRouteProfile(block)
    const from = line.km * 0.45
    const round = Array.from({ length: 12 }, (_, i) => line.getPositionAt(from + (i * 0.4) / 12))
    return insertPositions(
      real,
      [...Array<undefined>(8)].flatMap(() => [...round, ...[...round].reverse()]),
      4,
    )
  },
  'replays the track of another trip': async (real) => {
    const [from, to] = [
      shiftPosition(real.start, 4000, 2500),
      shiftPosition(real.start, -3000, 5000),
    ]
    const other = (await real.maps.getDirections(from, to)) ?? real.planned
    return recordRoute(other, real.random)
  },
  'goes there, back and there again': (real) => {
    const back = [...real.points].reverse()
    const every = real.seconds / real.points.length
    const again = [...back, ...real.points].map((point, i) =>
      toStartedPoint(real.startAt + (real.seconds + (i + 1) * every) * 1000, point),
    )
    return { points: [...real.points, ...again], seconds: real.seconds * 3 + 30 }
  },
  'goes out over the water in a straight line': (real) => {
    const sea = shiftPosition(getMiddle(real), 500, -4000)
    return insertPositions(
      real,
      [
        ...buildStraightLine(getMiddle(real), sea, 70),
        ...buildStraightLine(sea, getMiddle(real), 70),
      ],
      5,
    )
  },
  'writes three times the way into the same time': (real) => {
    const far = buildStraightLine(
      getMiddle(real),
      shiftPosition(getMiddle(real), real.planned.distance_in_km * 1000, 0),
      120,
    )
    const places = [...far, ...[...far].reverse()]
    const middle = Math.floor(real.points.length / 2)
    const [before, after] = [real.points.slice(0, middle), real.points.slice(middle)]
    const all = [...before, ...places, ...after]
    return {
      points: all.map((place, i) =>
        toStartedPoint(real.startAt + (((i + 1) * real.seconds) / (all.length + 1)) * 1000, place),
      ),
    }
  },
  'ends eight kilometers farther, without a track': (real) => ({
    end: shiftPosition(real.end, 6000, 5300),
  }),
  'ends three kilometers farther, with a straight track': (real) => {
    const end = shiftPosition(real.end, 2000, 2300)
    const far = addTimestamps(
      buildStraightLine(real.end, end, 60),
      real.startAt + real.seconds * 1000,
      5,
    )
    return { points: [...real.points, ...far], end, seconds: real.seconds + far.length * 5 + 10 }
  },
  'drifts away from the route': (real) => ({
    points: shiftPoints(real.points, (_, share) => [0, 3000 * Math.sin(Math.PI * share)]),
  }),
  'is blown up by a third': ({ points, start, end }) => {
    const grown = (place: LatLng): LatLng => ({
      lat: start.lat + (place.lat - start.lat) * 1.33,
      lng: start.lng + (place.lng - start.lng) * 1.33,
    })
    return { points: points.map((point) => ({ ...point, ...grown(point) })), end: grown(end) }
  },
  'trembles by 150 m while the car stands': (real) =>
    insertPositions(
      real,
      [...Array<undefined>(150)].map(() =>
        shiftPosition(
          getMiddle(real),
          (real.random.next() - 0.5) * 300,
          (real.random.next() - 0.5) * 300,
        ),
      ),
      6,
    ),
  'taps forty minutes after the arrival': (real) => ({ seconds: real.seconds + 2400 }),
  'starts the clock half an hour before it leaves': (real) => ({
    points: real.points.map((point) => ({ ...point, at: point.at + 1800_000 })),
    seconds: real.seconds + 1800,
  }),
  'takes a longer way on real streets': async (real) =>
    recordRoute(
      await getRouteVia(real, getPositionBesideRoute(real, 0.5, real.planned.distance_in_km * 160)),
      real.random,
    ),
}

export interface ForgedTripPair {
  /** The same trip as an honest phone records it. */
  honest: Trip
  spoofed: Trip
}

/** Returns an honest trip along the planned route, and the same trip with a forged track. */
export const forgeTrip = async (
  maps: MapsPort,
  planned: Route,
  forgery: (real: HonestRecording) => ForgedRecording | Promise<ForgedRecording>,
  random: Random,
): Promise<ForgedTripPair> => {
  const driven = driveRoute(planned, STEADY_DRIVING)
  const points = recordTrack(driven, CLEAR_SIGNAL, random)
  const [start, end] = [driven[0]!, driven.at(-1)!]
  const honest = buildTrip(planned, points, { start, end, seconds: driven.length })
  const real: HonestRecording = {
    maps,
    random,
    planned,
    points,
    start,
    end,
    seconds: driven.length,
    startAt: honest.startedAt,
  }
  const forged = await forgery(real)
  const spoofed = buildTrip(planned, forged.points ?? points, {
    start,
    end: forged.end ?? end,
    seconds: Math.round(forged.seconds ?? driven.length),
  })
  return { honest, spoofed }
}
