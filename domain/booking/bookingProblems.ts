import { type DomainError, domainError } from '../api/errors'
import { isDeliveryPhone } from '../accounts/userAccounts'
import type { Actor } from './eventTypes'
import {
  checkAddress,
  checkEnds,
  MAX_RECIPIENT_PHONE_LENGTH,
  checkStopCount,
  checkPickupTime,
} from './limits/limits'
import type { Place } from '../geo/types'
import type { Settings } from '../catalog/types'
import type { User } from '../accounts/types'

/** A booking as far as it is filled in. A place that is not chosen is null or has no address. */
export interface DraftedBooking {
  /** The rider's id; absent when riders book for themselves. */
  customer?: string | undefined
  pickup: Place | null
  drop: Place | null
  waypoints?: readonly (Place | null)[] | undefined
  bookLater: boolean
  tripdate?: number | undefined
  /** True when the customer waits for a free driver. */
  wait?: true | undefined
  deliveryPerson?: string | undefined
  deliveryPersonPhone?: string | undefined
}

/** The fields of a customer that decide whether they can book. */
type BookingCustomer = Pick<User, 'usertype' | 'mobile'> &
  Partial<Pick<User, 'approved' | 'email' | 'firstName' | 'lastName'>>

interface TripContext {
  /** The vehicle type; null when none is chosen or it does not exist. */
  carType: object | null
  /** False when no route exists between the places. A form that waits for the route passes true. */
  hasRoute: boolean
  /** False when no driver is in reach. A form cannot know and passes true. */
  isDriverNearby: boolean
}
export interface BookingContext extends TripContext {
  actor: Pick<Actor, 'uid' | 'role'>
  /** Null for an unknown person; undefined when none is chosen, or a visitor has not signed in. */
  customer: BookingCustomer | null | undefined
  /** The refusal of `checkOpenBookings`, which only `create` knows. */
  limitProblem?: DomainError | undefined
  settings: Pick<Settings, 'appcat'>
}

/**
 * The refusals of a booking by field, in the order in which `create` checks them. A refusal that
 * belongs to no field is under its own key.
 */
export type BookingProblems = Partial<Record<string, DomainError>>

/** Returns the refusal that `create` answers with. */
export const getFirstProblem = (problems: BookingProblems): DomainError | undefined =>
  Object.values(problems)[0]

const isBlank = (text: string | undefined): boolean => !text?.trim()

const toProblems = (
  fieldChecks: readonly (readonly [string, DomainError | false | null | undefined])[],
): BookingProblems => {
  const problems: BookingProblems = {}
  for (const [field, problem] of fieldChecks) if (problem) problems[field] ??= problem
  return problems
}

const PROFILE_FIELDS = ['email', 'firstName', 'lastName'] as const

const getCustomerProblems = (
  draft: Pick<DraftedBooking, 'customer'>,
  { actor, customer }: Pick<BookingContext, 'actor' | 'customer'>,
): BookingProblems => {
  const refuse = (problem: DomainError): BookingProblems => ({ customer: problem })
  if (actor.role === 'admin') {
    if (customer === undefined) return refuse(domainError('select_proper', 'customer'))
    return customer?.usertype === 'rider' && !isBlank(customer.mobile)
      ? {}
      : refuse(domainError('incomplete_user', 'customer'))
  }
  if (customer === undefined) return {}
  if (actor.role !== 'rider' || customer?.usertype !== 'rider')
    return refuse(domainError('user_issue_contact_admin'))
  if (draft.customer !== undefined && draft.customer !== actor.uid)
    return refuse(domainError('not_allowed', 'customer'))
  if (!customer.approved) return refuse(domainError('require_approval'))
  return toProblems(
    PROFILE_FIELDS.map((field) => [
      field,
      isBlank(customer[field]) && domainError('profile_incomplete', field),
    ]),
  )
}

const checkPlace = (place: Place | null, field: string): DomainError | undefined =>
  place?.add ? checkAddress(place, field) : domainError('select_proper', field)

/** Returns the problems of the vehicle type, the places and the time. */
export const getTripProblems = (
  { pickup, drop, waypoints = [], bookLater, tripdate, wait }: DraftedBooking,
  { carType, hasRoute, isDriverNearby }: TripContext,
  now: number,
): BookingProblems =>
  toProblems([
    ['carType', !carType && domainError('select_proper', 'carType')],
    ['pickup', checkPlace(pickup, 'pickup')],
    ...waypoints.map((place, at) => [`stop${at}`, checkPlace(place, `stop${at}`)] as const),
    ['waypoints', checkStopCount(waypoints.length)],
    ['drop', checkPlace(drop, 'drop')],
    ['drop', pickup && drop && checkEnds(pickup, drop, waypoints)],
    ['drop', !hasRoute && domainError('place_to_coords_error')],
    bookLater
      ? ['tripdate', checkPickupTime(tripdate, now)]
      : ['driver', !isDriverNearby && !wait && domainError('no_driver_found_alert_messege')],
  ])

/** Returns the problems of a delivery's recipient. Only admins have to name the recipient. */
export const getDeliveryProblems = (
  {
    deliveryPerson,
    deliveryPersonPhone = '',
  }: Pick<DraftedBooking, 'deliveryPerson' | 'deliveryPersonPhone'>,
  { actor, settings }: { actor: Pick<Actor, 'role'>; settings: Pick<Settings, 'appcat'> },
): BookingProblems => {
  if (settings.appcat !== 'delivery') return {}
  const refuse = (field: string) => domainError('deliveryDetailMissing', field)
  const canBeCalled =
    isDeliveryPhone(deliveryPersonPhone) &&
    deliveryPersonPhone.trim().length <= MAX_RECIPIENT_PHONE_LENGTH
  return toProblems([
    [
      'deliveryPerson',
      actor.role === 'admin' && isBlank(deliveryPerson) && refuse('deliveryPerson'),
    ],
    ['deliveryPersonPhone', !canBeCalled && refuse('deliveryPersonPhone')],
  ])
}

/**
 * Returns everything that prevents a booking, by field. `create` refuses with the first problem;
 * the forms show each at its field.
 */
export const getBookingProblems = (
  draft: DraftedBooking,
  context: BookingContext,
  now: number,
): BookingProblems => {
  const { limitProblem } = context
  return {
    ...getCustomerProblems(draft, context),
    ...(limitProblem && { [limitProblem.key]: limitProblem }),
    ...getTripProblems(draft, context, now),
    ...getDeliveryProblems(draft, context),
  }
}
