import { equalTo, limitToLast, orderByChild } from 'firebase/database'
import type { Booking } from '~/domain/entities'
import { distanceKm } from '~/domain/geo'
import type { Random } from '~/domain/testing/random'
import { advance } from './deeds'
import type { City, Person } from './person'
import type { Office, Town } from './town'

/** At once: the suite gives each call at the same time a process of its own. */
const HANDS = 4
/** Between two looks at the list, ms. */
const LOOK_MS = 200
/** A driver who does not answer for so many seconds of life is not waited for. */
const ANSWER_SECONDS = 120
const LEAST_ANSWER_MS = 20_000
const SWEEP_MS = 20_000

/** The back office: everybody in `staff`, who may still be joined by more. */
export const officeOf = ({ observed }: City, staff: readonly [Person, ...Person[]]): Office => {
  let turn = 0
  const next = (): Person => staff[turn++ % staff.length] ?? staff[0]
  return {
    get person() {
      return next()
    },
    async credit(uid, amount) {
      const person = next()
      const credit_id = person.newKey('users')
      const done = await person.insist('add_to_wallet', { credit_id, uid, amount })
      if (done.ok) observed.entered({ uid, key: `${credit_id}-admin`, amount })
    },
    async payOut(withdraw_id) {
      await next().insist('complete_withdraw', { withdraw_id })
    },
  }
}

interface Asked {
  driver: string
  at: number
}

/** The platform's own search for drivers, so that one who does not answer costs little of our time. */
const BY_PLATFORM = { autoDispatch: true, dispatchMode: 'one_by_one', dispatchSeconds: 10 } as const
/** Bookings between two turns of office and platform. */
const TURN = 60

/** Lets office and platform take turns at asking drivers; in the end it is as it was. */
const takeTurns = ({ observed, plan, settings, office }: Town) => {
  const { person } = office
  const before = {
    autoDispatch: settings.autoDispatch,
    dispatchMode: settings.dispatchMode ?? null,
    dispatchSeconds: settings.dispatchSeconds ?? null,
  }
  let byPlatform = settings.autoDispatch
  const set = async (wanted: boolean) => {
    if (plan.dispatch === 'office' || wanted === byPlatform) return byPlatform
    const chosen = wanted ? BY_PLATFORM : { ...before, autoDispatch: false }
    const updates = Object.entries(chosen).map(([name, value]) => [`settings/${name}`, value])
    if (await person.write('settings', Object.fromEntries(updates))) byPlatform = wanted
    return byPlatform
  }
  return {
    now: () => set(Math.floor((observed.counted('bookings').begun ?? 0) / TURN) % 2 === 1),
    end: () => set(before.autoDispatch),
  }
}

/** Gives new bookings of simulated riders to simulated drivers, unless the platform does it itself; sweeps. */
export const officeLife = async (town: Town, random: Random, isOver: () => boolean) => {
  const { person } = town.office
  const turns = takeTurns(town)
  let waiting: Record<string, Booking> = {}
  const asked = new Map<string, Asked>()
  const free = new Map<string, string>()
  const stopHearing = [
    person.hear<Record<string, Booking>>(
      'bookings',
      (bookings) => (waiting = bookings ?? {}),
      orderByChild('status'),
      equalTo('NEW'),
      limitToLast(1000),
    ),
    person.hear<Record<string, { carType: string }>>(
      'available_drivers',
      (drivers) => {
        free.clear()
        for (const [uid, { carType }] of Object.entries(drivers ?? {})) free.set(uid, carType)
      },
      limitToLast(1000),
    ),
  ]
  let swept = Date.now()
  try {
    while (!isOver()) {
      if (!(await turns.now())) await assignAll({ town, random, waiting, asked, free })
      if (Date.now() - swept > SWEEP_MS) {
        swept = Date.now()
        await person.insist('run_sweep')
      }
      await town.idle(LOOK_MS)
    }
    await turns.end()
  } finally {
    for (const stop of stopHearing) stop()
  }
}

interface Desk {
  town: Town
  random: Random
  waiting: Record<string, Booking>
  asked: Map<string, Asked>
  free: Map<string, string>
}

const nearest = ({ town, free, asked }: Desk, booking: Booking): string | undefined => {
  const taken = new Set([...asked.values()].map(({ driver }) => driver))
  return [...town.drivers]
    .filter(
      ([uid, { carType }]) => carType === booking.carTypeId && free.has(uid) && !taken.has(uid),
    )
    .filter(([uid]) => booking.requestedDrivers?.[uid] !== true)
    .map(([uid, { place }]) => ({ uid, away: distanceKm(place, booking.pickup) }))
    .sort((a, b) => a.away - b.away)[0]?.uid
}

const assignAll = async (desk: Desk): Promise<void> => {
  const { town, random, waiting, asked } = desk
  const patience = Math.max(LEAST_ANSWER_MS, (ANSWER_SECONDS * 1000) / town.plan.pace)
  const now = Date.now()
  for (const [id, { at }] of asked) if (!waiting[id] || now - at > patience) asked.delete(id)
  const chosen: [string, string][] = []
  for (const [id, booking] of Object.entries(waiting)) {
    if (!town.riders.has(booking.customer) || asked.has(id)) continue
    const driver = nearest(desk, booking)
    if (driver === undefined) continue
    asked.set(id, { driver, at: now })
    chosen.push([id, driver])
    if (chosen.length === HANDS) break
  }
  await Promise.all(
    chosen.map(async ([booking_id, driver]) => {
      const clerk = town.office.person
      const twiceBy = random.chance(0.05) ? clerk : undefined
      const input = { booking_id, event: 'assign', driver } as const
      const done = await advance(town, clerk, input, { twiceBy })
      if (!done.ok) asked.delete(booking_id)
    }),
  )
}
