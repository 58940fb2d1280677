import type { Tour } from './tour'
import {
  createTourEvaluator,
  getLatestDeliveries,
  NOT_ALLOWED,
  type TourCosts,
} from './tourEvaluator'

/** Most orders that one improvement evaluates. */
export const MAX_IMPROVEMENT_EVALUATIONS = 2_000

const moveStop = (order: readonly number[], from: number, to: number): number[] => {
  const moved = order.toSpliced(from, 1)
  return moved.toSpliced(to, 0, ...order.slice(from, from + 1))
}

const swapStops = (order: readonly number[], a: number, b: number): number[] =>
  order.map((stop, i) => (i === a ? order[b] : i === b ? order[a] : stop) ?? stop)

const reverseStops = (order: readonly number[], from: number, to: number): number[] => [
  ...order.slice(0, from),
  ...order.slice(from, to + 1).reverse(),
  ...order.slice(to + 1),
]

/** Yields the orders that differ by one moved stop, one swap or one reversed part. */
function* listNeighbors(order: readonly number[], fixed: number): Generator<number[]> {
  const count = order.length
  for (let a = fixed; a < count; a++)
    for (let b = fixed; b < count; b++) if (a !== b) yield moveStop(order, a, b)
  for (let a = fixed; a < count; a++)
    for (let b = a + 2; b < count; b++) {
      yield swapStops(order, a, b)
      yield reverseStops(order, a, b)
    }
}

/** Yields the orders in which one parcel's pickup and drop-off have other positions. */
function* listRelocations(
  order: readonly number[],
  fixed: number,
  isSameParcel: (a: number, b: number) => boolean,
): Generator<number[]> {
  for (const [position, pickup] of order.entries()) {
    if (position < fixed) continue
    const drop = order.find((stop, i) => i > position && isSameParcel(stop, pickup))
    if (drop === undefined) continue
    const rest = order.filter((stop) => stop !== pickup && stop !== drop)
    for (let i = fixed; i <= rest.length; i++)
      for (let j = i; j <= rest.length; j++)
        yield [...rest.slice(0, i), pickup, ...rest.slice(i, j), drop, ...rest.slice(j)]
  }
}

export interface ImprovedTour {
  tour: Tour
  /** How many orders were evaluated. */
  evaluations: number
}

/**
 * Returns the tour with its stops in an order that costs less, or the same tour. Moves single
 * stops, swaps two, reverses a part and gives one parcel other positions, as long as one of these
 * lowers the cost. Keeps each pickup before its drop-off, the capacity and all deliveries that were
 * expected in time. A parcel that is late does not get later.
 */
export const improveTour = (tour: Tour, costs: TourCosts): ImprovedTour => {
  const { stops } = tour
  const fixed = tour.isUnderWay ? 1 : 0
  const latest = getLatestDeliveries(tour, costs)
  const { evaluate, getEvaluations } = createTourEvaluator(tour, stops, latest, costs)
  const isSameParcel = (a: number, b: number) => stops[a]?.parcel.id === stops[b]?.parcel.id
  let order = stops.map((_, i) => i)
  let cost = evaluate(order)

  const findBetter = (): number[] | undefined => {
    for (const list of [listNeighbors, listRelocations])
      for (const candidate of list(order, fixed, isSameParcel)) {
        if (getEvaluations() >= MAX_IMPROVEMENT_EVALUATIONS) return undefined
        const newCost = evaluate(candidate)
        if (newCost < cost) {
          cost = newCost
          return candidate
        }
      }
    return undefined
  }
  if (cost === NOT_ALLOWED) return { tour, evaluations: getEvaluations() }
  for (let better = findBetter(); better; better = findBetter()) order = better
  return {
    tour: { ...tour, stops: order.flatMap((index) => stops[index] ?? []) },
    evaluations: getEvaluations(),
  }
}
