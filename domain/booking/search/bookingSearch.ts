import type { Booking } from '../types'

/** Returns the searchable text of a booking. */
export const bookingText = (b: Booking): string =>
  [
    b.reference,
    // People also type the reference without its hyphen.
    b.reference.replace('-', ''),
    b.booking_id,
    b.customer_name,
    b.deliveryPerson,
    b.pickupAddress,
    b.dropAddress,
    b.driver_name,
    b.vehicle_number,
    b.carType,
  ]
    .filter((part) => part !== undefined)
    .join(' ')

/** Returns true when a text contains every word of a search, in any order, ignoring case. */
export const hasWords = (text: string, search: string): boolean => {
  const lower = text.toLocaleLowerCase()
  return search
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word))
}
