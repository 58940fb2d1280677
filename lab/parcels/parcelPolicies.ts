import { chooseCourier } from './tours/insertParcel'
import type { Tour, TourParcel } from './tours/tour'
import type { TourCosts } from './tours/tourEvaluator'

export interface ParcelChoice {
  courier: string
  /** The courier's tour with the parcel. */
  tour: Tour
  /** How many orders of stops were evaluated. */
  evaluations: number
}

/** Decides which courier takes a parcel. */
export interface ParcelPolicy {
  name: string
  /** Parcels that a courier carries at the same time. */
  capacity: number
  /** Returns undefined when no courier can take the parcel now. */
  choose: (
    tours: ReadonlyMap<string, Tour>,
    parcel: TourParcel,
    costs: TourCosts,
  ) => ParcelChoice | undefined
}

/** Gives a parcel to the free courier with the shortest way, as the dispatch mode does today. */
const nearest: ParcelPolicy = {
  name: 'nearest',
  capacity: 1,
  choose: (tours, parcel, { travelSeconds }) => {
    const free = [...tours]
      .filter(([, { stops }]) => stops.length === 0)
      .map(([courier, tour]) => ({
        courier,
        tour,
        seconds: travelSeconds(tour.place, parcel.pickup),
      }))
      .sort((a, b) => a.seconds - b.seconds || (a.courier < b.courier ? -1 : 1))
    const [first] = free
    if (!first) return undefined
    const stops = (['pickup', 'drop'] as const).map((kind) => ({ kind, parcel }))
    return { courier: first.courier, tour: { ...first.tour, stops }, evaluations: 0 }
  },
}

/** The parcels that `tours` puts on board at the same time when its name has no number. */
const USUAL_CAPACITY = 6

/**
 * Returns a policy for parcels by its name: `nearest`, or `tours` with the number of parcels on
 * board, as `tours:3`. Throws for other names.
 */
export const findParcelPolicy = (name: string): ParcelPolicy => {
  if (name === nearest.name) return nearest
  const match = /^tours(?::([1-9]\d?))?$/.exec(name)
  if (!match)
    throw new Error(
      `There is no policy "${name}" for parcels. Choose some of nearest, tours, tours:NUMBER.`,
    )
  return { name, capacity: Number(match[1] ?? USUAL_CAPACITY), choose: chooseCourier }
}
