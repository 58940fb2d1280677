import { domainError } from '~/domain/api/errors'
import { formatPosition } from '~/domain/geo/geo'
import type { FunctionsPort } from '~/src/services/services'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { LatLng } from '~/domain/geo/types'

const requestMatrix = async (functions: FunctionsPort, from: readonly LatLng[], to: LatLng) => {
  const response = await functions.post('googleapis-getdistancematrix', {
    start: from.map(formatPosition).join('|'),
    dest: formatPosition(to),
  })
  return from.map((_, index) => ('data' in response ? response.data[index]?.[0] : undefined))
}

/**
 * Returns the current travel time between two positions in seconds; refuses with no_route_found
 * when no route exists.
 */
export const fetchTravelSeconds = createServiceThunk<{ from: LatLng; to: LatLng }, number>(
  'estimatedata/fetchArrival',
  async ({ from, to }, { functions }) => {
    const [leg] = await requestMatrix(functions, [from], to)
    if (!leg?.found) throw domainError('no_route_found')
    return leg.time_in_secs
  },
)

/** Returns the seconds by street from each position to one place; null without a route. */
export const fetchPickupTimes = createServiceThunk<
  { from: readonly LatLng[]; to: LatLng },
  (number | null)[]
>('estimatedata/fetchPickupTimes', async ({ from, to }, { functions }) => {
  const legs = await requestMatrix(functions, from, to)
  return legs.map((leg) => (leg?.found ? leg.time_in_secs : null))
})
