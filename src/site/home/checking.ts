import { LATER_LEAD_MINUTES } from '~/domain/booking/leadTime'
import { type Refusal, refusal } from '~/domain/errors'
import type { TripPoints } from '~/src/features/tripPoints/tripPoints'
import type { RouteAsked } from '~/src/features/estimates/estimates'
import type { Place } from '~/domain/entities'

const MINUTE = 60_000

/** The earliest moment of a later booking, ms. */
export const earliestTime = () => Date.now() + LATER_LEAD_MINUTES * MINUTE

/** Why the time of a later booking cannot be, if so; `tripdate` in ms, null when none is chosen. */
export const wrongTime = (later: boolean, tripdate: number | null): Refusal | null => {
  if (!later) return null
  if (tripdate === null) return refusal('select_proper', 'tripdate')
  return tripdate < earliestTime() ? refusal('past_booking_error', 'tripdate') : null
}

export interface Points extends RouteAsked {
  pickup: Place
  drop: Place
  waypoints: Place[]
}

/** The places of a trip that has all of them. */
export const pointsOf = ({ pickup, drop, waypoints }: TripPoints): Points | null => {
  const chosen = waypoints.filter((place) => place !== null)
  return pickup?.add && drop?.add && chosen.length === waypoints.length
    ? { pickup, drop, waypoints: chosen }
    : null
}

/** What is wrong before a price can be shown (specification 5), by field. */
export const wrongIn = (
  { pickup, drop, waypoints }: TripPoints,
  { hasCar, time }: { hasCar: boolean; time: Refusal | null },
): Record<string, Refusal> => {
  const found: Record<string, Refusal> = {}
  if (!pickup?.add) found.pickup = refusal('select_proper', 'pickup')
  if (!drop?.add) found.drop = refusal('select_proper', 'drop')
  waypoints.forEach((place, index) => {
    if (!place) found[`stop${index}`] = refusal('select_proper')
  })
  if (!hasCar) found.carType = refusal('select_proper', 'carType')
  if (time) found.tripdate = time
  return found
}
