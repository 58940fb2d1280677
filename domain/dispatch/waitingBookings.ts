import { SETTING_DEFINITIONS } from '../catalog/settingDefinitions'
import { getNeedStart, isDispatchDue } from '../booking/deadlines'
import { getOfferMs } from './dispatch'
import { MINUTE_MS } from '../language/timeUnits'
import type { Booking } from '../booking/types'
import type { Settings } from '../catalog/types'

/** Minutes of waiting after which the board warns and alarms, unless the settings say otherwise. */

type WaitingBooking = Pick<
  Booking,
  'status' | 'bookLater' | 'tripdate' | 'bookingDate' | 'offers_from'
>
type WaitSettings = Pick<Settings, 'waitWarnMinutes' | 'waitAlarmMinutes'>

/** The urgency of a booking without a driver; `later` is not due for dispatch yet. */
export const WAIT_LEVELS = ['later', 'fresh', 'warn', 'alarm'] as const
export type WaitLevel = (typeof WAIT_LEVELS)[number]

/**
 * Returns when a booking starts to wait for a driver (ms): when it was made, or for a later booking
 * half an hour before its time.
 */
export const getWaitStart = (booking: WaitingBooking): number =>
  Math.max(booking.bookingDate, getNeedStart(booking))

/**
 * Returns the urgency of a booking that waits for a driver. An alarm never comes before a warning.
 */
export const getWaitLevel = (
  booking: WaitingBooking,
  { waitWarnMinutes, waitAlarmMinutes }: WaitSettings,
  now: number,
): WaitLevel => {
  if (!isDispatchDue(booking, now)) return 'later'
  const waited = now - getWaitStart(booking)
  const warn = (waitWarnMinutes ?? SETTING_DEFINITIONS.waitWarnMinutes.standard) * MINUTE_MS
  const alarm = Math.max(
    warn,
    (waitAlarmMinutes ?? SETTING_DEFINITIONS.waitAlarmMinutes.standard) * MINUTE_MS,
  )
  if (waited >= alarm) return 'alarm'
  return waited >= warn ? 'warn' : 'fresh'
}

/**
 * Returns the bookings in the order of the queue: first those that lost a driver, then the longest
 * waiting; those that are not due yet come last.
 */
export const sortByWait = <
  Row extends WaitingBooking & Pick<Booking, 'requeued_at'> & { id: string },
>(
  bookings: readonly Row[],
): Row[] => {
  const isAfter = ({ requeued_at }: Row) => Number(requeued_at === undefined)
  return [...bookings].sort(
    (a, b) =>
      isAfter(a) - isAfter(b) || getWaitStart(a) - getWaitStart(b) || (a.id < b.id ? -1 : 1),
  )
}

/** A driver who may answer an offer now. */
interface AskedDriver {
  id: string
  /** Time of the offer, ms. */
  at: number
  /** When the next driver may be asked instead, ms. */
  expires: number
}

/** Returns the drivers who are asked to take a booking, the last one asked first. */
export const getAskedDrivers = (
  { requestedDrivers = {}, askedDrivers = {} }: Pick<Booking, 'requestedDrivers' | 'askedDrivers'>,
  settings: Pick<Settings, 'dispatchSeconds'>,
): AskedDriver[] =>
  Object.keys(requestedDrivers)
    .flatMap((id) => {
      const at = askedDrivers[id]
      return at === undefined ? [] : [{ id, at, expires: at + getOfferMs(settings) }]
    })
    .sort((a, b) => b.at - a.at || (a.id < b.id ? -1 : 1))
