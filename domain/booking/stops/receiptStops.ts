import { getStops } from './bookingStops'
import type { Booking } from '../types'

/**
 * Returns the address of each stop with its label, for receipts and summaries. A stop that the
 * driver skipped says so. `translate` returns the text of a key, and `clean` an address as it may
 * be shown.
 */
export const getStopRows = (
  booking: Pick<Booking, 'status' | 'waypoints' | 'event_log' | 'words'>,
  translate: (key: string) => string,
  clean: (address: string) => string = (address) => address,
): [label: string, address: string][] =>
  getStops(booking).map(({ place, state }, index) => [
    `${translate('stop')} ${index + 1}`,
    state === 'skipped'
      ? `${clean(place.add)} (${translate('stop_state_skipped')})`
      : clean(place.add),
  ])
