import { isSearchDue } from '~/domain/booking/deadlines'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import {
  getExcludedDrivers,
  isAnswerAwaited,
  MAX_OFFERED_DRIVERS,
  orderByPickupTime,
  type NearbyDriver,
} from '~/domain/dispatch/dispatch'
import { getDistanceKm, getSearchRadiusKm } from '~/domain/geo/geo'
import type { PlannedOffer } from '~/domain/dispatch/matching/decideGroup'
import { addEarnings, getShiftEarnings } from '~/domain/dispatch/matching/driverShift'
import { DECISION_RETENTION_MS } from '~/domain/dispatch/matching/explainOffer'
import type { Earnings } from '~/domain/dispatch/matching/offerCost'
import {
  planRound,
  ROUND_SECONDS,
  type PlannedGroup,
  type RoundPlan,
} from '~/domain/dispatch/matching/planRound'
import {
  addPickupTimes,
  type DispatchPorts,
  type DispatchRun,
  findCandidates,
  releaseExpiredRequests,
  toDecisionRecord,
  tryEvent,
} from './dispatchCandidates'
import { runWithLease } from '../jobs/jobLease'
import { logError } from '../../logs'
import { WriteConflictError, type DatabasePort } from '../../ports/database'
import type { OfferDecision } from '~/domain/booking/events/dispatch/definition'
import type { Booking } from '~/domain/booking/types'
import type { DriverShift } from '~/domain/dispatch/types'

/** Maximum number of bookings of one round. The next round continues with the rest. */
export const MAX_ROUND_BOOKINGS = 200
/** Maximum number of bookings read to find those that compete with one. */
const MAX_READ_RIVALS = 50
/** A booking with more competitors than this waits for its round without a further look. */
const MAX_COMPARED_RIVALS = 10
/** Bookings that are worked on at the same time. */
const MAX_CONCURRENT = 8
/** Attempts to offer bookings whose drivers were taken in the meantime. */
const MAX_ATTEMPTS = 5
/** Milliseconds after which the lease of a killed round ends. */
const ROUND_LEASE_MS = 30_000

/** Logs the failure of one item, so that it does not delay the others. */
const forEachConcurrently = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> => {
  for (let at = 0; at < items.length; at += MAX_CONCURRENT)
    await Promise.all(
      items.slice(at, at + MAX_CONCURRENT).map((item) =>
        work(item).catch((error: unknown) => {
          logError('dispatch', error)
        }),
      ),
    )
}

/** The drivers who can be asked about bookings, with all that decides about them. */
interface Candidates {
  drivers: Map<string, NearbyDriver>
  earnings: Map<string, Earnings>
  /** Seconds to the pickup, by booking and driver. */
  times: Map<string, ReadonlyMap<string, number>>
  /** Drivers in reach of each booking who have time to answer another one. */
  asked: Map<string, readonly string[]>
}

/** Adds the candidates of more bookings, each with one request for the times on the streets. */
const addCandidates = async (
  { db, maps }: DispatchPorts,
  candidates: Candidates,
  bookings: readonly Booking[],
  run: DispatchRun,
): Promise<Candidates> => {
  const { settings, now } = run
  await forEachConcurrently(bookings, async (booking) => {
    const { free, late, askedUids } = await findCandidates(db, booking, run)
    candidates.asked.set(booking.id, askedUids)
    // Without a free driver, considers those who did not answer another booking in time.
    for (const driverGroup of [free, late]) {
      const open = driverGroup.filter(({ uid }) => !booking.requestedDrivers?.[uid])
      const nearest = open.slice(0, MAX_OFFERED_DRIVERS)
      const timed = orderByPickupTime(await addPickupTimes(maps, booking.pickup, nearest), settings)
      if (timed.length === 0) continue
      for (const driver of timed) candidates.drivers.set(driver.uid, driver)
      candidates.times.set(booking.id, new Map(timed.map(({ uid, eta_s }) => [uid, eta_s])))
      return
    }
  })
  const added = [...candidates.drivers.keys()].filter((uid) => !candidates.earnings.has(uid))
  await forEachConcurrently(added, async (uid) => {
    const shift = await db.read<DriverShift>(internalPaths.driverShift(uid))
    candidates.earnings.set(uid, getShiftEarnings(shift, now))
  })
  return candidates
}

