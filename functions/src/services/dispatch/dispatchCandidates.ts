import { type Actor, SYSTEM_ACTOR } from '~/domain/booking/eventTypes'
import {
  type DispatchCandidate,
  estimatePickupSeconds,
  getExcludedDrivers,
  isRequestExpired,
  MAX_OFFERED_DRIVERS,
  type NearbyDriver,
} from '~/domain/dispatch/dispatch'
import { dbPaths } from '~/domain/data/databasePaths'
import type { GroupInput } from '~/domain/dispatch/matching/decideGroup'
import { isPromoRefused } from '~/domain/accounts/ties'
import { logError } from '../../logs'
import { readUser, type DatabasePort } from '../../ports/database'
import { listRequests } from '../bookings/eventContext/offers'
import type { LazyMaps } from '../../ports/lazyMaps'
import { findReachableDrivers } from '../bookings/nearbyDrivers'
import { DomainException } from '../../domainException'
import { readSettings } from '../office/settings'
import type { EventInput, EventInputFor } from '~/domain/booking/eventInput'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

/** Applies one event to one booking, like `applyEvent` of the booking service. */
type ChangeBooking = (id: string, input: EventInput, actor: Actor) => Promise<unknown>

export interface DispatchPorts {
  db: DatabasePort
  change: ChangeBooking
  maps: LazyMaps
}

/** The settings and the time (ms) of one dispatch. */
export interface DispatchRun {
  settings: Settings
  now: number
}

/** Returns false when the event was refused because another call changed the booking first. */
export const tryEvent = async (
  change: ChangeBooking,
  id: string,
  input: { event: 'expire' } | EventInputFor<'dispatch' | 'withdraw'>,
): Promise<boolean> => {
  try {
    await change(id, input, SYSTEM_ACTOR)
    return true
  } catch (error) {
    if (error instanceof DomainException) return false
    throw error
  }
}

/**
 * Counts the drivers that the search skips: those who have an offer of the booking or have already
 * responded.
 */
export const countPassedDrivers = ({
  requestedDrivers,
  askedDrivers,
  event_log,
}: Booking): number =>
  [requestedDrivers, askedDrivers, event_log].reduce(
    (count, those) => count + Object.keys(those ?? {}).length,
    0,
  )

/**
 * Returns the function that leaves out drivers whom `accept` refuses, because a promo pays for the
 * booking of a person whom they know. It reads people only for a booking with a promo.
 */
export const readPromoFilter = async (db: DatabasePort, { customer, paymentPacket }: Booking) => {
  const payer = paymentPacket?.promo_applied ? await readUser<User>(db, customer) : null
  const { signupViaReferral } = payer ?? {}
  const referrer = signupViaReferral ? await readUser<User>(db, signupViaReferral) : null
  return async <D extends { uid: string }>(drivers: readonly D[]): Promise<D[]> => {
    if (!payer) return [...drivers]
    const users = await Promise.all(drivers.map(({ uid }) => readUser<User>(db, uid)))
    return drivers.filter((_, i) => !isPromoRefused(payer, users[i] ?? null, referrer))
  }
}

interface Candidates {
  /** Drivers without a request from another booking. */
  free: NearbyDriver[]
  /** Drivers whose only other request has expired. */
  late: NearbyDriver[]
  /** The ids of drivers who have time to answer another booking. */
  askedUids: string[]
}

/**
 * Returns the drivers nearest to the pickup who can get an offer now: first those without an
 * earlier offer, then those whose offer was longest ago. Widens the search until one is free.
 */
