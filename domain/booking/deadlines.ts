import { getOfferMs } from '../dispatch/dispatch'
import { MINUTE_MS } from '../language/timeUnits'
import type { Booking, Status } from './types'
import type { Settings } from '../catalog/types'
import type { Minutes } from '../language/units'

/** Minutes that an unpaid booking waits for its payment. */
export const UNPAID_EXPIRY_MINUTES = 30
/** Minutes after its time at which a later booking without a driver expires. */
export const NO_DRIVER_EXPIRY_MINUTES = 30
/** Minutes before its time at which a later booking is dispatched and its parties are reminded. */
export const LATER_DISPATCH_MINUTES = 30

/** Minutes a booking may stay in a status before it needs attention. */
const STUCK_MINUTES = {
  NEW: 15,
  ACCEPTED: 60,
  ARRIVED: 60,
  STARTED: 240,
  REACHED: 30,
  PENDING: 24 * 60,
} as const satisfies Partial<Record<Status, number>>

const findStuckMinutes = (status: Status): Minutes | undefined =>
  (STUCK_MINUTES as Partial<Record<Status, number>>)[status]

/** Milliseconds after which the search for a booking's driver goes on. */
const SEARCH_INTERVAL_MS = 15_000
/** The search for the driver of a booking that is stuck pauses for this share of its wait. */
const LONG_WAIT_SHARE = 0.1
/** Milliseconds after which an event that was due and failed is tried again. */
const FAILED_RETRY_MS = MINUTE_MS

type BookingTimes = Pick<
  Booking,
  'status' | 'event_log' | 'bookingDate' | 'bookLater' | 'tripdate' | 'requeued_at'
>

/** Returns when the booking last entered its status, ms; undefined when it has no such event. */
const findStatusEntry = ({ status, event_log = {} }: BookingTimes): number | undefined => {
  const latest = Object.values(event_log).sort((a, b) => b.revision - a.revision)
  const left = latest.findIndex((entry) => entry.status !== status)
  return (left < 0 ? latest : latest.slice(0, left)).at(-1)?.at
}

/**
 * Returns when the booking last entered its status or, without a driver, was put back in the queue
 * (ms). A later booking that still waits counts from its own time.
 */
export const getStatusSince = (booking: BookingTimes): number => {
  const entered = findStatusEntry(booking) ?? booking.bookingDate
  const since = Math.max(entered, booking.requeued_at ?? 0)
  const waitsForItsTime = booking.status === 'NEW' || booking.status === 'ACCEPTED'
  return booking.bookLater && waitsForItsTime ? Math.max(since, booking.tripdate) : since
}

/** Returns true when a booking has been in its status too long. */
export const isStuck = (booking: Booking, now: number): boolean => {
  const most = findStuckMinutes(booking.status)
  return most !== undefined && now - getStatusSince(booking) > most * MINUTE_MS
}

type ExpiryTimes = Pick<
  Booking,
  'status' | 'bookLater' | 'bookingDate' | 'tripdate' | 'requeued_at'
>

/**
 * Returns when an unpaid booking or a later one without a driver expires; undefined for others. A
 * booking that lost its driver has its whole time again.
 */
const getExpiry = ({
  status,
  bookLater,
  bookingDate,
  tripdate,
  requeued_at = 0,
}: ExpiryTimes): number | undefined => {
  if (status === 'PAYMENT_PENDING') return bookingDate + UNPAID_EXPIRY_MINUTES * MINUTE_MS
  if (status !== 'NEW' || !bookLater) return undefined
  return Math.max(tripdate, requeued_at) + NO_DRIVER_EXPIRY_MINUTES * MINUTE_MS
}

/**
 * Returns true when a booking has expired: unpaid for 30 minutes, or a later one without a driver
 * 30 minutes after its time and after it lost a driver.
 */
export const isBookingExpired = (booking: ExpiryTimes, now: number): boolean =>
  now >= (getExpiry(booking) ?? Infinity)

type DispatchTimes = Pick<Booking, 'bookLater' | 'tripdate' | 'bookingDate' | 'offers_from'>

/** Returns when a booking needs a driver: half an hour before a later one, otherwise at once. */
export const getNeedStart = ({
  bookLater,
  tripdate,
  bookingDate,
}: Omit<DispatchTimes, 'offers_from'>): number =>
  bookLater ? tripdate - LATER_DISPATCH_MINUTES * MINUTE_MS : bookingDate

/**
 * Returns when the search for a driver begins: when the booking needs one, or later for a rider who
 * cancels or amends again and again.
 */
export const getDispatchStart = (booking: DispatchTimes): number =>
  Math.max(getNeedStart(booking), booking.offers_from ?? 0)

