import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { setLogLevel } from 'firebase/app'
import { violations, type DatabaseTree } from '~/domain/invariants'
import type { CancelReason, CarType, Promo, Settings } from '~/domain/entities'
import { ACCOUNTS } from '~/seed/accounts'
import { randomFrom, type Random } from '~/domain/testing/random'
import { localDatabase } from '../localDatabase'
import { HOST, type Ports } from '../ports'
import type { WebConfig } from '../suiteConfig'
import { lostIn } from './account'
import { each, meetClerk, meetDriver, meetRider, type Known } from './crowd'
import { driverLife } from './driver'
import { misfortunes, type Misfortune } from './faults'
import { observing, type CallFigures, type Observed, type Observing, type Second } from './observed'
import { officeLife, officeOf } from './office'
import { signIn, type City, type Person } from './person'
import type { Plan } from './plan'
import { riderLife } from './rider'
import { resting, type Town } from './town'

/** After closing time everybody finishes what he is about; so long at most, ms. */
const CLOSING_MS = 90_000
/** The platform lets one admin do four things a second. */
const RIDERS_OF_A_CLERK = 30

/** A running suite. */
export interface Target {
  webConfig: WebConfig
  ports: Ports
  /** Whose children run the functions, where not the emulator's own. */
  functionsParent?: number | undefined
}
interface Hooks {
  say?: (line: string) => void
  /** Told now and then while it runs. */
  progress?: (observed: Observed) => void
  /** Aborting closes the town: nobody books any more. */
  close?: AbortSignal
  /** Keeps what is seen, and knows what was seen before. */
  record?: Pick<Observing, 'keep' | 'earlier'>
}
export interface Report {
  plan: Plan
  /** When it began, ms since 1970. */
  at: number
  seconds: number
  bookings: Record<string, number>
  calls: CallFigures[]
  refusals: Record<string, number>
  mishaps: Record<string, number>
  timeline: Second[]
  /** What must not happen: answers that contradict each other, people who stumbled, acknowledged things that are gone. */
  surprises: string[]
  /** Of the data's invariants. */
  violations: string[]
}

const isAbort = (error: unknown) => error instanceof Error && error.name === 'AbortError'

