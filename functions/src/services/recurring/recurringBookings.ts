import { dbPaths } from '~/domain/data/databasePaths'
import type { DomainError } from '~/domain/api/errors'
import { buildNotification } from '~/domain/messages/messageTable'
import { toOccurrenceKey, type Occurrence } from '~/domain/recurring/occurrences'
import {
  getSeriesRevision,
  listDueOccurrences,
  settleRecord,
  toBookingInput,
  type RecurringRecord,
  type RecurringSeries,
  type SeriesProblem,
} from '~/domain/recurring/series'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { DomainException } from '../../domainException'
import { iterateDue } from '../jobs/dueRecords'
import { runWithLease } from '../jobs/jobLease'
import { logError } from '../../logs'
import { notifyOnce } from '../messages/notifications'
import { resolveSeriesOwner, updateRecurringRecord } from './recurringRecords'
import { readSettings } from '../office/settings'
import { getOccurrenceBookingId } from './occurrenceBookingId'
import { createTimeBudget } from '../jobs/timeBudget'
import type { Ports } from '../../ports/ports'
import type { Settings } from '~/domain/catalog/types'

/** Customers that are read at once, and customers that are worked on at the same time. */
const PAGE_SIZE = 16
const MAX_CONCURRENT = 4
/** No customer is begun after this time. The next run continues with the one due longest. */
const RUN_BUDGET_MS = 20_000
/** Milliseconds after which the lease of a killed run ends. */
const LEASE_MS = 45_000
/** Milliseconds after which a customer whose bookings failed is looked at again. */
const FAILED_PAUSE_MS = 5 * MINUTE_MS

type RecurringPorts = Pick<Ports, 'config' | 'db' | 'bookings' | 'push'>

/** The result of one run: numbers of bookings, and of occurrences without one. */
export interface RecurringResult {
  made: number
  refused: number
  /** False when time ran out before everything due was done. */
  isDone: boolean
}

const emptyResult = (): RecurringResult => ({ made: 0, refused: 0, isDone: true })

/** One run of the job. */
interface RecurringRun {
  ports: RecurringPorts
  settings: Pick<Settings, 'timezone'>
  now: number
  /** Counts what the run did. */
  result?: RecurringResult
}

/**
 * Makes the bookings of the recurring bookings that are due. Reads the customers whose due time has
 * come and no other. A booking's id follows from its occurrence, and it is written together with
 * its series, so two runs at once make one booking, and a run that is interrupted loses nothing.
 * Returns null while another run is at work.
 */
export const runRecurringBookings = async (
  ports: RecurringPorts,
  now: number,
  hasTime: () => boolean = createTimeBudget(RUN_BUDGET_MS),
): Promise<RecurringResult | null> =>
  runWithLease(ports.db, { job: 'recurring', now, ms: LEASE_MS }, async () => {
    const result = emptyResult()
    const { db } = ports
    const query = { path: dbPaths.recurring, by: 'due', now, size: PAGE_SIZE } as const
    const due = iterateDue<RecurringRecord>(db, query)
    const settings = await readSettings(db)
    const run: RecurringRun = { ports, settings, now, result }
    for await (const page of due)
      for (let at = 0; at < page.length; at += MAX_CONCURRENT) {
        if (!hasTime()) return { ...result, isDone: false }
        await Promise.all(
          page
            .slice(at, at + MAX_CONCURRENT)
            .map(([customer, record]) => bookOrPostpone(run, customer, record)),
        )
      }
    return result
  })

/** Makes one customer's bookings. A failure waits a while, so that it does not delay the others. */
const bookOrPostpone = async (
  run: RecurringRun,
  customer: string,
  record: RecurringRecord,
): Promise<void> => {
  const { ports, now } = run
  try {
    await bookDueOccurrences(run, customer, record)
  } catch (error) {
    logError('recurring', error)
    await updateRecurringRecord(ports.db, customer, (currentRecord) => ({
      ...currentRecord,
      revision: currentRecord.revision + 1,
      due: now + FAILED_PAUSE_MS,
    })).catch((fault: unknown) => logError('recurring', fault))
  }
}

