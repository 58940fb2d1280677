// Replaces the demo city with another one: `npm run --prefix lab maps:import -- city.osm.pbf`,
// with an OpenStreetMap extract from download.geofabrik.de or "osmium extract". Options: --name
// "Tartu" and --country EE (default: the largest town in it), --bbox west,south,east,north.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { runExclusively, writeMaps } from './build'
import { fromLngLat, toLngLat } from './mercator'
import { readSettlements } from './worldMap'
import type { CityInput } from './osmFeature'
import { type CellBox, readOsmFile, toCellBox } from './osmFile'

/**
 * More zoom-12 tiles per side than this make a region, which exceeds the memory of one function.
 */
const MAX_TILES_PER_SIDE = 16
const TILE_CELLS = 2 ** 20

/**
 * Converts "west,south,east,north" in degrees to map cells; throws when the text has another form.
 */
export const parseBox = (text: string): CellBox => {
  const [west, south, east, north, ...rest] = text.split(',').map(Number)
  const isWhole = [west, south, east, north].every((value) => Number.isFinite(value))
  if (!isWhole || rest.length || !(west! < east!) || !(south! < north!)) {
    throw new Error('--bbox must be west,south,east,north in degrees.')
  }
  const [from, to] = [fromLngLat([west!, north!]), fromLngLat([east!, south!])]
  return toCellBox(from, to)
}

/** Returns a name in lowercase letters, digits and hyphens, for the folder of its tiles. */
export const toSlug = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'city'

const findLargestTown = ([left, top, right, bottom]: CellBox) => {
  const [[west, north], [east, south]] = [toLngLat([left, top]), toLngLat([right, bottom])]
  return readSettlements()
    .filter(
      ({
        loc: {
          coordinates: [lng, lat],
        },
      }) => lng > west && lng < east && lat > south && lat < north,
    )
    .reduce<ReturnType<typeof readSettlements>[number] | null>(
      (best, one) => (best && best.population >= one.population ? best : one),
      null,
    )
}

/** Reads the city in a file and names it; errors say what to do. */
export const readCity = async (
  file: string,
  {
    name,
    country,
    bbox,
  }: { name?: string | undefined; country?: string | undefined; bbox?: string | undefined },
): Promise<CityInput> => {
  if (!existsSync(file)) throw new Error(`There is no file ${file}. Check the path.`)
  const requestedBox = bbox ? parseBox(bbox) : undefined
  const { features, box, date } = await readOsmFile(file, requestedBox).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${file} could not be read as .osm.pbf: ${reason}. Download it again.`, {
      cause,
    })
  })
  const [columns, rows] = [(box[2] - box[0]) / TILE_CELLS, (box[3] - box[1]) / TILE_CELLS]
  if (columns > MAX_TILES_PER_SIDE || rows > MAX_TILES_PER_SIDE) {
    throw new Error('The file covers a region, not a city. Choose a part of it with --bbox.')
  }
  const town = findLargestTown(box)
  const city = name ?? town?.name
  const code = country?.toUpperCase() ?? town?.country
  if (!city || !code) throw new Error('The file names no town. Name it with --name and --country.')
  if (!/^[A-Z]{2}$/.test(code)) throw new Error('--country must be a two-letter code, such as EE.')
  return { slug: toSlug(city), name: city, country: code, box, features, date }
}

const importCity = async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, country: { type: 'string' }, bbox: { type: 'string' } },
  })
  const [file] = positionals
  if (!file)
    throw new Error('The command needs a file: npm run --prefix lab maps:import -- city.osm.pbf')
  console.log(`Maps: reading ${file}.`)
  const city = await readCity(file, values)
  console.log(`Maps: building ${city.name} (${city.country}).`)
  runExclusively(() => writeMaps(city, true, (line) => console.log(`  ${line}`)))
  console.log(
    `Maps: the city is now ${city.name}. Run "npm run --prefix lab maps:build -- --demo" to go back.`,
  )
}

if (process.argv[1] === import.meta.filename) {
  importCity().catch((error: unknown) => {
    console.error(`Maps: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  })
}
