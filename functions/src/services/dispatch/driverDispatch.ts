import {
  type DispatchCandidate,
  findNearestDrivers,
  getExcludedDrivers,
  isAnswerAwaited,
  MAX_OFFERED_DRIVERS,
  MAX_OPEN_REQUESTS,
  orderByPickupTime,
  selectDriversToOffer,
  type NearbyDriver,
} from '~/domain/dispatch/dispatch'
import { dbPaths } from '~/domain/data/databasePaths'
import { getDueTime, isSearchDue } from '~/domain/booking/deadlines'
import { sortByWait } from '~/domain/dispatch/waitingBookings'
import { planNearest } from '~/domain/dispatch/matching/planRound'
import {
  addPickupTimes,
  countPassedDrivers,
  type DispatchPorts,
  type DispatchRun,
  findCandidates,
  readPromoFilter,
  releaseExpiredRequests,
  toDecisionRecord,
  tryEvent,
} from './dispatchCandidates'
import { writeDueTime } from './dueTime'
import { logError } from '../../logs'
import { offerMatched, offerMatchedToFreed } from './matchedDispatch'
import { iteratePages, type DatabasePort } from '../../ports/database'
import { listRequests } from '../bookings/eventContext/offers'
import { findNearbyDrivers } from '../bookings/nearbyDrivers'
import type { EventInputFor } from '~/domain/booking/eventInput'
import { isRefusedByAll } from '~/domain/booking/offers/waitingBooking'
import type { Ports } from '../../ports/ports'
import type { AvailableDriver } from '~/domain/dispatch/types'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/**
 * Maximum number of searches for one booking's driver. Each one follows a search whose drivers were
 * all taken by other bookings.
 */
const MAX_SEARCHES = 50

/**
 * Offers a booking to the next drivers in turn. Returns false when there are no drivers to offer it
 * to, or when it only has to wait.
 */
export const offerToNextDrivers = async (
  ports: DispatchPorts,
  booking: Booking,
  run: DispatchRun,
): Promise<boolean> => {
  const { settings, now } = run
  if (settings.dispatchMode === 'broadcast') return broadcast(ports, booking, settings)
  if (settings.dispatchMode === 'matched') return offerMatched(ports, booking, run)
  let present = booking
  for (let search = 1; search <= MAX_SEARCHES; search++) {
    if (isAnswerAwaited(present, settings, now)) return false
    const { free, late, askedUids } = await findCandidates(ports.db, present, run)
    const offer = (drivers: readonly NearbyDriver[]) =>
      offerToFirst(ports, present, { drivers, asked: askedUids }, run)
    const first = await offer(free)
    // Without a free driver, considers those who did not answer another booking in time.
    const result = first === 'none' ? await offer(late) : first
    if (result !== 'lost') return result === 'offered'
    const changed = await ports.db.read<Booking>(dbPaths.booking(booking.id))
    if (changed?.status !== 'NEW') return false
    present = { ...changed, id: booking.id }
  }
  return false
}

const broadcast = async (
  { db, change, maps }: DispatchPorts,
  booking: Booking,
  settings: Settings,
): Promise<boolean> => {
  const { pickup, carTypeId } = booking
  const enough = countPassedDrivers(booking) + MAX_OFFERED_DRIVERS
  const near = await findNearbyDrivers(db, { from: pickup, carType: carTypeId, enough }, settings)
  const reached = await takeStrangers(db, booking, await withRoom(db, booking, near), enough)
  const timed = orderByPickupTime(await addPickupTimes(maps, pickup, reached), settings)
  const drivers = selectDriversToOffer(booking, timed, settings)
  if (drivers.length === 0) return false
  return tryEvent(change, booking.id, { event: 'dispatch', drivers, etas: toEtas(timed) })
}

/**
 * Returns the nearest drivers whom a promo of the booking does not exclude, at most `enough`. Reads
 * more drivers only while it excludes some.
 */
const takeStrangers = async <D extends { uid: string }>(
  db: DatabasePort,
  booking: Booking,
  drivers: readonly D[],
  enough: number,
): Promise<D[]> => {
  const filterByPromo = await readPromoFilter(db, booking)
  const strangers: D[] = []
  for (let from = 0; strangers.length < enough && from < drivers.length;) {
    const to = from + enough - strangers.length
    strangers.push(...(await filterByPromo(drivers.slice(from, to))))
    from = to
  }
  return strangers
}

const toEtas = (timed: readonly DispatchCandidate[]): Record<string, number> =>
  Object.fromEntries(timed.map(({ uid, eta_s }) => [uid, eta_s]))

/**
 * Offers a booking to the first of the candidates who is still free. Another booking may take a
 * driver at the same moment, and the rules then refuse the second request. Returns 'lost' when that
 * or another change left the booking without a driver, and 'none' without any driver to ask.
 */
const offerToFirst = async (
  ports: DispatchPorts,
  booking: Booking,
  candidates: { drivers: readonly NearbyDriver[]; asked: readonly string[] },
  { settings, now }: DispatchRun,
): Promise<'offered' | 'lost' | 'none'> => {
  const { db, change, maps } = ports
  const { id, pickup, revision } = booking
  const nearest = candidates.drivers.slice(0, MAX_OFFERED_DRIVERS)
  let left = await addPickupTimes(maps, pickup, nearest)
  for (let result: 'lost' | 'none' = 'none'; ; result = 'lost') {
    const planned = planNearest(booking, left, settings, now)
    if (!planned) return result
    const { input, offer } = planned
    const { driver, eta_s, cost, rank } = offer
    await releaseExpiredRequests(ports, driver, id, now)
    const event: EventInputFor<'dispatch'> = {
      event: 'dispatch',
      drivers: [driver],
      etas: { [driver]: eta_s },
      decision: { cost, rank, record: toDecisionRecord(input, candidates.asked) },
      revision,
    }
    if (await tryEvent(change, id, event)) return 'offered'
    left = left.filter(({ uid }) => uid !== driver)
    if ((await db.read<number>(`${dbPaths.booking(id)}/revision`)) !== revision) return 'lost'
  }
}

