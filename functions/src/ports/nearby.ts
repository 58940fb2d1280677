import type { Nearby } from '~/domain/booking/change'
import { nearest } from '~/domain/dispatch'
import type { AvailableDriver, LatLng, Settings } from '~/domain/entities'
import { geohashRanges, searchRadiusKm } from '~/domain/geo'
import type { DatabasePort } from './database'

/** Free drivers of a car type within the settings' radius, nearest first; reads only the geohash cells in reach. */
export const driversAround = async (
  db: DatabasePort,
  from: LatLng,
  carType: string,
  settings: Settings,
): Promise<Nearby[]> => {
  const cells = await Promise.all(
    geohashRanges(from, searchRadiusKm(settings)).map(([startAt, endAt]) =>
      db.list<AvailableDriver>('available_drivers', { by: 'geohash', startAt, endAt }),
    ),
  )
  return nearest(Object.fromEntries(cells.flat()), { from, carType }, settings)
}
