import type { Actor } from '~/domain/booking/change'
import { nextWave } from '~/domain/dispatch'
import type { Booking, Settings, Status } from '~/domain/entities'
import { ACTIVE_STATUSES } from '~/domain/entities'
import { SERVER_UID } from '~/domain/paths'
import { sweepTask } from '~/domain/sweep'
import type { Ports } from './definition'
import { driversAround } from './ports/nearby'
import { Refused } from './refused'
import { readSettings } from './settings'

const MINUTE = 60_000
/** Bookings of one status a sweep looks at; the oldest come first, the next minute's sweep has the rest. */
const BATCH = 500
const SYSTEM: Actor = { uid: SERVER_UID, role: 'system' }

/** What one sweep did: bookings' ids. */
export interface Swept {
  expired: string[]
  dispatched: string[]
  reminded: string[]
  /** For the office: too long in one status. */
  stuck: string[]
}

type Sweeper = Pick<Ports, 'db' | 'bookings' | 'push'>

/**
 * Looks after what nobody touches: unpaid bookings expire, later ones are offered before their time, unanswered
 * requests go to the next drivers, and what stands still is named. Safe to run twice at once: each step is an
 * ordinary event, which the booking's revision lets happen once.
 */
export const sweep = async (ports: Sweeper, now: number): Promise<Swept> => {
  const settings = await readSettings(ports.db)
  const active = (
    await Promise.all(ACTIVE_STATUSES.map((status) => inStatus(ports, status)))
  ).flat()
  const swept: Swept = { expired: [], dispatched: [], reminded: [], stuck: [] }
  for (const booking of active) {
    const { event, reminders, stuck } = sweepTask(booking, settings, now)
    if (stuck) swept.stuck.push(booking.id)
    if (event === 'expire' && (await happens(ports, booking, { event }))) {
      swept.expired.push(booking.id)
    }
    if (event === 'dispatch' && (await dispatchWave(ports, booking, settings, now))) {
      swept.dispatched.push(booking.id)
    }
    if (reminders.length > 0 && (await remind(ports, reminders, now))) {
      swept.reminded.push(booking.id)
    }
  }
  return swept
}

const inStatus = async ({ db }: Sweeper, status: Status): Promise<Booking[]> =>
  (await db.list<Booking>('bookings', { by: 'status', equalTo: status, first: BATCH })).map(
    ([id, booking]) => ({ ...booking, id }),
  )

/** False when it was refused: somebody was faster, and the booking is not what it was. */
const happens = async (
  { bookings }: Sweeper,
  { id }: Booking,
  input: { event: 'expire' } | { event: 'dispatch'; drivers: string[] },
): Promise<boolean> => {
  try {
    await bookings.change(id, input, SYSTEM)
    return true
  } catch (error) {
    if (error instanceof Refused) return false
    throw error
  }
}

const dispatchWave = async (
  ports: Sweeper,
  booking: Booking,
  settings: Settings,
  now: number,
): Promise<boolean> => {
  const { pickup, carTypeId } = booking
  const near = await driversAround(ports.db, pickup, carTypeId, settings)
  const drivers = nextWave(booking, near, settings, now)
  return drivers.length > 0 && happens(ports, booking, { event: 'dispatch', drivers })
}

type Reminders = ReturnType<typeof sweepTask>['reminders']

/** The inbox key is the reminder's own, so each is sent once. */
const remind = async ({ db, push }: Sweeper, reminders: Reminders, now: number) => {
  let sent = false
  for (const { to, key, ...message } of reminders) {
    const path = `inbox/${to}/${key}`
    if ((await db.read(path)) !== null) continue
    await db.update({ [path]: { ...message, at: now } })
    const token = await db.read<string>(`users/${to}/pushToken`)
    if (token) await push.send(token, message)
    sent = true
  }
  return sent
}

/** Forgets counters of callers who have not called for two minutes. */
export const forgetCounters = async (
  { db }: Pick<Ports, 'db'>,
  names: readonly string[],
  now: number,
): Promise<void> => {
  const minute = Math.floor(now / MINUTE)
  for (const name of names) {
    const callers = await db.list<Record<string, number>>(`rate_limits/${name}`, {
      by: '$key',
      first: BATCH,
    })
    const gone = callers.flatMap(([caller, counts]) =>
      Object.keys(counts)
        .filter((key) => Number(key) < minute - 1)
        .map((key) => [`rate_limits/${name}/${caller}/${key}`, null] as const),
    )
    if (gone.length > 0) await db.update(Object.fromEntries(gone))
  }
}
