import type { RoadResults, RoadQueries } from '~/domain/booking/trip/track'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { cleanWords } from '~/domain/language/words'
import { findMisplacedAddress, type EnteredPlace } from '../../maps/addressCheck'
import { fetchRoadResults } from '../trips/roadQueries'
import type { LazyMaps } from '../../../ports/lazyMaps'
import type { RandomPort } from '../../../ports/random'
import type { EventInput } from '~/domain/booking/eventInput'
import type { Route } from '~/domain/booking/trip/route'
import { getStepPosition } from '~/domain/booking/trip/officeStep'

export type RoutePlaces = Pick<CreateBookingInput, 'pickup' | 'drop' | 'waypoints'>

export interface Lookups {
  /** Requests again only when the places have changed in the meantime. */
  fetchRoute(places: RoutePlaces): Promise<Route | null>
  fetchAddress(): Promise<string | null>
  /** Requests again only when the places have changed in the meantime. */
  findMisplaced(places: readonly EnteredPlace[], country: string): Promise<string | null>
  /** Requests again only when the driver has added positions in the meantime. */
  fetchRoads(questions: RoadQueries): Promise<RoadResults | null>
  /** Constant over all attempts, so that a retry after a lost race creates the same booking. */
  otp: number
}

/** Returns lookups that do not change between attempts, each requested at most once. */
export const createLookups = (input: EventInput, maps: LazyMaps, random: RandomPort): Lookups => {
  const routes = new Map<string, Promise<Route | null>>()
  const misplaced = new Map<string, Promise<string | null>>()
  let address: Promise<string | null> | undefined
  let roads: { questions: string; answers: Promise<RoadResults | null> } | undefined
  return {
    fetchRoute: (places) => {
      const key = JSON.stringify(places)
      const route = routes.get(key) ?? requestRoute(places, maps)
      routes.set(key, route)
      return route
    },
    findMisplaced: (places, country) => {
      const key = JSON.stringify([places, country])
      const field = misplaced.get(key) ?? findMisplacedAddress(maps, places, country)
      misplaced.set(key, field)
      return field
    },
    fetchAddress: () => (address ??= requestAddress(input, maps)),
    fetchRoads: (queries) => {
      const questions = JSON.stringify(queries)
      if (roads?.questions !== questions)
        roads = { questions, answers: requestRoads(queries, maps) }
      return roads.answers
    },
    otp: random.integerBetween(10_000, 99_999),
  }
}

const requestRoute = async (
  { pickup, drop, waypoints }: RoutePlaces,
  maps: LazyMaps,
): Promise<Route | null> => {
  try {
    return await (await maps()).getDirections(pickup, drop, waypoints ?? [])
  } catch {
    // The domain refuses a booking without a route with place_to_coords_error.
    return null
  }
}

const requestRoads = async (queries: RoadQueries, maps: LazyMaps): Promise<RoadResults | null> => {
  try {
    return await fetchRoadResults(await maps(), queries)
  } catch {
    return null
  }
}

const requestAddress = async (input: EventInput, maps: LazyMaps): Promise<string | null> => {
  const position = input.event === 'reach' ? getStepPosition(input) : undefined
  if (!position) return null
  try {
    const address = await (await maps()).getAddress(position)
    return address && cleanWords(address, 'name')
  } catch {
    return null
  }
}
