import { HOUR_MS } from '../language/timeUnits'
import { TRACKED_STATUSES, type Booking, type BookingContacts } from './types'
import type { UserType } from '../access/types'

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

/** Returns true while a driver is on the way or drives, so that the trip is followed. */
const isTracked = ({ status }: Pick<TripTimes, 'status'>): boolean =>
  (TRACKED_STATUSES as readonly string[]).includes(status)

const isInContactWindow = (trip: TripTimes, now: number): boolean => {
  if (isTracked(trip)) return true
  const end = getTripEnd(trip)
  return end !== undefined && now < end + CONTACT_WINDOW_MS
}

/**
 * Returns true while rider and driver can contact each other: from ACCEPTED until one hour after
 * the end. The payment does not extend this. The rules of `booking_contacts` and `chats` enforce
 * the same.
 */
export const isContactOpen = (trip: TripTimes, now: number): boolean =>
  trip.driver !== undefined && isInContactWindow(trip, now)

/** Notes for the driver, which may have door codes. */
export const INSTRUCTION_FIELDS = [
  'pickUpInstructions',
  'deliveryInstructions',
] as const satisfies (keyof BookingContacts)[]
/** The contact fields of the customer, who may read them without a time limit. */
export const CUSTOMER_CONTACT_FIELDS = [
  'customer_contact',
  'customer_email',
  'deliveryPersonPhone',
  ...INSTRUCTION_FIELDS,
] as const satisfies (keyof BookingContacts)[]
/** How rider, recipient and driver are reached. */
const ADDRESS_FIELDS = [
  'customer_contact',
  'customer_email',
  'deliveryPersonPhone',
  'driver_contact',
] as const satisfies (keyof BookingContacts)[]
const ALL_CONTACT_FIELDS = [
  ...ADDRESS_FIELDS,
  ...INSTRUCTION_FIELDS,
] as const satisfies (keyof BookingContacts)[]

/**
 * Returns the contacts of a booking that a user may read now, consistent with the rules. Of the
 * instructions only the driver who has the booking reads a word, and only until the trip ends. In
 * demo mode the office reads no phone and no e-mail address.
 */
export const getReadableContacts = (
  booking: TripTimes & Pick<Booking, 'customer' | 'fleetadmin'>,
  { id, usertype, isDemo }: { id: string; usertype: UserType; isDemo?: boolean },
  now: number,
): readonly (keyof BookingContacts)[] => {
  if (usertype === 'admin') return isDemo ? INSTRUCTION_FIELDS : ALL_CONTACT_FIELDS
  if (booking.fleetadmin === id) return isDemo ? [] : ADDRESS_FIELDS
  // Without a driver there is no number of one, so the rules do not ask for it.
  const isOpen = isInContactWindow(booking, now)
  if (booking.customer === id) return isOpen ? ALL_CONTACT_FIELDS : CUSTOMER_CONTACT_FIELDS
  if (booking.driver !== id || !isOpen) return []
  return isTracked(booking) ? ALL_CONTACT_FIELDS : ADDRESS_FIELDS
}
