import { ACTIVE_STATUSES, type Booking, type Status } from '../types'

/** A search for bookings, with ids and times in ms. */
export interface BookingFilter {
  status?: Status
  customer?: string
  driver?: string
  carTypeId?: string
  /** Earliest and latest booking date. */
  from?: number
  until?: number
}
const EQUALITY_FIELDS = ['customer', 'driver', 'carTypeId', 'status'] as const
/** An indexed child of a booking. */
export type BookingIndex = (typeof EQUALITY_FIELDS)[number] | 'bookingDate'

/**
 * Returns the index of the filter with the fewest matching bookings, or null without a filter. Of a
 * million bookings, few are active and most are finished.
 */
export const chooseIndex = (filter: BookingFilter): BookingIndex | null => {
  if (filter.customer) return 'customer'
  if (filter.driver) return 'driver'
  if (filter.status && ACTIVE_STATUSES.includes(filter.status)) return 'status'
  if (filter.from !== undefined || filter.until !== undefined) return 'bookingDate'
  if (filter.status) return 'status'
  return filter.carTypeId ? 'carTypeId' : null
}

/**
 * Returns true when one index answers the filter. Otherwise the results must be filtered further.
 */
export const isCoveredByIndex = (filter: BookingFilter): boolean => {
  const dated = filter.from !== undefined || filter.until !== undefined
  return EQUALITY_FIELDS.filter((field) => filter[field]).length + (dated ? 1 : 0) <= 1
}

/** Returns true when a booking matches the filter. */
export const isMatch = (
  booking: Booking,
  { from = 0, until = Infinity, ...filter }: BookingFilter,
): boolean =>
  booking.bookingDate >= from &&
  booking.bookingDate <= until &&
  EQUALITY_FIELDS.every((field) => !filter[field] || booking[field] === filter[field])
