import { getDistanceKm } from '../geo/geo'
import type { LatLng } from '../geo/types'
import type { Meters, Seconds } from '../language/units'

/** A position and the time (ms) at which the device was there. */
export interface TimedPosition extends LatLng {
  at: number
}

interface ReportingInterval {
  /** Minimum seconds between reports. */
  minSeconds: Seconds
  /** Minimum movement between reports. */
  minMeters: Meters
}
/**
 * Speeds in meters per second: faster than the first is driving, faster than the second is traffic
 * or walking.
 */
const DRIVING_SPEED = 8
const CRAWLING_SPEED = 1.5
const DRIVING_INTERVAL: ReportingInterval = { minSeconds: 4, minMeters: 25 }
const CRAWLING_INTERVAL: ReportingInterval = { minSeconds: 8, minMeters: 15 }
const STANDING_INTERVAL: ReportingInterval = { minSeconds: 15, minMeters: 40 }
/** Even a parked car reports its position this often. */
const HEARTBEAT_SECONDS = 60

/**
 * Returns true when a new position should be sent: often while driving, rarely while standing, half
 * as often with a low battery. `speed` is in meters per second; without it, it is calculated from
 * the two positions.
 */
export const isPositionReportDue = (
  last: TimedPosition | null,
  next: TimedPosition,
  { speed = null, saving = false }: { speed?: number | null; saving?: boolean } = {},
): boolean => {
  if (!last) return true
  const elapsed = (next.at - last.at) / 1000
  const moved = getDistanceKm(last, next) * 1000
  const rate = speed ?? (elapsed > 0 ? moved / elapsed : 0)
  const pace =
    rate > DRIVING_SPEED
      ? DRIVING_INTERVAL
      : rate > CRAWLING_SPEED
        ? CRAWLING_INTERVAL
        : STANDING_INTERVAL
  const factor = saving ? 2 : 1
  if (elapsed >= HEARTBEAT_SECONDS * factor) return true
  return elapsed >= pace.minSeconds * factor && moved >= pace.minMeters
}