/** Leaves out drivers at the limit of open requests, who would delay a booking's next driver. */
const withRoom = async <D extends { uid: string }>(
  db: DatabasePort,
  { requestedDrivers = {} }: Booking,
  drivers: readonly D[],
): Promise<D[]> => {
  const full = await Promise.all(
    drivers.map(async ({ uid }) => {
      if (requestedDrivers[uid]) return false
      const tasks = await db.list(dbPaths.tasks(uid), { by: '$key', first: MAX_OPEN_REQUESTS })
      return tasks.length >= MAX_OPEN_REQUESTS
    }),
  )
  return drivers.filter((_, i) => !full[i])
}

/** Maximum number of waiting bookings searched for a driver who has become free. */
const MAX_WAITING_BOOKINGS = 200

/**
 * Offers bookings without an open offer to drivers who have just become free. Never rejects,
 * because the change before it is done and the scheduled job tries again.
 */
export const offerToWaitingBookings = async (
  ports: DispatchPorts,
  freed: readonly string[],
  now: number,
): Promise<void> => {
  const { db } = ports
  try {
    if (freed.length === 0) return
    const settings = await db.read<Settings>(dbPaths.settings)
    if (!settings?.autoDispatch || settings.dispatchMode === 'broadcast') return
    const availableDrivers = await Promise.all(
      freed.map((uid) => db.read<AvailableDriver>(dbPaths.availableDriver(uid))),
    )
    let free = Object.fromEntries(
      freed.flatMap((uid, i) => (availableDrivers[i] ? [[uid, availableDrivers[i]] as const] : [])),
    )
    if (Object.keys(free).length === 0) return
    const listedBookings = await db.list<Booking>('bookings', {
      by: 'status',
      equalTo: 'NEW',
      first: MAX_WAITING_BOOKINGS,
    })
    const waiting = sortByWait(listedBookings.map(([id, booking]) => ({ ...booking, id })))
    const isInReach = (booking: Booking): boolean => {
      if (booking.requestedDrivers || !isSearchDue(booking, settings, now)) return false
      const { pickup: from, carTypeId: carType } = booking
      const excluded = getExcludedDrivers(booking)
      const inReach = findNearestDrivers(free, { from, carType }, settings)
      return inReach.some(({ uid }) => !excluded.has(uid))
    }
    if (settings.dispatchMode === 'matched') {
      await offerMatchedToFreed(ports, waiting.filter(isInReach), { settings, now })
      return
    }
    for (const booking of waiting) {
      if (!isInReach(booking)) continue
      await offerToNextDrivers(ports, booking, { settings, now })
      const states = await Promise.all(
        Object.keys(free).map((uid) => listRequests(db, uid).then((ids) => [uid, ids] as const)),
      )
      free = Object.fromEntries(
        states.flatMap(([uid, ids]) => {
          const driver = free[uid]
          return driver && ids.length === 0 ? [[uid, driver] as const] : []
        }),
      )
      if (Object.keys(free).length === 0) return
    }
  } catch (error) {
    logError('dispatch', error)
  }
}

/** Number of requests withdrawn concurrently. */
const WITHDRAWN_AT_ONCE = 20

/**
 * Withdraws the open requests of a driver who went off duty. Safe to repeat: it skips requests that
 * are gone, and a driver who is on duty again keeps theirs. Safe against new requests, because the
 * rules refuse a request to a driver who is off duty.
 */
export const withdrawRequests = async (
  { db, bookings }: Pick<Ports, 'db' | 'bookings'>,
  driver: string,
): Promise<void> => {
  const isOnDuty = await db.read<boolean>(`${dbPaths.user(driver)}/driverActiveStatus`)
  if (isOnDuty === true) return
  for await (const page of iteratePages<true>(
    db,
    dbPaths.tasks(driver),
    { by: '$key' },
    WITHDRAWN_AT_ONCE,
  ))
    await Promise.all(
      page.map(([id]) => tryEvent(bookings.applyEvent, id, { event: 'withdraw', driver })),
    )
}

/**
 * Looks for drivers at once when a booking becomes ready for dispatch or a driver declines, without
 * waiting for the scheduled job. Never rejects, because the change before it is done and the
 * scheduled job tries again.
 */
export const dispatchImmediately = async (
  ports: DispatchPorts,
  id: string,
  now: number,
): Promise<void> => {
  try {
    const [booking, settings] = await Promise.all([
      ports.db.read<Booking>(dbPaths.booking(id)),
      ports.db.read<Settings>(dbPaths.settings),
    ])
    if (!booking || !settings || !isSearchDue(booking, settings, now)) return
    if (!(await offerToNextDrivers(ports, { ...booking, id }, { settings, now })))
      await leaveToOffice(ports.db, id, settings, now)
  } catch (error) {
    logError('dispatch', error)
  }
}

/** Records that a search for a booking that all asked drivers refused has found no other driver. */
const leaveToOffice = async (db: DatabasePort, id: string, settings: Settings, now: number) => {
  const storedBooking = await db.read<Booking>(dbPaths.booking(id))
  if (!storedBooking || !isRefusedByAll(storedBooking)) return
  const booking = { ...storedBooking, id }
  await writeDueTime(db, booking, getDueTime(booking, settings, now, 'run'))
}
