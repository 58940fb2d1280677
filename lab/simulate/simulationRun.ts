import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { setLogLevel } from 'firebase/app'
import { buildUnavailabilityUpdates } from '~/domain/dispatch/dispatch'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { createSeededRandom, type Random } from '~/domain/data/seededRandom'
import { openLocalDatabase } from '~/scripts/local/localDatabase'
import { HOST, type Ports } from '~/scripts/local/ports'
import type { WebConfig } from '~/scripts/local/suiteConfig'
import { findLostWrites } from './lostWrites'
import type { Actor } from '~/scripts/city/actors'
import { simulateDriver } from '~/scripts/city/simulatedDriver'
import { injectFaults, type FaultOptions } from './faultInjection'
import { type ActivityRecorder } from '~/scripts/city/activityRecorder'
import {
  createRunRecorder,
  type CallStats,
  type RunRecorder,
  type RecorderOptions,
  type SecondStats,
} from './runRecorder'
import { simulateOffice } from '~/scripts/city/simulatedOffice'
import { populateCity } from '~/scripts/city/population'
import type { SimulationEnvironment, SimulatedUser } from '~/scripts/city/simulatedUser'
import type { SimulationPlan } from '~/scripts/city/simulationPlan'
import { simulateRider } from '~/scripts/city/simulatedRider'
import { createSimulatedWait, type Simulation } from '~/scripts/city/simulation'
import type { Seconds } from '~/domain/language/units'

/** Maximum milliseconds for people to finish after closing time. */
const MAX_CLOSING_MS = 90_000
/** The platform limits one admin to four actions a second. */
const RIDERS_PER_ADMIN = 30

/** A running suite. */
export interface SimulationTarget {
  webConfig: WebConfig
  ports: Ports
}
interface SimulationHooks {
  onMessage?: (line: string) => void
  /** Called from time to time during the run. */
  onProgress?: (observed: RunRecorder) => void
  /** Aborting closes the run: riders make no more bookings. */
  closeSignal?: AbortSignal
  /** Stores new observations and provides earlier ones. */
  observationLog?: Pick<RecorderOptions, 'onObservation' | 'earlierObservations'>
}
export interface SimulationReport {
  plan: SimulationPlan
  /** Start of the run in ms since 1970. */
  startedAt: number
  seconds: Seconds
  bookings: Record<string, number>
  calls: CallStats[]
  refusals: Record<string, number>
  mishaps: Record<string, number>
  timeline: SecondStats[]
  /**
   * Results that must not happen: contradictory responses, simulated people whose script failed,
   * lost acknowledged writes.
   */
  surprises: string[]
  /** Violations of the data's invariants. */
  violations: string[]
}

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError'

