import { join } from 'node:path'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { createBundledMaps } from '~/functions/src/adapters/maps/bundled/bundledMaps'
import type { DemoCategory } from '~/seed/catalog'
import { createDemoCity } from '~/seed/demoCity'
import { ROOT } from './build'
import { readInterfaceTexts } from '../database/interfaceTexts'
import type { Route } from '~/domain/booking/trip/route'
import type { Place } from '~/domain/geo/types'

/**
 * Returns the whole database of the demo city at `now` (ms), with routes along its real streets. A
 * `category` of `taxi` leaves out parcels.
 */
export async function createDemoDatabase(
  now: number,
  category: DemoCategory = 'delivery',
): Promise<DatabaseValue> {
  const maps = createBundledMaps(join(ROOT, 'functions', 'data', 'maps'))
  const routeBetween = async (from: Place, to: Place): Promise<Route> => {
    const route = await maps.getDirections(from, to)
    if (!route)
      throw new Error(`No route leads from ${from.add} to ${to.add}. Choose other demo places.`)
    return route
  }
  return createDemoCity({ now, texts: readInterfaceTexts(), routeBetween, category })
}
