import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import type { Share } from '~/domain/access/shares'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { getDueTime, getStatusSince } from '~/domain/booking/deadlines'
import { planMaintenance } from '~/domain/booking/bookingMaintenance'
import { buildOutboxUpdates } from '~/domain/messages/outbox'
import { REFUSALS_PATH, removeOldRefusals, type StoredRefusals } from '~/domain/access/refusals'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { isExpiredCounter } from '../rateLimits'
import { tryEvent } from '../dispatch/dispatchCandidates'
import { writeDueTime } from '../dispatch/dueTime'
import { offerToNextDrivers } from '../dispatch/driverDispatch'
import { MAX_ROUND_BOOKINGS, runMatchingRound } from '../dispatch/matchedDispatch'
import { BENEFITS_RETENTION_MS } from '../users/formerUsers'
import { iterateDue } from './dueRecords'
import { runWithLease } from './jobLease'
import { runRecurringBookings } from '../recurring/recurringBookings'
import { logError, logRecurring } from '../../logs'
import { iteratePages, type DatabasePort } from '../../ports/database'
import { removeExpiredRegistrations } from '../users/pendingRegistrations'
import { removeExpiredCalls } from '../office/officeCalls'
import { readSettings } from '../office/settings'
import { createTimeBudget } from './timeBudget'
import { sendAmendmentNotices } from './amendmentNotices'
import { payDueBonuses } from './pendingBonuses'
import { notifyOnce } from '../messages/notifications'
import type { Ports } from '../../ports/ports'
import type { Booking, StuckBooking } from '~/domain/booking/types'
import type { FormerUser } from '~/domain/accounts/types'
import type { Settings } from '~/domain/catalog/types'
import type { Milliseconds } from '~/domain/language/units'

const BATCH_SIZE = 500
/** Maximum number of batches of old decisions that one run removes. */
const MAX_DECISION_PAGES = 20
/** Bookings that are read at once, and bookings that are worked on at the same time. */
const PAGE_SIZE = 32
const MAX_CONCURRENT = 8
/** No booking is begun after this time. The next run continues with the one due longest. */
const RUN_BUDGET_MS = 25_000
/** Milliseconds after which the lease of a killed run ends. */
const LEASE_MS = 45_000
/** Milliseconds after which a booking whose maintenance failed is looked at again. */
const FAILED_PAUSE_MS = 5 * MINUTE_MS

/** The result of one maintenance run, as booking ids. */
export interface MaintenanceResult {
  expired: string[]
  dispatched: string[]
  reminded: string[]
  /** Bookings that this run found to have stayed too long in one status. */
  stuck: string[]
  /** The longest time (ms) that a booking waited beyond its due time. */
  lateMs: Milliseconds
  /** False when time ran out before everything due was done. */
  isDone: boolean
}

type MaintenancePorts = Pick<
  Ports,
  'config' | 'db' | 'bookings' | 'push' | 'maps' | 'clock' | 'random'
>

/**
 * Does everything that is due with bookings: expires unpaid ones, searches drivers, reminds, and
 * lists stuck ones for the back office. Reads the bookings whose due time has come and no other.
 * Each booking stores its next due time, so a run that is interrupted loses nothing. Returns null
 * while another run is at work.
 */
export const runDueBookings = async (
  ports: MaintenancePorts,
  now: number,
  hasTime: () => boolean = createTimeBudget(RUN_BUDGET_MS),
): Promise<MaintenanceResult | null> =>
  runWithLease(ports.db, { job: 'due_bookings', now, ms: LEASE_MS }, async () => {
    const settings = await readSettings(ports.db)
    const result: MaintenanceResult = {
      expired: [],
      dispatched: [],
      reminded: [],
      stuck: [],
      lateMs: 0,
      isDone: true,
    }
    const run: MaintenanceRun = { ports, settings, now, hasTime, result, toMatch: [] }
    await maintainDueBookings(run)
    await runAndLogFailure(() => matchBookings(run))
    return result
  })

/** A booking that a run matches with drivers after it has looked at all that are due. */
interface BookingToMatch {
  booking: Booking
  /** The time at which the booking needs the job when it gets no offer; undefined when stored. */
  dueAt?: number | null
}

/** One run of the job. */
interface MaintenanceRun {
  ports: MaintenancePorts
  settings: Settings
  now: number
  hasTime: () => boolean
  result: MaintenanceResult
  toMatch: BookingToMatch[]
}

