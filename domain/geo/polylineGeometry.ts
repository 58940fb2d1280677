import { getDistanceKm } from './geo'
import type { LatLng } from './types'
import type { Kilometers } from '../language/units'

/** Meters per degree of latitude. */
const METERS_PER_DEGREE = 111_195

/**
 * Creates a function that converts a position to meters east and north of `origin`, accurate to 0.1
 * % within a city.
 */
export const createFlatProjection = (origin: LatLng) => {
  const east = Math.cos((origin.lat * Math.PI) / 180) * METERS_PER_DEGREE
  return ({ lat, lng }: LatLng): readonly [east: number, north: number] => [
    (lng - origin.lng) * east,
    (lat - origin.lat) * METERS_PER_DEGREE,
  ]
}

/** Returns the length of a line in kilometers. */
export const getLengthKm = (points: readonly LatLng[]): Kilometers =>
  points.slice(1).reduce((km, point, i) => km + getDistanceKm(points[i]!, point), 0)

/**
 * Projects a position onto a line: the share of the line's length (0 to 1) before it, and the
 * distance from the line in meters. Of two equally near parts, the earlier one counts.
 */
export const projectOntoPolyline = (
  points: readonly LatLng[],
  place: LatLng,
): { part: number; off: number } => {
  const flat = createFlatProjection(place)
  let [length, behind, off] = [0, 0, Infinity]
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = flat(points[i - 1]!)
    const [bx, by] = flat(points[i]!)
    const [dx, dy] = [bx - ax, by - ay]
    const square = dx * dx + dy * dy
    const along = square === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square))
    const away = Math.hypot(ax + dx * along, ay + dy * along)
    // Where a street is passed twice, GPS noise must not make the position jump ahead.
    if (away < off - 1) [off, behind] = [away, length + Math.sqrt(square) * along]
    length += Math.sqrt(square)
  }
  return { part: length === 0 ? 0 : behind / length, off }
}

/** Returns two opposite corners of the box around the points; none without points. */
export const getBounds = (points: readonly LatLng[]): LatLng[] => {
  if (points.length === 0) return []
  const lats = points.map(({ lat }) => lat)
  const lngs = points.map(({ lng }) => lng)
  return [
    { lat: Math.min(...lats), lng: Math.min(...lngs) },
    { lat: Math.max(...lats), lng: Math.max(...lngs) },
  ]
}

/**
 * Returns the position at a share (0 to 1) of a line's length; undefined for a line without points.
 */
export const interpolatePosition = (
  points: readonly LatLng[],
  share: number,
): LatLng | undefined => {
  let left = getLengthKm(points) * Math.min(1, Math.max(0, share))
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!]
    const km = getDistanceKm(a, b)
    if (left <= km) {
      const part = km === 0 ? 0 : left / km
      return { lat: a.lat + (b.lat - a.lat) * part, lng: a.lng + (b.lng - a.lng) * part }
    }
    left -= km
  }
  return points.at(-1)
}

/** Returns the distance of a position from a line segment in meters. */
const getDistanceToSegment = (
  [x, y]: readonly [number, number],
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
): number => {
  const [dx, dy] = [bx - ax, by - ay]
  const square = dx * dx + dy * dy
  const along = square && Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square))
  return Math.hypot(ax + dx * along - x, ay + dy * along - y)
}

/** Meters that a line leads back on itself before the point where it turns stays. */
const MIN_TURN_METERS = 100

/**
 * Returns the index of the point between two others after which the line leads back farthest,
 * compared with the straight line between them; undefined when it does not lead back.
 */
const findTurn = (
  flat: readonly (readonly [number, number])[],
  [first, last]: readonly [number, number],
  least: number,
): number | undefined => {
  const [[ax, ay], [bx, by]] = [flat[first]!, flat[last]!]
  const length = Math.hypot(bx - ax, by - ay)
  if (length === 0) return undefined
  const project = ([x, y]: readonly [number, number]) =>
    ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length
  let [peak, reached, turn, most] = [first, 0, undefined as number | undefined, least]
  for (let i = first + 1; i < last; i++) {
    const along = project(flat[i]!)
    if (along > reached) [peak, reached] = [i, along]
    else if (reached - along > most && peak > first) [turn, most] = [peak, reached - along]
  }
  return turn
}

/**
 * Returns the line without the points within `tolerance` meters of the rest (Douglas-Peucker). The
 * first and the last point stay, and those at which the line turns back on itself.
 */
export const simplifyPolyline = <P extends LatLng>(
  points: readonly P[],
  tolerance: number,
): P[] => {
  const [origin] = points
  if (!origin || points.length < 3) return [...points]
  const flat = points.map(createFlatProjection(origin))
  const stays = new Uint8Array(points.length)
  stays[0] = stays[points.length - 1] = 1
  // A stack instead of recursion, because a line of thousands of points would overflow the call
  // stack.
  const least = Math.max(MIN_TURN_METERS, tolerance * 4)
  const open: [number, number][] = [[0, points.length - 1]]
  for (let stretch = open.pop(); stretch; stretch = open.pop()) {
    const [first, last] = stretch
    let [farthest, off] = [first, tolerance]
    for (let i = first + 1; i < last; i++) {
      const away = getDistanceToSegment(flat[i]!, flat[first]!, flat[last]!)
      if (away > off) [farthest, off] = [i, away]
    }
    const splitIndex = farthest === first ? findTurn(flat, stretch, least) : farthest
    if (splitIndex === undefined) continue
    stays[splitIndex] = 1
    open.push([first, splitIndex], [splitIndex, last])
  }
  return points.filter((_, i) => stays[i])
}
