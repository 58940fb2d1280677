import { domainError, type DomainError } from '../../../api/errors'
import { getDeliveryProblems, getFirstProblem } from '../../bookingProblems'
import { getLengthKm } from '../../../geo/polylineGeometry'
import { getStops } from '../../stops/bookingStops'
import { getTripUnderWay } from '../../trip/tripUnderWay'
import { checkEnds, checkMisplacedAddress, checkPickupTime } from '../../limits/limits'
import { AMENDABLE_FIELDS, type AmendableField } from './definition'
import type { TransitionArgs } from '../../eventArgs'
import type { EventInputFor } from '../../eventInput'
import type { Booking, BookingContacts, Status } from '../../types'
import type { Place } from '../../../geo/types'

export type AmendInput = EventInputFor<'amend'>

/** The changes that still make sense while the driver is on the way to the drop-off. */
const FIELDS_AFTER_START: readonly AmendableField[] = ['drop', 'waypoints']
/** The changes that give the booking a new route and a new price. */
const PRICED_FIELDS: readonly AmendableField[] = ['pickup', 'drop', 'waypoints', 'carType']
/** Statuses in which no driver has the booking yet. */
const STATUSES_WITHOUT_DRIVER: readonly Status[] = ['PAYMENT_PENDING', 'NEW']

const toComparedPlace = ({ lat, lng, add }: Place) => [lat, lng, add]

/** Returns a text that is equal for equal values. Treats an absent text as empty. */
const toComparedText = (value: AmendInput[AmendableField]): string => {
  if (Array.isArray(value)) return JSON.stringify(value.map(toComparedPlace))
  return typeof value === 'object' ? JSON.stringify(toComparedPlace(value)) : String(value ?? '')
}

/** Returns the fields of the request that differ from the booking. */
export const getAmendedFields = (
  booking: Booking,
  input: AmendInput,
  contacts: Partial<BookingContacts> | null,
): AmendableField[] => {
  const before: Record<AmendableField, AmendInput[AmendableField]> = {
    pickup: booking.pickup,
    drop: booking.drop,
    waypoints: booking.waypoints ?? [],
    tripdate: booking.tripdate,
    carType: booking.carTypeId,
    deliveryPerson: booking.deliveryPerson,
    deliveryPersonPhone: contacts?.deliveryPersonPhone,
    pickUpInstructions: contacts?.pickUpInstructions,
    deliveryInstructions: contacts?.deliveryInstructions,
  }
  return AMENDABLE_FIELDS.filter(
    (field) =>
      input[field] !== undefined && toComparedText(input[field]) !== toComparedText(before[field]),
  )
}

/** Returns the places and the vehicle type of the booking after the amendment. */
export const getAmendedTrip = (
  booking: Booking,
  { pickup, drop, waypoints, carType, tripdate }: AmendInput,
) => ({
  pickup: pickup ?? booking.pickup,
  drop: drop ?? booking.drop,
  waypoints: waypoints ?? booking.waypoints ?? [],
  carTypeId: carType ?? booking.carTypeId,
  bookLater: booking.bookLater || (tripdate !== undefined && tripdate !== booking.tripdate),
})

/** Returns true when the amendment needs a new route. */
export const isRouteAmended = (fields: readonly AmendableField[]): boolean =>
  fields.some((field) => PRICED_FIELDS.includes(field))

/** Returns true when another driver may be the nearest, or of the right vehicle type. */
export const isPickupAmended = (fields: readonly AmendableField[]): boolean =>
  fields.includes('pickup') || fields.includes('carType')

/**
 * Returns true when another place or vehicle needs a driver nearby, as for a new booking. A
 * customer who waits for a driver goes on waiting.
 */
export const isNearbyDriverNeeded = (
  booking: Booking,
  input: AmendInput,
  fields: readonly AmendableField[],
): boolean =>
  STATUSES_WITHOUT_DRIVER.includes(booking.status) &&
  booking.wait_until === undefined &&
  !getAmendedTrip(booking, input).bookLater &&
  isPickupAmended(fields)

