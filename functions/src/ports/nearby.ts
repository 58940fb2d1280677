import type { Nearby } from '~/domain/booking/change'
import { nearest } from '~/domain/dispatch'
import type { AvailableDriver, LatLng, Settings } from '~/domain/entities'
import { geohashRanges, searchRadiusKm } from '~/domain/geo'
import type { DatabasePort } from './database'

/** Where the search begins, and how it widens: each step is about a geohash's next longer cell. */
const FIRST_KM = 0.15
const WIDER = 4

/**
 * Free drivers of a car type within the settings' radius, nearest first: the `enough` nearest and perhaps more, or all
 * there are. Reads only the geohash cells in reach, and goes only as far as it has to: in a city of a hundred thousand
 * drivers the next ones are around the corner.
 */
export const driversAround = async (
  db: DatabasePort,
  from: LatLng,
  carType: string,
  settings: Settings,
  enough: number,
): Promise<Nearby[]> => {
  const farthest = searchRadiusKm(settings)
  for (let radius = FIRST_KM; ; radius *= WIDER) {
    const isLast = radius * 1.5 >= farthest
    const reach = isLast ? farthest : radius
    const cells = await Promise.all(
      geohashRanges(from, reach).map(([startAt, endAt]) =>
        db.list<AvailableDriver>('available_drivers', { by: 'geohash', startAt, endAt }),
      ),
    )
    const listed = Object.fromEntries(cells.flat())
    const found = nearest(listed, { from, carType }, settings)
    // Cells go beyond the reach; somebody nearer could be just outside of them.
    const sure = isLast ? found : found.filter(({ distance }) => distance <= reach)
    if (isLast || sure.length >= enough) return sure
  }
}