/** Makes the bookings of one customer that are due, and stores what came of them. */
export const bookDueOccurrences = async (
  { ports, settings, now, result = emptyResult() }: RecurringRun,
  customer: string,
  record: RecurringRecord,
): Promise<void> => {
  const { db } = ports
  const { timezone } = settings
  if ((await db.read(`${dbPaths.user(customer)}/usertype`)) === null) {
    // The account was deleted.
    await db.update({ [dbPaths.recurringFor(customer)]: null })
    return
  }
  /** Bookings whose payment this run tried. */
  const handled = new Set<string>()
  const refused: Record<string, Record<string, SeriesProblem>> = {}
  for (const series of Object.values(record.series ?? {})) {
    const toPay = Object.entries(series.made ?? {}).flatMap(([key, { booking, at, unpaid }]) =>
      unpaid ? [{ key, booking, at }] : [],
    )
    const note = async (key: string, at: number, problem: Problem | null) => {
      if (problem === null) return
      refused[series.id] = { ...refused[series.id], [key]: { at, ...problem } }
      result.refused += 1
      await notifyOwner(ports, { customer, series, key }, now)
    }
    for (const occurrence of listDueOccurrences(series, timezone, now)) {
      const key = toOccurrenceKey(occurrence)
      const bookingResult = await bookOccurrence(ports, customer, series, occurrence)
      if (bookingResult.status === 'PAYMENT_PENDING')
        toPay.push({ key, booking: bookingResult.booking, at: occurrence.at })
      if (bookingResult.booking !== undefined) result.made += 1
      await note(key, occurrence.at, bookingResult.problem)
    }
    for (const { key, booking, at } of toPay) {
      await note(key, at, await payAhead(ports, customer, series, booking))
      handled.add(booking)
    }
  }
  await updateRecurringRecord(db, customer, (currentRecord) =>
    settleRecord(withoutUnpaid(currentRecord, handled), refused, timezone, now),
  )
}

type Problem = Pick<DomainError, 'key' | 'params'>
const toProblem = ({ error: { key, params } }: DomainException): Problem => ({
  key,
  ...(params && { params }),
})

type MadeOccurrence =
  | { booking: string; status: string; problem: null }
  | { booking?: undefined; status?: undefined; problem: Problem | null }

/** Books one occurrence. The problem is null when the customer no longer wants it. */
const bookOccurrence = async (
  { config, db, bookings }: RecurringPorts,
  customer: string,
  series: RecurringSeries,
  occurrence: Occurrence,
): Promise<MadeOccurrence> => {
  const { date, leg } = occurrence
  const booked = { series: series.id, date, leg, revision: getSeriesRevision(series) }
  const id = getOccurrenceBookingId(config, customer, booked)
  const input = toBookingInput({ booking_id: id, customer }, series, occurrence)
  const event = { event: 'create', input, occurrence: booked } as const
  const owner = await resolveSeriesOwner(db, customer, series)
  try {
    const { status } = await bookings.applyEvent(id, event, owner)
    return { booking: id, status, problem: null }
  } catch (error) {
    if (!(error instanceof DomainException)) throw error
    return { problem: error.error.field === 'series' ? null : toProblem(error) }
  }
}

/** Pays for a booking as the series says. Returns the reason when that is not possible. */
const payAhead = async (
  { db, bookings }: RecurringPorts,
  customer: string,
  { payment = 'cash' }: RecurringSeries,
  booking: string,
): Promise<Problem | null> => {
  try {
    const actor = { uid: customer, role: 'rider' } as const
    await bookings.applyEvent(booking, { event: 'pay', payment_mode: payment }, actor)
    return null
  } catch (error) {
    if (!(error instanceof DomainException)) throw error
    // The rider has paid or canceled the booking in the meantime.
    const status = await db.read<string>(`${dbPaths.booking(booking)}/status`)
    return status === 'PAYMENT_PENDING' ? toProblem(error) : null
  }
}

/** Returns the record without the marks of these bookings that they wait for their payment. */
const withoutUnpaid = (record: RecurringRecord, handled: ReadonlySet<string>): RecurringRecord => ({
  ...record,
  series: Object.fromEntries(
    Object.entries(record.series ?? {}).map(([id, { made, ...series }]) => [
      id,
      {
        ...series,
        ...(made && {
          made: Object.fromEntries(
            Object.entries(made).map(([key, one]) => [
              key,
              handled.has(one.booking) ? { booking: one.booking, at: one.at } : one,
            ]),
          ),
        }),
      },
    ]),
  ),
})

/** Notifies the customer of an occurrence without a booking, once. */
const notifyOwner = async (
  ports: RecurringPorts,
  { customer, series, key }: { customer: string; series: RecurringSeries; key: string },
  now: number,
): Promise<void> => {
  const { id, role } = series
  const audience = role === 'admin' ? 'guest' : 'rider'
  const message = { ...buildNotification('recurring_failed', audience), to: customer }
  await notifyOnce(ports, { ...message, key: `${id}${key}` }, now)
}
