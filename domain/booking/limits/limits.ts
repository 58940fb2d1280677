import { type DomainError, domainError } from '../../api/errors'
import { getDistanceKm } from '../../geo/geo'
import { LATER_LEAD_MINUTES } from './leadTime'
import { DAY_MS, MINUTE_MS } from '../../language/timeUnits'
import type { Place } from '../../geo/types'

/**
 * Maximum number of stops between pickup and drop-off; the maps services accept no more in one
 * request.
 */
export const MAX_STOPS = 25
/** Maximum number of characters in an address; the database rules have the same limit. */
export const MAX_ADDRESS_LENGTH = 500
/** Maximum number of characters of a recipient's name, of their phone number and of a note. */
export const MAX_RECIPIENT_LENGTH = 120
export const MAX_RECIPIENT_PHONE_LENGTH = 40
export const MAX_INSTRUCTIONS_LENGTH = 1000
/** Maximum number of characters of the office's note about a booking. */
export const BOOKING_NOTE_LENGTH = 1000
/**
 * Maximum number of days that a later booking may be ahead. Prices and drivers beyond it are
 * unknown, and the limit catches a mistyped year.
 */
export const MAX_DAYS_AHEAD = 365

/**
 * Distance within which two positions are the same place, because a search and a phone never return
 * the same digits.
 */
const SAME_POSITION_KM = 0.01
/**
 * Distance within which equal addresses are the same place, because a long street may have one
 * address at both ends.
 */
const SAME_ADDRESS_KM = 0.3

const isSamePlace = (a: Place, b: Place): boolean => {
  const km = getDistanceKm(a, b)
  const isSameAddress = a.add.trim().toLowerCase() === b.add.trim().toLowerCase()
  return km < SAME_POSITION_KM || (isSameAddress && km < SAME_ADDRESS_KM)
}

/**
 * Returns the reason a trip cannot have these ends, if any. Only a trip with a stop may return to
 * its start.
 */
export const checkEnds = (
  pickup: Place,
  drop: Place,
  stops: readonly unknown[] = [],
): DomainError | undefined =>
  stops.length === 0 && isSamePlace(pickup, drop) ? domainError('same_place', 'drop') : undefined

/**
 * Returns the refusal of an address that the map knows only far from its position; `misplaced` is
 * the field where it is. The office can confirm the addresses of its requests, because a dispatcher
 * may know better than the map.
 */
export const checkMisplacedAddress = (
  misplaced: string | null,
  { addressesConfirmed: isConfirmed = false }: { addressesConfirmed?: boolean | undefined },
  mayConfirm: boolean,
): DomainError | undefined => {
  if (isConfirmed && !mayConfirm) return domainError('not_allowed', 'addressesConfirmed')
  return misplaced === null || isConfirmed ? undefined : domainError('address_elsewhere', misplaced)
}

/** Returns the reason this number of stops cannot be booked, if any. */
export const checkStopCount = (count: number): DomainError | undefined =>
  count > MAX_STOPS ? domainError('too_many_stops', 'waypoints', { most: MAX_STOPS }) : undefined

/** Returns the reason a place cannot be booked, if any; `field` is where it was entered. */
export const checkAddress = ({ add }: Place, field: string): DomainError | undefined =>
  add.trim().length > MAX_ADDRESS_LENGTH
    ? domainError('address_too_long', field, { most: MAX_ADDRESS_LENGTH })
    : undefined

/** Returns the earliest and the latest allowed pickup time of a later booking, ms. */
export const getLaterRange = (now: number): { earliest: number; latest: number } => ({
  earliest: now + LATER_LEAD_MINUTES * MINUTE_MS,
  latest: now + MAX_DAYS_AHEAD * DAY_MS,
})

/**
 * Returns the reason a later booking cannot be at this time (ms), if any; undefined means that no
 * time was given.
 */
export const checkPickupTime = (
  tripdate: number | undefined,
  now: number,
): DomainError | undefined => {
  if (tripdate === undefined) return domainError('select_proper', 'tripdate')
  const { earliest, latest } = getLaterRange(now)
  if (tripdate < earliest) return domainError('past_booking_error', 'tripdate')
  return tripdate > latest
    ? domainError('too_far_ahead', 'tripdate', { days: MAX_DAYS_AHEAD })
    : undefined
}
/** Length of the words that a person adds to an event of a booking. */
export const MAX_WORDS_LENGTH = 500
