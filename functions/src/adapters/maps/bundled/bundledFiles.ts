import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Gazetteer } from './gazetteer/gazetteer'
import type { Bounds } from '../../../ports/positions'
import { MapsError } from '../../../ports/mapsPort'
import { Pathfinder } from './pathfinder'
import { LandMap } from './reach/landMap'
import { Settlements } from './settlements'
import { StreetGraph } from './streetGraph'

export interface CityMeta {
  slug: string
  city: string
  country: string
  bounds: Bounds
  date: string
}

export interface LoadedCity {
  meta: CityMeta
  graph: StreetGraph
  pathfinder: Pathfinder
  gazetteer: Gazetteer
}

/** The map files of one directory; each is read on its first use. */
export interface BundledFiles {
  getMeta: () => CityMeta
  getCity: () => LoadedCity
  getWorld: () => Settlements
  getLand: () => LandMap
}

const once = <T>(load: () => T): (() => T) => {
  let value: { is: T } | null = null
  return () => (value ??= { is: load() }).is
}

/** Opens the files that `scripts/maps/build.ts` writes to `directory`. */
export const openBundledFiles = (directory: string): BundledFiles => {
  const readFile = (name: string) => {
    const path = join(directory, name)
    if (!existsSync(path)) {
      throw new MapsError(
        'unavailable',
        'The map is not built. Run "npm run --prefix lab maps:build".',
      )
    }
    return readFileSync(path)
  }
  const getMeta = once(() => JSON.parse(readFile('meta.json').toString('utf8')) as CityMeta)
  const getCity = once((): LoadedCity => {
    const graph = new StreetGraph(readFile('graph.bin'))
    return {
      meta: getMeta(),
      graph,
      pathfinder: new Pathfinder(graph),
      gazetteer: new Gazetteer(readFile('gaz.bin')),
    }
  })
  return {
    getMeta,
    getCity,
    getWorld: once(() => new Settlements(readFile('world.bin'))),
    getLand: once(() => new LandMap(readFile('land.bin'))),
  }
}
