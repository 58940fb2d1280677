import type { PolylineSpec } from './mapPort'
import type { LatLng } from '~/domain/geo/types'

/** A marker's position and heading. */
export interface Pose extends LatLng {
  heading: number
}

/**
 * Milliseconds that a marker glides to its new position, about the interval between two positions.
 */
export const GLIDE_MS = 1_000
/** Maximum distance in degrees for gliding; a longer move is a correction and jumps. */
const MAX_GLIDE_DEGREES = 0.02

/** Returns the heading between two nearby positions, in degrees clockwise from north. */
export const getHeading = (from: LatLng, to: LatLng): number => {
  const east = (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180)
  return ((Math.atan2(east, to.lat - from.lat) * 180) / Math.PI + 360) % 360
}

/** Returns a heading between two others in the shorter direction; `part` is 0 to 1. */
export const interpolateHeading = (from: number, to: number, part: number): number =>
  (from + (((to - from + 540) % 360) - 180) * part + 360) % 360

/**
 * Returns a pose between two others; the turn finishes in the first third of the move, as it does
 * for a real car.
 */
export const interpolatePose = (from: Pose, to: Pose, part: number): Pose => ({
  lat: from.lat + (to.lat - from.lat) * part,
  lng: from.lng + (to.lng - from.lng) * part,
  heading: interpolateHeading(from.heading, to.heading, Math.min(1, part * 3)),
})

/** Returns true when a marker should glide between two positions instead of jumping. */
export const canGlide = (from: LatLng, to: LatLng): boolean =>
  Math.abs(from.lat - to.lat) < MAX_GLIDE_DEGREES && Math.abs(from.lng - to.lng) < MAX_GLIDE_DEGREES

/**
 * Returns a marker's heading: the given one, else the direction of its move, else the previous one.
 */
export const getNextHeading = (
  from: Pose | undefined,
  to: LatLng,
  reported: number | undefined,
): number => {
  if (reported !== undefined) return reported
  if (!from) return 0
  const moved = Math.hypot(to.lat - from.lat, to.lng - from.lng)
  // The position of a phone at rest jitters by a few meters, which is not a turn.
  return moved < 0.00003 ? from.heading : getHeading(from, to)
}

/** Splits a line at a part of its length (0 to 1): the part behind and the part ahead. */
export const splitPolyline = (points: readonly LatLng[], part: number): [LatLng[], LatLng[]] => {
  if (points.length < 2 || part <= 0) return [[], [...points]]
  if (part >= 1) return [[...points], []]
  const lengths = points.slice(1).map((point, i) => {
    const before = points[i]!
    const east = (point.lng - before.lng) * Math.cos((before.lat * Math.PI) / 180)
    return Math.hypot(point.lat - before.lat, east)
  })
  let left = lengths.reduce((sum, length) => sum + length, 0) * part
  for (const [i, length] of lengths.entries()) {
    if (left > length) {
      left -= length
      continue
    }
    const [a, b] = [points[i]!, points[i + 1]!]
    const share = length ? left / length : 0
    const cut = { lat: a.lat + (b.lat - a.lat) * share, lng: a.lng + (b.lng - a.lng) * share }
    return [
      [...points.slice(0, i + 1), cut],
      [cut, ...points.slice(i + 1)],
    ]
  }
  return [[...points], []]
}

const hasSamePositions = (a: readonly LatLng[], b: readonly LatLng[]) =>
  a === b ||
  (a.length === b.length && a.every((p, i) => p.lat === b[i]!.lat && p.lng === b[i]!.lng))

/** Returns true when two lists of lines look the same. */
export const isSamePolylines = (a: readonly PolylineSpec[], b: readonly PolylineSpec[]): boolean =>
  a.length === b.length &&
  a.every((path, i) => {
    const other = b[i]!
    return (
      path.id === other.id &&
      path.tone === other.tone &&
      path.progress === other.progress &&
      hasSamePositions(path.positions, other.positions)
    )
  })