/** Returns true when a booking is due for dispatch. */
export const isDispatchDue = (
  booking: DispatchTimes & Pick<Booking, 'status'>,
  now: number,
): boolean => booking.status === 'NEW' && now >= getDispatchStart(booking)

/** Returns true when drivers are found automatically for a booking, and not by the office. */
export const isDispatchedAutomatically = (
  { taken_by }: Pick<Booking, 'taken_by'>,
  { autoDispatch }: Partial<Pick<Settings, 'autoDispatch'>>,
): boolean => autoDispatch === true && taken_by === undefined

/** Returns true when automatic dispatch is to look for a driver of a booking. */
export const isSearchDue = (
  booking: DispatchTimes & Pick<Booking, 'status' | 'taken_by'>,
  settings: Partial<Pick<Settings, 'autoDispatch'>>,
  now: number,
): boolean => isDispatchedAutomatically(booking, settings) && isDispatchDue(booking, now)

type OfferSettings = Pick<Settings, 'dispatchMode' | 'dispatchSeconds' | 'requeueDeclined'> &
  Partial<Pick<Settings, 'autoDispatch'>>

/**
 * Returns when the last of the drivers whom the back office asked has had their time to answer
 * (ms), and the booking goes back to the queue; undefined when it does not.
 */
export const getManualOffersEnd = (
  booking: AskedBooking,
  settings: OfferSettings,
): number | undefined => {
  const { status, requestedDrivers = {}, askedDrivers = {} } = booking
  const requestedUids = Object.keys(requestedDrivers)
  if (status !== 'NEW' || requestedUids.length === 0) return undefined
  if (isDispatchedAutomatically(booking, settings) || !settings.requeueDeclined) return undefined
  return Math.max(...requestedUids.map((uid) => askedDrivers[uid] ?? 0)) + getOfferMs(settings)
}

type AskedBooking = Pick<Booking, 'status' | 'requestedDrivers' | 'askedDrivers' | 'taken_by'>

/**
 * Returns the milliseconds after which the search for a driver goes on: when the offer just made
 * ends, or later the longer the booking has waited, because old bookings must not delay new ones.
 */
const getSearchPause = (
  booking: Booking,
  settings: OfferSettings,
  now: number,
  isOffered: boolean,
): number => {
  const waited = now - getStatusSince(booking)
  if (waited > STUCK_MINUTES.NEW * MINUTE_MS) return Math.round(waited * LONG_WAIT_SHARE)
  return isOffered && settings.dispatchMode !== 'broadcast'
    ? getOfferMs(settings)
    : SEARCH_INTERVAL_MS
}

/** Returns when a waiting booking needs a driver. */
const getSearchTime = (
  booking: Booking,
  settings: OfferSettings,
  now: number,
  after: DueTimeReason,
): number => {
  const start = getDispatchStart(booking)
  if (now < start) return start
  if (after === 'event') return now
  return now + getSearchPause(booking, settings, now, after === 'offer')
}

/**
 * The reason for a new due time: an event, an event that made offers, or a run of the
 * scheduled job, which has done all that was due and changed nothing.
 */
export type DueTimeReason = 'event' | 'offer' | 'run'

/**
 * Returns when the scheduled job next has work with a booking, ms; null when it has none. The
 * earliest of: its expiry, the search for a driver, the reminder, the question whether its customer
 * goes on waiting, and the time from which it counts as stuck. Never before `now`.
 */
export const getDueTime = (
  booking: Booking,
  settings: OfferSettings,
  now: number,
  after: DueTimeReason,
): number | null => {
  const { status, bookLater, tripdate, wait_until } = booking
  const expiry = getExpiry(booking)
  const stuckMinutes = findStuckMinutes(status)
  const manualOffersEnd = getManualOffersEnd(booking, settings)
  const times = [
    expiry !== undefined && (expiry <= now && after === 'run' ? now + FAILED_RETRY_MS : expiry),
    status === 'NEW' && getSearchTime(booking, settings, now, after),
    manualOffersEnd !== undefined && Math.max(now, manualOffersEnd),
    ...[
      bookLater &&
        (status === 'NEW' || status === 'ACCEPTED') &&
        now < tripdate &&
        tripdate - LATER_DISPATCH_MINUTES * MINUTE_MS,
      status === 'NEW' && wait_until !== undefined && wait_until,
      stuckMinutes !== undefined && getStatusSince(booking) + stuckMinutes * MINUTE_MS + 1,
      // A run does these once.
    ].filter((time) => after !== 'run' || (time !== false && time > now)),
  ].filter((time) => time !== false)
  return times.length === 0 ? null : Math.max(now, Math.min(...times))
}
