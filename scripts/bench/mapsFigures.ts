import { benchMaps, type MapsBench } from './maps'
import type { Figure } from './figure'

const NAMES: Record<Exclude<keyof MapsBench, 'coldStartMs'>, string> = {
  search: 'search while typing',
  searchWithTypos: 'search with a typing error',
  address: 'address of a place',
  route: 'route',
  routeWithWaypoints: 'route over two stops',
  matrix100Drivers: 'times of 100 drivers to one pickup',
}

/** How quick the bundled maps are, as figures. */
export const mapsFigures = async (directory: string): Promise<Figure[]> => {
  const measured = await benchMaps(directory)
  const names = Object.keys(NAMES) as (keyof typeof NAMES)[]
  return [
    { name: 'cold start', unit: 'ms', here: measured.coldStartMs },
    ...names.flatMap((name) => [
      { name: NAMES[name], unit: 'ms', here: measured[name].p50Ms },
      { name: '  p95', unit: 'ms', here: measured[name].p95Ms },
    ]),
  ]
}
