import { equalTo, limitToLast, orderByChild } from 'firebase/database'
import { getDistanceKm } from '~/domain/geo/geo'
import type { Random } from '~/domain/data/seededRandom'
import { advanceBooking } from './actions'
import type { SimulationEnvironment, SimulatedUser } from './simulatedUser'
import type { Office, Simulation } from './simulation'
import type { Booking } from '~/domain/booking/types'

/** Maximum number of concurrent calls, as an office with four people would make. */
const CONCURRENCY = 4
/** Milliseconds between two checks of the list. */
const POLL_INTERVAL_MS = 200
/** Simulated seconds after which the back office no longer waits for a driver's response. */
const OFFER_TIMEOUT_SECONDS = 120
const MIN_OFFER_TIMEOUT_MS = 20_000
const MAINTENANCE_INTERVAL_MS = 20_000

/** Creates the back office from the admins in `staff`, which may still grow. */
export const createOffice = (
  { recorder }: SimulationEnvironment,
  staff: readonly [SimulatedUser, ...SimulatedUser[]],
): Office => {
  let turn = 0
  const next = (): SimulatedUser => staff[turn++ % staff.length] ?? staff[0]
  return {
    get person() {
      return next()
    },
    async creditWallet(uid, amount) {
      const person = next()
      const credit_id = person.createKey('users')
      const credit = await person.callWithRetry('add_to_wallet', { credit_id, uid, amount })
      if (credit.ok) recorder.entered({ uid, key: `${credit_id}-admin`, amount })
    },
    async payWithdrawal(withdraw_id) {
      await next().callWithRetry('complete_withdraw', { withdraw_id })
    },
  }
}

interface PendingOffer {
  driver: string
  at: number
}

/**
 * Settings of the platform's automatic driver search; the short timeout saves real time when a
 * driver does not respond.
 */
const AUTO_DISPATCH_SETTINGS = {
  autoDispatch: true,
  dispatchMode: 'nearest',
  dispatchSeconds: 10,
} as const
/** Number of bookings before the back office and the platform take turns. */
const BOOKINGS_PER_TURN = 60

/**
 * Alternates between the back office and the platform for sending offers, and restores the settings
 * at the end.
 */
const alternateDispatch = ({ recorder, plan, settings, office }: Simulation) => {
  const { person } = office
  const before = {
    autoDispatch: settings.autoDispatch,
    dispatchMode: settings.dispatchMode ?? null,
    dispatchSeconds: settings.dispatchSeconds ?? null,
  }
  let byPlatform = settings.autoDispatch
  const set = async (isAutomatic: boolean) => {
    if (plan.dispatch === 'office' || isAutomatic === byPlatform) return byPlatform
    const changedSettings = isAutomatic
      ? AUTO_DISPATCH_SETTINGS
      : { ...before, autoDispatch: false }
    const updates = Object.entries(changedSettings).map(([name, value]): [string, unknown] => [
      `settings/${name}`,
      value,
    ])
    if (await person.write('settings', Object.fromEntries(updates))) byPlatform = isAutomatic
    return byPlatform
  }
  return {
    now: () =>
      set(Math.floor((recorder.counted('bookings').begun ?? 0) / BOOKINGS_PER_TURN) % 2 === 1),
    end: () => set(before.autoDispatch),
  }
}

/**
 * Assigns new bookings to simulated drivers, unless the platform does so itself, and runs
 * maintenance.
 */
export const simulateOffice = async (
  simulation: Simulation,
  random: Random,
  isOver: () => boolean,
) => {
  const { person } = simulation.office
  const turns = alternateDispatch(simulation)
  let waiting: Record<string, Booking> = {}
  const pendingOffers = new Map<string, PendingOffer>()
  const free = new Map<string, string>()
  const stopHearing = [
    person.subscribe<Record<string, Booking>>(
      'bookings',
      (bookings) => (waiting = bookings ?? {}),
      orderByChild('status'),
      equalTo('NEW'),
      limitToLast(1000),
    ),
    person.subscribe<Record<string, { carType: string }>>(
      'available_drivers',
      (drivers) => {
        free.clear()
        for (const [uid, { carType }] of Object.entries(drivers ?? {})) free.set(uid, carType)
      },
      limitToLast(1000),
    ),
  ]
  let lastMaintenanceAt = Date.now()
  try {
    while (!isOver()) {
      if (!(await turns.now()))
        await assignWaitingBookings({
          simulation,
          random,
          waitingBookings: waiting,
          offers: pendingOffers,
          freeDrivers: free,
        })
      if (Date.now() - lastMaintenanceAt > MAINTENANCE_INTERVAL_MS) {
        lastMaintenanceAt = Date.now()
        await person.callWithRetry('run_sweep')
      }
      await simulation.waitReal(POLL_INTERVAL_MS)
    }
    await turns.end()
  } finally {
    for (const stop of stopHearing) stop()
  }
}

interface DispatchState {
  simulation: Simulation
  random: Random
  waitingBookings: Record<string, Booking>
  offers: Map<string, PendingOffer>
  freeDrivers: Map<string, string>
}

const findNearestDriver = (
  { simulation, freeDrivers, offers }: DispatchState,
  booking: Booking,
): string | undefined => {
  const takenDrivers = new Set([...offers.values()].map(({ driver }) => driver))
  return [...simulation.drivers]
    .filter(
      ([uid, { carType }]) =>
        carType === booking.carTypeId && freeDrivers.has(uid) && !takenDrivers.has(uid),
    )
    .filter(([uid]) => booking.requestedDrivers?.[uid] !== true)
    .map(([uid, { place }]) => ({ uid, away: getDistanceKm(place, booking.pickup) }))
    .sort((a, b) => a.away - b.away)[0]?.uid
}

const assignWaitingBookings = async (state: DispatchState): Promise<void> => {
  const { simulation, random, waitingBookings, offers } = state
  const patience = Math.max(
    MIN_OFFER_TIMEOUT_MS,
    (OFFER_TIMEOUT_SECONDS * 1000) / simulation.plan.pace,
  )
  const now = Date.now()
  for (const [id, { at }] of offers)
    if (!waitingBookings[id] || now - at > patience) offers.delete(id)
  const assignments: [string, string][] = []
  for (const [id, booking] of Object.entries(waitingBookings)) {
    if (!simulation.isServed(booking) || offers.has(id)) continue
    const driver = findNearestDriver(state, booking)
    if (driver === undefined) continue
    offers.set(id, { driver, at: now })
    assignments.push([id, driver])
    if (assignments.length === CONCURRENCY) break
  }
  await Promise.all(
    assignments.map(async ([booking_id, driver]) => {
      const admin = simulation.office.person
      const repeatedBy = random.chance(0.05) ? admin : undefined
      const input = { booking_id, event: 'assign', driver } as const
      const outcome = await advanceBooking(simulation, admin, input, { repeatedBy })
      if (!outcome.ok) offers.delete(booking_id)
    }),
  )
}
