import { AMENDABLE_FIELDS, type AmendableField } from '../endpointSchemas'
import { toJson } from '../databaseValue'
import type {
  AmendmentQuote,
  Booking,
  BookingContacts,
  ChoiceOption,
  PaymentPacket,
  Place,
  Status,
} from '../entities'
import { domainError, type DomainError } from '../errors'
import { quoteFare, type FareQuote } from '../fare'
import { subtractAmount, sumAmounts, toMinorUnits } from '../money'
import { dbPaths } from '../databasePaths'
import { divideReturn } from '../payments/attemptAccount'
import { buildAttemptUpdates } from '../payments/paymentChange'
import { quoteDiscount } from '../promo'
import { err, ok, type Result } from '../result'
import { acceptedDelta, createdDelta, negateDelta, type StatsDelta } from '../stats'
import { resolveExtras, toPlaceFields, toPriceFields } from './bookingCreation'
import { getDeliveryProblems, getFirstProblem } from './bookingProblems'
import { INSTRUCTION_FIELDS } from './contactAccess'
import { updateExpectedEnd } from './followOn'
import {
  createEventDraft,
  type BookingFieldUpdates,
  type Draft,
  type TransitionArgs,
} from './changeDraft'
import type { BookingChange, BookingError, EventInputFor, Route } from './eventTypes'
import { recordPayment } from './paymentHistory'
import { placesDigest } from './requestDigest'
import { joinDrivenAndRest, toReviewFields, type AmendedRoute } from './underWay/amendedRoute'
import { getCarPosition, isTrackMissing } from './underWay/tripUnderWay'
import { checkEnds, checkPickupTime } from './limits'
import { planAmendedPush } from './amendmentNotice'
import { checkFreeActions, countFreeAction } from './freeActions'
import { answerOpenOffers } from './offers'
import { buildPacket, isFullyPrepaid, toPacketFields } from './paymentPacket'
import { checkPassedStops } from './stops/stopEvents'

type AmendInput = EventInputFor<'amend'>

/** The changes that still make sense while the driver is on the way to the drop-off. */
const FIELDS_AFTER_START: readonly AmendableField[] = ['drop', 'waypoints']
/** The changes that give the booking a new route and a new price. */
const PRICED_FIELDS: readonly AmendableField[] = ['pickup', 'drop', 'waypoints', 'carType']
/** The fields that are stored apart from the booking. */
const HIDDEN_FIELDS = ['deliveryPersonPhone', ...INSTRUCTION_FIELDS] as const
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

/** Returns true when another place or vehicle needs a driver nearby, as for a new booking. */
export const isNearbyDriverNeeded = (
  booking: Booking,
  input: AmendInput,
  fields: readonly AmendableField[],
): boolean =>
  STATUSES_WITHOUT_DRIVER.includes(booking.status) &&
  !getAmendedTrip(booking, input).bookLater &&
  (fields.includes('pickup') || fields.includes('carType'))

