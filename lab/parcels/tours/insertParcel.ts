import { improveTour } from './improveTour'
import { getStopPlace, isOnBoard, type Tour, type TourParcel, type TourStop } from './tour'
import {
  createTourEvaluator,
  getLatestDeliveries,
  NOT_ALLOWED,
  type TourCosts,
} from './tourEvaluator'

/** Most parcels that one courier has accepted and not delivered. */
export const MAX_TOUR_PARCELS = 12
/** Most orders that one insertion evaluates: each pair of positions among the other stops. */
export const MAX_INSERTION_EVALUATIONS = (2 * MAX_TOUR_PARCELS * (2 * MAX_TOUR_PARCELS - 1)) / 2

export interface Insertion {
  tour: Tour
  /** The driving and the weighed lateness that the parcel adds to the tour, ms. */
  addedCost: number
  /** How many orders were evaluated. */
  evaluations: number
}

const toPositions = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i)

/** Returns the cheapest positions for the new stops among those of the tour. */
const findCheapest = (
  tour: Tour,
  added: readonly TourStop[],
  latest: ReadonlyMap<string, number>,
  costs: TourCosts,
): Insertion | undefined => {
  const count = tour.stops.length
  const stops = [...tour.stops, ...added]
  const { evaluate, getEvaluations } = createTourEvaluator(tour, stops, latest, costs)
  const earlierPositions = toPositions(0, count - 1)
  const fixed = tour.isUnderWay ? 1 : 0
  let cheapest: readonly number[] | undefined
  let least = NOT_ALLOWED
  for (const first of toPositions(fixed, count))
    for (const second of added.length > 1 ? toPositions(first, count) : [first]) {
      const order = [
        ...earlierPositions.slice(0, first),
        count,
        ...earlierPositions.slice(first, second),
        ...(added.length > 1 ? [count + 1] : []),
        ...earlierPositions.slice(second),
      ]
      const cost = evaluate(order)
      if (cost < least) [cheapest, least] = [order, cost]
    }
  if (!cheapest) return undefined
  const before = createTourEvaluator(tour, tour.stops, new Map(), costs).evaluate(earlierPositions)
  return {
    tour: { ...tour, stops: cheapest.flatMap((index) => stops[index] ?? []) },
    addedCost: least - before,
    evaluations: getEvaluations(),
  }
}

const countParcels = ({ stops }: Tour): number => new Set(stops.map(({ parcel }) => parcel.id)).size

/**
 * Inserts a parcel's pickup and drop-off where they add the least driving and lateness. Returns
 * undefined when the courier has no room, or when each position breaks the promise of a parcel that
 * they have accepted. The new parcel itself may be late, at a cost.
 */
export const insertParcel = (
  tour: Tour,
  parcel: TourParcel,
  costs: TourCosts,
): Insertion | undefined => {
  if (countParcels(tour) >= MAX_TOUR_PARCELS) return undefined
  return findCheapest(
    tour,
    [
      { kind: 'pickup', parcel },
      { kind: 'drop', parcel },
    ],
    getLatestDeliveries(tour, costs),
    costs,
  )
}

export interface CourierChoice {
  courier: string
  /** The courier's tour with the parcel, improved. */
  tour: Tour
  addedCost: number
  /** How many orders were evaluated. */
  evaluations: number
}

/**
 * Returns the courier whose tour takes the parcel at the least added cost, with the improved tour;
 * undefined when no tour takes it. The order of the couriers makes no difference: equal costs are
 * decided in the order of their ids.
 */
export const chooseCourier = (
  tours: ReadonlyMap<string, Tour>,
  parcel: TourParcel,
  costs: TourCosts,
): CourierChoice | undefined => {
  let best: (Insertion & { courier: string }) | undefined
  let evaluations = 0
  for (const courier of [...tours.keys()].sort()) {
    const tour = tours.get(courier)
    const insertion = tour && insertParcel(tour, parcel, costs)
    if (!insertion) continue
    evaluations += insertion.evaluations
    if (!best || insertion.addedCost < best.addedCost) best = { ...insertion, courier }
  }
  if (!best) return undefined
  const { courier, addedCost } = best
  const improved = improveTour(best.tour, costs)
  return {
    courier,
    addedCost,
    tour: improved.tour,
    evaluations: evaluations + improved.evaluations,
  }
}

/** Returns the tour without a parcel; the courier no longer drives to a stop of it. */
const removeParcel = (tour: Tour, id: string): Tour => ({
  ...tour,
  stops: tour.stops.filter(({ parcel }) => parcel.id !== id),
  isUnderWay: tour.isUnderWay && tour.stops[0]?.parcel.id !== id,
})

/** Returns the tour after its first stop, which the courier has left at `at`, ms. */
export const completeStop = (tour: Tour, at: number, costs: TourCosts): Tour => {
  const [completedStop, ...stops] = tour.stops
  if (!completedStop) return tour
  const place = getStopPlace(completedStop)
  return improveTour({ ...tour, stops, place, at, isUnderWay: false }, costs).tour
}

/**
 * Returns the tour without a canceled parcel; undefined when the courier has it on board and must
 * bring it somewhere.
 */
export const cancelParcel = (tour: Tour, id: string, costs: TourCosts): Tour | undefined =>
  isOnBoard(tour, id) ? undefined : improveTour(removeParcel(tour, id), costs).tour

/**
 * Returns the tour with other details of a parcel that is on it. Returns undefined when the change
 * breaks the promise of another parcel or the parcel no longer fits.
 */
export const amendParcel = (
  tour: Tour,
  amended: TourParcel,
  costs: TourCosts,
): Tour | undefined => {
  if (!tour.stops.some(({ parcel }) => parcel.id === amended.id)) return undefined
  const drop: TourStop = { kind: 'drop', parcel: amended }
  const latest = getLatestDeliveries(tour, costs)
  latest.delete(amended.id)
  const insertion = findCheapest(
    removeParcel(tour, amended.id),
    isOnBoard(tour, amended.id) ? [drop] : [{ kind: 'pickup', parcel: amended }, drop],
    latest,
    costs,
  )
  return insertion && improveTour(insertion.tour, costs).tour
}
