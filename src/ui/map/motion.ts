import type { LatLng } from '~/domain/entities'
import type { PathSpec } from './port'

/** A marker's place and direction. */
export interface Pose extends LatLng {
  heading: number
}

/** How long a marker takes to its new place, ms: about the pause between two positions. */
export const GLIDE_MS = 1_000
/** Farther than this (degrees) is not driving but a correction: jump. */
const JUMP = 0.02

/** Compass direction between two near places, degrees from north. */
export const headingOf = (from: LatLng, to: LatLng): number => {
  const east = (to.lng - from.lng) * Math.cos((from.lat * Math.PI) / 180)
  return ((Math.atan2(east, to.lat - from.lat) * 180) / Math.PI + 360) % 360
}

/** From one direction towards another the short way round; `part` 0 to 1. */
export const turn = (from: number, to: number, part: number): number =>
  (from + (((to - from + 540) % 360) - 180) * part + 360) % 360

/** The pose on the way from one to another; turning is done in the first third, as cars do. */
export const between = (from: Pose, to: Pose, part: number): Pose => ({
  lat: from.lat + (to.lat - from.lat) * part,
  lng: from.lng + (to.lng - from.lng) * part,
  heading: turn(from.heading, to.heading, Math.min(1, part * 3)),
})

/** Whether to glide from one place to another, or to appear there. */
export const isGlide = (from: LatLng, to: LatLng): boolean =>
  Math.abs(from.lat - to.lat) < JUMP && Math.abs(from.lng - to.lng) < JUMP

/** Where a marker should point: as told, else along its move, else as before. */
export const nextHeading = (
  from: Pose | undefined,
  to: LatLng,
  told: number | undefined,
): number => {
  if (told !== undefined) return told
  if (!from) return 0
  const moved = Math.hypot(to.lat - from.lat, to.lng - from.lng)
  // A standing phone's position trembles by some metres: that is not a turn.
  return moved < 0.00003 ? from.heading : headingOf(from, to)
}

/** A path cut in two at a part of its length (0 to 1): what lies behind and what lies ahead. */
export const cutPath = (points: readonly LatLng[], part: number): [LatLng[], LatLng[]] => {
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

/** A degree of latitude, metres. */
const DEGREE_M = 111_195

/**
 * Where on a path a place is: how much of its length (0 to 1) lies behind, and how far off the path it is, metres. Of two
 * parts equally near, the earlier.
 */
export const placeOnPath = (
  points: readonly LatLng[],
  { lat, lng }: LatLng,
): { part: number; off: number } => {
  const narrow = Math.cos((lat * Math.PI) / 180)
  const flat = (at: LatLng) =>
    [(at.lng - lng) * narrow * DEGREE_M, (at.lat - lat) * DEGREE_M] as const
  let [length, behind, off] = [0, 0, Infinity]
  for (let i = 1; i < points.length; i++) {
    const [ax, ay] = flat(points[i - 1]!)
    const [bx, by] = flat(points[i]!)
    const [dx, dy] = [bx - ax, by - ay]
    const square = dx * dx + dy * dy
    const along = square === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / square))
    const away = Math.hypot(ax + dx * along, ay + dy * along)
    // Where a street is passed twice, the trembling of a position must not jump ahead.
    if (away < off - 1) [off, behind] = [away, length + Math.sqrt(square) * along]
    length += Math.sqrt(square)
  }
  return { part: length === 0 ? 0 : behind / length, off }
}

const samePoints = (a: readonly LatLng[], b: readonly LatLng[]) =>
  a === b ||
  (a.length === b.length && a.every((p, i) => p.lat === b[i]!.lat && p.lng === b[i]!.lng))

/** Whether two lists of paths would be drawn alike. */
export const samePaths = (a: readonly PathSpec[], b: readonly PathSpec[]): boolean =>
  a.length === b.length &&
  a.every((path, i) => {
    const other = b[i]!
    return (
      path.id === other.id &&
      path.tone === other.tone &&
      path.progress === other.progress &&
      samePoints(path.points, other.points)
    )
  })
