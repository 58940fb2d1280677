import {
  getDeliveryTimes,
  getStopPlace,
  getStopSeconds,
  isOnBoard,
  toMilliseconds,
  type Tour,
  type TourParcel,
  type TourStop,
  type TravelSeconds,
} from './tour'
import type { LatLng } from '~/domain/geo/types'
import type { Seconds } from '~/domain/language/units'

/** The cost of an order that is not allowed. */
export const NOT_ALLOWED = Infinity

export interface TourCosts {
  travelSeconds: TravelSeconds
  /** Seconds of driving that a second of lateness is worth. */
  latenessWeight: number
  /**
   * Seconds before a promise at which a planned delivery counts as late. Without this reserve,
   * tours use up the whole time, and the first delay on the way breaks a promise.
   */
  reserveSeconds: Seconds
}

/** Returns the time at which a delivery begins to count as late, ms. */
const getAim = ({ promisedAt }: TourParcel, { reserveSeconds }: TourCosts): number =>
  promisedAt - toMilliseconds(reserveSeconds)

/**
 * Returns the latest time at which each accepted parcel may be delivered, ms: the promise less the
 * reserve, or the expected time of a parcel that is later already. So no change makes a parcel late
 * or later.
 */
export const getLatestDeliveries = (tour: Tour, costs: TourCosts): Map<string, number> => {
  const expected = getDeliveryTimes(tour, costs.travelSeconds)
  return new Map(
    tour.stops.map(({ parcel }) => {
      const aim = getAim(parcel, costs)
      return [parcel.id, Math.max(aim, expected.get(parcel.id) ?? aim)]
    }),
  )
}

export interface TourEvaluator {
  /**
   * Returns the cost of an order of stops: milliseconds of driving plus weighed lateness, or
   * `NOT_ALLOWED` for a drop-off before its pickup, too much on board, or a parcel delivered after
   * its latest time. `order` has positions in the list of stops.
   */
  evaluate: (order: readonly number[]) => number
  /** Returns how many orders have been evaluated. */
  getEvaluations: () => number
}

/**
 * Prepares the evaluation of orders of stops for a courier. `latest` has the latest deliveries;
 * parcels without an entry may be late at a cost.
 */
export const createTourEvaluator = (
  tour: Tour,
  stops: readonly TourStop[],
  latest: ReadonlyMap<string, number>,
  costs: TourCosts,
): TourEvaluator => {
  const { travelSeconds, latenessWeight } = costs
  const places: LatLng[] = [...stops.map(getStopPlace), tour.place]
  const size = places.length
  const start = size - 1
  // Each leg is looked up once, when an order first needs it.
  const legs = new Float64Array(size * size).fill(-1)
  const getLeg = (from: number, to: number): number => {
    const cachedTime = legs[from * size + to] ?? -1
    if (cachedTime >= 0) return cachedTime
    const [here, there] = [places[from], places[to]]
    const leg = here && there ? toMilliseconds(travelSeconds(here, there)) : 0
    legs[from * size + to] = leg
    return leg
  }
  const nodes = stops.map((stop) => {
    const { kind, parcel } = stop
    const isDrop = kind === 'drop'
    const pickup = stops.findIndex((one) => one.kind === 'pickup' && one.parcel.id === parcel.id)
    return {
      ready: isDrop ? -Infinity : parcel.readyAt - tour.at,
      stay: toMilliseconds(getStopSeconds(stop)),
      load: isDrop ? -parcel.size : parcel.size,
      pickup: isDrop ? pickup : -1,
      aim: isDrop ? getAim(parcel, costs) - tour.at : Infinity,
      latest: isDrop ? (latest.get(parcel.id) ?? Infinity) - tour.at : Infinity,
    }
  })
  const startLoad = stops
    .filter(({ kind, parcel }) => kind === 'drop' && isOnBoard({ ...tour, stops }, parcel.id))
    .reduce((sum, { parcel }) => sum + parcel.size, 0)
  const visited = new Int32Array(stops.length)
  let evaluations = 0

  const evaluate = (order: readonly number[]): number => {
    evaluations += 1
    let [cost, time, load, from] = [0, 0, startLoad, start]
    for (const index of order) {
      const node = nodes[index]
      if (!node) throw new Error(`The tour has no stop ${index}. Report it.`)
      if (node.pickup >= 0 && visited[node.pickup] !== evaluations) return NOT_ALLOWED
      visited[index] = evaluations
      load += node.load
      if (load > tour.capacity) return NOT_ALLOWED
      const leg = getLeg(from, index)
      cost += leg
      time = Math.max(time + leg, node.ready) + node.stay
      if (time > node.latest) return NOT_ALLOWED
      if (time > node.aim) cost += latenessWeight * (time - node.aim)
      from = index
    }
    return cost
  }
  return { evaluate, getEvaluations: () => evaluations }
}
