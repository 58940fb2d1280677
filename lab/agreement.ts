// Plays the same hour twice, through the real interfaces of a Kerbside of its own and in a replay,
// and compares the mean waits: `npm run --prefix lab agreement -- --policy nearest,matched
// --drivers 24 --load 0.85 --minutes 60 --pace 10 --seed 1`. People act `pace` times faster than in
// reality in both.
import { setLogLevel } from 'firebase/app'
import { setMaxListeners } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDemand } from '~/domain/replay/generatedDemand'
import { findPolicy } from '~/domain/replay/policies'
import type { ReplayScenario, TravelTimes } from '~/domain/replay/scenario'
import { ROOT } from '~/scripts/local/build'
import { parsePortBase } from '~/scripts/local/ports'
import { runScript } from '~/scripts/local/scriptRunner'
import { startSuite, type Suite } from '~/scripts/local/suite'
import { DEMO_ACCOUNTS } from '~/seed/demoAccounts'
import { openCityStreets } from './replay/streetTimes'
import { advanceBooking } from '~/scripts/city/actions'
import { createDriver, createRider, forEachConcurrently } from '~/scripts/city/actors'
import {
  compressScenario,
  formatAgreement,
  isInAgreement,
  measurePlayed,
  measureReplayed,
  type PolicyAgreement,
} from './simulate/agreement'
import { createRunRecorder } from './simulate/runRecorder'
import { playScriptedCity, type ScriptedCity } from './simulate/scriptedCity'
import { createOffice } from '~/scripts/city/simulatedOffice'
import {
  signIn,
  type SimulatedUser,
  type SimulationEnvironment,
} from '~/scripts/city/simulatedUser'
import { takeSeededDriversOffDuty } from './simulate/simulationRun'
import { createSeededRandom } from '~/domain/data/seededRandom'
import type { Settings, VehicleType } from '~/domain/catalog/types'

/** Eight in the morning of a Monday in Montevideo. A fixed time gives the same draws each time. */
const START = Date.UTC(2026, 8, 7, 11)

const readNumber = (name: string, text: string, least: number, most: number): number => {
  const value = Number(text)
  if (!(value >= least && value <= most))
    throw new Error(`--${name} must be a number from ${least} to ${most}, not "${text}".`)
  return value
}

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      policy: { type: 'string', default: 'nearest,matched' },
      drivers: { type: 'string', default: '24' },
      load: { type: 'string', default: '0.85' },
      minutes: { type: 'string', default: '60' },
      pace: { type: 'string', default: '10' },
      seed: { type: 'string', default: '1' },
    },
  })
  return {
    policies: values.policy.split(',').map(findPolicy),
    driverCount: Math.round(readNumber('drivers', values.drivers, 1, 200)),
    load: readNumber('load', values.load, 0.05, 2),
    minutes: readNumber('minutes', values.minutes, 10, 600),
    pace: readNumber('pace', values.pace, 1, 60),
    seed: Math.round(readNumber('seed', values.seed, 0, 4_000_000_000)),
  }
}
type Options = ReturnType<typeof readOptions>

const createRange = (count: number) => Array.from({ length: count }, (_, n) => n)

const readSettings = async (admin: SimulatedUser): Promise<Settings> => {
  const settings = await admin.read<Settings>('settings')
  if (!settings) throw new Error('The platform has no settings. Report it.')
  return settings
}

/** Sets dispatch as in a replay: automatic, without top-ups and without pictures. */
const writeReplaySettings = (admin: SimulatedUser) =>
  admin.write('settings', {
    'settings/appcat': 'taxi',
    'settings/autoDispatch': true,
    'settings/negativeBalance': true,
    'settings/AllowDeliveryPickupImageCapture': false,
    'settings/AllowFinalDeliveryImageCapture': false,
  })

/** Cancels the demo's own bookings, which drivers would get as offers. */
const cancelOpenBookings = async (
  { database }: Suite,
  admin: SimulatedUser,
  environment: SimulationEnvironment,
) => {
  const open = { orderBy: '"status"', equalTo: '"NEW"' }
  for (const booking_id of Object.keys((await database.get('bookings', open)) ?? {}))
    await advanceBooking(environment, admin, { booking_id, event: 'cancel', reason: 'Demo' })
}

