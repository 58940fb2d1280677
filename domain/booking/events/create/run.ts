import type { CreateBookingInput } from '../../../api/inputs/bookings'
import { domainError, type DomainError } from '../../../api/errors'
import { quoteFare, type FareQuote } from '../../../money/fare'
import { createPushKey, getPushKeyTime } from '../../../data/pushKeys'
import { toMinorUnits } from '../../../money/money'
import { dbPaths } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import { createdDelta } from '../../../money/stats'
import type { BookingError, BookingChange } from '../../eventTypes'
import { toJson } from '../../../data/databaseValue'
import { createNewBookingDraft } from '../../changeDraft'
import { getDueTime } from '../../deadlines'
import { checkDebt } from '../../payment/debt'
import { checkFreeActions, getOfferDelay } from '../../limits/freeActions'
import { getBookingProblems, getFirstProblem } from '../../bookingProblems'
import { checkMisplacedAddress } from '../../limits/limits'
import { getWaitLimitMs } from '../../limits/waitLimit'
import type { Route } from '../../trip/route'
import { buildNewBookingCounters, checkOpenBookings } from '../../limits/openBookingLimits'
import { buildMadeUpdates, checkOccurrence } from '../../../recurring/booking'
import { DAY_MS } from '../../../language/timeUnits'
import type { EventInputFor } from '../../eventInput'
import type { EventArgs, EventCause } from '../../eventArgs'
import { toPriceFields, type BookedExtras, resolveExtras, toPlaceFields } from '../../bookedFields'
import { getCreationRef } from './creationRef'
import type { Booking, BookingContacts, Status } from '../../types'
import type { VehicleType } from '../../../catalog/types'
import type { User } from '../../../accounts/types'

/**
 * Milliseconds that a booking's id may be ahead of the server's clock. An id is a push key, and a
 * booking from the far future would stay at the top of every list sorted by id.
 */
const KEY_AHEAD_MS = DAY_MS

const toCustomerFields = (customer: User) => ({
  customer: customer.id,
  customer_name: `${customer.firstName} ${customer.lastName}`.trim(),
  customer_image: customer.profile_image,
})

const toContacts = (
  customer: User,
  { deliveryPersonPhone, pickUpInstructions, deliveryInstructions }: CreateBookingInput,
): BookingContacts => ({
  customer_contact: customer.mobile,
  customer_email: customer.email,
  ...(deliveryPersonPhone && { deliveryPersonPhone }),
  ...(pickUpInstructions && { pickUpInstructions }),
  ...(deliveryInstructions && { deliveryInstructions }),
})

const toFareFields = (priced: FareQuote, route: Route, now: number) => ({
  ...toPriceFields(priced, route),
  fare_history: {
    [`${createPushKey(now, 1)}estimate`]: {
      kind: 'estimate' as const,
      at: now,
      cause: 'booked',
      lines: priced.lines,
      total: priced.estimateFare,
    },
  },
})

/** The parts of a new booking, after all checks. */
interface CheckedCreation {
  customer: User
  /** The profile of a guest, which is written with their first booking. */
  newGuest: User | undefined
  carType: VehicleType
  route: Route
  reference: string
  extras: BookedExtras
  priced: FareQuote
}

type CreationCause = Pick<EventArgs<'create'>, keyof EventCause>

/** Adds the seconds until a driver is probably at the pickup to the refusal. */
const addSoonestPickup = (
  problem: DomainError,
  soonestPickup: number | null,
  now: number,
): DomainError =>
  soonestPickup === null
    ? problem
    : { ...problem, params: { wait_s: Math.max(0, Math.round((soonestPickup - now) / 1000)) } }

/** Returns the refusal of a customer who may not wait for a driver, or need not. */
const checkWait = (
  { wait, bookLater }: CreateBookingInput,
  { actor, context }: Pick<CreationCause, 'actor' | 'context'>,
): DomainError | undefined => {
  if (!wait) return undefined
  if (bookLater) return domainError('bad_input', 'wait')
  const mayWait = actor.role === 'admin' || context.settings.allowWaiting === true
  return mayWait ? undefined : domainError('not_allowed', 'wait')
}

const toWaitFields = ({ wait }: CreateBookingInput, { context, now }: CreationCause) =>
  wait
    ? {
        wait_until: now + getWaitLimitMs(context.settings),
        ...(context.soonestPickup !== null && { expected_at: context.soonestPickup }),
      }
    : {}

/** Returns the first reason why the request is refused, before its price. */
const findProblem = (
  { input, occurrence }: EventInputFor<'create'>,
  customer: User | null,
  { actor, context, now }: CreationCause,
): DomainError | undefined => {
  if (getPushKeyTime(input.booking_id) > now + KEY_AHEAD_MS)
    return domainError('bad_input', 'booking_id')
  const limitProblem =
    checkOpenBookings(context.openBookings, actor) ??
    checkFreeActions(context.freeActions, 'cancel', now) ??
    checkDebt(context, actor, context.settings.decimal)
  const facts = { ...context, actor, customer, hasRoute: context.route !== null, limitProblem }
  const problem = getFirstProblem(getBookingProblems(input, facts, now))
  return (
    (problem?.key === 'no_driver_found_alert_messege'
      ? addSoonestPickup(problem, context.soonestPickup, now)
      : problem) ??
    checkWait(input, { actor, context }) ??
    // The addresses of a recurring booking were confirmed when the office saved it.
    checkMisplacedAddress(
      context.misplacedAddress,
      input,
      actor.role === 'admin' || occurrence !== undefined,
    )
  )
}

