import { domainError } from '../../../api/errors'
import { quoteFare } from '../../../money/fare'
import { formatTimeOfDay } from '../../../language/zonedTime'
import { getDistanceKm, toDistanceUnit } from '../../../geo/geo'
import { createPushKey } from '../../../data/pushKeys'
import { dbPaths } from '../../../data/databasePaths'
import { err, ok, type Result } from '../../../api/result'
import type { BookingError, BookingChange } from '../../eventTypes'
import { toJson } from '../../../data/databaseValue'
import type { BookingFieldUpdates, Draft } from '../../changeDraft'
import { findContradictions } from '../../trip/agreedTrip'
import { assessTrip, isMetered, toTrip } from '../../trip/drivenDistance'
import { checkStep, createStepDraft, getStepPosition, isOfficeStep } from '../../trip/officeStep'
import { updateExpectedEnd } from '../../offers/followOn'
import { getOpenStops } from '../../stops/bookingStops'
import type { EventInputFor } from '../../eventInput'
import type { EventContext } from '../../eventContext'
import type { EventArgs, TransitionArgs } from '../../eventArgs'
import type { Booking } from '../../types'
import type { LatLng } from '../../../geo/types'
import type { SavedAddress, User } from '../../../accounts/types'

/** Distance (in the settings' unit) within which two addresses are the same. */
const SAME_ADDRESS_DISTANCE = 0.1

/** Returns the nearest saved address within 0.1 distance units of the place, if any. */
const findSavedAddress = (
  customer: User,
  place: LatLng,
  settings: EventContext['settings'],
): [string, SavedAddress] | undefined =>
  Object.entries(customer.savedAddresses ?? {})
    .map((entry) => ({ entry, distance: toDistanceUnit(getDistanceKm(entry[1], place), settings) }))
    .filter(({ distance }) => distance <= SAME_ADDRESS_DISTANCE)
    .sort((a, b) => a.distance - b.distance)[0]?.entry

const saveAddress = (
  draft: Draft,
  { context, now }: TransitionArgs<'customer'>,
  drop: Booking['drop'],
) => {
  const { customer, settings } = context
  if (!customer) return
  const list = `${dbPaths.user(customer.id)}/savedAddresses`
  const savedEntry = findSavedAddress(customer, drop, settings)
  if (savedEntry) draft.add(`${list}/${savedEntry[0]}/count`, 1)
  else
    draft.set(
      `${list}/${createPushKey(now, draft.revision)}`,
      toJson({ description: drop.add, lat: drop.lat, lng: drop.lng, count: 1 }),
    )
}

/**
 * Prices a taxi trip by its track as far as that is plausible (`assessTrip`). The drop-off becomes
 * the driver's position. A prepaid trip keeps its price.
 */
const priceDrivenTrip = (
  draft: Draft,
  args: TransitionArgs<'carType' | 'tracking' | 'dropAddress' | 'roadResults'>,
  here: LatLng,
): BookingFieldUpdates => {
  const { booking, context, occurredAt } = args
  const { settings, carType, tracking, dropAddress, roadResults } = context
  if (!isMetered(booking, settings) || !carType) return {}
  const trip = toTrip(booking, tracking, { ...here, at: occurredAt }, settings)
  const driven = assessTrip(trip, roadResults)
  const priced = quoteFare({
    carType,
    settings,
    seconds: driven.chargedSeconds,
    distanceKm: driven.chargedKm,
    parcelType: booking.parcelTypeSelected,
    option: booking.optionSelected,
  })
  draft.addFareEntry({
    kind: 'revision',
    cause: driven.verdict === 'ok' ? 'distance_driven' : `distance_${driven.verdict}`,
    lines: priced.lines,
    total: priced.estimateFare,
  })
  const add = dropAddress ?? `${here.lat.toFixed(5)}, ${here.lng.toFixed(5)}`
  return {
    // The rider cannot be at a place that the car cannot have reached.
    ...(!driven.reasons.includes('end_impossible') && { drop: { ...here, add }, dropAddress: add }),
    distance: priced.distance,
    driven_distance: toDistanceUnit(driven.drivenKm, settings),
    distance_review: {
      verdict: driven.verdict,
      ...(driven.reasons.length > 0 && { reasons: driven.reasons }),
      dropped_points: driven.droppedPoints,
      charged_time: driven.chargedSeconds,
    },
    trip_cost: priced.estimateFare,
    convenience_fees: priced.convenience_fees,
    driver_share: priced.driver_share,
  }
}

