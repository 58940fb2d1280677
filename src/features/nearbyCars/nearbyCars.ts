import { getDistanceKm } from '~/domain/geo/geo'
import { getGeohashRanges } from '~/domain/geo/geohash'
import { createServiceThunk } from '~/src/store/serviceThunk'
import type { LatLng } from '~/domain/geo/types'
import type { NearbyCar } from '~/domain/dispatch/types'
import type { Kilometers } from '~/domain/language/units'

/** A free car on the map. Its id changes every few minutes. */
export interface CarOnMap extends LatLng {
  id: string
}
/** Maximum number of cars on a map. */
const MAX_CARS = 25
/** Maximum number of cars per cell that the rules let a rider query. */
const MAX_CARS_PER_CELL = 200

/**
 * Returns free cars within `km` of a position, nearest first, of one vehicle type or all. Signed-in
 * users only.
 */
export const fetchNearbyCars = createServiceThunk<
  { center: LatLng; km: Kilometers; carType: string | null },
  CarOnMap[]
>('nearby/fetch', async ({ center, km, carType }, { database }) => {
  const answers = await Promise.all(
    getGeohashRanges(center, km).map(([startAt, endAt]) =>
      database.read({
        path: 'nearby_cars',
        orderBy: { child: 'geohash' },
        startAt,
        endAt,
        limitToFirst: MAX_CARS_PER_CELL,
      }),
    ),
  )
  return answers
    .flatMap((cellCars) => Object.entries((cellCars ?? {}) as Record<string, NearbyCar>))
    .filter(([, car]) => carType === null || car.carType === carType)
    .map(([id, { lat, lng }]) => ({ id, lat, lng, away: getDistanceKm(center, { lat, lng }) }))
    .filter(({ away }) => away <= km)
    .sort((a, b) => a.away - b.away)
    .slice(0, MAX_CARS)
    .map(({ id, lat, lng }) => ({ id, lat, lng }))
})
