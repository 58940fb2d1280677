import { ACTIVE_STATUSES, type Booking, type CallerTrip } from '../types'
import type { Place } from '../../geo/types'

/** Maximum number of trips on the card of a caller, each with a key of its own. */
const MAX_TRIPS = 5

const toPlaceName = ({ add }: Place) => add.trim().toLowerCase()
const toTripName = ({ pickup, drop, waypoints = [] }: Booking) =>
  JSON.stringify([pickup, ...waypoints, drop].map(toPlaceName))

const toTrip = (booking: Booking): CallerTrip => {
  const { id, pickup, drop, waypoints, carTypeId, deliveryPerson } = booking
  const parcelType = booking.parcelTypeSelected?.description
  const option = booking.optionSelected?.description
  return {
    booking_id: id,
    pickup,
    drop,
    carTypeId,
    ...(waypoints && { waypoints }),
    ...(parcelType && { parcelType }),
    ...(option && { option }),
    ...(deliveryPerson && { deliveryPerson }),
  }
}

/**
 * Returns the last trips of a caller, newest first, each route once, and the bookings that are not
 * over. `bookings` are in the order of their creation.
 */
export const summarizeCaller = (
  bookings: readonly Booking[],
): { trips: CallerTrip[]; open: Booking[] } => {
  const newest = [...bookings].reverse()
  // Of equal names the last booking stays, which is the newest.
  const routes = new Map(bookings.map((booking) => [toTripName(booking), booking]))
  const latest = new Set(routes.values())
  return {
    trips: newest
      .filter((booking) => latest.has(booking))
      .slice(0, MAX_TRIPS)
      .map(toTrip),
    open: newest.filter(({ status }) => ACTIVE_STATUSES.includes(status)),
  }
}
