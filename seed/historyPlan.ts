import type { Random } from '~/domain/data/seededRandom'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'

/** A small city has fewer past bookings: 83 bookings instead of 200. */
export type CitySize = 'full' | 'small'
/**
 * Number of bookings of the full city that end in each status, besides those in
 * `FIXED_DRIVER_HOURS_AGO`. `CANCELLED` and `COMPLETE` are spread over the year, the others over
 * the last hours.
 */
const BOOKINGS_BY_ENDING = {
  COMPLETE: 100,
  CANCELLED: 30,
  PAID: 12,
  PENDING: 4,
  REACHED: 3,
  STARTED: 4,
  ARRIVED: 3,
  ACCEPTED: 3,
  NEW: 8,
  PAYMENT_PENDING: 5,
}
/** A small city has a shorter past and the same present. */
const SMALL_CITY_BOOKINGS = { ...BOOKINGS_BY_ENDING, COMPLETE: 10, CANCELLED: 3 }
export type BookingEnding = keyof typeof BOOKINGS_BY_ENDING
const ENDINGS = Object.keys(BOOKINGS_BY_ENDING) as BookingEnding[]
const getBookingsByEnding = (size: CitySize): Record<BookingEnding, number> =>
  size === 'full' ? BOOKINGS_BY_ENDING : SMALL_CITY_BOOKINGS
/**
 * Range of minutes since unfinished bookings started, within the longest possible time for their
 * status.
 */
const MINUTES_AGO_BY_STATUS: Partial<
  Record<BookingEnding, readonly [least: number, most: number]>
> = {
  PENDING: [75, 90],
  REACHED: [72, 85],
  STARTED: [24, 32],
  ARRIVED: [18, 28],
  ACCEPTED: [8, 16],
  NEW: [6, 14],
  // The next maintenance run would expire a booking that is unpaid for over half an hour.
  PAYMENT_PENDING: [1, 9],
}
/** Used in turn: three of ten cancel after the driver has set out, mostly with a fee. */
const CANCELLATION_KINDS = [
  'late',
  'early',
  'driver',
  'late',
  'expire',
  'declined',
  'late',
  'office',
  'early',
  'expire',
] as const
export type CancellationKind = (typeof CANCELLATION_KINDS)[number]
/**
 * Hours since the fixed driver started their finished bookings: enough for earnings today, this
 * week and this month.
 */
const FIXED_DRIVER_HOURS_AGO = [
  1, 3.2, 5.5, 8, 22, 25, 28, 31, 46, 49.5, 52, 70, 73, 76, 95, 98, 120, 124, 143, 147, 168, 200,
  260, 330, 420, 500, 610, 700,
] as const

export interface PlannedBooking {
  ending: BookingEnding
  beginAt: number
  /** True when the fixed driver drives the booking. */
  isByFixedDriver: boolean
  /** True for a booking of the last hours that has not ended. */
  isLive: boolean
  /** How the booking ends when its ending is `CANCELLED`. */
  cancellation?: CancellationKind | undefined
}

interface PlanInput {
  random: Random
  now: number
  size: CitySize
  isDelivery: boolean
}

const drawBegin = (ending: BookingEnding, { random, now }: PlanInput): number => {
  const ago = MINUTES_AGO_BY_STATUS[ending]
  if (ago) return now - random.integer(ago[0] * 60, ago[1] * 60) * 1000
  // Riders do not rate after two weeks, so the unrated paid bookings are recent.
  const days = ending === 'PAID' ? 12 : 360
  return Math.round(now - 4 * HOUR_MS - days * DAY_MS * random.next() ** 1.4)
}

/** Returns the bookings of the year in the order in which they begin. */
export const planBookings = (input: PlanInput): PlannedBooking[] => {
  const bookingsByEnding = getBookingsByEnding(input.size)
  const byFixedDriver = FIXED_DRIVER_HOURS_AGO.map((hours): PlannedBooking => ({
    ending: 'COMPLETE',
    beginAt: input.now - hours * HOUR_MS,
    isByFixedDriver: true,
    isLive: false,
  }))
  const byAnyDriver = ENDINGS.filter(
    (ending) => input.isDelivery || ending !== 'PAYMENT_PENDING',
  ).flatMap((ending) =>
    Array.from({ length: bookingsByEnding[ending] }, (): PlannedBooking => ({
      ending,
      beginAt: drawBegin(ending, input),
      isByFixedDriver: false,
      isLive: ending in MINUTES_AGO_BY_STATUS,
    })),
  )
  let cancellations = 0
  return [...byFixedDriver, ...byAnyDriver]
    .sort((a, b) => a.beginAt - b.beginAt)
    .map((booking) => ({
      ...booking,
      ...(booking.ending === 'CANCELLED' && {
        cancellation: CANCELLATION_KINDS[cancellations++ % CANCELLATION_KINDS.length],
      }),
    }))
}

/** The endings of bookings that no driver has begun. */
const NOT_BEGUN: readonly BookingEnding[] = ['NEW', 'PAYMENT_PENDING', 'CANCELLED']

/** Returns how long before its pickup a later booking is made; a trip that was driven was soon. */
export const drawLeadTime = (ending: BookingEnding, random: Random): number => {
  const units = random.integer(1, 20)
  return NOT_BEGUN.includes(ending) ? units * HOUR_MS : (15 + units) * MINUTE_MS
}
