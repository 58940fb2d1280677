import type { CreateBooking } from '../api'
import type { Booking, CarType, ChoiceOption, Settings, Status, User } from '../entities'
import { refusal, type Refusal } from '../errors'
import { quote, type Quote } from '../fare'
import { keyAt } from '../keys'
import { toMinor } from '../money'
import { at } from '../paths'
import { isDeliveryPhone } from '../people'
import { err, ok, type Result } from '../result'
import { createdMove } from '../stats'
import type { Actor, BookingRefusal, Change, Route, World } from './change'
import { draftNew, plain } from './draft'
import { LATER_LEAD_MINUTES } from './leadTime'

/** A list's default, where a parcel is sent in something that has the list: its first. */
const indexIn = (
  choices: readonly ChoiceOption[] | undefined,
  index: number | undefined,
  appcat: Settings['appcat'],
): number | undefined => index ?? (appcat === 'delivery' && choices?.length ? 0 : undefined)

/**
 * The parcel type and option chosen by index; bad_input names an index that does not exist. In delivery mode no index is
 * the first of a list, the specification's default: leaving it out must not be cheaper than choosing. A taxi without an
 * index takes no parcel.
 */
export const chosenExtras = (
  carType: Pick<CarType, 'parcelTypes' | 'options'>,
  input: Pick<CreateBooking, 'parcelTypeIndex' | 'optionIndex'>,
  { appcat }: Pick<Settings, 'appcat'>,
): Result<
  { parcelType?: ChoiceOption | undefined; option?: ChoiceOption | undefined },
  Refusal
> => {
  const parcelTypeIndex = indexIn(carType.parcelTypes, input.parcelTypeIndex, appcat)
  const optionIndex = indexIn(carType.options, input.optionIndex, appcat)
  const parcelType =
    parcelTypeIndex === undefined ? undefined : carType.parcelTypes?.[parcelTypeIndex]
  const option = optionIndex === undefined ? undefined : carType.options?.[optionIndex]
  if (parcelTypeIndex !== undefined && !parcelType)
    return err(refusal('bad_input', 'parcelTypeIndex'))
  if (optionIndex !== undefined && !option) return err(refusal('bad_input', 'optionIndex'))
  return ok({ parcelType, option })
}

const isBlank = (text: string | undefined): boolean => !text?.trim()

/** Who books, and for whom: the first questions of specification 5. */
const whoRefused = (
  input: CreateBooking,
  actor: Actor,
  customer: User | null,
): Refusal | undefined => {
  if (actor.role === 'admin') {
    if (!customer || customer.usertype !== 'rider' || isBlank(customer.mobile))
      return refusal('incomplete_user', 'customer')
  } else {
    if (actor.role !== 'rider' || !customer || customer.usertype !== 'rider')
      return refusal('user_issue_contact_admin')
    if (input.customer !== undefined && input.customer !== actor.uid)
      return refusal('not_allowed', 'customer')
    if (!customer.approved) return refusal('require_approval')
    const blank = (['email', 'firstName', 'lastName'] as const).find((f) => isBlank(customer[f]))
    if (blank) return refusal('profile_incomplete', blank)
  }
  return undefined
}

/** Where, with what and when. */
const tripRefused = (
  input: CreateBooking,
  { carType, route, driverNearby }: World,
  now: number,
): Refusal | undefined => {
  if (!carType) return refusal('select_proper', 'carType')
  if (!route) return refusal('place_to_coords_error')
  if (input.bookLater) {
    if (input.tripdate === undefined) return refusal('select_proper', 'tripdate')
    if (input.tripdate < now + LATER_LEAD_MINUTES * 60_000)
      return refusal('past_booking_error', 'tripdate')
  } else if (!driverNearby) return refusal('no_driver_found_alert_messege')
  return undefined
}

const deliveryRefused = (
  input: CreateBooking,
  actor: Actor,
  { appcat }: Settings,
): Refusal | undefined => {
  if (appcat !== 'delivery') return undefined
  if (actor.role === 'admin' && isBlank(input.deliveryPerson))
    return refusal('deliveryDetailMissing', 'deliveryPerson')
  if (!isDeliveryPhone(input.deliveryPersonPhone ?? ''))
    return refusal('deliveryDetailMissing', 'deliveryPersonPhone')
  return undefined
}

