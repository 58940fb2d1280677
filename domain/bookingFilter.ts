import { ACTIVE_STATUSES, type Booking, type Status } from './entities'

/** What bookings are looked for. Ids, and times in ms. */
export interface BookingFilter {
  status?: Status
  customer?: string
  driver?: string
  carTypeId?: string
  /** Booked from, and until. */
  from?: number
  until?: number
}
const EQUALS = ['customer', 'driver', 'carTypeId', 'status'] as const
/** A child of a booking that has an index. */
export type BookingIndex = (typeof EQUALS)[number] | 'bookingDate'

/**
 * By which index a database of a million bookings is asked: that of the filter with the fewest bookings behind it; null
 * when there is no filter. What is still under way is little, what is over is most of it.
 */
export const leadOf = (filter: BookingFilter): BookingIndex | null => {
  if (filter.customer) return 'customer'
  if (filter.driver) return 'driver'
  if (filter.status && ACTIVE_STATUSES.includes(filter.status)) return 'status'
  if (filter.from !== undefined || filter.until !== undefined) return 'bookingDate'
  if (filter.status) return 'status'
  return filter.carTypeId ? 'carTypeId' : null
}

/** Whether one index answers the filter; otherwise what it answers has to be looked through. */
export const isAnsweredByIndex = (filter: BookingFilter): boolean => {
  const dated = filter.from !== undefined || filter.until !== undefined
  return EQUALS.filter((field) => filter[field]).length + (dated ? 1 : 0) <= 1
}

/** Whether a booking is one that is looked for. */
export const isFound = (
  booking: Booking,
  { from = 0, until = Infinity, ...filter }: BookingFilter,
): boolean =>
  booking.bookingDate >= from &&
  booking.bookingDate <= until &&
  EQUALS.every((field) => !filter[field] || booking[field] === filter[field])
