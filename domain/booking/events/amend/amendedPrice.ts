import { toJson } from '../../../data/databaseValue'
import { domainError, type DomainError } from '../../../api/errors'
import { quoteFare, type FareQuote } from '../../../money/fare'
import { toMinorUnits } from '../../../money/money'
import { dbPaths } from '../../../data/databasePaths'
import { ok, type Result } from '../../../api/result'
import type { Draft } from '../../changeDraft'
import type { BookingChange, BookingError } from '../../eventTypes'
import { placesDigest } from '../../requestDigest'
import { joinDrivenAndRest, toReviewFields, type AmendedRoute } from '../../trip/amendedRoute'
import { getCarPosition, isTrackMissing } from '../../trip/tripUnderWay'
import { type AmendInput, getAmendedTrip, isRouteAmended } from './amendedFields'
import type { AmendableField } from './definition'
import type { TransitionArgs } from '../../eventArgs'
import type { Route } from '../../trip/route'
import { resolveExtras } from '../../bookedFields'
import type { AmendmentQuote, Booking } from '../../types'
import type { ChoiceOption } from '../../../catalog/types'

const getChoiceIndex = (
  choices: readonly ChoiceOption[] = [],
  chosenOption: ChoiceOption | undefined,
) => {
  const index = choices.findIndex(({ description }) => description === chosenOption?.description)
  return index < 0 ? undefined : index
}

/** The price after the amendment, with the parcel type and the option that it includes. */
export interface AmendedPrice {
  quote: FareQuote
  /** The route that the price is for. */
  route: Route
  parcelType: ChoiceOption | undefined
  option: ChoiceOption | undefined
}

/** Time for which a quoted amendment of a trip under way keeps its price (ms). */
const QUOTE_MS = 2 * 60_000
/**
 * Kilometers by which the road may become longer meanwhile: the way of a car, and back, while a
 * rider reads the price. After more, the quote would make a driven road free.
 */
const MAX_QUOTE_DRIFT_KM = 2.5

const digestPlaces = (booking: Booking, input: AmendInput): string => {
  const { drop, waypoints } = getAmendedTrip(booking, input)
  return placesDigest(drop, waypoints)
}

/** Returns the quote of the same amendment while its price is kept. */
const findQuote = (
  { booking, context: { amendmentQuote: quote }, now }: TransitionArgs<'amendmentQuote'>,
  input: AmendInput,
): AmendmentQuote | undefined =>
  quote && now <= quote.due && quote.places === digestPlaces(booking, input) ? quote : undefined

/**
 * Returns the route that the amended booking is priced by. A trip under way is priced by the road
 * driven so far and the rest, so that a new drop-off near the pickup does not make a driven trip
 * free.
 */
export const getAmendedRoute = (
  args: TransitionArgs<
    'driver' | 'roadResults' | 'roadSoFar' | 'route' | 'tracking' | 'amendmentQuote'
  >,
  input: AmendInput,
): AmendedRoute | null => {
  const { route } = args.context
  if (!route || args.booking.status !== 'STARTED') return route && { route, unproved: null }
  const joined = joinDrivenAndRest(args, route)
  const quote = findQuote(args, input)
  if (!quote || joined.route.distance_in_km > quote.km + MAX_QUOTE_DRIFT_KM) return joined
  const { km: distance_in_km, seconds: time_in_secs } = quote
  return { ...joined, route: { ...joined.route, distance_in_km, time_in_secs } }
}

/**
 * Records a track that nothing proves, and the position of a car whose phone sends no track, so
 * that a later amendment knows the road to here.
 */
export const recordDrivenPart = (
  draft: Draft,
  args: TransitionArgs<'driver' | 'roadResults' | 'roadSoFar' | 'tracking'>,
  { unproved }: AmendedRoute,
) => {
  const { booking, context } = args
  if (booking.status !== 'STARTED') return
  draft.setFields(toReviewFields(args, unproved))
  const { tracking, driver } = context
  const trace = { ...booking, tracking, driver }
  if (isTrackMissing(trace)) draft.addTrackPoint(getCarPosition(trace))
}

/** Keeps the route of a refused amendment for the confirmation, with the booking's revision. */
const recordQuote = (
  { booking, context, now }: TransitionArgs<'amendmentQuote'>,
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
export const quoteAmendedTrip = (
  { booking, context }: TransitionArgs<'carType'>,
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

/** Refuses an amendment whose caller agreed to another price, or to none while it rises. */
export const checkAgreedPrice = (
  args: TransitionArgs<'amendmentQuote'>,
  input: AmendInput,
  price: AmendedPrice | null,
): BookingError | undefined => {
  const { booking, context } = args
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
  const isNew = booking.status === 'STARTED' && !findQuote(args, input)
  return isNew && price
    ? { ...changed, failureChange: recordQuote(args, input, price.route) }
    : changed
}

/** Returns the entry of an amended price in the fare's history. */
export const toRevision = ({ quote }: AmendedPrice) =>
  ({
    kind: 'revision',
    cause: 'amended',
    lines: quote.lines,
    total: quote.estimateFare,
  }) as const
