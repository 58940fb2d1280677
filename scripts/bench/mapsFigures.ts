import { benchMaps, type MapsBench } from './maps'
import { atMost, type Figure } from './figure'

/** What is measured, and what its p95 may be on an idle machine, ms. */
const MEASURED: Record<Exclude<keyof MapsBench, 'coldStartMs'>, { name: string; most?: number }> = {
  search: { name: 'search while typing', most: 2 },
  searchWithTypos: { name: 'search with a typing error', most: 2 },
  address: { name: 'address of a place' },
  route: { name: 'route', most: 10 },
  routeWithWaypoints: { name: 'route over two stops' },
  matrix100Drivers: { name: 'times of 100 drivers to one pickup', most: 10 },
}

/** How quick the bundled maps are, as figures. */
export const mapsFigures = async (directory: string): Promise<Figure[]> => {
  const measured = await benchMaps(directory)
  const keys = Object.keys(MEASURED) as (keyof typeof MEASURED)[]
  return [
    { name: 'cold start', unit: 'ms', here: measured.coldStartMs },
    ...keys.flatMap((key) => {
      const { name, most } = MEASURED[key]
      const { p50Ms, p95Ms } = measured[key]
      return [
        { name, unit: 'ms', here: p50Ms },
        most === undefined
          ? { name: '  p95', unit: 'ms', here: p95Ms }
          : atMost('  p95', 'ms', p95Ms, most),
      ]
    }),
  ]
}
