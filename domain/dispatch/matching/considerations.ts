import { decideGroup, getPairCost, type GroupInput, type PlannedOffer } from './decideGroup'
import type { Seconds } from '../../language/units'

/**
 * How a decision about a booking ended for one driver who could be asked:
 * - `offered`: they got the offer.
 * - `other_booking`: the same decision asked them about another booking.
 * - `asked_before`: they had an earlier offer of this booking, and the chosen driver had none or an
 *   older one.
 * - `farther`: the chosen driver had the shorter way, or the first id among equals.
 * - `costlier`: their way was shorter, but their income per hour was higher.
 * - `least_total`: another choice made the total of all bookings least.
 * - `undecided`: the booking got no driver in this decision.
 */
type ConsiderationOutcome =
  | 'offered'
  | 'other_booking'
  | 'asked_before'
  | 'farther'
  | 'costlier'
  | 'least_total'
  | 'undecided'

/** A driver's part in the decision about one booking. */
export interface Consideration {
  booking: string
  /** ms */
  at: number
  outcome: ConsiderationOutcome
  eta_s: Seconds
  cost: number
  /** The number of drivers who could be asked about the booking. */
  total: number
  /** The driver who got the offer; null when none did. */
  chosen: Pick<PlannedOffer, 'driver' | 'eta_s' | 'cost'> | null
  /** The other booking that the decision asked the driver about. */
  other?: string
}

/** Maximum number of considerations that one decision returns: those with the shortest way. */
const MAX_CONSIDERATIONS = 20

/**
 * Returns a driver's part in a decision, for each booking that they could be asked about, the
 * offered one first and then by the time to the pickup. Decides again, with the function that
 * decided, from the recorded inputs. `booking` limits the result to one booking.
 */
export const listConsiderations = (
  input: GroupInput,
  driver: string,
  booking?: string,
): Consideration[] => {
  const position = input.drivers.findIndex(([uid]) => uid === driver)
  if (position === -1) return []
  const offers = decideGroup(input) ?? []
  const own = offers.find((offer) => offer.driver === driver)
  return input.bookings
    .flatMap(([id, pairs]): Consideration[] => {
      const pair = pairs.find(([place]) => place === position)
      if (!pair || (booking !== undefined && id !== booking)) return []
      const chosenOffer = offers.find((offer) => offer.booking === id)
      const chosenPair = pairs.find(([place]) => input.drivers[place]?.[0] === chosenOffer?.driver)
      const cost = getPairCost(input, pair)
      const getOutcome = (): ConsiderationOutcome => {
        if (own?.booking === id) return 'offered'
        if (own) return 'other_booking'
        if (!chosenOffer || !chosenPair) return 'undecided'
        if (pair[2] > chosenPair[2]) return 'asked_before'
        if (cost < chosenOffer.cost || pair[2] < chosenPair[2]) return 'least_total'
        return pair[1] < chosenOffer.eta_s ? 'costlier' : 'farther'
      }
      return [
        {
          booking: id,
          at: input.at,
          outcome: getOutcome(),
          eta_s: pair[1],
          cost,
          total: pairs.length,
          chosen: chosenOffer
            ? { driver: chosenOffer.driver, eta_s: chosenOffer.eta_s, cost: chosenOffer.cost }
            : null,
          ...(own && own.booking !== id && { other: own.booking }),
        },
      ]
    })
    .sort(
      (a, b) =>
        Number(b.outcome === 'offered') - Number(a.outcome === 'offered') || a.eta_s - b.eta_s,
    )
    .slice(0, MAX_CONSIDERATIONS)
}
