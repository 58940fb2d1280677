// Plays bookings again on a virtual clock, with the domain's own code and without Firebase, to
// compare dispatch policies before one is switched on. `npm run --prefix lab replay -- --from
// 2026-10-01 --days 14 --policy nearest,matched,matched:600` replays the bookings of the Kerbside
// running here, of a project (--project acme-taxis, targetDatabase.ts) or of a backup (--backup
// FOLDER). Without --from it generates demand: --drivers 100 --load 0.85 --hours 7. Also --seeds N
// and --seed N; the same options give the same report. The streets are those of the built city.
// --parcels 40 --couriers 16 --shops 8 --promise 90 --policy nearest,tours:3 plays parcels instead.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { comparePolicies } from '~/domain/replay/comparison'
import { compareParcelPolicies } from './parcels/parcelComparison'
import type { ReplayScenario } from '~/domain/replay/scenario'
import { ROOT } from '~/scripts/local/build'
import { withProgressLine } from '~/scripts/local/progressLine'
import { createCityDemand, createCityParcels } from './replay/cityDemand'
import { renderParcelReport, renderReplayReport } from './replay/htmlReport'
import { openRecordedData, readRecordedDemand } from './replay/recordedDemand'
import {
  parseReplayArguments,
  type ReplayArguments,
  type ReplayDemand,
} from './replay/replayArguments'
import { openCityStreets, type CityStreets } from './replay/streetTimes'
import { formatComparison, formatMeasures, SHOWN_PARCEL_MEASURES } from './replay/textReport'
import { runScript } from '~/scripts/local/scriptRunner'

/** Returns the demand of a seed, and a sentence about it. */
const openDemand = async (
  demand: ReplayDemand,
  city: CityStreets,
  progress: (text: string) => void,
): Promise<{ description: string; createScenario: (seed: number) => ReplayScenario }> => {
  if (demand.kind === 'generated') {
    const { drivers, load, hours } = demand
    return {
      description: `Generated demand: ${drivers} drivers, load ${load}, ${hours} hours.`,
      createScenario: (seed) => createCityDemand(city, { ...demand, seed }),
    }
  }
  const { from, days } = demand
  const data = await openRecordedData(demand, process.env, progress)
  const scenario = await readRecordedDemand(data, demand, progress).finally(() => data.close())
  return {
    description: `Recorded demand from ${from}, ${days} days: ${scenario.requests.length} bookings, ${scenario.drivers.length} drivers.`,
    createScenario: () => scenario,
  }
}

type Arguments<Kind> = Extract<ReplayArguments, { demand: { kind: Kind } }>

/** Plays bookings and returns a sentence about them with both forms of the report. */
const replayBookings = async (
  { demand, policies, seeds }: Arguments<ReplayDemand['kind']>,
  city: CityStreets,
): Promise<{ description: string; text: string; html: string }> => {
  const { description, compared } = await withProgressLine(async ({ show }) => {
    const { description: opened, createScenario } = await openDemand(demand, city, show)
    return {
      description: opened,
      compared: comparePolicies({
        policies,
        seeds,
        createScenario,
        travel: city.travel,
        onRun: (policy, seed) => show(`Playing ${policy} with seed ${seed}`),
      }),
    }
  })
  const named = `${description} Seeds ${seeds[0]} to ${seeds.at(-1)}.`
  return {
    description: named,
    text: formatComparison(compared),
    html: renderReplayReport(named, compared),
  }
}

/** Plays parcels and returns the same. */
const replayParcels = ({ demand, policies, seeds }: Arguments<'parcels'>, city: CityStreets) => {
  const compared = compareParcelPolicies({
    policies,
    seeds,
    createScenario: (seed) => createCityParcels(city, { ...demand, seed }),
    travel: city.travel,
  })
  const { parcelsPerHour, couriers, shops, promiseMinutes, hours } = demand
  const origin = shops > 0 ? `from ${shops} shops` : 'from any door'
  const description = `Generated parcels ${origin}: ${parcelsPerHour} an hour, ${couriers} couriers, promised in ${promiseMinutes} minutes, ${hours} hours. Seeds ${seeds[0]} to ${seeds.at(-1)}.`
  return {
    description,
    text: formatMeasures(compared, SHOWN_PARCEL_MEASURES),
    html: renderParcelReport(description, compared),
  }
}

const isAboutParcels = (args: ReplayArguments): args is Arguments<'parcels'> =>
  args.demand.kind === 'parcels'

async function main(): Promise<number> {
  const args = parseReplayArguments(process.argv.slice(2))
  const city = openCityStreets()
  const { description, text, html } = isAboutParcels(args)
    ? replayParcels(args, city)
    : await replayBookings(args, city)
  const folder = join(ROOT, '.kerbside', 'reports')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'replay.html')
  writeFileSync(file, html)
  console.log(`${description}\n\n${text}\n\nReport: ${file}`)
  return 0
}

await runScript(main)