export const findCandidates = async (
  db: DatabasePort,
  booking: Booking,
  run: DispatchRun,
): Promise<Candidates> => {
  const excluded = getExcludedDrivers(booking)
  const askedTimes = booking.askedDrivers ?? {}
  const candidates: Candidates = { free: [], late: [], askedUids: [] }
  const seenUids = new Set<string>()
  const filterByPromo = await readPromoFilter(db, booking)
  let enough = countPassedDrivers(booking) + MAX_OFFERED_DRIVERS
  for (;;) {
    const search = { from: booking.pickup, carType: booking.carTypeId, enough }
    const near = await findReachableDrivers(db, search, run)
    const news = near.filter(({ uid }) => !excluded.has(uid) && !seenUids.has(uid))
    for (const { uid } of news) seenUids.add(uid)
    const ordered = news.sort((a, b) => (askedTimes[a.uid] ?? 0) - (askedTimes[b.uid] ?? 0))
    for (let i = 0; i < ordered.length; i += MAX_OFFERED_DRIVERS) {
      const part = await filterByPromo(ordered.slice(i, i + MAX_OFFERED_DRIVERS))
      const states = await Promise.all(
        part.map(({ uid }) => readRequestState(db, uid, booking.id, run)),
      )
      candidates.free.push(...part.filter((_, j) => states[j] === 'free'))
      candidates.late.push(...part.filter((_, j) => states[j] === 'late'))
      candidates.askedUids.push(
        ...part.flatMap(({ uid }, j) => (states[j] === 'asked' ? [uid] : [])),
      )
      if (candidates.free.length >= MAX_OFFERED_DRIVERS) break
    }
    const isWhole = near.length < enough
    if (isWhole || candidates.free.some(({ uid }) => !booking.requestedDrivers?.[uid]))
      return candidates
    enough *= 4
  }
}

/** Returns the state of a driver's requests from other bookings. */
const readRequestState = async (
  db: DatabasePort,
  driver: string,
  booking: string,
  { settings, now }: DispatchRun,
): Promise<'free' | 'late' | 'asked'> => {
  const others = (await listRequests(db, driver)).filter((id) => id !== booking)
  if (others.length === 0) return 'free'
  const bookings = await Promise.all(others.map((id) => db.read<Booking>(dbPaths.booking(id))))
  const isLate = bookings.every((one) => one && isRequestExpired(one, driver, settings, now))
  return isLate ? 'late' : 'asked'
}

/**
 * Withdraws the requests of other bookings that a driver has not answered in time, so that this
 * booking can ask them.
 */
export const releaseExpiredRequests = async (
  { db, change }: Pick<DispatchPorts, 'db' | 'change'>,
  driver: string,
  booking: string,
  now: number,
): Promise<void> => {
  const others = (await listRequests(db, driver)).filter((id) => id !== booking)
  if (others.length === 0) return
  const settings = await readSettings(db)
  if (settings.dispatchMode === 'broadcast') return
  for (const id of others) {
    const other = await db.read<Booking>(dbPaths.booking(id))
    if (!other || !isRequestExpired(other, driver, settings, now)) continue
    const { revision } = other
    await tryEvent(change, id, { event: 'withdraw', driver, isExpired: true, revision })
  }
}

/**
 * Returns the maps service without times on the streets, which are billed: `addPickupTimes` then
 * estimates them by distance.
 */
export const withoutStreetTimes =
  (maps: LazyMaps): LazyMaps =>
  async () => ({ ...(await maps()), getDistanceMatrix: () => Promise.resolve([]) })

/**
 * Returns the drivers with the time until they are at the pickup, from one request to the maps
 * service, or estimated by distance while the service fails.
 */
export const addPickupTimes = async (
  maps: LazyMaps,
  pickup: LatLng,
  drivers: readonly NearbyDriver[],
): Promise<(NearbyDriver & DispatchCandidate)[]> => {
  const times = await fetchPickupTimes(maps, pickup, drivers)
  return drivers.map((driver, i) => ({
    ...driver,
    eta_s: (driver.wait_s ?? 0) + (times[i] ?? estimatePickupSeconds(driver, pickup)),
  }))
}

const fetchPickupTimes = async (
  maps: LazyMaps,
  { lat, lng }: LatLng,
  drivers: readonly NearbyDriver[],
): Promise<(number | undefined)[]> => {
  if (drivers.length === 0) return []
  try {
    const rows = await (
      await maps()
    ).getDistanceMatrix(
      drivers.map((driver) => ({ lat: driver.lat, lng: driver.lng })),
      [{ lat, lng }],
    )
    return rows.map(([cell]) => (cell?.found ? cell.time_in_secs : undefined))
  } catch (error) {
    logError('dispatch_times', error)
    return []
  }
}

/**
 * Returns the record of a decision's inputs. `askedUids` are the drivers in reach who were left out
 * because another booking's offer to them was open.
 */
export const toDecisionRecord = (
  input: GroupInput,
  askedUids: readonly string[],
): { input: string; asked?: Record<string, true> } => ({
  input: JSON.stringify(input),
  ...(askedUids.length > 0 && {
    asked: Object.fromEntries(
      askedUids.slice(0, MAX_OFFERED_DRIVERS).map((uid): [string, true] => [uid, true]),
    ),
  }),
})
