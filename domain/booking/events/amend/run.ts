import { toMinorUnits } from '../../../money/money'
import { dbPaths } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import { acceptedDelta, createdDelta, negateDelta, type StatsDelta } from '../../../money/stats'
import { updateExpectedEnd } from '../../offers/followOn'
import { createEventDraft, type BookingFieldUpdates, type Draft } from '../../changeDraft'
import type { BookingChange, BookingError } from '../../eventTypes'
import { planAmendedPush, type AmendmentNews } from '../../limits/amendmentNotice'
import { checkFreeActions, countFreeAction, getNextOffersTime } from '../../limits/freeActions'
import { answerOpenOffers } from '../../offers/offers'
import {
  type AmendInput,
  getAmendedFields,
  getAmendedTrip,
  isPickupAmended,
  checkFields,
  checkConflict,
  checkTrip,
} from './amendedFields'
import {
  type AmendedPrice,
  getAmendedRoute,
  recordDrivenPart,
  quoteAmendedTrip,
  checkAgreedPrice,
  toRevision,
} from './amendedPrice'
import { getAmendedPayment, movePayment } from './amendedPayment'
import type { AmendableField } from './definition'
import type { EventArgs, TransitionArgs } from '../../eventArgs'
import { toPlaceFields, toPriceFields } from '../../bookedFields'
import { CONTACT_DETAILS } from '../../tripDetails'
import { checkPassedStops } from '../../stops/passedStops'
import type { Booking } from '../../types'

/** Returns the changes of the totals that follow from another vehicle type and a later time. */
const getTotalsDeltas = (
  before: Booking,
  after: Booking,
  { timezone }: TransitionArgs['context']['settings'],
): StatsDelta[] => [
  ...(before.carTypeId === after.carTypeId
    ? []
    : [negateDelta(createdDelta(before, timezone)), createdDelta(after, timezone)]),
  // A later booking does not wait for its driver, so its earlier wait no longer counts.
  ...(before.accepted_at === undefined || before.bookLater === after.bookLater
    ? []
    : [negateDelta(acceptedDelta(before, timezone)), acceptedDelta(after, timezone)]),
]

/** Returns the booking's fields that the amendment sets, without those of the payment. */
const toAmendedFields = (
  { booking, context }: TransitionArgs<'carType'>,
  input: AmendInput,
  fields: readonly AmendableField[],
  price: AmendedPrice | null,
): BookingFieldUpdates => {
  const { carType } = context
  const { bookLater, ...trip } = getAmendedTrip(booking, input)
  const isAmended = (field: AmendableField) => fields.includes(field)
  const places = price ? toPlaceFields(trip, price.route) : undefined
  return {
    ...(places && {
      ...places,
      waypoints: places.waypoints ?? null,
      route: places.route ?? null,
    }),
    ...(price && toPriceFields(price.quote, price.route)),
    ...(isAmended('carType') &&
      carType && {
        carType: carType.name,
        carTypeId: carType.id,
        carImage: carType.image ?? null,
        parcelTypeSelected: price?.parcelType ?? null,
        optionSelected: price?.option ?? null,
      }),
    ...(isAmended('tripdate') && { tripdate: input.tripdate, bookLater }),
    ...(isAmended('deliveryPerson') && { deliveryPerson: input.deliveryPerson }),
  }
}

/** Writes the amended fields that are stored apart from the booking. */
const setHiddenFields = (
  draft: Draft,
  { id }: Booking,
  input: AmendInput,
  fields: readonly AmendableField[],
) => {
  for (const field of CONTACT_DETAILS)
    if (fields.includes(field))
      draft.set(`${dbPaths.bookingContacts(id)}/${field}`, input[field] || null)
}

/** Returns true when the amendment makes a booking under way cheaper. */
const isLowered = (draft: Draft, { booking, context }: TransitionArgs): boolean => {
  const { trip_cost: cost } = draft.changed
  const { decimal } = context.settings
  return (
    booking.status === 'STARTED' &&
    typeof cost === 'number' &&
    toMinorUnits(cost, decimal) < toMinorUnits(booking.trip_cost, decimal)
  )
}

/**
 * Tells the drivers of a booking about changes and a lower share, and the office about a fare that
 * its rider lowers under way. A rider's amendments within a minute wait for the next push, so that
 * they cannot ring a driver or the office again and again.
 */
const notifyAmended = (draft: Draft, args: TransitionArgs<'amendmentNotice'>, changes: string) => {
  const { booking, actor, context, now } = args
  const drivers = [...Object.keys(booking.requestedDrivers ?? {}), booking.driver].filter(
    (uid) => uid !== undefined && uid !== '',
  )
  if (drivers.length === 0) return
  const share = draft.changed.driver_share ?? booking.driver_share
  const news: AmendmentNews = {
    changes,
    isLowered: isLowered(draft, args),
    ...(booking.status === 'STARTED' && {
      shares: { before: booking.driver_share, after: share },
    }),
  }
  const plan =
    actor.role === 'rider'
      ? planAmendedPush(booking.id, context.amendmentNotice, news, now)
      : { changes, tellsShare: news.isLowered, tellsOffice: false, updates: {} }
  draft.setAll(plan.updates)
  if (plan.tellsOffice) draft.notifyOffice('fare_lowered', { reference: booking.reference })
  if (plan.changes === null) return
  for (const uid of drivers) draft.notify('amended', 'driver', uid, { changes: plan.changes })
  if (plan.tellsShare)
    draft.notify('share_lowered', 'driver', booking.driver, {
      amount: share,
      reference: booking.reference,
    })
}

