import { estimatePickupSeconds } from '../../dispatch/dispatch'
import { dbPaths } from '../../data/databasePaths'
import { toJson } from '../../data/databaseValue'
import { type Draft } from '../changeDraft'
import type { TransitionArgs } from '../eventArgs'
import type { Booking } from '../types'
import type { BusyDriver } from '../../dispatch/types'
import type { LatLng } from '../../geo/types'
import type { Settings } from '../../catalog/types'
import type { User } from '../../accounts/types'
import type { Milliseconds } from '../../language/units'

/** Seconds that a drop-off is expected to take. */
const DROP_OFF_SECONDS = 75

/**
 * Returns the time (ms) within which a driver's current booking must probably end so that they get
 * an offer of their next one; 0 when busy drivers get no offers. In broadcast mode, they do not.
 */
export const getFollowOnMs = ({
  autoDispatch,
  dispatchMode,
  followOnMinutes = 0,
}: Pick<Settings, 'autoDispatch' | 'dispatchMode' | 'followOnMinutes'>): Milliseconds =>
  autoDispatch && dispatchMode !== 'broadcast' ? followOnMinutes * 60_000 : 0

/**
 * Returns when (ms) a trip under way probably ends: after the planned time, or a drop-off from the
 * arrival there. Undefined before the start, because the wait at the pickup is not known.
 */
const getExpectedEnd = ({
  status,
  startTime,
  estimateTime,
  endTime,
}: Pick<Booking, 'status' | 'startTime' | 'estimateTime' | 'endTime'>): number | undefined => {
  if (status === 'STARTED' && startTime !== undefined)
    return startTime + (estimateTime + DROP_OFF_SECONDS) * 1000
  return status === 'REACHED' && endTime !== undefined
    ? endTime + DROP_OFF_SECONDS * 1000
    : undefined
}

/** Returns true for a trip under way whose driver may accept a next booking. */
export const canBeFollowed = (
  { driver, status, next }: Pick<Booking, 'driver' | 'status' | 'next'>,
  uid: string,
): boolean => driver === uid && (status === 'STARTED' || status === 'REACHED') && next === undefined

/**
 * Returns the entry in the list of busy drivers. It has the place and the expected time of the end
 * while the driver has no next booking.
 */
export const toBusyDriver = (booking: Booking): BusyDriver => {
  const { id, carTypeId, driver_name = '', fleetadmin, drop, next } = booking
  const ends_at = getExpectedEnd(booking)
  return {
    booking: id,
    carType: carTypeId,
    name: driver_name,
    ...(fleetadmin && { fleetadmin }),
    ...(ends_at !== undefined && !next && { ends_at, lat: drop.lat, lng: drop.lng }),
  }
}

/** Returns when (ms) the driver of a trip is probably at the pickup of their next booking. */
const getExpectedPickup = (followed: Booking, pickup: LatLng, now: number): number =>
  Math.max(getExpectedEnd(followed) ?? now, now) +
  estimatePickupSeconds(followed.drop, pickup) * 1000

/**
 * Changes the other one of two linked bookings. Safe because it increases that booking's revision:
 * when it changes at the same moment, the rules refuse one of the two writes completely.
 */
const changeLinked = (
  draft: Draft,
  { id, revision }: Booking,
  fields: Partial<Record<'next' | 'follows' | 'expected_at', string | number | null>>,
) => {
  const base = dbPaths.booking(id)
  draft.set(`${base}/revision`, revision + 1)
  for (const [field, value] of Object.entries(fields)) draft.set(`${base}/${field}`, value)
}

/** Makes an accepted booking the next one of a driver on a trip. */
export const followTrip = (draft: Draft, { booking, now }: TransitionArgs, followed: Booking) => {
  const { id, driver = '' } = followed
  draft.setFields({ follows: id, expected_at: getExpectedPickup(followed, booking.pickup, now) })
  changeLinked(draft, followed, { next: booking.id })
  draft.set(dbPaths.busyDriver(driver), toJson(toBusyDriver({ ...followed, next: booking.id })))
}

/**
 * Updates the expected end of the driver's trip, before which they may be asked about a next
 * booking. `trip` is the booking as it is after the change.
 */
export const setExpectedEnd = (draft: Draft, trip: Booking) => {
  if (trip.driver !== undefined && !trip.next)
    draft.set(dbPaths.busyDriver(trip.driver), toJson(toBusyDriver(trip)))
}

/** Updates the expected end of a trip under way, and the expected time at the next pickup. */
export const updateExpectedEnd = (draft: Draft, args: TransitionArgs<'next'>, trip: Booking) => {
  const { next } = args.context
  setExpectedEnd(draft, trip)
  if (next?.follows === trip.id)
    changeLinked(draft, next, { expected_at: getExpectedPickup(trip, next.pickup, args.now) })
}

const freeDriver = (draft: Draft, uid: string, driver: User | null) => {
  draft.set(dbPaths.busyDriver(uid), null)
  if (driver) draft.set(`${dbPaths.user(uid)}/queue`, false)
}

/**
 * Frees the driver of a booking that loses them before its start. The driver of a booking that
 * follows another one stays with that one.
 */
export const releaseDriver = (
  draft: Draft,
  { booking, context }: TransitionArgs<'driver' | 'followed'>,
) => {
  const { driver, follows } = booking
  const { followed } = context
  if (driver === undefined) return
  if (follows === undefined) return freeDriver(draft, driver, context.driver)
  draft.setFields({ follows: null, expected_at: null })
  if (followed?.next !== booking.id) return
  changeLinked(draft, followed, { next: null })
  const trip = { ...followed }
  delete trip.next
  draft.set(dbPaths.busyDriver(driver), toJson(toBusyDriver(trip)))
}

/**
 * Frees the driver of a finished trip. Their next booking becomes the current one in the same
 * update.
 */
export const continueWithNext = (
  draft: Draft,
  { booking, context }: TransitionArgs<'driver' | 'next'>,
) => {
  const { driver, next: nextId } = booking
  const { next } = context
  if (driver === undefined) return
  if (nextId !== undefined) draft.setFields({ next: null })
  if (next?.follows !== booking.id) return freeDriver(draft, driver, context.driver)
  changeLinked(draft, next, { follows: null, expected_at: null })
  draft.set(dbPaths.busyDriver(driver), toJson(toBusyDriver(next)))
}
