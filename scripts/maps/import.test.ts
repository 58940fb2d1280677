import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBundledMaps } from '~/functions/src/adapters/maps/bundled/bundledMaps'
import { encodeOsmExtract, type OsmParts } from './osmExtract'

const ROOT = resolve(import.meta.dirname, '../..')
/** Long enough for a busy machine. */
const TIMEOUT_MS = 600_000
const SIDE = 6
const createCorner = (row: number, column: number) => row * SIDE + column + 1
const line = Array.from({ length: SIDE }, (_, index) => index)

/**
 * Returns six streets in each direction in Tartu, 220 meters apart; "Rida 2" is one-way to the
 * east.
 */
const createStreetGrid = () =>
  encodeOsmExtract({
    nodes: line.flatMap((row) =>
      line.map((column) => ({
        id: createCorner(row, column),
        lat: 58.375 + row * 0.002,
        lon: 26.715 + column * 0.004,
      })),
    ),
    ways: line.flatMap((one): OsmParts['ways'] => [
      {
        id: 100 + one,
        refs: line.map((column) => createCorner(one, column)),
        tags: {
          highway: 'residential',
          name: `Rida ${one}`,
          ...(one === 2 && { oneway: 'yes' }),
        },
      },
      {
        id: 200 + one,
        refs: line.map((row) => createCorner(row, one)),
        tags: { highway: 'residential', name: `Veerg ${one}`, 'name:en': `Column ${one}` },
      },
    ]),
    relations: [],
  })

let folder: string
let importOutput: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'import-'))
  const file = join(folder, 'tartu.osm.pbf')
  writeFileSync(file, createStreetGrid())
  // The same command that a user types, with another output folder.
  const { stdout } = await promisify(execFile)(
    'npm',
    ['run', '--prefix', 'lab', 'maps:import', '--', file],
    {
      cwd: ROOT,
      env: { ...process.env, KERBSIDE_MAPS_OUTPUT: folder },
    },
  )
  importOutput = stdout
}, TIMEOUT_MS)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('names an imported city after its largest town and prints the name', () => {
  expect(importOutput).toMatch(/building Tartu \(EE\)/)
  expect(importOutput).toMatch(/the city is now Tartu/)
})

test(
  'finds its streets and routes along them in the right direction',
  async () => {
    const maps = createBundledMaps(join(folder, 'functions/data/maps'))
    expect(maps.getCoverage()).toMatchObject({ city: 'Tartu', country: 'EE' })
    const [found] = await maps.autocomplete('veerg 3', { country: 'EE' })
    expect(found?.mainText).toBe('Veerg 3')
    const west = { lat: 58.379, lng: 26.7155 }
    const east = { lat: 58.379, lng: 26.7345 }
    const there = await maps.getDirections(west, east)
    const back = await maps.getDirections(east, west)
    expect(there).toMatchObject({ approximate: false })
    expect(there?.distance_in_km).toBeCloseTo(1.1, 1)
    expect(there?.steps[0]).toMatchObject({ maneuver: 'depart', street: 'Rida 2' })
    expect(back?.distance_in_km).toBeGreaterThan(there?.distance_in_km ?? 0)
  },
  TIMEOUT_MS,
)

test('names its streets in the reader’s language where the file has it', async () => {
  const maps = createBundledMaps(join(folder, 'functions/data/maps'))
  const south = { lat: 58.3751, lng: 26.727 }
  const north = { lat: 58.3849, lng: 26.727 }
  const streets = async (language?: string) => {
    const route = await maps.getDirections(south, north, [], language ? { language } : {})
    return route?.steps[0]?.street
  }
  expect(await streets()).toBe('Veerg 3')
  expect(await streets('en-GB')).toBe('Column 3')
  expect(await streets('fr')).toBe('Veerg 3')
  expect(await maps.getAddress(north, { language: 'en' })).toBe('Column 3, Tartu, Estonia')
  const [found] = await maps.autocomplete('veerg 3', { language: 'en' })
  expect(found?.mainText).toBe('Column 3')
})
