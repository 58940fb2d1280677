import type { Booking, LatLng, SavedAddress, User } from '../entities'
import { refusal } from '../errors'
import { quote } from '../fare'
import { clockOf } from '../clock'
import { distanceKm, toUnit, trailKm } from '../geo'
import { keyAt } from '../keys'
import { at } from '../paths'
import { err, ok, type Result } from '../result'
import type { BookingRefusal, Change, InputOf, World } from './change'
import { draftOf, plain, type BookingFields, type Draft, type Step } from './draft'
import { checkCode } from './code'
import { CLOCK_TOLERANCE_MS } from './ownTime'
import { settle } from './settle'

/** Two addresses this near, in the settings' distance unit, are one. */
const SAME_ADDRESS = 0.1

/** The driver is at the pickup. */
export const arrive = (step: Step, input: InputOf<'arrive'>): Result<Change, BookingRefusal> => {
  const { booking, happenedAt } = step
  const draft = draftOf(step, 'arrive', 'ARRIVED')
  draft.book({ driver_arrive_time: happenedAt })
  draft.track(input)
  draft.tell(booking.customer, 'arrived', { driver: booking.driver_name ?? '' })
  return ok(draft.done())
}

/** The trip begins: the code and the pickup image come first when the settings ask for them. */
export const start = (step: Step, input: InputOf<'start'>): Result<Change, BookingRefusal> => {
  const { booking, world, now, happenedAt } = step
  const { settings, driver } = world
  const code = checkCode(step, input.otp, () =>
    settings.appcat === 'delivery' &&
    settings.AllowDeliveryPickupImageCapture &&
    !input.pickup_image
      ? refusal('image_required', 'pickup_image')
      : undefined,
  )
  if (code) return err(code)
  const draft = draftOf(step, 'start', 'STARTED')
  draft.book({
    startTime: happenedAt,
    trip_start_time: clockOf(happenedAt, settings.timezone),
    pickup_image: input.pickup_image,
  })
  if (world.otpAttempts) draft.set(at.otpAttempts(booking.id), null)
  // Where he is now says nothing about where he was when he had no connection.
  const isLate = now - happenedAt > CLOCK_TOLERANCE_MS
  draft.track(isLate ? booking.pickup : (driver?.location ?? booking.pickup))
  draft.tell(booking.customer, 'started', { driver: booking.driver_name ?? '' })
  return ok(draft.done())
}

/** The saved address within 0.1 distance units of the place, if any; the nearest of several. */
const savedNear = (
  customer: User,
  place: LatLng,
  settings: World['settings'],
): [string, SavedAddress] | undefined =>
  Object.entries(customer.savedAddresses ?? {})
    .map((entry) => ({ entry, distance: toUnit(distanceKm(entry[1], place), settings) }))
    .filter(({ distance }) => distance <= SAME_ADDRESS)
    .sort((a, b) => a.distance - b.distance)[0]?.entry

const rememberAddress = (draft: Draft, { world, now }: Step, drop: Booking['drop']) => {
  const { customer, settings } = world
  if (!customer) return
  const list = `${at.user(customer.id)}/savedAddresses`
  const known = savedNear(customer, drop, settings)
  if (known) draft.add(`${list}/${known[0]}/count`, 1)
  else
    draft.set(
      `${list}/${keyAt(now, draft.revision)}`,
      plain({ description: drop.add, lat: drop.lat, lng: drop.lng, count: 1 }),
    )
}

/**
 * A taxi's fare follows what was driven: the drop is where the driver is, distance and time come from the trail. Not
 * when money has been agreed or paid before: then that price stands.
 */
const drivenFields = (
  draft: Draft,
  { booking, world, happenedAt }: Step,
  here: LatLng,
  seconds: number,
): BookingFields => {
  const { settings, carType, tracking, dropAddress } = world
  if (settings.appcat !== 'taxi' || booking.paymentPacket || !carType) return {}
  const km = trailKm([...tracking, { ...here, at: happenedAt, status: 'REACHED' }])
  const priced = quote({
    carType,
    settings,
    seconds,
    distanceKm: km,
    parcelType: booking.parcelTypeSelected,
    option: booking.optionSelected,
  })
  draft.fare({
    kind: 'revision',
    cause: 'distance_driven',
    lines: priced.lines,
    total: priced.estimateFare,
  })
  const add = dropAddress ?? `${here.lat.toFixed(5)}, ${here.lng.toFixed(5)}`
  return {
    drop: { ...here, add },
    dropAddress: add,
    distance: priced.distance,
    trip_cost: priced.estimateFare,
    convenience_fees: priced.convenience_fees,
    driver_share: priced.driver_share,
  }
}

/** The driver is at the drop. */
export const reach = (step: Step, input: InputOf<'reach'>): Result<Change, BookingRefusal> => {
  const { booking, world, happenedAt } = step
  const { settings } = world
  if (
    settings.appcat === 'delivery' &&
    settings.AllowFinalDeliveryImageCapture &&
    !input.deliver_image
  )
    return err(refusal('image_required', 'deliver_image'))
  const here = { lat: input.lat, lng: input.lng }
  const seconds = Math.max(0, Math.round((happenedAt - (booking.startTime ?? happenedAt)) / 1000))
  const draft = draftOf(step, 'reach', 'REACHED')
  const driven = drivenFields(draft, step, here, seconds)
  draft.book({
    ...driven,
    endTime: happenedAt,
    trip_end_time: clockOf(happenedAt, settings.timezone),
    total_trip_time: seconds,
    deliver_image: input.deliver_image,
  })
  draft.track(here)
  rememberAddress(draft, step, driven.drop ?? booking.drop)
  draft.tell(booking.customer, 'reached', { driver: booking.driver_name ?? '' })
  return ok(draft.done())
}

/** The driver is free again; what is not yet paid waits as PENDING. */
export const finish = (step: Step): Result<Change, BookingRefusal> => {
  const { booking, world } = step
  const paid = booking.prepaid === true && booking.paymentPacket !== undefined
  const draft = draftOf(step, 'finish', paid ? 'PAID' : 'PENDING')
  if (booking.driver) draft.set(at.busy(booking.driver), null)
  if (booking.driver && world.driver) draft.set(`${at.user(booking.driver)}/queue`, false)
  if (paid && booking.paymentPacket) settle(draft, step, booking.paymentPacket)
  else draft.tell(booking.customer, 'payment_due', { amount: booking.trip_cost })
  return ok(draft.done())
}