/** A life may end by the run's end; anything else is told. */
const living = async (observed: Observed, who: string, life: Promise<unknown>): Promise<void> => {
  try {
    await life
  } catch (error) {
    if (isAbort(error)) return
    observed.wrong(`${who} stumbled: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** Drives a running suite as its riders, drivers and office would, then looks whether everything still agrees. */
export const simulate = async (
  plan: Plan,
  { webConfig, ports, functionsParent }: Target,
  { say = () => undefined, progress, close, record }: Hooks = {},
): Promise<Report> => {
  // The SDK would tell of every refused write; the figures do.
  setLogLevel('silent')
  const at = Date.now()
  const observed = observing(record)
  const earlier = record?.earlier?.length ?? 0
  const end = new AbortController()
  // Everybody listens for the end, and says so once for each thing he waits for.
  setMaxListeners(0, end.signal)
  const city: City = { webConfig, observed, signal: end.signal, isCalm: !plan.faults }
  const people: Person[] = []
  const met = <T extends { person: Person }>(known: T): T => {
    people.push(known.person)
    return known
  }
  const ticking = progress && setInterval(() => progress(observed), 1000)
  try {
    const { person: admin } = met({ person: await signIn(ACCOUNTS[0].mobile, city) })
    const staff: [Person, ...Person[]] = [admin]
    const settings = await admin.read<Settings>('settings')
    if (!settings) throw new Error('This Kerbside is empty: `npm start -- --fresh` fills it.')
    const list = async <T>(path: string): Promise<T[]> =>
      Object.values((await admin.read<Record<string, T>>(path)) ?? {})
    const allTypes = await list<CarType>('cartypes')
    const office = officeOf(city, staff)
    // Whoever goes on does not do again what he did before.
    const draw = (stream: number) => randomFrom(plan.seed * 100_003 + stream + earlier * 7919)

    for (let n = 1; n < Math.ceil(plan.riders / RIDERS_OF_A_CLERK); n++)
      staff.push(met({ person: await meetClerk(n, city, admin) }).person)
    say(`Meeting ${plan.drivers} drivers and ${plan.riders} riders …`)
    const drivers = await each(upTo(plan.drivers), async (n) => {
      const carType = allTypes[n % allTypes.length]
      if (!carType) throw new Error('There are no car types.')
      return met(await meetDriver(n, { city, office, carType }))
    })
    const riders = await each(upTo(plan.riders), async (n) =>
      met(await meetRider(n, { city, office, random: draw(10_000 + n) })),
    )
    const deadline = Date.now() + plan.minutes * 60_000
    let begun = observed.counted('bookings').begun ?? 0
    const isClosing = () =>
      Date.now() >= deadline || begun >= plan.bookings || close?.aborted === true
    const town: Town = {
      ...city,
      plan,
      settings,
      carTypes: allTypes.filter(({ id }) => drivers.some(({ carType }) => carType === id)),
      promos: await list<Promo>('promos'),
      reasons: await list<CancelReason>('cancel_reason'),
      spoken: new Map(),
      riders: new Set(riders.map(({ person }) => person.uid)),
      drivers: new Map(),
      begins: () => {
        if (isClosing()) return false
        begun += 1
        return true
      },
      isClosing,
      rest: resting({ plan, signal: end.signal, isClosing }),
      idle: (ms) => pause(ms, undefined, { signal: end.signal }),
      office,
    }
    if (plan.dispatch === 'both')
      await sendHome(ports, new Set(drivers.map(({ person }) => person.uid)))
    say('Everybody is up.')
    const harm = { ports, functionsParent, people }
    await live(town, { drivers, riders, harm, end, draw })
  } finally {
    clearInterval(ticking)
    end.abort()
    await Promise.allSettled(people.map((person) => person.close()))
  }
  say('Looking whether everything agrees …')
  const database = localDatabase(`http://${HOST}:${ports.database}`)
  const tree = ((await database.get('')) ?? {}) as DatabaseTree
  return {
    plan,
    at,
    seconds: observed.elapsed(),
    bookings: observed.counted('bookings'),
    calls: observed.figures(),
    refusals: observed.counted('refusals'),
    mishaps: observed.counted('mishaps'),
    timeline: observed.seconds(),
    surprises: [...observed.surprises(), ...lostIn(tree, observed.events(), observed.entries())],
    violations: violations(tree),
  }
}

/** The platform would ask the seeded drivers too, and nobody plays them. */
const sendHome = async (ports: Ports, played: ReadonlySet<string>): Promise<void> => {
  const database = localDatabase(`http://${HOST}:${ports.database}`)
  const listed = ((await database.get('available_drivers')) ?? {}) as Record<string, unknown>
  for (const uid of Object.keys(listed).filter((one) => !played.has(one))) {
    await database.put(`users/${uid}/driverActiveStatus`, false)
    await database.put(`available_drivers/${uid}`, null)
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

interface Crowd {
  drivers: readonly (Known & { carType: string })[]
  riders: readonly Known[]
  harm: Pick<Misfortune, 'ports' | 'functionsParent' | 'people'>
  end: AbortController
  draw: (stream: number) => Random
}

/** Everybody's day, until the last one is home or closing time has lasted too long. */
const live = async (town: Town, { drivers, riders, harm, end, draw }: Crowd): Promise<void> => {
  const { observed, plan } = town
  const home = new AbortController()
  const faults = plan.faults
    ? living(
        observed,
        'Misfortune',
        misfortunes({ ...harm, plan, observed, random: draw(2), signal: home.signal }),
      )
    : undefined
  const office = living(
    observed,
    'The office',
    officeLife(town, draw(1), () => home.signal.aborted),
  )
  const everybody = Promise.all([
    ...riders.map((rider, n) =>
      living(observed, `Rider ${n}`, riderLife(town, { ...rider, random: draw(20_000 + n) })),
    ),
    ...drivers.map((driver, n) =>
      living(observed, `Driver ${n}`, driverLife(town, { ...driver, random: draw(30_000 + n) })),
    ),
  ])
  await Promise.race([everybody, closingTime(town)])
  home.abort()
  end.abort()
  await Promise.all([everybody, office, faults])
}

const closingTime = async (town: Town): Promise<void> => {
  try {
    while (!town.isClosing()) await town.idle(500)
    await town.idle(CLOSING_MS)
  } catch {
    // Everybody was home before.
  }
}
