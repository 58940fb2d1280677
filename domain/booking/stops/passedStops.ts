import { domainError, type DomainError } from '../../api/errors'
import { getStops, isStopDone } from './bookingStops'
import type { Booking } from '../types'
import type { LatLng, Place } from '../../geo/types'

export const isSamePosition = (a: LatLng, b: LatLng): boolean => a.lat === b.lat && a.lng === b.lng

const isSamePlace = (a: Place, b: Place | undefined): boolean =>
  b !== undefined && isSamePosition(a, b) && a.add === b.add

/**
 * Returns the refusal of an amendment that changes, moves or removes a stop that the driver has
 * already reached or skipped, if any.
 */
export const checkPassedStops = (
  booking: Booking,
  waypoints: readonly Place[],
): DomainError | undefined => {
  const changed = getStops(booking).findIndex(
    (stop, index) => isStopDone(stop) && !isSamePlace(stop.place, waypoints[index]),
  )
  return changed < 0 ? undefined : domainError('stop_passed', 'waypoints', { stop: changed + 1 })
}
