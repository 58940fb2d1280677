import { TRACKED_STATUSES, type Booking, type BookingContacts, type UserType } from '../entities'
import { HOUR_MS } from '../timeUnits'

/**
 * Milliseconds after the end during which rider and driver can contact each other, to return lost
 * property.
 */
export const CONTACT_WINDOW_MS = HOUR_MS

type TripTimes = Pick<Booking, 'status' | 'driver' | 'endTime' | 'cancelled_at'>

/** Returns when a trip ended or was canceled (ms), or undefined while it is active. */
export const getTripEnd = ({
  endTime,
  cancelled_at,
}: Pick<TripTimes, 'endTime' | 'cancelled_at'>): number | undefined => cancelled_at ?? endTime

/**
 * Returns true while rider and driver can contact each other: from ACCEPTED until one hour after
 * the end. The payment does not extend this. The rules of `booking_contacts` and `chats` enforce
 * the same.
 */
export const isContactOpen = (trip: TripTimes, now: number): boolean => {
  if (trip.driver === undefined) return false
  if ((TRACKED_STATUSES as readonly string[]).includes(trip.status)) return true
  const end = getTripEnd(trip)
  return end !== undefined && now < end + CONTACT_WINDOW_MS
}

/** The contact fields of the customer, who may read them without a time limit. */
export const CUSTOMER_CONTACT_FIELDS = [
  'customer_contact',
  'customer_email',
  'deliveryPersonPhone',
] as const
const ALL_CONTACT_FIELDS = [
  ...CUSTOMER_CONTACT_FIELDS,
  'driver_contact',
] as const satisfies (keyof BookingContacts)[]

/** Returns the contacts of a booking that a user may read now, consistent with the rules. */
export const getReadableContacts = (
  booking: TripTimes & Pick<Booking, 'customer' | 'fleetadmin'>,
  { id, usertype }: { id: string; usertype: UserType },
  now: number,
): readonly (keyof BookingContacts)[] => {
  if (usertype === 'admin' || booking.fleetadmin === id) return ALL_CONTACT_FIELDS
  const isOpen = isContactOpen(booking, now)
  if (booking.customer === id)
    return isOpen || booking.driver === undefined ? ALL_CONTACT_FIELDS : CUSTOMER_CONTACT_FIELDS
  return booking.driver === id && isOpen ? ALL_CONTACT_FIELDS : []
}
