import * as v from 'valibot'
import type { AdvanceBooking, BookingAnswer, CreateBooking } from '~/domain/api'
import { type BookingFilter, leadOf } from '~/domain/bookingFilter'
import {
  ACTIVE_STATUSES,
  type Booking,
  type LatLng,
  type Place,
  STATUSES,
  type Status,
  type StuckBooking,
} from '~/domain/entities'
import { at } from '~/domain/paths'
import type { Query } from '~/src/services/services'
import { liveRecord, liveSlice } from '~/src/store/liveSlice'
import { operation } from '~/src/store/operation'
import { listOf, rowOf } from '~/src/store/rows'

const place = v.looseObject({ lat: v.number(), lng: v.number(), add: v.optional(v.string(), '') })
const point = { lat: v.number(), lng: v.number() }
const bookingRow = v.pipe(
  v.looseObject({
    status: v.picklist(STATUSES),
    carType: v.string(),
    customer: v.string(),
    pickup: place,
    drop: place,
    bookingDate: v.number(),
    coords: listOf<LatLng>(point),
    waypoints: listOf<Place>(point),
    fare_history: v.optional(v.record(v.string(), v.unknown()), {}),
    event_log: v.optional(v.record(v.string(), v.unknown()), {}),
  }),
  v.transform((row) => row as unknown as Booking),
)

export interface BookingPage extends BookingFilter {
  /** How many, newest first; 50 unless said. */
  size?: number
  /** Admins: only bookings before this one in the index that leads; made by `cursorOf`. */
  before?: string
}
/** Where the page after this booking begins. */
export const cursorOf = (booking: Booking, filter: BookingFilter): string =>
  leadOf(filter) === 'bookingDate' ? `${booking.bookingDate}.${booking.id}` : booking.id

const asked = ({ size = 50, before, ...filter }: BookingPage): Query => {
  const lead = leadOf(filter)
  const page = { path: 'bookings', limitToLast: size }
  if (lead === null) return { ...page, orderBy: 'key', ...(before && { endBefore: before }) }
  if (lead === 'bookingDate') {
    const [date, key] = before?.split('.') ?? []
    return {
      ...page,
      orderBy: { child: lead },
      startAt: filter.from ?? 0,
      ...(date && key
        ? { endBefore: Number(date), endBeforeKey: key }
        : filter.until !== undefined && { endAt: filter.until }),
    }
  }
  const value = filter[lead] ?? ''
  return {
    ...page,
    orderBy: { child: lead },
    ...(before ? { startAt: value, endBefore: value, endBeforeKey: before } : { equalTo: value }),
  }
}

/**
 * The bookings of whoever is signed in: a rider's, a driver's, a fleet admin's by their indexed query, an admin's by key
 * or by the index of one filter. Newest first.
 */
export const bookings = liveSlice('bookinglistdata', 'bookings', {
  at: (page: BookingPage, profile) => {
    if (!profile) return null
    if (profile.usertype === 'admin') return asked(page)
    const child = profile.usertype === 'rider' ? 'customer' : profile.usertype
    const { size = 50 } = page
    return { path: 'bookings', orderBy: { child }, equalTo: profile.id, limitToLast: size }
  },
  row: bookingRow,
  order: (a, b) => b.bookingDate - a.bookingDate,
})

/** Bookings that the sweep found standing still, the longest first; admins only. */
export const stuckBookings = liveSlice('stuckbookings', 'stuck', {
  at: (size: number, profile) =>
    profile?.usertype === 'admin'
      ? { path: 'stuck_bookings', orderBy: { child: 'since' }, limitToFirst: size }
      : null,
  row: rowOf<StuckBooking & { id: string }>({
    status: v.picklist(STATUSES),
    since: v.number(),
    found_at: v.number(),
  }),
  order: (a, b) => a.since - b.since,
})

/** One booking. */
export const booking = liveRecord('bookingdata', 'booking', {
  at: (id: string) => (id ? { path: at.booking(id) } : null),
  row: bookingRow,
})

/** The trip code of one booking. Only its rider and admins may read it: ask for nobody else. */
export const bookingCode = liveRecord('bookingcode', 'code', {
  at: (id: string | null) => (id ? { path: at.otp(id) } : null),
  row: v.number(),
})

export const activeOf = (rows: Booking[]) =>
  rows.filter((b) => (ACTIVE_STATUSES as readonly Status[]).includes(b.status))

/** Creates a booking. With the same booking_id a second time it answers the same and makes no second one. */
export const addBooking = operation<CreateBooking & { quiet?: boolean }, BookingAnswer>(
  'bookingdata/addBooking',
  ({ quiet: _, ...input }, { functions }) => functions.call('create_booking', input),
)

/** Any other event of the booking's table. With `quiet` the screen shows the refusal itself. */
export const advanceBooking = operation<AdvanceBooking & { quiet?: boolean }, BookingAnswer>(
  'bookingdata/advanceBooking',
  ({ quiet: _, ...input }, { functions }) => functions.call('advance_booking', input),
)
