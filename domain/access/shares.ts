import type { SHARE_LEVELS } from '../api/inputs/bookings'
import { getTripEnd } from '../booking/contactAccess'
import { HOUR_MS } from '../language/timeUnits'
import type { Booking } from '../booking/types'

export type ShareLevel = (typeof SHARE_LEVELS)[number]
/** A public link to a booking: its creator or recipient, its level and its expiry (ms). */
export interface Share {
  booking: string
  by: string
  level: ShareLevel
  at: number
  expires: number
  revoked?: boolean
}

/** Milliseconds during which a link shows that the trip has ended, before it stops working. */
export const SHARE_GRACE_PERIOD_MS = HOUR_MS

/**
 * Returns when a link ends (ms): at its own expiry or one hour after the trip, whichever is
 * earlier.
 */
export const getShareExpiry = (
  { expires }: Pick<Share, 'expires'>,
  booking: Pick<Booking, 'endTime' | 'cancelled_at'>,
): number => Math.min(expires, (getTripEnd(booking) ?? Infinity) + SHARE_GRACE_PERIOD_MS)
