import { getCurrentStop } from '~/domain/booking/stops/bookingStops'
import type { Random } from '~/domain/data/seededRandom'
import { advanceBooking } from './actions'
import { OWN_EVENT_TIMEOUT_MS, type BookingSubscription } from './bookingSubscription'
import type { SimulatedUser } from './simulatedUser'
import type { Simulation } from './simulation'
import type { Place } from '~/domain/geo/types'

/** The driver of a trip with stops. */
interface StoppingDriver {
  simulation: Simulation
  person: SimulatedUser
  random: Random
}

/**
 * Drives to the stops one after the other and waits at each. Follows an amendment, because it reads
 * the stops from the booking again after each event.
 */
export const passStops = async (
  { simulation, person, random }: StoppingDriver,
  screen: BookingSubscription,
  driveTo: (stop: Place) => Promise<void>,
): Promise<void> => {
  for (;;) {
    const booking = screen.getCurrent()
    const stop = booking && getCurrentStop(booking)
    if (!stop) return
    const { index, place, state } = stop
    if (state === 'next') await driveTo(place)
    else await simulation.waitSimulated(random.integer(20, 60))
    const passed = await advanceBooking(simulation, person, {
      booking_id: booking.id,
      event: state === 'next' ? 'arrive_stop' : 'leave_stop',
      index,
      stop: { lat: place.lat, lng: place.lng },
    })
    // An amendment has changed the stops meanwhile.
    if (!passed.ok && passed.error.key !== 'stop_not_next') return
    await screen.waitFor(({ revision }) => revision > booking.revision, OWN_EVENT_TIMEOUT_MS)
  }
}
