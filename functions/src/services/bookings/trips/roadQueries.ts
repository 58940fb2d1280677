import type { RoadResults, RoadQueries } from '~/domain/booking/trip/track'
import type { MapsPort, Route } from '../../../ports/mapsPort'

/** Turns a failure into null, because a trip must end even when the maps service is down. */
const returnNullOnError = <T>(response: Promise<T>): Promise<T | null> => response.catch(() => null)

/** Returns the sum of a value of the steps for each leg, which ends with `stop` or `arrive`. */
const sumByLeg = (
  { steps }: Pick<Route, 'steps'>,
  value: 'distance_in_km' | 'time_in_secs',
): number[] => {
  const legs: number[] = []
  let sum = 0
  for (const routeStep of steps) {
    sum += routeStep[value]
    if (routeStep.maneuver !== 'stop' && routeStep.maneuver !== 'arrive') continue
    legs.push(sum)
    sum = 0
  }
  return legs
}

/** Queries the maps service about the roads of a trip. Returns null for every missing response. */
export const fetchRoadResults = async (
  maps: MapsPort,
  { positions, gaps, routePositions }: RoadQueries,
): Promise<RoadResults> => {
  const route = async (places: RoadQueries['routePositions']): Promise<Route | null> => {
    const [start, ...via] = places
    const dest = via.pop()
    const directions =
      start && dest && (await returnNullOnError(maps.getDirections(start, dest, via)))
    return directions && !directions.approximate ? directions : null
  }
  const [besideAnswers, gapAnswers, routes] = await Promise.all([
    maps.getStreetDistances && positions.length > 0
      ? returnNullOnError(maps.getStreetDistances(positions))
      : null,
    Promise.all(gaps.map(async (gap) => (await route(gap))?.distance_in_km ?? null)),
    route(routePositions),
  ])
  return {
    roadDistances: besideAnswers,
    gapKm: gapAnswers,
    legKm: routes && sumByLeg(routes, 'distance_in_km'),
    legSeconds: routes && sumByLeg(routes, 'time_in_secs'),
  }
}
