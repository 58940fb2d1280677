// Measures speed so that anyone can repeat it. `npm run bench -- database maps` selects parts,
// `--json` prints JSON, and `--drivers 300 --minutes 30` are for `board`. Prints PASS or MISS and
// never fails, because other programs may be using this machine.
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '~/scripts/local/build'
import { benchBoard, type BoardBenchOptions } from './bench/boardBench'
import { benchFunctions } from './bench/functionsBench'
import { benchDatabase } from './bench/databaseBench'
import { benchDispatch } from './bench/dispatchBench'
import { benchDrivers } from './bench/driversBench'
import { formatMeasurements, type Measurement } from './bench/measurement'
import { measureMaps } from './bench/mapsMeasurements'
import { benchPages } from './bench/pagesBench'
import { benchOfficePages } from './bench/officePagesBench'
import { benchJobs } from './bench/jobsBench'
import { benchRules } from './bench/rulesBench'
import { runScript } from '~/scripts/local/scriptRunner'

type Bench = (say: (line: string) => void, options: BoardBenchOptions) => Promise<Measurement[]>
const PARTS: Record<string, Bench> = {
  database: benchDatabase,
  rules: benchRules,
  maps: () => measureMaps(join(ROOT, 'functions', 'data', 'maps')),
  pages: benchPages,
  rows: benchOfficePages,
  drivers: benchDrivers,
  board: benchBoard,
  core: benchFunctions,
  jobs: benchJobs,
  dispatch: benchDispatch,
}

const describeMachine = () => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGB: Math.round(totalmem() / 1e9),
  node: process.version,
  platform: process.platform,
  // A load above the number of cores means that other programs were busy too and every time is too
  // long.
  load: Number(loadavg()[0]?.toFixed(1) ?? 0),
})

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      drivers: { type: 'string', default: '300' },
      minutes: { type: 'string', default: '30' },
    },
  })
  const options = { drivers: Number(values.drivers), minutes: Number(values.minutes) }
  if (!Number.isInteger(options.drivers) || options.drivers < 1 || !(options.minutes > 0)) {
    console.error('--drivers and --minutes must be positive numbers, such as 300 and 30.')
    return 1
  }
  const partNames = positionals.length > 0 ? positionals : Object.keys(PARTS)
  const say = (line: string) => console.error(line)
  const before = describeMachine()
  const results: { part: string; figures: Measurement[] }[] = []
  for (const part of partNames) {
    const bench = PARTS[part]
    if (bench === undefined) {
      console.error(`There is no part “${part}”. Choose one of ${Object.keys(PARTS).join(', ')}.`)
      return 1
    }
    results.push({ part, figures: await bench(say, options) })
  }
  if (values.json) {
    console.log(
      JSON.stringify({ machine: before, loadAfter: describeMachine().load, results }, null, 2),
    )
    return 0
  }
  const { processor, cores, memoryGB, node, load } = before
  console.log(
    `${processor}, ${cores} cores, ${memoryGB} GB, Node.js ${node}; load ${load} before, ${describeMachine().load} after`,
  )
  for (const { part, figures } of results) console.log(`\n${part}\n${formatMeasurements(figures)}`)
  return 0
}

await runScript(main)
