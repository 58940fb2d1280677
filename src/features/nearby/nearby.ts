import type { AvailableDriver, LatLng } from '~/domain/entities'
import { distanceKm, geohashRanges } from '~/domain/geo'
import { operation } from '~/src/store/operation'

export interface NearbyCar extends LatLng {
  id: string
}
/** No more cars than a map can show. */
const MOST = 25

/** Free cars within `km` of a point, nearest first; of one car type, or all. For who is signed in. */
export const fetchNearbyCars = operation<
  { center: LatLng; km: number; carType: string | null; quiet?: boolean },
  NearbyCar[]
>('nearby/fetch', async ({ center, km, carType }, { database }) => {
  const answers = await Promise.all(
    geohashRanges(center, km).map(([startAt, endAt]) =>
      database.once({
        path: 'available_drivers',
        orderBy: { child: 'geohash' },
        startAt,
        endAt,
        limitToFirst: 200,
      }),
    ),
  )
  return answers
    .flatMap((answer) => Object.entries((answer ?? {}) as Record<string, AvailableDriver>))
    .filter(([, car]) => carType === null || car.carType === carType)
    .map(([id, { lat, lng }]) => ({ id, lat, lng, away: distanceKm(center, { lat, lng }) }))
    .filter(({ away }) => away <= km)
    .sort((a, b) => a.away - b.away)
    .slice(0, MOST)
    .map(({ id, lat, lng }) => ({ id, lat, lng }))
})
