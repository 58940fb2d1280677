import { quoteFare, type FareQuote } from '../../../money/fare'
import { toKm } from '../../../geo/geo'
import { toMinorUnits } from '../../../money/money'
import type { EventContext } from '../../eventContext'
import type { Booking, ReviewDecision } from '../../types'
import type { Settings } from '../../../catalog/types'

/**
 * Returns the fare of a decision at today's rates, or undefined when it changes nothing. A decision
 * never lowers a price, because the rider has already seen or paid it.
 */
export const quoteReviewedFare = (
  booking: Booking,
  decision: ReviewDecision,
  settings: Settings,
  carType: EventContext['carType'],
): FareQuote | undefined => {
  if (decision === 'keep' || !carType) return undefined
  const isDriven = decision === 'driven'
  const priced = quoteFare({
    carType,
    settings,
    distanceKm: toKm(
      isDriven ? (booking.driven_distance ?? booking.distance) : booking.estimateDistance,
      settings,
    ),
    seconds: isDriven ? (booking.total_trip_time ?? 0) : booking.estimateTime,
    parcelType: booking.parcelTypeSelected,
    option: booking.optionSelected,
  })
  return toMinorUnits(priced.estimateFare, settings.decimal) >
    toMinorUnits(booking.trip_cost, settings.decimal)
    ? priced
    : undefined
}