const maintainDueBookings = async (run: MaintenanceRun): Promise<void> => {
  const { ports, now, hasTime, result } = run
  const query = { path: 'bookings', by: 'due_at', now, size: PAGE_SIZE } as const
  for await (const page of iterateDue<Booking>(ports.db, query))
    for (let at = 0; at < page.length; at += MAX_CONCURRENT) {
      if (!hasTime()) {
        result.isDone = false
        return
      }
      await Promise.all(
        page
          .slice(at, at + MAX_CONCURRENT)
          .map(([id, booking]) => maintainOrPostpone(run, { ...booking, id })),
      )
    }
}

/** Matches the waiting bookings of a run together. */
const matchBookings = async (run: MaintenanceRun): Promise<void> => {
  const { ports, result, toMatch } = run
  const { db, maps, bookings } = ports
  // Bookings beyond the limit stay due, so that the next round begins with them.
  const round = toMatch.slice(0, MAX_ROUND_BOOKINGS)
  const offered = await runMatchingRound(
    { db, maps, change: bookings.applyEvent },
    round.map(({ booking }) => booking),
    run,
  )
  // The offers have set the next due time.
  result.dispatched.push(...offered)
  for (const { booking, dueAt } of round)
    if (!offered.has(booking.id) && dueAt !== undefined)
      await runAndLogFailure(() => writeDueTime(db, booking, dueAt))
}

/**
 * Runs the maintenance of a minute: recurring bookings, bookings and bonuses that are due, and
 * links and registrations that have expired. Safe to run twice at once, because each step is an
 * ordinary event, which the booking's revision allows only once.
 */
export const runMaintenance = async (
  ports: MaintenancePorts,
  now: number,
  hasTime?: () => boolean,
): Promise<MaintenanceResult | null> => {
  await runAndLogFailure(() => makeRecurringBookings(ports, now))
  const swept = await runDueBookings(ports, now, hasTime)
  await removeExpiredShares(ports, now)
  await removeExpiredRegistrations(ports, now)
  await removeExpiredCalls(ports, now)
  await runAndLogFailure(() => sendAmendmentNotices(ports, now))
  await runAndLogFailure(() => payDueBonuses(ports, now))
  return swept
}

/** Makes the recurring bookings that are due, and logs how many. */
const makeRecurringBookings = async (ports: MaintenancePorts, now: number) => {
  const result = await runRecurringBookings(ports, now)
  if (result && result.made + result.refused > 0) logRecurring(result)
}

/** Runs `help` and logs its failure, so that one failing record does not delay the others. */
const runAndLogFailure = async (help: () => Promise<unknown>) => {
  try {
    await help()
  } catch (error) {
    logError('sweep', error)
  }
}

/** Maintains one booking. One that fails waits a while, so that it does not delay the others. */
const maintainOrPostpone = async (run: MaintenanceRun, booking: Booking): Promise<void> => {
  const { ports, now, result } = run
  result.lateMs = Math.max(result.lateMs, now - (booking.due_at ?? now))
  try {
    await maintainBooking(run, booking)
  } catch (error) {
    logError('sweep', error)
    await runAndLogFailure(() => writeDueTime(ports.db, booking, now + FAILED_PAUSE_MS))
  }
}

const maintainBooking = async (
  { ports, settings, now, result, toMatch }: MaintenanceRun,
  booking: Booking,
): Promise<void> => {
  const { event, reminders, isStuck, unanswered } = planMaintenance(booking, settings, now)
  const { id } = booking
  if (reminders.length > 0 && (await sendReminders(ports, reminders, now))) result.reminded.push(id)
  if (event === 'expire' && (await tryEvent(ports.bookings.applyEvent, id, { event }))) {
    result.expired.push(id)
    return
  }
  // The last of these events puts the booking back in the queue, with its next due time.
  for (const driver of unanswered)
    await tryEvent(ports.bookings.applyEvent, id, { event: 'withdraw', driver, isExpired: true })
  if (unanswered.length > 0) return
  const due_at = getDueTime(booking, settings, now, 'run')
  const stuckUpdate = isStuck ? await buildStuckUpdate(ports.db, booking, now) : null
  if (stuckUpdate) {
    if (!(await writeDueTime(ports.db, booking, due_at, stuckUpdate))) return
    result.stuck.push(id)
  }
  const change = ports.bookings.applyEvent
  if (event === 'dispatch' && settings.dispatchMode === 'matched')
    toMatch.push(
      stuckUpdate
        ? { booking: { ...booking, revision: booking.revision + 1 } }
        : { booking, dueAt: due_at },
    )
  else if (
    event === 'dispatch' &&
    (await offerToNextDrivers({ db: ports.db, change, maps: ports.maps }, booking, {
      settings,
      now,
    }))
  )
    // The offers have set the next due time.
    result.dispatched.push(id)
  else if (!stuckUpdate) await writeDueTime(ports.db, booking, due_at)
}