const planBookings = (
  { drivers, earnings, times }: Candidates,
  bookings: readonly Booking[],
  run: DispatchRun & { isRound: boolean },
): RoundPlan =>
  planRound({
    bookings,
    drivers: [...drivers.values()].map((driver) => ({
      ...driver,
      earnings: earnings.get(driver.uid),
    })),
    travelTime: ({ uid }, { id }) => times.get(id)?.get(uid),
    // The mean moves the cost of all drivers equally, so that of the drivers in reach is enough.
    fleet: addEarnings([...earnings.values()]),
    ...run,
  })

/** Makes a planned offer. Returns false when the booking or driver has changed since the plan. */
const makeOffer = async (
  ports: DispatchPorts,
  { id, revision }: Booking,
  { driver, eta_s, cost, rank, record }: PlannedOffer & Pick<OfferDecision, 'record'>,
  now: number,
): Promise<boolean> => {
  await releaseExpiredRequests(ports, driver, id, now)
  return tryEvent(ports.change, id, {
    event: 'dispatch',
    drivers: [driver],
    etas: { [driver]: eta_s },
    decision: { cost, rank, record },
    revision,
  })
}

const noCandidates = (): Candidates => ({
  drivers: new Map(),
  earnings: new Map(),
  times: new Map(),
  asked: new Map(),
})

/**
 * Returns the waiting bookings that one of the drivers could take, apart from the booking itself.
 * Reads only the first ones: a competitor that it misses has its own round.
 */
const findRivals = async (
  db: DatabasePort,
  booking: Booking,
  drivers: readonly NearbyDriver[],
  { settings, now }: DispatchRun,
): Promise<Booking[]> => {
  const due = await db.list<Booking>('bookings', {
    by: 'due_at',
    startAt: 1,
    endAt: now + ROUND_SECONDS * 1000,
    first: MAX_READ_RIVALS,
  })
  const radius = getSearchRadiusKm(settings)
  return due
    .map(([id, other]) => ({ ...other, id }))
    .filter((other) => {
      const isWaiting = isSearchDue(other, settings, now) && !isAnswerAwaited(other, settings, now)
      if (!isWaiting || other.id === booking.id || other.carTypeId !== booking.carTypeId)
        return false
      const excluded = getExcludedDrivers(other)
      return drivers.some(
        (driver) => !excluded.has(driver.uid) && getDistanceKm(other.pickup, driver) <= radius,
      )
    })
}

/**
 * Offers a booking at once when no other waiting booking wants the same driver. Otherwise it waits
 * for the round, and the result is false.
 */
export const offerMatched = async (
  ports: DispatchPorts,
  booking: Booking,
  run: DispatchRun,
): Promise<boolean> => {
  const { db } = ports
  const { settings, now } = run
  let present = booking
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    if (isAnswerAwaited(present, settings, now)) return false
    const candidates = await addCandidates(ports, noCandidates(), [present], run)
    if (candidates.drivers.size === 0) return false
    const rivals = await findRivals(db, present, [...candidates.drivers.values()], run)
    if (rivals.length > MAX_COMPARED_RIVALS) return false
    await addCandidates(ports, candidates, rivals, run)
    const { groups } = planBookings(candidates, [present, ...rivals], {
      settings,
      now,
      isRound: false,
    })
    for (const { input, offers } of groups) {
      const offer = offers.find((one) => one.booking === booking.id)
      const record = toDecisionRecord(input, candidates.asked.get(booking.id) ?? [])
      if (offer && (await makeOffer(ports, present, { ...offer, record }, now))) return true
    }
    if (!groups.some(({ offers }) => offers.some((one) => one.booking === booking.id))) return false
    const changed = await db.read<Booking>(dbPaths.booking(booking.id))
    if (changed?.status !== 'NEW') return false
    present = { ...changed, id: booking.id }
  }
  return false
}

