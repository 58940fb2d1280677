// Compares our distances with those of another router, Valhalla, for the pairs of the referee
// fixture on the same streets. With `--write`, its distances become the fixture that the tests use.
// Valhalla is too large (290 MB) for every install; it needs Linux or macOS, and python3:
//   npm install --prefix /tmp/referee @valhallajs/valhallajs@3.6.1
//   NODE_PATH=/tmp/referee/node_modules npx tsx scripts/maps/valhallaComparison.ts [--write]
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createBundledMaps } from '~/functions/src/adapters/maps/bundled/bundledMaps'
import {
  compareWithBaseline,
  getRatioAt,
  BASELINE_ROWS,
  findTooShort,
  type BaselineRow,
} from '~/functions/src/testing/valhallaBaseline'
import { toLngLat } from '~/scripts/maps/mercator'
import { readMontevideo } from '~/scripts/maps/montevideo'
import { encodeOsmExtract, type OsmParts } from '~/scripts/maps/osmExtract'

const ROOT = resolve(import.meta.dirname, '../..')
const FIXTURE = join(ROOT, 'functions/src/testing/valhallaBaseline.fixture.json')
const ROUTER = '@valhallajs/valhallajs'

/** The part of Valhalla's API that we use. */
interface Valhalla {
  VALHALLA_VERSION: string
  getConfig(options: { tileDir: string }): Promise<object>
  Actor: new (config: object) => {
    route(query: object): Promise<{ trip: { summary: { length: number } } }>
  }
}

/** Returns all the city's ways that matter for traffic, as an extract that any router reads. */
const exportStreets = (): Buffer => {
  const nodes: OsmParts['nodes'] = []
  const ids = new Map<string, number>()
  const nodeAt = (cell: readonly [number, number]) => {
    const key = cell.join()
    const cachedId = ids.get(key)
    if (cachedId !== undefined) return cachedId
    const [lon, lat] = toLngLat([cell[0], cell[1]])
    const id = nodes.length + 1
    nodes.push({ id, lat, lon })
    ids.set(key, id)
    return id
  }
  const ways = readMontevideo()
    .features.filter(({ kind, tags }) => kind === 'line' && tags.highway)
    .flatMap(({ tags, shape }) => shape.map((part) => ({ tags, refs: part.map(nodeAt) })))
    .map((way, index) => ({ id: index + 1, ...way }))
  return encodeOsmExtract({ nodes, ways })
}

const routeWithValhalla = async (
  folder: string,
): Promise<{ version: string; rows: BaselineRow[] }> => {
  const require = createRequire(import.meta.url)
  const entry = require.resolve(ROUTER)
  const { Actor, getConfig, VALHALLA_VERSION: version } = require(entry) as Valhalla
  const config = await getConfig({ tileDir: join(folder, 'tiles') })
  const [settings, extract] = [join(folder, 'config.json'), join(folder, 'city.osm.pbf')]
  writeFileSync(settings, JSON.stringify(config))
  writeFileSync(extract, exportStreets())
  const command = join(dirname(entry), 'bin/valhalla-cli.js')
  execFileSync(process.execPath, [command, 'build_tiles', '-c', settings, extract], {
    stdio: 'pipe',
  })
  const actor = new Actor(config)
  const rows: BaselineRow[] = []
  for (const [fromLat, fromLng, toLat, toLng] of BASELINE_ROWS) {
    const km = async (shortest: boolean) => {
      const { trip } = await actor.route({
        locations: [
          { lat: fromLat, lon: fromLng },
          { lat: toLat, lon: toLng },
        ],
        costing: 'auto',
        costing_options: { auto: { shortest } },
        units: 'kilometers',
      })
      return trip.summary.length
    }
    rows.push([fromLat, fromLng, toLat, toLng, await km(false), await km(true)])
  }
  return { version, rows }
}

const folder = mkdtempSync(join(tmpdir(), 'referee-'))
try {
  const { version, rows } = await routeWithValhalla(folder)
  const compared = await compareWithBaseline(
    createBundledMaps(join(ROOT, 'functions/data/maps')),
    rows,
  )
  const moved = rows.filter(([, , , , ...km], i) =>
    km.some((value, k) => Math.abs(value - (BASELINE_ROWS[i]?.[4 + k] ?? 0)) > 0.05),
  )
  const ratio = (part: number) => getRatioAt(compared, part).toFixed(3)
  console.log(`Valhalla ${version}, ${rows.length} pairs, ours to its quickest:`)
  console.log(`  median ${ratio(0.5)}, p5 ${ratio(0.05)}, p95 ${ratio(0.95)}`)
  console.log(`  shorter than its shortest: ${findTooShort(compared).length}`)
  console.log(`  changed by more than 50 m since the fixture: ${moved.length}`)
  if (process.argv.includes('--write')) {
    const old = JSON.parse(readFileSync(FIXTURE, 'utf8')) as object
    const router = `Valhalla ${version}, costing auto, on the same streets`
    writeFileSync(FIXTURE, JSON.stringify({ ...old, router, rows }))
    execFileSync('npx', ['prettier', '--write', FIXTURE])
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