/** Plays the scenario of each policy with simulated people, and compares it with a replay. */
const comparePolicies = async (
  admin: SimulatedUser,
  city: Omit<ScriptedCity, 'settings'>,
  { policies, pace, seed }: Options,
  { generate, travel }: { generate: (settings: Settings) => ReplayScenario; travel: TravelTimes },
): Promise<PolicyAgreement[]> => {
  const compared: PolicyAgreement[] = []
  for (const { name, settings: changes } of policies) {
    await admin.write(
      'settings',
      Object.fromEntries(Object.entries(changes).map(([key, value]) => [`settings/${key}`, value])),
    )
    const settings = await readSettings(admin)
    const scenario = compressScenario(generate(settings), pace)
    const run = { scenario, travel, seed, pace }
    const played = await playScriptedCity({ ...city, settings }, run)
    compared.push({
      policy: name,
      simulated: measurePlayed(played, pace),
      replayed: measureReplayed(scenario, { ...run, policy: name }),
    })
    console.log(`\n${formatAgreement(compared)}`)
  }
  return compared
}

/** Signs everyone in, and compares the policies. `people` gets everyone who signed in. */
const compareInSuite = async (
  suite: Suite,
  environment: SimulationEnvironment,
  options: Options,
  people: SimulatedUser[],
): Promise<PolicyAgreement[]> => {
  const { driverCount, load, minutes, pace, seed } = options
  const streets = openCityStreets()
  const addPerson = <T extends { person: SimulatedUser }>({ person }: T): SimulatedUser => {
    people.push(person)
    return person
  }
  const admin = addPerson({ person: await signIn(DEMO_ACCOUNTS[0].mobile, environment) })
  const office = createOffice(environment, [admin])
  await writeReplaySettings(admin)
  const types = Object.values((await admin.read<Record<string, VehicleType>>('cartypes')) ?? {})
  const [, vehicleType] = types
  if (!vehicleType) throw new Error('The demo city has no second vehicle type. Add it.')
  const generate = (settings: Settings) =>
    generateDemand({
      ...streets,
      seed,
      drivers: driverCount,
      load,
      hours: minutes / 60,
      start: START,
      settings,
      vehicleType,
    })
  const { requests } = generate(await readSettings(admin))
  console.log(`${requests.length} requests, ${driverCount} drivers, pace ${pace}, seed ${seed}`)
  const drivers = await forEachConcurrently(createRange(driverCount), async (n) =>
    addPerson(await createDriver(n, { city: environment, office, carType: vehicleType })),
  )
  const random = createSeededRandom(seed)
  const riders = await forEachConcurrently(createRange(requests.length), async (n) =>
    addPerson(await createRider(n, { city: environment, office, random })),
  )
  await cancelOpenBookings(suite, admin, environment)
  await takeSeededDriversOffDuty(suite.ports, new Set(drivers.map(({ uid }) => uid)))
  const city = { ...environment, drivers, riders }
  return comparePolicies(admin, city, options, { generate, travel: streets.travel })
}

async function main(): Promise<number> {
  const options = readOptions()
  const portBase = parsePortBase(process.env.KERBSIDE_PORT_BASE)
  const suite = await startSuite({
    dataDir: join(ROOT, '.kerbside', 'agreement'),
    isFresh: true,
    isQuiet: true,
    hasHosting: false,
    ...(portBase !== undefined && { portBase }),
  })
  setLogLevel('silent')
  const end = new AbortController()
  setMaxListeners(0, end.signal)
  const recorder = createRunRecorder()
  const { webConfig } = suite
  const environment = { webConfig, recorder, signal: end.signal, isFaultFree: true }
  const people: SimulatedUser[] = []
  try {
    const compared = await compareInSuite(suite, environment, options, people)
    for (const line of recorder.surprises()) console.log(line)
    console.log(isInAgreement(compared) ? '\nThe waits agree.' : '\nThe waits do not agree.')
    return 0
  } finally {
    end.abort()
    await Promise.allSettled(people.map((person) => person.close()))
    await suite.stop()
  }
}

await runScript(main)
