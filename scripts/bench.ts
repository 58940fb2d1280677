// Why: a promise about speed is worth what a person can measure again. `npm run bench -- database maps` picks parts,
// `--json` prints what a program can read. It says PASS or MISS and never fails: another program may be busy here.
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from './build'
import { benchCore } from './bench/core'
import { benchDatabase } from './bench/database'
import { benchDrivers } from './bench/drivers'
import { tableOf, type Figure } from './bench/figure'
import { mapsFigures } from './bench/mapsFigures'
import { benchPages } from './bench/pages'
import { benchRows } from './bench/rows'
import { runToEnd } from './runToEnd'

const PARTS: Record<string, (say: (line: string) => void) => Promise<Figure[]>> = {
  database: benchDatabase,
  maps: () => mapsFigures(join(ROOT, 'functions', 'data', 'maps')),
  pages: benchPages,
  rows: benchRows,
  drivers: benchDrivers,
  core: benchCore,
}

const machine = () => ({
  processor: cpus()[0]?.model.trim() ?? 'unknown',
  cores: cpus().length,
  memoryGB: Math.round(totalmem() / 1e9),
  node: process.version,
  platform: process.platform,
  // Above the number of cores others were at work too, and every time here is too long.
  load: Number(loadavg()[0]?.toFixed(1) ?? 0),
})

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  })
  const chosen = positionals.length > 0 ? positionals : Object.keys(PARTS)
  const say = (line: string) => console.error(line)
  const before = machine()
  const results: { part: string; figures: Figure[] }[] = []
  for (const part of chosen) {
    const bench = PARTS[part]
    if (bench === undefined) {
      console.error(`There is no part “${part}”; there are ${Object.keys(PARTS).join(', ')}.`)
      return 1
    }
    results.push({ part, figures: await bench(say) })
  }
  if (values.json) {
    console.log(JSON.stringify({ machine: before, loadAfter: machine().load, results }, null, 2))
    return 0
  }
  const { processor, cores, memoryGB, node, load } = before
  console.log(
    `${processor}, ${cores} cores, ${memoryGB} GB, Node.js ${node}; load ${load} before, ${machine().load} after`,
  )
  for (const { part, figures } of results) console.log(`\n${part}\n${tableOf(figures)}`)
  return 0
}

await runToEnd(main)