/** Returns the reason these fields cannot change in the booking's status, if any. */
export const checkFields = (
  { status }: Booking,
  fields: readonly AmendableField[],
): DomainError | undefined => {
  const isRefused = (field: AmendableField) =>
    status === 'STARTED'
      ? !FIELDS_AFTER_START.includes(field)
      : // The driver who accepted has the vehicle of the booked type.
        field === 'carType' && !STATUSES_WITHOUT_DRIVER.includes(status)
  const refused = fields.find(isRefused)
  return refused && domainError('event_not_possible', refused, { status })
}

/**
 * Returns the refusal of an amendment whose caller has not seen a later amendment. Its params are
 * the current revision, status and price.
 */
export const checkConflict = (
  { event_log = {}, revision, status, trip_cost }: Booking,
  { revision: seenRevision }: AmendInput,
): DomainError | undefined =>
  seenRevision !== undefined &&
  Object.values(event_log).some((entry) => entry.event === 'amend' && entry.revision > seenRevision)
    ? domainError('changed_meanwhile', undefined, { revision, status, estimate: trip_cost })
    : undefined

/** Length of a road that the car may have driven without a query of its route, km. */
const MAX_UNKNOWN_ROAD_KM = 0.3

/**
 * Returns true when the maps service does not know the road that the car has driven. The amendment
 * would then cost only what the track proves.
 */
const isDrivenRoadMissing = (
  { booking, context }: TransitionArgs<'driver' | 'roadSoFar' | 'tracking'>,
  stops: readonly Place[],
): boolean => {
  if (booking.status !== 'STARTED' || context.roadSoFar) return false
  const { position, visited } = getTripUnderWay(
    { ...booking, ...context },
    getStops(booking),
    stops,
  )
  return getLengthKm([booking.pickup, ...visited, position]) > MAX_UNKNOWN_ROAD_KM
}

type CheckedPart =
  | 'carType'
  | 'contacts'
  | 'driver'
  | 'isDriverNearby'
  | 'misplacedAddress'
  | 'roadSoFar'
  | 'route'
  | 'tracking'

export const checkTrip = (
  args: TransitionArgs<CheckedPart>,
  input: AmendInput,
  fields: readonly AmendableField[],
): DomainError | undefined => {
  const { booking, actor, context, now } = args
  const { carType, route, isDriverNearby, settings } = context
  const { pickup, drop, waypoints } = getAmendedTrip(booking, input)
  const mayConfirm = actor.role === 'admin'
  if (input.addressesConfirmed && !mayConfirm)
    return domainError('not_allowed', 'addressesConfirmed')
  if (isRouteAmended(fields)) {
    if (!carType) return domainError('select_proper', 'carType')
    const wrongEnds = checkEnds(pickup, drop, waypoints)
    if (wrongEnds) return wrongEnds
    if (!route || isDrivenRoadMissing(args, waypoints)) return domainError('place_to_coords_error')
    const misplaced = checkMisplacedAddress(context.misplacedAddress, input, mayConfirm)
    if (misplaced) return misplaced
  }
  const wrongTime = fields.includes('tripdate') ? checkPickupTime(input.tripdate, now) : undefined
  if (wrongTime) return wrongTime
  if (isNearbyDriverNeeded(booking, input, fields) && !isDriverNearby)
    return domainError('no_driver_found_alert_messege')
  if (!fields.includes('deliveryPerson') && !fields.includes('deliveryPersonPhone'))
    return undefined
  const { deliveryPerson = booking.deliveryPerson } = input
  const { deliveryPersonPhone = context.contacts?.deliveryPersonPhone } = input
  return getFirstProblem(
    getDeliveryProblems({ deliveryPerson, deliveryPersonPhone }, { actor, settings }),
  )
}