/** Returns the reason these fields cannot change in the booking's status, if any. */
const checkFields = (
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
const checkConflict = (
  { event_log = {}, revision, status, trip_cost }: Booking,
  { revision: seen }: AmendInput,
): DomainError | undefined =>
  seen !== undefined &&
  Object.values(event_log).some((entry) => entry.event === 'amend' && entry.revision > seen)
    ? domainError('changed_meanwhile', undefined, { revision, status, estimate: trip_cost })
    : undefined

const checkTrip = (
  { booking, actor, context, now }: TransitionArgs,
  input: AmendInput,
  fields: readonly AmendableField[],
): DomainError | undefined => {
  const { carType, route, isDriverNearby, settings } = context
  const { pickup, drop, waypoints } = getAmendedTrip(booking, input)
  if (isRouteAmended(fields)) {
    if (!carType) return domainError('select_proper', 'carType')
    const wrongEnds = checkEnds(pickup, drop, waypoints)
    if (wrongEnds) return wrongEnds
    if (!route) return domainError('place_to_coords_error')
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

const getChoiceIndex = (
  choices: readonly ChoiceOption[] = [],
  chosen: ChoiceOption | undefined,
) => {
  const index = choices.findIndex(({ description }) => description === chosen?.description)
  return index < 0 ? undefined : index
}

/** The price after the amendment, with the parcel type and the option that it includes. */
interface AmendedPrice {
  quote: FareQuote
  /** The route that the price is for. */
  route: Route
  parcelType: ChoiceOption | undefined
  option: ChoiceOption | undefined
}

/** Time for which a quoted amendment of a trip under way keeps its price (ms). */
const QUOTE_MS = 2 * 60_000

const digestPlaces = (booking: Booking, input: AmendInput): string => {
  const { drop, waypoints } = getAmendedTrip(booking, input)
  return placesDigest(drop, waypoints)
}

/** Returns the quote of the same amendment while its price is kept. */
const findQuote = (
  { booking, context: { amendmentQuote: quote }, now }: TransitionArgs,
  input: AmendInput,
): AmendmentQuote | undefined =>
  quote && now <= quote.due && quote.places === digestPlaces(booking, input) ? quote : undefined

/**
 * Returns the route that the amended booking is priced by. A trip under way is priced by the road
 * driven so far and the rest, so that a new drop-off near the pickup does not make a driven trip
 * free.
 */
const getAmendedRoute = (step: TransitionArgs, input: AmendInput): AmendedRoute | null => {
  const { route } = step.context
  if (!route || step.booking.status !== 'STARTED') return route && { route, unproved: null }
  const joined = joinDrivenAndRest(step, route)
  const quote = findQuote(step, input)
  if (!quote) return joined
  const { km: distance_in_km, seconds: time_in_secs } = quote
  return { ...joined, route: { ...joined.route, distance_in_km, time_in_secs } }
}

/**
 * Records a track that nothing proves, and the position of a car whose phone sends no track, so
 * that a later amendment knows the road to here.
 */
const recordDrivenPart = (draft: Draft, step: TransitionArgs, { unproved }: AmendedRoute) => {
  const { booking, context } = step
  if (booking.status !== 'STARTED') return
  draft.setFields(toReviewFields(step, unproved))
  const { tracking, driver } = context
  const trace = { ...booking, tracking, driver }
  if (isTrackMissing(trace)) draft.addTrackPoint(getCarPosition(trace))
}

/** Keeps the route of a refused amendment for the confirmation, with the booking's revision. */
const recordQuote = (
  { booking, context, now }: TransitionArgs,
  input: AmendInput,
  { distance_in_km: km, time_in_secs: seconds }: Route,
): BookingChange => {
  const { id, status } = booking
  const revision = booking.revision + 1
  const quote: AmendmentQuote = {
    due: now + QUOTE_MS,
    places: digestPlaces(booking, input),
    km,
    seconds,
    revision: (context.amendmentQuote?.revision ?? 0) + 1,
  }
  return {
    updates: {
      [`${dbPaths.booking(id)}/revision`]: revision,
      [dbPaths.amendmentQuote(id)]: toJson(quote),
    },
    pushes: [],
    response: { booking_id: id, status, revision },
  }
}

/**
 * Returns the new price. Another vehicle type has its own parcel types and options: keeps those of
 * the same name, and otherwise uses the first ones, as for a new booking.
 */
const quoteAmendedTrip = (
  { booking, context }: TransitionArgs,
  fields: readonly AmendableField[],
  route: Route | null,
): Result<AmendedPrice | null, DomainError> => {
  const { settings, carType } = context
  if (!isRouteAmended(fields) || !carType || !route) return ok(null)
  const { parcelTypeSelected, optionSelected } = booking
  const extras = fields.includes('carType')
    ? resolveExtras(
        carType,
        {
          parcelTypeIndex: getChoiceIndex(carType.parcelTypes, parcelTypeSelected),
          optionIndex: getChoiceIndex(carType.options, optionSelected),
        },
        settings,
      )
    : ok({ parcelType: parcelTypeSelected, option: optionSelected })
  if (!extras.ok) return extras
  const { parcelType, option } = extras.value
  const quote = quoteFare({
    carType,
    settings,
    distanceKm: route.distance_in_km,
    seconds: route.time_in_secs,
    parcelType,
    option,
  })
  return ok({ quote, route, parcelType, option })
}

/** The money of a booking that was paid for before the amendment. */
interface AmendedPayment {
  packet: PaymentPacket
  /** Amounts that go back to the wallet: those paid from it, and those paid by card. */
  returned: number
  returnedCard: number
  /** The amount that leaves the wallet, when the wallet pays for the booking and has enough. */
  taken: number
}

/**
 * Divides the new price into the amounts already paid and the rest. The promo is redeemed again for
 * the new price. A surplus goes back to the wallet, as after a cancellation. A wallet that pays for
 * the booking pays the difference if it can; otherwise the rest is due after the trip.
 */
const splitAmendedPayment = (
  { booking, context }: TransitionArgs,
  packet: PaymentPacket,
  tripCost: number,
): Result<AmendedPayment, DomainError> => {
  const { settings, promo, customer } = context
  const { decimal } = settings
  const discounted =
    promo && packet.promo_applied
      ? quoteDiscount(promo, tripCost, settings)
      : ok(Math.min(packet.discount_amount, tripCost))
  if (!discounted.ok) return discounted
  const discount = discounted.value
  const { usedWalletMoney: wallet, cardPaymentAmount: card } = packet
  const rest = subtractAmount(tripCost, sumAmounts([discount, wallet, card], decimal), decimal)
  const surplus = Math.max(0, -rest)
  const returned = Math.min(wallet, surplus)
  const returnedCard = subtractAmount(surplus, returned, decimal)
  const isCovered =
    packet.payment_mode === 'wallet' &&
    toMinorUnits(customer?.walletBalance ?? 0, decimal) >= toMinorUnits(rest, decimal)
  const taken = isCovered ? Math.max(0, rest) : 0
  const isCashDue = rest > 0 && taken === 0
  const amended = buildPacket({ ...booking, trip_cost: tripCost }, settings, {
    mode: packet.payment_mode === 'wallet' && isCashDue ? 'cash' : packet.payment_mode,
    discount,
    wallet: sumAmounts([wallet, -returned, taken], decimal),
    card: subtractAmount(card, returnedCard, decimal),
    promo: packet.promo_details ?? null,
  })
  return ok({ packet: amended, returned, returnedCard, taken })
}

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
  { booking, context }: TransitionArgs,
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

/**
 * Records on the attempts that paid by card what goes back to the wallet, so that it cannot go back
 * to the card too. Safe because a refund that starts at the same time writes the same revision.
 */
const recordReturnOnAttempts = (
  draft: Draft,
  { context: { cardPayments }, now }: TransitionArgs,
  amount: number,
) => {
  for (const { attempt, returned } of divideReturn(cardPayments, amount))
    for (const [path, value] of Object.entries(buildAttemptUpdates(attempt, { returned }, now)))
      draft.set(path, value)
}

/** Returns true when the amendment of a booking under way makes it cheaper. */
const isLowered = (draft: Draft, { booking, context: { settings } }: TransitionArgs): boolean => {
  const { trip_cost: cost = booking.trip_cost } = draft.changed
  return (
    booking.status === 'STARTED' &&
    cost !== null &&
    toMinorUnits(cost, settings.decimal) < toMinorUnits(booking.trip_cost, settings.decimal)
  )
}

/**
 * Tells the drivers of a booking about changes, and the office about a fare that its rider lowers
 * under way. A rider's amendments within a minute wait for the next push, so that they cannot ring
 * a driver or the office again and again.
 */
const notifyOthers = (draft: Draft, step: TransitionArgs, changes: string) => {
  const { booking, actor, context, now } = step
  const drivers = [...Object.keys(booking.requestedDrivers ?? {}), booking.driver].filter(
    (uid) => uid !== undefined && uid !== '',
  )
  if (drivers.length === 0) return
  const news = { changes, isLowered: isLowered(draft, step) }
  const plan =
    actor.role === 'rider'
      ? planAmendedPush(booking.id, context.amendmentNotice, news, now)
      : { changes, tellsOffice: false, updates: {} }
  draft.setAll(plan.updates)
  if (plan.tellsOffice) draft.notifyOffice('fare_lowered', { reference: booking.reference })
  if (plan.changes === null) return
  for (const uid of drivers) draft.notify('amended', 'driver', uid, { changes: plan.changes })
}

/** Refuses an amendment whose caller agreed to another price, or to none while it rises. */
const checkAgreedPrice = (
  step: TransitionArgs,
  input: AmendInput,
  price: AmendedPrice | null,
): BookingError | undefined => {
  const { booking, context } = step
  const { decimal } = context.settings
  const tripCost = price?.quote.estimateFare ?? booking.trip_cost
  const after = toMinorUnits(tripCost, decimal)
  const agreed =
    input.estimateFare === undefined
      ? Math.min(toMinorUnits(booking.trip_cost, decimal), after)
      : toMinorUnits(input.estimateFare, decimal)
  if (agreed === after) return undefined
  const changed = domainError('estimate_changed', 'estimateFare', { estimate: tripCost })
  // A quote is never renewed: the price would stay that of a place that the car has left.
  const isNew = booking.status === 'STARTED' && !findQuote(step, input)
  return isNew && price
    ? { ...changed, failureChange: recordQuote(step, input, price.route) }
    : changed
}

/** Moves the money that an amended price returns or takes, and tells the customer. */
const movePayment = (
  draft: ReturnType<typeof createEventDraft>,
  step: TransitionArgs,
  payment: AmendedPayment,
) => {
  const { booking, context } = step
  const { decimal } = context.settings
  const { packet, returned, returnedCard, taken } = payment
  const key = `${booking.id}-amend_${draft.revision}`
  draft.setFields({ ...toPacketFields(packet), prepaid: isFullyPrepaid(packet, decimal) })
  draft.addWalletEntry(context.customer, `${key}-returned`, 'Credit', returned)
  draft.addWalletEntry(context.customer, `${key}-returned-card`, 'Credit', returnedCard)
  draft.addWalletEntry(context.customer, `${key}-wallet`, 'Debit', taken)
  recordReturnOnAttempts(draft, step, returnedCard)
  const amount = sumAmounts([returned, returnedCard], decimal)
  const cause = 'amended'
  recordPayment(draft, step, { kind: 'return', cause, amounts: { wallet: amount } })
  recordPayment(draft, step, { kind: 'charge', cause, amounts: { wallet: taken } })
  const { reference } = booking
  if (amount > 0) draft.notifyCustomer('returned', booking, { amount, reference })
  if (taken > 0) draft.notifyCustomer('amendment_charged', booking, { amount: taken, reference })
}

/**
 * Offers a booking again from the first driver. Drivers with the wrong vehicle cannot take it, and
 * one whose time has moved is offered at its new time. Other drivers read what has changed.
 */
const offerAgain = (
  draft: ReturnType<typeof createEventDraft>,
  step: TransitionArgs,
  fields: readonly string[],
) => {
  const { booking, context } = step
  const isOfferedAgain =
    fields.includes('carType') || (fields.includes('tripdate') && context.settings.autoDispatch)
  if (!isOfferedAgain || booking.status !== 'NEW')
    return notifyOthers(draft, step, fields.join(','))
  draft.setFields({ requestedDrivers: null, askedDrivers: null })
  for (const uid of Object.keys(booking.requestedDrivers ?? {}))
    draft.set(dbPaths.driverTask(uid, booking.id), null)
  answerOpenOffers(draft, step, () => 'withdrawn')
}

/**
 * Changes the details of a booking at the price the server computes, after the checks of a new
 * booking. A repeat changes nothing. Refused: changed_meanwhile (another amendment came first),
 * estimate_changed (`params.estimate` has the new price) when the caller agreed to another price or
 * to none and the price rises, stop_passed, refund_open (a refund is returning the same money),
 * promo_min_order, and the errors of creating a booking.
 */
export const amendBooking = (
  step: TransitionArgs,
  input: AmendInput,
): Result<BookingChange, BookingError> => {
  const { booking, actor, context, now } = step
  const { settings } = context
  const fields = getAmendedFields(booking, input, context.contacts)
  const refused =
    (fields.length > 0 ? checkConflict(booking, input) : undefined) ??
    checkFields(booking, fields) ??
    (fields.includes('waypoints') ? checkPassedStops(booking, input.waypoints ?? []) : undefined) ??
    checkTrip(step, input, fields)
  if (refused) return err(refused)
  const amendedRoute = getAmendedRoute(step, input)
  const priced = quoteAmendedTrip(step, fields, amendedRoute?.route ?? null)
  if (!priced.ok) return priced
  const price = priced.value
  const tripCost = price?.quote.estimateFare ?? booking.trip_cost
  const disagreed = checkAgreedPrice(step, input, price)
  if (disagreed) return err(disagreed)
  if (fields.length === 0) {
    const { id, status, revision } = booking
    return ok({ updates: {}, pushes: [], response: { booking_id: id, status, revision } })
  }
  const tooMany = checkFreeActions(context.freeActions, 'amend', now)
  if (tooMany) return err(tooMany)
  const { paymentPacket } = booking
  const payment =
    paymentPacket && price ? splitAmendedPayment(step, paymentPacket, tripCost) : ok(null)
  if (!payment.ok) return payment
  const returnedCard = payment.value?.returnedCard ?? 0
  // The refund in progress may take the same money back to the card.
  if (returnedCard > 0 && context.cardPayments.some(({ refund }) => refund !== undefined))
    return err(domainError('refund_open'))

  const changes = fields.join(',')
  const draft = createEventDraft(step, 'amend', booking.status, { ref: changes })
  const amended = toAmendedFields(step, input, fields, price)
  draft.setFields(amended)
  if (price && amendedRoute) recordDrivenPart(draft, step, amendedRoute)
  if (context.amendmentQuote) draft.set(dbPaths.amendmentQuote(booking.id), null)
  for (const field of HIDDEN_FIELDS)
    if (fields.includes(field))
      draft.set(`${dbPaths.bookingContacts(booking.id)}/${field}`, input[field] || null)
  if (price)
    draft.addFareEntry({
      kind: 'revision',
      cause: 'amended',
      lines: price.quote.lines,
      total: tripCost,
    })
  if (payment.value) movePayment(draft, step, payment.value)
  offerAgain(draft, step, fields)
  // The link of the earlier number has ended with it.
  if (fields.includes('deliveryPersonPhone') && booking.event_log?.accept)
    draft.notifyRecipient('parcel_sent', booking)
  if (actor.role === 'admin') draft.notifyCustomer('amended', booking, { changes })
  const amendedBooking = { ...booking, ...amended } as Booking
  for (const delta of getTotalsDeltas(booking, amendedBooking, settings)) draft.addDelta(delta)
  if (booking.status === 'STARTED' && price) updateExpectedEnd(draft, step, amendedBooking)
  // The time was estimated for the other pickup.
  if (booking.follows !== undefined && fields.includes('pickup'))
    draft.setFields({ expected_at: null })
  draft.setAll(countFreeAction(booking.customer, context.freeActions, 'amend', now))
  draft.addAuditEntry('booking_amend', {
    from: { trip_cost: booking.trip_cost },
    // Records the field names but not the values, because the audit outlives the personal data.
    to: { fields, trip_cost: tripCost },
  })
  return ok(draft.done())
}