/** Returns the update that lists a stuck booking; null when it is listed. */
const buildStuckUpdate = async (
  db: DatabasePort,
  booking: Booking,
  now: number,
): Promise<Record<string, DatabaseValue> | null> => {
  const path = dbPaths.stuckBooking(booking.id)
  const { status } = booking
  const stuckRecord = await db.read<StuckBooking>(path)
  if (stuckRecord?.status === status) return null
  return {
    [path]: { status, since: getStatusSince(booking), found_at: now },
    // The update moves the booking's revision, so this message is written once.
    ...buildOutboxUpdates({
      scope: `${booking.id}-${(booking.revision ?? 0) + 1}`,
      event: 'booking_waits',
      audience: 'office',
      booking_id: booking.id,
      params: { reference: booking.reference },
      at: now,
      now,
    }),
  }
}

type Reminders = ReturnType<typeof planMaintenance>['reminders']

/** Sends each reminder once, because each has its own inbox key. */
const sendReminders = async (ports: MaintenancePorts, reminders: Reminders, now: number) => {
  let wasSent = false
  for (const reminder of reminders) if (await notifyOnce(ports, reminder, now)) wasSent = true
  return wasSent
}

/** Removes expired links, oldest first. The next run continues where the page ends. */
export const removeExpiredShares = async (
  { db }: Pick<Ports, 'db'>,
  now: number,
): Promise<number> => {
  const over = await db.list<Share>('shares', { by: 'expires', endAt: now, first: BATCH_SIZE })
  await Promise.all(
    over.map(async ([token, { booking, by, level }]) => {
      const link = dbPaths.shareLink(booking, by, level)
      const isItsLink = (await db.read<string>(link)) === token
      await runAndLogFailure(() =>
        db.update({ [dbPaths.share(token)]: null, ...(isItsLink && { [link]: null }) }),
      )
    }),
  )
  return over.length
}

/** Removes benefits in `former_users` after two years, oldest first. The next run continues. */
export const removeExpiredFormerUsers = async (
  { db }: Pick<Ports, 'db'>,
  now: number,
): Promise<number> => {
  const query = { by: 'at', endAt: now - BENEFITS_RETENTION_MS, first: BATCH_SIZE }
  const old = await db.list<FormerUser>('former_users', query)
  if (old.length > 0)
    await db.update(Object.fromEntries(old.map(([hash]) => [dbPaths.formerUser(hash), null])))
  return old.length
}

/**
 * Removes the inputs of old decisions about offers, the drivers' counts of old months, the
 * message counts of old days, free actions and quotes, oldest first. The next run continues.
 */
export const removeExpiredDecisions = async (
  { db }: Pick<Ports, 'db'>,
  now: number,
): Promise<number> => {
  let removedCount = 0
  const { offerDecisions, driverMonths, messageCounts, allFreeActions } = internalPaths
  const { amendmentQuotes } = dbPaths
  for (const path of [offerDecisions, driverMonths, messageCounts, allFreeActions, amendmentQuotes])
    removedCount += await removeDue(db, path, now)
  return removedCount
}

const removeDue = async (db: DatabasePort, path: string, now: number): Promise<number> => {
  let removed = 0
  for (let page = 0; page < MAX_DECISION_PAGES; page++) {
    const over = await db.list<{ due: number }>(path, {
      by: 'due',
      startAt: 1,
      endAt: now,
      first: BATCH_SIZE,
    })
    if (over.length > 0)
      await db.update(Object.fromEntries(over.map(([id]) => [`${path}/${id}`, null])))
    removed += over.length
    if (over.length < BATCH_SIZE) break
  }
  return removed
}

/** Removes the counters of refused calls of old days. */
export const removeExpiredRefusals = async (
  { db }: Pick<Ports, 'db'>,
  now: number,
): Promise<void> => {
  const updates = removeOldRefusals((await db.read<StoredRefusals>(REFUSALS_PATH)) ?? {}, now)
  if (Object.keys(updates).length > 0) await db.update(updates)
}

/** Removes the counters of calls that no limit reads any longer. */
export const pruneRateLimits = async (
  { db }: Pick<Ports, 'db'>,
  names: readonly string[],
  now: number,
): Promise<void> => {
  for (const name of names) {
    const path = `rate_limits/${name}`
    for await (const callers of iteratePages<Record<string, number>>(
      db,
      path,
      { by: '$key' },
      BATCH_SIZE,
    )) {
      const gone = callers.flatMap(([caller, counts]) =>
        Object.keys(counts)
          .filter((key) => isExpiredCounter(Number(key), now))
          .map((key) => [`${path}/${caller}/${key}`, null] as const),
      )
      if (gone.length > 0) await db.update(Object.fromEntries(gone))
    }
  }
}
