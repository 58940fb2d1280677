import { getCurrentStop } from '../booking/stops/bookingStops'
import { NOON } from './builders'
import type { StopInput } from '../booking/events/passStop'
import type { Booking } from '../booking/types'
import type { Place } from '../geo/types'

/** Two stops between the pickup and the drop-off of `aBooking`. */
export const STOPS: Place[] = [
  { lat: -34.9, lng: -56.17, add: 'Plaza Cagancha' },
  { lat: -34.898, lng: -56.16, add: 'Tres Cruces' },
]

/** The event log of a booking whose driver is at the first stop. */
export const ARRIVED_AT_STOP: Booking['event_log'] = {
  arrive_stop_2: {
    event: 'arrive_stop',
    by: 'driver',
    at: NOON,
    status: 'STARTED',
    revision: 2,
    ref: '0',
  },
}

/**
 * Returns the input of an event about the stop where the driver is, or that is next. A booking
 * without one gives an input that the domain refuses.
 */
export const toStopInput = (booking: Booking, event: StopInput['event']): StopInput => {
  const { index, place } = getCurrentStop(booking) ?? { index: 0, place: booking.drop }
  return { event, index, stop: { lat: place.lat, lng: place.lng } }
}
