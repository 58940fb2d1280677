import { decideGroup, getPairCost, type GroupInput, type PlannedOffer } from './decideGroup'
import { getIncomeAboveMean } from './offerCost'
import { DAY_MS } from '../../language/timeUnits'
import type { Seconds } from '../../language/units'

/** Milliseconds for which the inputs of a decision are kept. */
export const DECISION_RETENTION_MS = 90 * DAY_MS

/** A driver who could be asked about a booking. */
export interface ExplainedDriver {
  driver: string
  eta_s: Seconds
  cost: number
  /**
   * Income per active hour as a share above the mean: -0.12 is 12 % below. Null when the decision
   * did not look at incomes.
   */
  aboveMean: number | null
  /** True when the driver had an earlier offer of the booking. */
  wasAsked: boolean
  /** The booking that got the driver; null when none did. */
  offeredTo: string | null
}

interface OfferExplanation {
  /** The result of the decision, made again from its recorded inputs. */
  offer: PlannedOffer
  /** ms */
  at: number
  /** The number of bookings that shared drivers with this one, and this one. */
  bookings: number
  /** Seconds of cost for each 100 % of income above the mean; 0 without a fairness term. */
  weight: number
  /** All drivers who could be asked, in the order of their cost. */
  drivers: ExplainedDriver[]
}

/** An explanation with the drivers whom its reader may see, and the number of all. */
export interface ShownExplanation extends OfferExplanation {
  total: number
}

/**
 * Explains the offer of a booking: decides again, with the function that decided, from the recorded
 * inputs. Returns null when the inputs contain no offer of this booking.
 */
export const explainOffer = (input: GroupInput, booking: string): OfferExplanation | null => {
  const offers = decideGroup(input) ?? []
  const offer = offers.find((one) => one.booking === booking)
  const pairs = input.bookings.find(([id]) => id === booking)?.[1]
  if (!offer || !pairs) return null
  const bookingByDriver = new Map(offers.map((one) => [one.driver, one.booking]))
  const drivers = pairs.map((pair): ExplainedDriver => {
    const [driver = '', income = 0, active_s = 0] = input.drivers[pair[0]] ?? []
    return {
      driver,
      eta_s: pair[1],
      cost: getPairCost(input, pair),
      aboveMean:
        input.fleet.active_s > 0 ? getIncomeAboveMean({ income, active_s }, input.fleet) : null,
      wasAsked: pair[2] > 0,
      offeredTo: bookingByDriver.get(driver) ?? null,
    }
  })
  return {
    offer,
    at: input.at,
    bookings: input.bookings.length,
    weight: input.weight,
    drivers: drivers.sort((a, b) => a.cost - b.cost || (a.driver < b.driver ? -1 : 1)),
  }
}
