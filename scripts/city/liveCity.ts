import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { setLogLevel } from 'firebase/app'
import { dbPaths } from '~/domain/data/databasePaths'
import { createSeededRandom, type Random } from '~/domain/data/seededRandom'
import type { Suite } from '../local/suite'
import { populateCity } from './population'
import { createActivityCounter } from './activityRecorder'
import { simulateDriver } from './simulatedDriver'
import { simulateOffice } from './simulatedOffice'
import { simulateRider } from './simulatedRider'
import type { SimulatedUser, SimulationEnvironment } from './simulatedUser'
import { createSimulatedWait, type Simulation } from './simulation'
import type { SimulationPlan } from './simulationPlan'
import type { Booking } from '~/domain/booking/types'
import type { Milliseconds } from '~/domain/language/units'

/** A city that a laptop runs beside the browser, and in which a trip ends within minutes. */
const LIVE_PLAN: SimulationPlan = {
  riders: 6,
  drivers: 12,
  minutes: Infinity,
  bookings: Infinity,
  seed: 1,
  pace: 3,
  faults: false,
  faultyDatabase: false,
  // A declined booking without another driver is canceled, which would puzzle someone who tries the
  // product.
  declines: false,
  dispatch: 'office',
}
/** Milliseconds before a simulated person who failed starts again. */
const RESTART_MS = 60_000
/** Maximum milliseconds at the end in which people finish their trips and go off duty. */
const MAX_CLOSING_MS = 5000

interface LiveCityOptions {
  plan?: Partial<SimulationPlan>
  onMessage?: (line: string) => void
  /**
   * Milliseconds in which a dispatcher who tries the product can assign a booking themselves; 6000
   * by default.
   */
  officeDelayMs?: Milliseconds
}

/** A running live city. */
export interface LiveCity {
  /** Drivers finish quickly and go off duty, then all connections close. */
  stop(): Promise<void>
}

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError'

interface PeopleOptions {
  createRandom: (stream: number) => Random
  onMessage: (line: string) => void
}

/** Runs everyone until the city closes. A person who fails starts again after a minute. */
const runPeople = (
  simulation: Simulation,
  { riders, drivers }: Pick<Awaited<ReturnType<typeof populateCity>>, 'riders' | 'drivers'>,
  { createRandom, onMessage }: PeopleOptions,
): Promise<unknown> => {
  const { isClosing, signal } = simulation
  const keepRunning = async (who: string, run: () => Promise<void>): Promise<void> => {
    while (!isClosing()) {
      try {
        await run()
        if (!isClosing()) return
      } catch (error) {
        if (isAbort(error) || signal.aborted) return
        onMessage(`${who} failed and starts again in a minute: ${String(error)}`)
        await pause(RESTART_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }
  return Promise.all([
    keepRunning('The dispatcher', () => simulateOffice(simulation, createRandom(1), isClosing)),
    ...riders.map((rider, n) =>
      keepRunning(`Rider ${n}`, () =>
        simulateRider(simulation, { ...rider, random: createRandom(20_000 + n) }),
      ),
    ),
    ...drivers.map((driver, n) =>
      keepRunning(`Driver ${n}`, () =>
        simulateDriver(simulation, { ...driver, random: createRandom(30_000 + n) }),
      ),
    ),
  ])
}

/**
 * Fills a running local Kerbside with simulated drivers, riders and a dispatcher, who use it
 * through the public interfaces. They also serve the bookings of others, such as a newcomer who
 * books on the home page. The accounts in the README stay as they are.
 */
export const startLiveCity = async (
  { webConfig }: Pick<Suite, 'webConfig'>,
  { plan: changes = {}, onMessage = () => undefined, officeDelayMs = 6000 }: LiveCityOptions = {},
): Promise<LiveCity> => {
  setLogLevel('silent')
  const plan = { ...LIVE_PLAN, ...changes }
  const startedAt = Date.now()
  const end = new AbortController()
  // Every user adds a listener for the end of the run for each thing they wait for.
  setMaxListeners(0, end.signal)
  const { signal } = end
  let closing = false
  const isClosing = () => closing
  const recorder = createActivityCounter(onMessage)
  const city: SimulationEnvironment = { webConfig, recorder, signal, isFaultFree: false }
  const people: SimulatedUser[] = []
  const leave = async () => {
    end.abort()
    await Promise.allSettled(people.map((person) => person.close()))
  }
  const createRandom = (stream: number) => createSeededRandom(startedAt + stream)
  const population = await populateCity(city, {
    ...plan,
    admins: 1,
    isDemoAdminWorking: false,
    createRandom,
    onPerson: (person) => people.push(person),
    onMessage,
  }).catch(async (error: unknown) => {
    await leave()
    throw error
  })
  const { drivers, riders, ...catalog } = population
  // Visitors decline and wonder why the booking ends, unless it stays in the queue.
  await catalog.office.person.write('settings', { 'settings/requeueDeclined': true })
  const riderIds = new Set(riders.map(({ person }) => person.uid))
  const driverIds = new Set(drivers.map(({ person }) => person.uid))
  const spokenAgreements: Simulation['spokenAgreements'] = new Map()
  const simulation: Simulation = {
    ...city,
    ...catalog,
    plan,
    spokenAgreements,
    riders: riderIds,
    drivers: new Map(),
    isServed: ({ customer, bookingDate, requestedDrivers = {} }: Booking) =>
      riderIds.has(customer) ||
      (bookingDate >= startedAt &&
        Date.now() - bookingDate > officeDelayMs &&
        Object.keys(requestedDrivers).every((uid) => driverIds.has(uid))),
    // A rider who is not simulated cannot speak, so the driver phones the office for the code.
    getStartCode: async (id) =>
      spokenAgreements.get(id)?.code ??
      (await catalog.office.person.read<number>(dbPaths.bookingOtp(id))) ??
      undefined,
    takeBooking: () => !closing,
    isClosing,
    waitSimulated: createSimulatedWait({ plan, signal, isClosing }),
    waitReal: (ms) => pause(ms, undefined, { signal }),
  }
  const allPeople = runPeople(simulation, population, { createRandom, onMessage })
  onMessage(`The city is live: ${drivers.length} drivers are on the streets.`)
  return {
    async stop() {
      closing = true
      await Promise.race([allPeople, pause(MAX_CLOSING_MS)])
      // A write to a database that has ended never settles, so nothing waits for it.
      await Promise.race([leave(), pause(MAX_CLOSING_MS)])
    },
  }
}