/** Runs an actor. The end of the run may interrupt it; any other error is reported. */
const runActor = async (
  observed: ActivityRecorder,
  who: string,
  life: Promise<unknown>,
): Promise<void> => {
  try {
    await life
  } catch (error) {
    if (isAbort(error)) return
    observed.wrong(`${who} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Returns the observations of a run, and what is wrong in the data after it. */
const reportRun = async (
  observed: RunRecorder,
  ports: Ports,
): Promise<Omit<SimulationReport, 'plan' | 'startedAt'>> => {
  const database = openLocalDatabase(`http://${HOST}:${ports.database}`)
  const tree = ((await database.get('')) ?? {}) as DatabaseTree
  return {
    seconds: observed.elapsed(),
    bookings: observed.counted('bookings'),
    calls: observed.figures(),
    refusals: observed.counted('refusals'),
    mishaps: observed.counted('mishaps'),
    timeline: observed.seconds(),
    surprises: [
      ...observed.surprises(),
      ...findLostWrites(tree, observed.events(), observed.entries()),
    ],
    violations: findViolations(tree),
  }
}

/** Uses a running suite as its riders, drivers and back office would, then verifies the data. */
export const simulate = async (
  plan: SimulationPlan,
  { webConfig, ports }: SimulationTarget,
  { onMessage = () => undefined, onProgress, closeSignal, observationLog }: SimulationHooks = {},
): Promise<SimulationReport> => {
  // The SDK would log every refused write, which the statistics already count.
  setLogLevel('silent')
  const at = Date.now()
  const observed = createRunRecorder(observationLog)
  const earlier = observationLog?.earlierObservations?.length ?? 0
  const end = new AbortController()
  // Every user adds a listener for the end of the run for each thing they wait for.
  setMaxListeners(0, end.signal)
  const city: SimulationEnvironment = {
    webConfig,
    recorder: observed,
    signal: end.signal,
    isFaultFree: !plan.faults,
  }
  const people: SimulatedUser[] = []
  const ticking = onProgress && setInterval(() => onProgress(observed), 1000)
  try {
    // A resumed run must not repeat the decisions of the earlier part.
    const draw = (stream: number) =>
      createSeededRandom(plan.seed * 100_003 + stream + earlier * 7919)
    const { drivers, riders, ...catalog } = await populateCity(city, {
      ...plan,
      admins: Math.ceil(plan.riders / RIDERS_PER_ADMIN) - 1,
      createRandom: draw,
      onPerson: (person) => people.push(person),
      onMessage,
    })
    const deadline = Date.now() + plan.minutes * 60_000
    let begun = observed.counted('bookings').begun ?? 0
    const isClosing = () =>
      Date.now() >= deadline || begun >= plan.bookings || closeSignal?.aborted === true
    const spokenAgreements: Simulation['spokenAgreements'] = new Map()
    const riderIds = new Set(riders.map(({ person }) => person.uid))
    const simulation: Simulation = {
      ...city,
      plan,
      ...catalog,
      spokenAgreements,
      riders: riderIds,
      isServed: ({ customer }) => riderIds.has(customer),
      getStartCode: (id) => Promise.resolve(spokenAgreements.get(id)?.code),
      drivers: new Map(),
      takeBooking: () => {
        if (isClosing()) return false
        begun += 1
        return true
      },
      isClosing,
      waitSimulated: createSimulatedWait({ plan, signal: end.signal, isClosing }),
      waitReal: (ms) => pause(ms, undefined, { signal: end.signal }),
    }
    if (plan.dispatch === 'both')
      await takeSeededDriversOffDuty(ports, new Set(drivers.map(({ person }) => person.uid)))
    onMessage('Everyone is signed in. The run begins.')
    const harm = { ports, people }
    await runActors(simulation, {
      drivers,
      riders,
      faultOptions: harm,
      endController: end,
      createRandom: draw,
    })
  } finally {
    clearInterval(ticking)
    end.abort()
    await Promise.allSettled(people.map((person) => person.close()))
  }
  onMessage('Verifying the data …')
  return { plan, startedAt: at, ...(await reportRun(observed, ports)) }
}

/**
 * The platform would also send offers to the seeded drivers, which the simulation does not control.
 */
export const takeSeededDriversOffDuty = async (
  ports: Ports,
  played: ReadonlySet<string>,
): Promise<void> => {
  const database = openLocalDatabase(`http://${HOST}:${ports.database}`)
  const driversOnDuty = ((await database.get('available_drivers')) ?? {}) as Record<string, unknown>
  for (const uid of Object.keys(driversOnDuty).filter((one) => !played.has(one))) {
    const shift = (await database.get(`users/${uid}/shift`)) as string | null
    await database.put(`users/${uid}/driverActiveStatus`, false)
    for (const path of Object.keys(
      buildUnavailabilityUpdates({ id: uid, ...(shift !== null && { shift }) }),
    ))
      await database.put(path, null)
  }
}

interface Actors {
  drivers: readonly (Actor & { carType: string })[]
  riders: readonly Actor[]
  faultOptions: Pick<FaultOptions, 'ports' | 'people'>
  endController: AbortController
  createRandom: (stream: number) => Random
}

/** Runs all actors until the last one has finished or closing takes too long. */
const runActors = async (
  simulation: Simulation,
  { drivers, riders, faultOptions, endController, createRandom }: Actors,
): Promise<void> => {
  const { recorder, plan } = simulation
  const home = new AbortController()
  const faults = plan.faults
    ? runActor(
        recorder,
        'The fault injection',
        injectFaults({
          ...faultOptions,
          plan,
          observed: recorder,
          random: createRandom(2),
          signal: home.signal,
        }),
      )
    : undefined
  const office = runActor(
    recorder,
    'The office',
    simulateOffice(simulation, createRandom(1), () => home.signal.aborted),
  )
  const allActors = Promise.all([
    ...riders.map((rider, n) =>
      runActor(
        recorder,
        `Rider ${n}`,
        simulateRider(simulation, { ...rider, random: createRandom(20_000 + n) }),
      ),
    ),
    ...drivers.map((driver, n) =>
      runActor(
        recorder,
        `Driver ${n}`,
        simulateDriver(simulation, { ...driver, random: createRandom(30_000 + n) }),
      ),
    ),
  ])
  await Promise.race([allActors, waitForClosing(simulation)])
  home.abort()
  endController.abort()
  await Promise.all([allActors, office, faults])
}

const waitForClosing = async (simulation: Simulation): Promise<void> => {
  try {
    while (!simulation.isClosing()) await simulation.waitReal(500)
    await simulation.waitReal(MAX_CLOSING_MS)
  } catch {
    // All participants had finished before.
  }
}