/**
 * Returns the flag of a trip at an agreed price that contradicts itself: its driver may be the
 * rider, the parcel elsewhere, or a stop left out, so that the office looks at it. An earlier
 * verdict stays.
 */
const judgeAgreedTrip = (
  { booking, context: { tracking, settings }, occurredAt, now }: TransitionArgs<'tracking'>,
  here: LatLng,
): Booking['distance_review'] | undefined => {
  const { startTime, distance_review: existingReview, estimateTime } = booking
  if (existingReview || startTime === undefined) return existingReview
  const trip = toTrip(booking, tracking, { ...here, at: occurredAt }, settings)
  const { reasons, droppedPoints } = findContradictions(trip, { booking, tracking, now }, settings)
  if (reasons.length === 0) return undefined
  return {
    verdict: 'flagged',
    reasons,
    dropped_points: droppedPoints,
    charged_time: estimateTime,
  }
}

/** Flags a trip without a track of its end. It keeps the planned price until the office decides. */
const flagOfficeStep = ({ estimateTime }: Booking): NonNullable<Booking['distance_review']> => ({
  verdict: 'flagged',
  reasons: ['office_step'],
  dropped_points: 0,
  charged_time: estimateTime,
})

/** Records that the driver is at the drop-off, and which stops they did not reach. */
export const arriveAtDrop = (
  args: EventArgs<'reach'>,
  input: EventInputFor<'reach'>,
): Result<BookingChange, BookingError> => {
  const { booking, actor, context, occurredAt } = args
  const { settings } = context
  const refused = checkStep(args, input)
  if (refused) return err(refused)
  const reached = getStepPosition(input)
  if (!reached && !isOfficeStep(actor)) return err(domainError('bad_input', 'lat'))
  if (
    reached &&
    settings.appcat === 'delivery' &&
    settings.AllowFinalDeliveryImageCapture &&
    !input.deliver_image
  )
    return err(domainError('image_required', 'deliver_image'))
  const here = reached ?? booking.drop
  const seconds = Math.max(0, Math.round((occurredAt - (booking.startTime ?? occurredAt)) / 1000))
  const draft = createStepDraft(args, input, 'REACHED', getOpenStops(booking).join())
  const driven: BookingFieldUpdates = reached ? priceDrivenTrip(draft, args, reached) : {}
  const review = reached
    ? (driven.distance_review ?? judgeAgreedTrip(args, reached))
    : flagOfficeStep(booking)
  if (review?.verdict === 'flagged')
    draft.set(dbPaths.fareReview(booking.id), { at: occurredAt, driver: booking.driver ?? '' })
  draft.setFields({
    ...driven,
    ...(review && { distance_review: review }),
    endTime: occurredAt,
    trip_end_time: formatTimeOfDay(occurredAt, settings.timezone),
    total_trip_time: seconds,
    deliver_image: input.deliver_image,
  })
  if (reached) draft.addTrackPoint(reached)
  saveAddress(draft, args, driven.drop ?? booking.drop)
  updateExpectedEnd(draft, args, {
    ...booking,
    status: 'REACHED',
    endTime: occurredAt,
    drop: { ...booking.drop, ...here },
  })
  draft.notifyCustomer('reached', booking, { driver: booking.driver_name ?? '' })
  return ok(draft.done())
}
