import { benchMaps, type MapsBench } from './mapsBench'
import { boundAbove, type Measurement } from './measurement'

/** The measurements and the maximum p95 of each on an idle machine, in milliseconds. */
const MEASURED_NAMES: Record<
  Exclude<keyof MapsBench, 'coldStartMs'>,
  { name: string; most?: number }
> = {
  search: { name: 'search while typing', most: 2 },
  searchWithTypos: { name: 'search with a typing error', most: 2 },
  address: { name: 'address of a place' },
  route: { name: 'route', most: 10 },
  routeWithWaypoints: { name: 'route over two stops' },
  matrix100Drivers: { name: 'times of 100 drivers to one pickup', most: 10 },
}

/** Measures the speed of the bundled maps. */
export const measureMaps = async (directory: string): Promise<Measurement[]> => {
  const measured = await benchMaps(directory)
  const keys = Object.keys(MEASURED_NAMES) as (keyof typeof MEASURED_NAMES)[]
  return [
    { name: 'cold start', unit: 'ms', here: measured.coldStartMs },
    ...keys.flatMap((key) => {
      const { name, most } = MEASURED_NAMES[key]
      const { p50Ms, p95Ms } = measured[key]
      return [
        { name, unit: 'ms', here: p50Ms },
        most === undefined
          ? { name: '  p95', unit: 'ms', here: p95Ms }
          : boundAbove('  p95', 'ms', p95Ms, most),
      ]
    }),
  ]
}
