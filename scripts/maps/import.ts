// Puts another city in place of the demo city: `npm run maps:import -- city.osm.pbf`, with an extract
// of OpenStreetMap as download.geofabrik.de or "osmium extract" give it. Options: --name "Tartu",
// --country EE (both else taken from the largest town in it), --bbox west,south,east,north.
import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { alone, writeMaps } from './build'
import { fromLngLat, toLngLat } from './mercator'
import { readOsmFile } from './osmFile'
import { readSettlements } from './world'
import type { CityInput } from './feature'
import type { CellBox } from './osmFile'

/** More than this many tiles of zoom 12 a side is a region: too much for one function's memory. */
const MOST_TILES = 16
const TILE = 2 ** 20

/** Cells of "west,south,east,north" in degrees; throws when it is not that. */
export const parseBox = (text: string): CellBox => {
  const [west, south, east, north, ...rest] = text.split(',').map(Number)
  const isWhole = [west, south, east, north].every((value) => Number.isFinite(value))
  if (!isWhole || rest.length || !(west! < east!) || !(south! < north!)) {
    throw new Error('--bbox wants west,south,east,north in degrees.')
  }
  const [from, to] = [fromLngLat([west!, north!]), fromLngLat([east!, south!])]
  return [from[0], from[1], to[0], to[1]].map(Math.round) as unknown as CellBox
}

/** Lower-case letters, digits and hyphens: the name of a folder of tiles. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'city'

const largestTown = ([left, top, right, bottom]: CellBox) => {
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

/** The city in a file, named; throws with what to do about it. */
export const readCity = async (
  file: string,
  {
    name,
    country,
    bbox,
  }: { name?: string | undefined; country?: string | undefined; bbox?: string | undefined },
): Promise<CityInput> => {
  if (!existsSync(file)) throw new Error(`There is no file ${file}.`)
  const wanted = bbox ? parseBox(bbox) : undefined
  const { features, box, date } = await readOsmFile(file, wanted).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${file} could not be read as .osm.pbf: ${reason}`, { cause })
  })
  const [columns, rows] = [(box[2] - box[0]) / TILE, (box[3] - box[1]) / TILE]
  if (columns > MOST_TILES || rows > MOST_TILES) {
    throw new Error('That is a region, not a city: choose a part of it with --bbox.')
  }
  const town = largestTown(box)
  const city = name ?? town?.name
  const code = country?.toUpperCase() ?? town?.country
  if (!city || !code) throw new Error('No town is known there: name it with --name and --country.')
  if (!/^[A-Z]{2}$/.test(code)) throw new Error('--country wants a two-letter code, as EE.')
  return { slug: slugOf(city), name: city, country: code, box, features, date }
}

const run = async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { name: { type: 'string' }, country: { type: 'string' }, bbox: { type: 'string' } },
  })
  const [file] = positionals
  if (!file) throw new Error('Which file? npm run maps:import -- city.osm.pbf')
  console.log(`Maps: reading ${file}.`)
  const city = await readCity(file, values)
  console.log(`Maps: building ${city.name} (${city.country}).`)
  alone(() => writeMaps(city, true, (line) => console.log(`  ${line}`)))
  console.log(`Maps: ${city.name} is the city now. "npm run maps:build -- --demo" goes back.`)
}

if (process.argv[1] === import.meta.filename) {
  run().catch((error: unknown) => {
    console.error(`Maps: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  })
}
