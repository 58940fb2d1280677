import { benchMaps } from './maps'
import type { Figure } from './figure'

/** How quick the bundled maps are, as figures. */
export const mapsFigures = async (directory: string): Promise<Figure[]> => {
  const { coldStartMs, ...measured } = await benchMaps(directory)
  return [
    { name: 'cold start', unit: 'ms', here: coldStartMs },
    ...Object.entries(measured).flatMap(([name, { p50Ms, p95Ms }]) => [
      { name: `${name}, median`, unit: 'ms', here: p50Ms },
      { name: `${name}, p95`, unit: 'ms', here: p95Ms },
    ]),
  ]
}
