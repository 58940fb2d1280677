import type { LatLng } from '~/domain/entities'
import { distanceKm } from '~/domain/geo'

/** A place and when the device was there (ms). */
export interface Fix extends LatLng {
  at: number
}

interface Pace {
  /** Not more often than this. */
  seconds: number
  /** Nor before having moved so far. */
  metres: number
}
/** Above so many metres a second it is driving, below it is traffic or walking. */
const DRIVING = 8
const CRAWLING = 1.5
const FAST: Pace = { seconds: 4, metres: 25 }
const SLOW: Pace = { seconds: 8, metres: 15 }
const STANDING: Pace = { seconds: 15, metres: 40 }
/** Even a parked car says that it is still there. */
const HEARTBEAT_SECONDS = 60

/**
 * Whether a new position is worth sending: often while driving, seldom while standing, half as often with a low
 * battery. `speed` is metres a second; without one it is what lies between the two places.
 */
export const isDue = (
  last: Fix | null,
  next: Fix,
  { speed = null, saving = false }: { speed?: number | null; saving?: boolean } = {},
): boolean => {
  if (!last) return true
  const elapsed = (next.at - last.at) / 1000
  const moved = distanceKm(last, next) * 1000
  const rate = speed ?? (elapsed > 0 ? moved / elapsed : 0)
  const pace = rate > DRIVING ? FAST : rate > CRAWLING ? SLOW : STANDING
  const factor = saving ? 2 : 1
  if (elapsed >= HEARTBEAT_SECONDS * factor) return true
  return elapsed >= pace.seconds * factor && moved >= pace.metres
}
