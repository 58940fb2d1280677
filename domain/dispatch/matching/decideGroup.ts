import { assignMinimumCost, FORBIDDEN } from './assignment'
import { getOfferCost, type Earnings } from './offerCost'
import type { Seconds } from '../../language/units'

/** A driver in the inputs of a decision. */
type GroupDriver = readonly [uid: string, income: number, active_s: number]
/** A driver who may be asked about a booking. */
export type GroupPair = readonly [
  /** Position in `drivers`. */
  driver: number,
  eta_s: number,
  /** 0 for a driver without an earlier offer of the booking, then 1 for the oldest, and so on. */
  earlier: number,
]
/**
 * Everything that decides who is asked about bookings that share drivers. Bookings and drivers are
 * in the order of their ids. Survives JSON unchanged.
 */
export interface GroupInput {
  /** ms */
  at: number
  /** True for the round that ends the wait of competing bookings. */
  isRound: boolean
  /** Seconds of cost for each 100 % of income per active hour above the fleet's mean. */
  weight: number
  fleet: Earnings
  drivers: readonly GroupDriver[]
  bookings: readonly (readonly [id: string, pairs: readonly GroupPair[]])[]
}

/** A driver to ask about a booking. */
export interface PlannedOffer {
  booking: string
  driver: string
  eta_s: Seconds
  /** The value by which drivers were compared, in seconds. */
  cost: number
  /** The driver's place by time to the pickup among those who could be asked, from 1. */
  rank: number
}

/** Puts every driver without an earlier offer before all with one. */
const EARLIER_OFFER_COST = 1e6

/** Returns the cost of a pair without the priority of drivers who have had no offer yet. */
export const getPairCost = (
  { drivers, fleet, weight }: GroupInput,
  [driver, eta_s]: GroupPair,
): number => {
  const [, income = 0, active_s = 0] = drivers[driver] ?? []
  return getOfferCost(eta_s, { income, active_s }, fleet, weight)
}

const getPriorityCost = (input: GroupInput, pair: GroupPair): number =>
  getPairCost(input, pair) + pair[2] * EARLIER_OFFER_COST

/** Returns the position of the best driver of a booking, the first id among equals. */
const findBest = (input: GroupInput, pairs: readonly GroupPair[]): number | undefined => {
  let best: number | undefined
  let least = Infinity
  for (const pair of pairs) {
    const cost = getPriorityCost(input, pair)
    if (cost > least || (cost === least && best !== undefined && pair[0] >= best)) continue
    best = pair[0]
    least = cost
  }
  return best
}

/** Returns how many of a booking's drivers are nearer, plus 1. The first id wins among equals. */
const getRank = (pairs: readonly GroupPair[], [driver, eta_s]: GroupPair): number =>
  1 + pairs.filter(([d, eta]) => eta < eta_s || (eta === eta_s && d < driver)).length

/** Returns which driver each booking gets: its best one, or the least total cost in competition. */
const chooseDrivers = (input: GroupInput): (number | undefined)[] | null => {
  const best = input.bookings.map(([, pairs]) => findBest(input, pairs))
  const bestDrivers = best.filter((driver) => driver !== undefined)
  // Each booking has its best driver, so no other assignment costs less.
  if (new Set(bestDrivers).size === bestDrivers.length) return best
  if (!input.isRound) return null
  const costs = input.bookings.map(([, pairs]) => {
    const line = new Array<number>(input.drivers.length).fill(FORBIDDEN)
    for (const pair of pairs) line[pair[0]] = getPriorityCost(input, pair)
    return line
  })
  return assignMinimumCost(costs)
}

/**
 * Decides who is asked about the bookings of a group. Returns null when two of them want the same
 * driver before their round.
 */
export const decideGroup = (input: GroupInput): PlannedOffer[] | null =>
  chooseDrivers(input)?.flatMap((chosenDriver, i) => {
    const [booking = '', pairs = []] = input.bookings[i] ?? []
    const pair = pairs.find(([driver]) => driver === chosenDriver)
    const uid = pair && input.drivers[pair[0]]?.[0]
    if (!pair || uid === undefined) return []
    const cost = getPairCost(input, pair)
    return [{ booking, driver: uid, eta_s: pair[1], cost, rank: getRank(pairs, pair) }]
  }) ?? null