/**
 * Offers a booking again from the first driver, a rider's at most once a minute. Drivers with the
 * wrong vehicle cannot take it, and one whose time has moved is offered at its new time. Other
 * drivers read what has changed.
 */
const offerAgain = (
  draft: Draft,
  args: TransitionArgs<'amendmentNotice' | 'offers' | 'freeActions'>,
  fields: readonly string[],
) => {
  const { booking, context, now } = args
  const isOtherOffer = fields.includes('carType') || fields.includes('tripdate')
  if (isOtherOffer && booking.driver === undefined)
    draft.setFields({ offers_from: getNextOffersTime(booking, context.freeActions, now) })
  const isOfferedAgain =
    fields.includes('carType') || (fields.includes('tripdate') && context.settings.autoDispatch)
  if (!isOfferedAgain || booking.status !== 'NEW')
    return notifyAmended(draft, args, fields.join(','))
  draft.setFields({ requestedDrivers: null, askedDrivers: null })
  for (const uid of Object.keys(booking.requestedDrivers ?? {}))
    draft.set(dbPaths.driverTask(uid, booking.id), null)
  answerOpenOffers(draft, args, () => 'withdrawn')
}

/** Tells the recipient and the customer about an amendment that they did not make. */
const notifyCustomers = (
  draft: Draft,
  { booking, actor, context: { sharedRecipientLink } }: TransitionArgs<'sharedRecipientLink'>,
  fields: readonly AmendableField[],
) => {
  if (fields.includes('deliveryPersonPhone') && booking.event_log?.accept) {
    // A link of the earlier number's own ends with the number. One of an earlier release does not.
    if (sharedRecipientLink) draft.set(`${dbPaths.share(sharedRecipientLink)}/revoked`, true)
    draft.notifyRecipient('parcel_sent', booking)
  }
  if (actor.role === 'admin')
    draft.notifyCustomer('amended', booking, { changes: fields.join(',') })
}

/**
 * Changes the details of a booking at the price the server computes, after the checks of a new
 * booking. A repeat changes nothing. Refused: changed_meanwhile (another amendment came first),
 * estimate_changed (`params.estimate` has the new price) when the caller agreed to another price or
 * to none and the price rises, stop_passed, refund_open (a refund is returning the same money),
 * promo_min_order, and the errors of creating a booking.
 */
export const amendBooking = (
  args: EventArgs<'amend'>,
  input: AmendInput,
): Result<BookingChange, BookingError> => {
  const { booking, context, now } = args
  const { settings } = context
  const fields = getAmendedFields(booking, input, context.contacts)
  const refused =
    (fields.length > 0 ? checkConflict(booking, input) : undefined) ??
    checkFields(booking, fields) ??
    (fields.includes('waypoints') ? checkPassedStops(booking, input.waypoints ?? []) : undefined) ??
    checkTrip(args, input, fields)
  if (refused) return err(refused)
  const amendedRoute = getAmendedRoute(args, input)
  const priced = quoteAmendedTrip(args, fields, amendedRoute?.route ?? null)
  if (!priced.ok) return priced
  const price = priced.value
  const tripCost = price?.quote.estimateFare ?? booking.trip_cost
  const disagreed = checkAgreedPrice(args, input, price)
  if (disagreed) return err(disagreed)
  if (fields.length === 0) {
    const { id, status, revision } = booking
    return ok({ updates: {}, pushes: [], response: { booking_id: id, status, revision } })
  }
  const tooMany = checkFreeActions(context.freeActions, 'amend', now)
  if (tooMany) return err(tooMany)
  const payment = price ? getAmendedPayment(args, tripCost) : ok(null)
  if (!payment.ok) return payment

  const draft = createEventDraft(args, 'amend', booking.status, { ref: fields.join(',') })
  const amended = toAmendedFields(args, input, fields, price)
  draft.setFields(amended)
  if (price && amendedRoute) recordDrivenPart(draft, args, amendedRoute)
  if (context.amendmentQuote) draft.set(dbPaths.amendmentQuote(booking.id), null)
  setHiddenFields(draft, booking, input, fields)
  if (price) draft.addFareEntry(toRevision(price))
  if (payment.value) movePayment(draft, args, payment.value)
  offerAgain(draft, args, fields)
  notifyCustomers(draft, args, fields)
  const amendedBooking = { ...booking, ...amended } as Booking
  for (const delta of getTotalsDeltas(booking, amendedBooking, settings)) draft.addDelta(delta)
  if (booking.status === 'STARTED' && price) updateExpectedEnd(draft, args, amendedBooking)
  // The time was estimated for the other pickup or vehicle type.
  if (booking.expected_at !== undefined && isPickupAmended(fields))
    draft.setFields({ expected_at: null })
  if (booking.wait_until !== undefined && amendedBooking.bookLater)
    draft.setFields({ wait_until: null, expected_at: null })
  draft.setAll(countFreeAction(booking.customer, context.freeActions, 'amend', now))
  draft.addAuditEntry('booking_amend', {
    from: { trip_cost: booking.trip_cost },
    // Records the field names but not the values, because the audit outlives the personal data.
    to: {
      fields,
      trip_cost: tripCost,
      ...(input.addressesConfirmed && { addressesConfirmed: true }),
    },
  })
  return ok(draft.done())
}
