import type { LatLng } from '~/domain/entities'
import { refusal } from '~/domain/errors'
import { pointText } from '~/domain/geo'
import { operation } from '~/src/store/operation'

interface Leg {
  found: boolean
  distance_in_km: number
  time_in_secs: number
}

/** How long the way between two points takes now, seconds; no_route_found when there is none. */
export const fetchArrival = operation<{ from: LatLng; to: LatLng; quiet?: boolean }, number>(
  'estimatedata/fetchArrival',
  async ({ from, to }, { functions }) => {
    const { data } = await functions.post<{ data?: Leg[][] }>('googleapis-getdistancematrix', {
      start: pointText(from),
      dest: pointText(to),
    })
    const leg = data?.[0]?.[0]
    if (!leg?.found) throw refusal('no_route_found')
    return leg.time_in_secs
  },
)