const toConfirmation = ({ addressesConfirmed }: CreateBookingInput) =>
  addressesConfirmed ? { addressesConfirmed } : {}

/** Checks a request for a booking in a fixed order, and prices it. */
const checkCreation = (
  requested: EventInputFor<'create'>,
  cause: CreationCause,
): Result<CheckedCreation, BookingError> => {
  const { actor, context } = cause
  const { input, guest, occurrence } = requested
  const { settings, carType, route, reference } = context
  // Once they have booked, a guest is a known customer.
  const newGuest = context.customer === null && actor.role === 'admin' ? guest : undefined
  const customer = newGuest ?? context.customer
  const refused = findProblem(requested, customer, cause)
  if (refused) return err(refused)
  if (!customer || !carType || !route) return err(domainError('select_proper'))
  const extras = resolveExtras(carType, input, settings)
  if (!extras.ok) return extras
  const priced = quoteFare({
    carType,
    settings,
    distanceKm: route.distance_in_km,
    seconds: route.time_in_secs,
    ...extras.value,
  })
  if (
    !occurrence &&
    toMinorUnits(priced.estimateFare, settings.decimal) !==
      toMinorUnits(input.estimateFare, settings.decimal)
  )
    return err(domainError('estimate_changed', 'estimateFare', { estimate: priced.estimateFare }))
  const notWanted =
    occurrence && checkOccurrence(occurrence, context, { role: actor.role, customer, priced })
  if (notWanted) return err(notWanted)
  if (settings.otp_secure && context.otp === null) return err(domainError('code_required', 'otp'))
  if (reference === null) return err(domainError('changed_meanwhile'))
  return ok({ customer, newGuest, carType, route, reference, extras: extras.value, priced })
}

/** Returns the booking that a checked request creates. */
const buildBooking = (
  requested: EventInputFor<'create'>,
  { customer, carType, route, reference, extras, priced }: CheckedCreation,
  { actor, context, now }: CreationCause,
): Booking => {
  const { input } = requested
  const { settings, freeActions } = context
  const offerDelay = getOfferDelay(freeActions, now)
  const id = input.booking_id
  const byAdmin = actor.role === 'admin'
  const status: Status = settings.appcat === 'taxi' || byAdmin ? 'NEW' : 'PAYMENT_PENDING'
  const ref = getCreationRef(requested)
  return {
    id,
    booking_id: id,
    reference,
    revision: 1,
    status,
    carType: carType.name,
    carTypeId: carType.id,
    ...(carType.image && { carImage: carType.image }),
    ...toCustomerFields(customer),
    ...toPlaceFields(input, route),
    ...toFareFields(priced, route, now),
    bookLater: input.bookLater,
    tripdate: input.bookLater ? (input.tripdate ?? now) : now,
    ...(offerDelay > 0 && { offers_from: now + offerDelay }),
    ...toWaitFields(input, { actor, context, now }),
    bookingDate: now,
    currency: settings.code,
    otp: settings.otp_secure,
    booking_type_admin: byAdmin,
    deliveryPerson: input.deliveryPerson,
    parcelTypeSelected: extras.parcelType,
    optionSelected: extras.option,
    event_log: {
      create: { event: 'create', by: actor.uid, at: now, status, revision: 1, ref },
    },
  }
}

/**
 * Creates a booking at the price the server computes, after all checks in a fixed order. Refused
 * with estimate_changed (`params.estimate` has the new price) when the caller was shown another
 * price. The booking of an occurrence has the price of the day, and is written together with its
 * series, so that a change of the series at the same moment refuses it.
 */
export const createBooking = (
  requested: EventInputFor<'create'>,
  cause: CreationCause,
): Result<BookingChange, BookingError> => {
  const checked = checkCreation(requested, cause)
  if (!checked.ok) return checked
  const { input, occurrence } = requested
  const { context, now } = cause
  const { settings } = context
  const { customer, newGuest, carType, reference } = checked.value
  const booking = buildBooking(requested, checked.value, cause)
  const { id, status } = booking
  const draft = createNewBookingDraft(cause, id, status)
  const due_at = getDueTime(booking, settings, now, 'event')
  draft.set(dbPaths.booking(id), toJson({ ...booking, ...(due_at !== null && { due_at }) }))
  draft.set(dbPaths.reference(reference), id)
  draft.set(dbPaths.bookingContacts(id), toJson(toContacts(customer, input)))
  if (newGuest) {
    draft.set(dbPaths.user(newGuest.id), toJson(newGuest))
    if (newGuest.referralId) draft.set(dbPaths.referralId(newGuest.referralId), newGuest.id)
  }
  if (settings.otp_secure) draft.set(dbPaths.bookingOtp(id), context.otp)
  const { added, set } = buildNewBookingCounters(customer.id, context.openBookings)
  draft.addDelta(added)
  const occurrenceUpdates = occurrence ? buildMadeUpdates(occurrence, context, booking) : {}
  for (const [path, value] of Object.entries({ ...set, ...occurrenceUpdates }))
    draft.set(path, value)
  draft.addDelta(createdDelta(booking, settings.timezone))
  draft.addAuditEntry('booking_create', {
    to: {
      customer: customer.id,
      status,
      ...(newGuest && { guest: true }),
      ...toConfirmation(input),
    },
  })
  if (booking.booking_type_admin) draft.notifyCustomer('booked', booking, { carType: carType.name })
  return ok(draft.done({ estimate: booking.estimate, reference }))
}