const customerFields = (customer: User) => ({
  customer: customer.id,
  customer_email: customer.email,
  customer_name: `${customer.firstName} ${customer.lastName}`.trim(),
  customer_contact: customer.mobile,
  customer_token: customer.pushToken,
  customer_image: customer.profile_image,
})

const placeFields = ({ pickup, drop, waypoints = [] }: CreateBooking) => ({
  pickup,
  drop,
  pickupAddress: pickup.add,
  dropAddress: drop.add,
  coords: [pickup, ...waypoints, drop].map(({ lat, lng }) => ({ lat, lng })),
  waypoints: waypoints.length > 0 ? waypoints : undefined,
})

const fareFields = (priced: Quote, route: Route, now: number) => ({
  estimate: priced.estimateFare,
  trip_cost: priced.estimateFare,
  convenience_fees: priced.convenience_fees,
  driver_share: priced.driver_share,
  estimateDistance: priced.distance,
  distance: priced.distance,
  estimateTime: route.time_in_secs,
  fare_history: {
    [`${keyAt(now, 1)}estimate`]: {
      kind: 'estimate' as const,
      at: now,
      cause: 'booked',
      lines: priced.lines,
      total: priced.estimateFare,
    },
  },
})

/**
 * A new booking at its server-computed price, after specification 5's questions in its order. Refused with
 * estimate_changed (params.estimate: the new one) when the asker was shown another price.
 */
export const create = (
  input: CreateBooking,
  actor: Actor,
  world: World,
  now: number,
): Result<Change, BookingRefusal> => {
  const { settings, customer, carType, route } = world
  const refused =
    whoRefused(input, actor, customer) ??
    tripRefused(input, world, now) ??
    deliveryRefused(input, actor, settings)
  if (refused) return err(refused)
  if (!customer || !carType || !route) return err(refusal('select_proper'))
  const extras = chosenExtras(carType, input, settings)
  if (!extras.ok) return extras
  const priced = quote({
    carType,
    settings,
    distanceKm: route.distance_in_km,
    seconds: route.time_in_secs,
    ...extras.value,
  })
  if (
    toMinor(priced.estimateFare, settings.decimal) !== toMinor(input.estimateFare, settings.decimal)
  )
    return err(refusal('estimate_changed', 'estimateFare', { estimate: priced.estimateFare }))
  if (settings.otp_secure && world.otp === null) return err(refusal('code_required', 'otp'))

  const byAdmin = actor.role === 'admin'
  const status: Status = settings.appcat === 'taxi' || byAdmin ? 'NEW' : 'PAYMENT_PENDING'
  const id = input.booking_id
  const booking: Booking = {
    id,
    booking_id: id,
    revision: 1,
    status,
    carType: carType.name,
    carTypeId: carType.id,
    ...(carType.image && { carImage: carType.image }),
    ...customerFields(customer),
    ...placeFields(input),
    ...fareFields(priced, route, now),
    bookLater: input.bookLater,
    tripdate: input.bookLater ? (input.tripdate ?? now) : now,
    bookingDate: now,
    otp: settings.otp_secure,
    booking_type_admin: byAdmin,
    deliveryPerson: input.deliveryPerson,
    deliveryPersonPhone: input.deliveryPersonPhone,
    pickUpInstructions: input.pickUpInstructions,
    deliveryInstructions: input.deliveryInstructions,
    parcelTypeSelected: extras.value.parcelType,
    optionSelected: extras.value.option,
    event_log: { create: { event: 'create', by: actor.uid, at: now, status, revision: 1 } },
  }
  const draft = draftNew({ actor, world, now }, id, status)
  draft.set(at.booking(id), plain(booking))
  if (settings.otp_secure) draft.set(at.otp(id), world.otp)
  draft.addAll(createdMove(booking, settings.timezone))
  draft.audit('booking_create', { to: { customer: customer.id, status } })
  if (byAdmin) draft.tell(customer.id, 'booked', { carType: carType.name })
  return ok(draft.done(booking.estimate))
}
