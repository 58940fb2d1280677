import type { EndpointOutput } from '~/domain/api/api'
import * as v from 'valibot'
import { type BookingFilter, chooseIndex } from '~/domain/booking/search/bookingFilter'
import { dbPaths } from '~/domain/data/databasePaths'
import { equalPage, type Query, timePage, toTimeCursor } from '~/src/services/services'
import { createLiveRecord, createLiveSlice } from '~/src/store/live/liveSlice'
import { createServiceThunk } from '~/src/store/serviceThunk'
import { createListSchema, createRecordSchema, createRowSchema } from '~/src/store/live/rowSchemas'
import type { AdvanceBookingInput } from '~/domain/booking/events/inputs'
import {
  ACTIVE_STATUSES,
  STATUSES,
  type Booking,
  type FareReview,
  type StuckBooking,
} from '~/domain/booking/types'
import type { LatLng, Place } from '~/domain/geo/types'

const placeSchema = v.looseObject({
  lat: v.number(),
  lng: v.number(),
  add: v.optional(v.string(), ''),
})
const positionFields = { lat: v.number(), lng: v.number() }
export const bookingSchema = createRecordSchema<Booking>({
  status: v.picklist(STATUSES),
  carType: v.string(),
  customer: v.string(),
  pickup: placeSchema,
  drop: placeSchema,
  bookingDate: v.number(),
  coords: createListSchema<LatLng>(positionFields),
  waypoints: createListSchema<Place>(positionFields),
  fare_history: v.optional(v.record(v.string(), v.unknown()), {}),
  event_log: v.optional(v.record(v.string(), v.unknown()), {}),
})

export interface BookingListQuery extends BookingFilter {
  /** Number of bookings; 50 by default. */
  size?: number
  /** The last booking of the page before this one; made by `getCursor`. */
  cursor?: string
  /** True starts with the oldest booking. */
  ascending?: boolean
}
/** Returns true when pages follow the server's creation time of the bookings. */
export const isByDate = (filter: BookingFilter): boolean =>
  (chooseIndex(filter) ?? 'bookingDate') === 'bookingDate'

/** Returns the cursor for the page after this booking. */
export const getCursor = (booking: Booking, filter: BookingFilter): string =>
  isByDate(filter) ? toTimeCursor(booking.bookingDate, booking.id) : booking.id

/** Orders bookings newest first; those of one millisecond by id, as the index does. */
export const byDate = (a: Booking, b: Booking): number =>
  b.bookingDate - a.bookingDate || (a.id < b.id ? 1 : -1)

/**
 * Returns the query for a page of bookings. Without a filter, pages follow `bookingDate` instead of
 * the id, because a client chooses the id and could place its booking before all others.
 */
export const toPageQuery = (query: BookingListQuery): Query => {
  const { size = 50, cursor, ascending, ...filter } = query
  const lead = chooseIndex(filter)
  const page = { size, cursor, ascending }
  return {
    path: 'bookings',
    ...(lead === null || lead === 'bookingDate'
      ? timePage('bookingDate', { ...page, from: filter.from, until: filter.until })
      : equalPage(lead, filter[lead] ?? '', page)),
  }
}

/**
 * Loads the signed-in user's bookings, newest first: a rider's, a driver's or a fleet admin's by
 * their indexed query, an admin's by creation time or by the index of one filter.
 */
export const liveBookings = createLiveSlice('bookinglistdata', 'bookings', {
  toQuery: (page: BookingListQuery, profile) => {
    if (!profile) return null
    if (profile.usertype === 'admin') return toPageQuery(page)
    const child = profile.usertype === 'rider' ? 'customer' : profile.usertype
    const { size = 50, cursor } = page
    return { path: 'bookings', ...equalPage(child, profile.id, { size, cursor }) }
  },
  schema: bookingSchema,
  order: byDate,
})

/** Up to this many bookings that wait for a driver, by id, the oldest first; admins only. */
export const waitingBookings = createLiveSlice('waitingbookings', 'waiting', {
  toQuery: (size: number, profile) =>
    profile?.usertype === 'admin'
      ? { path: 'bookings', orderBy: { child: 'status' }, equalTo: 'NEW', limitToFirst: size }
      : null,
  schema: bookingSchema,
})

/** Bookings that the scheduled job found stuck, longest first; admins only. */
export const stuckBookings = createLiveSlice('stuckbookings', 'stuck', {
  toQuery: (size: number, profile) =>
    profile?.usertype === 'admin'
      ? { path: 'stuck_bookings', orderBy: { child: 'since' }, limitToFirst: size }
      : null,
  schema: createRowSchema<StuckBooking & { id: string }>({
    status: v.picklist(STATUSES),
    since: v.number(),
    found_at: v.number(),
  }),
  order: (a, b) => a.since - b.since,
})

/** Flagged bookings that wait for a decision by the back office, newest first; admins only. */
export const fareReviews = createLiveSlice('farereviews', 'reviews', {
  toQuery: (size: number, profile) =>
    profile?.usertype === 'admin'
      ? { path: 'fare_reviews', orderBy: { child: 'at' }, limitToLast: size }
      : null,
  schema: createRowSchema<FareReview & { id: string }>({ at: v.number(), driver: v.string() }),
  order: (a, b) => b.at - a.at,
})

/** One booking by id. */
export const liveBooking = createLiveRecord('bookingdata', 'booking', {
  toQuery: (id: string) => (id ? { path: dbPaths.booking(id) } : null),
  schema: bookingSchema,
})

/** The id of the booking that has a reference; a fleet admin may look up those of their drivers. */
export const bookingOfReference = createLiveRecord('bookingreference', 'id', {
  toQuery: (reference: string | null) =>
    reference ? { path: dbPaths.reference(reference) } : null,
  schema: v.string(),
})

/** The code of one booking. Only its rider and admins may read it, so query it only for them. */
export const tripCode = createLiveRecord('bookingcode', 'code', {
  toQuery: (id: string | null) => (id ? { path: dbPaths.bookingOtp(id) } : null),
  schema: v.number(),
})

export const filterActive = (rows: Booking[]) =>
  rows.filter((b) => ACTIVE_STATUSES.includes(b.status))

/** Applies any other event of a booking. */
export const advanceBooking = createServiceThunk<
  AdvanceBookingInput,
  EndpointOutput<'advance_booking'>
>('bookingdata/advanceBooking', (input, { functions }) => functions.call('advance_booking', input))