/**
 * Offers the bookings that a driver who has become free can reach. A single one is offered at once;
 * several compete and are matched in the next round.
 */
export const offerMatchedToFreed = async (
  ports: DispatchPorts,
  bookings: readonly Booking[],
  run: DispatchRun,
): Promise<void> => {
  const { now } = run
  const [only] = bookings
  if (only && bookings.length === 1) {
    await offerMatched(ports, only, run)
    return
  }
  // The search for a booking that has waited long pauses for minutes.
  const paused = bookings
    .filter(({ due_at = now }) => due_at > now + ROUND_SECONDS * 1000)
    .slice(0, MAX_OFFERED_DRIVERS)
  await forEachConcurrently(paused, ({ id, revision }) => makeDue(ports.db, id, revision, now))
}

/** Makes a booking due for the next round, unless another call has just changed it. */
const makeDue = async (
  db: DatabasePort,
  id: string,
  revision: number,
  now: number,
): Promise<void> => {
  const base = dbPaths.booking(id)
  try {
    await db.update({ [`${base}/due_at`]: now, [`${base}/revision`]: revision + 1 })
  } catch (error) {
    if (!(error instanceof WriteConflictError)) throw error
  }
}

/**
 * Runs a round: matches all bookings with the drivers in reach by least total cost. Returns the ids
 * of the bookings that were offered. A lease keeps two rounds apart. Without it, the rules would
 * still refuse a second offer to a driver, but the losers would wait for another round.
 */
export const runMatchingRound = async (
  ports: DispatchPorts,
  bookings: readonly Booking[],
  { settings, now }: DispatchRun,
): Promise<Set<string>> => {
  const offered = new Set<string>()
  if (bookings.length === 0) return offered
  const lease = { job: 'matching_round', now, ms: ROUND_LEASE_MS }
  await runWithLease(ports.db, lease, async () => {
    let waiting = bookings.filter((booking) => !isAnswerAwaited(booking, settings, now))
    for (let attempt = 1; attempt <= MAX_ATTEMPTS && waiting.length > 0; attempt++) {
      const candidates = await addCandidates(ports, noCandidates(), waiting, { settings, now })
      const { groups } = planBookings(candidates, waiting, { settings, now, isRound: true })
      const byId = new Map(waiting.map((booking) => [booking.id, booking]))
      const lost: string[] = []
      for (const group of groups) {
        const askedUids = group.offers.flatMap((offer) => candidates.asked.get(offer.booking) ?? [])
        const record = await writeGroup(ports.db, group, [...new Set(askedUids)], { attempt, now })
        await forEachConcurrently(group.offers, async (offer) => {
          const booking = byId.get(offer.booking)
          if (!booking) return
          if (await makeOffer(ports, booking, { ...offer, record }, now)) offered.add(booking.id)
          else lost.push(booking.id)
        })
      }
      waiting = (
        await Promise.all(
          lost.sort().map(async (id) => {
            const changed = await ports.db.read<Booking>(dbPaths.booking(id))
            const isWaiting = changed?.status === 'NEW' && !isAnswerAwaited(changed, settings, now)
            return isWaiting ? [{ ...changed, id }] : []
          }),
        )
      ).flat()
    }
  })
  return offered
}

/** Stores the inputs of several offers once. The record of a single offer is stored with it. */
const writeGroup = async (
  db: DatabasePort,
  { input, offers }: PlannedGroup,
  askedUids: readonly string[],
  { attempt, now }: { attempt: number; now: number },
): Promise<OfferDecision['record']> => {
  const record = toDecisionRecord(input, askedUids)
  const [first] = offers
  if (!first || offers.length === 1) return record
  const round = `${first.booking}_r${now}_${attempt}`
  await db.update({
    [internalPaths.roundDecision(round)]: { due: now + DECISION_RETENTION_MS, ...record },
  })
  return { round }
}
