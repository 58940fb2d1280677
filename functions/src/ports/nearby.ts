import type { AvailableDriver, LatLng } from '~/domain/entities'
import { distanceKm, geohashRanges } from '~/domain/geo'
import type { DatabasePort } from './database'

/** Free drivers of a car type around a point, nearest first; kilometres. */
export const driversAround = async (
  db: DatabasePort,
  center: LatLng,
  carType: string,
  km: number,
): Promise<{ uid: string; km: number }[]> => {
  const cells = await Promise.all(
    geohashRanges(center, km).map(([startAt, endAt]) =>
      db.list<AvailableDriver>('available_drivers', { by: 'geohash', startAt, endAt }),
    ),
  )
  return cells
    .flat()
    .filter(([, driver]) => driver.carType === carType)
    .map(([uid, driver]) => ({ uid, km: distanceKm(center, driver) }))
    .filter((driver) => driver.km <= km)
    .sort((a, b) => a.km - b.km)
}
