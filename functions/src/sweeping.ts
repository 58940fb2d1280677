import type { Booking, Settings, Status, StuckBooking } from '~/domain/entities'
import { at } from '~/domain/paths'
import { inStatusSince, isDispatchDue, isStuck, STUCK_MINUTES, sweepTask } from '~/domain/sweep'
import type { Ports } from './definition'
import { dispatchWave, happens } from './dispatching'
import { logFault } from './logs'
import { pagesOf } from './ports/database'
import { readSettings } from './settings'
import { tellOnce } from './telling'

const MINUTE = 60_000
/** Bookings that are read at once, and rows of smaller things. */
const PAGE = 200
const BATCH = 500

/** The statuses in which time may ask for something; a PAID booking may stay unrated for ever. */
const SWEPT: readonly Status[] = [
  'PAYMENT_PENDING',
  ...(Object.keys(STUCK_MINUTES) as (keyof typeof STUCK_MINUTES)[]),
]

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
 * requests go to the next drivers, and what stands still is written down for the office. Safe to run twice at once: each
 * step is an ordinary event, which the booking's revision lets happen once.
 */
export const sweep = async (ports: Sweeper, now: number): Promise<Swept> => {
  const settings = await readSettings(ports.db)
  const swept: Swept = { expired: [], dispatched: [], reminded: [], stuck: [] }
  for (const status of SWEPT)
    for await (const booking of bookingsIn(ports, status))
      await tried(() => look(ports, booking, settings, now, swept))
  await forgetMoved(ports, now)
  return swept
}

/** Only the requests whose time is up: what the minute's sweep is too slow for. */
export const sweepRequests = async (ports: Sweeper, now: number): Promise<string[]> => {
  const settings = await readSettings(ports.db)
  const dispatched: string[] = []
  if (!settings.autoDispatch) return dispatched
  for await (const booking of bookingsIn(ports, 'NEW'))
    await tried(async () => {
      if (isDispatchDue(booking, now) && (await asks(ports, booking, settings, now)))
        dispatched.push(booking.id)
    })
  return dispatched
}

/** One booking that can't be helped must not keep the others waiting. */
const tried = async (help: () => Promise<void>) => {
  try {
    await help()
  } catch (error) {
    logFault('sweep', error)
  }
}

const look = async (
  ports: Sweeper,
  booking: Booking,
  settings: Settings,
  now: number,
  swept: Swept,
) => {
  const { event, reminders, stuck } = sweepTask(booking, settings, now)
  const { id } = booking
  if (stuck) {
    swept.stuck.push(id)
    await writeDown(ports, booking, now)
  }
  if (event === 'expire' && (await happens(ports.bookings.change, id, { event })))
    swept.expired.push(id)
  if (event === 'dispatch' && (await asks(ports, booking, settings, now))) swept.dispatched.push(id)
  if (reminders.length > 0 && (await remind(ports, reminders, now))) swept.reminded.push(id)
}

const asks = ({ db, bookings }: Sweeper, booking: Booking, settings: Settings, now: number) =>
  dispatchWave({ db, change: bookings.change }, booking, settings, now)

const bookingsIn = async function* ({ db }: Sweeper, status: Status): AsyncGenerator<Booking> {
  const query = { by: 'status', equalTo: status }
  for await (const page of pagesOf<Booking>(db, 'bookings', query, PAGE))
    for (const [id, booking] of page) yield { ...booking, id }
}

const writeDown = async ({ db }: Sweeper, booking: Booking, now: number) => {
  const path = at.stuck(booking.id)
  const { status } = booking
  const known = await db.read<StuckBooking>(path)
  if (known?.status === status) return
  await db.update({ [path]: { status, since: inStatusSince(booking), found_at: now } })
}

/** What moved since is nobody's trouble any more. */
const forgetMoved = async ({ db }: Sweeper, now: number) => {
  for await (const known of pagesOf<StuckBooking>(db, 'stuck_bookings', { by: '$key' }, BATCH))
    for (const [id] of known) {
      const booking = await db.read<Booking>(at.booking(id))
      if (!booking || !isStuck(booking, now)) await db.update({ [at.stuck(id)]: null })
    }
}

type Reminders = ReturnType<typeof sweepTask>['reminders']

/** The inbox key is the reminder's own, so each is sent once. */
const remind = async (ports: Sweeper, reminders: Reminders, now: number) => {
  let sent = false
  for (const reminder of reminders) if (await tellOnce(ports, reminder, now)) sent = true
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
    const path = `rate_limits/${name}`
    for await (const callers of pagesOf<Record<string, number>>(db, path, { by: '$key' }, BATCH)) {
      const gone = callers.flatMap(([caller, counts]) =>
        Object.keys(counts)
          .filter((key) => Number(key) < minute - 1)
          .map((key) => [`${path}/${caller}/${key}`, null] as const),
      )
      if (gone.length > 0) await db.update(Object.fromEntries(gone))
    }
  }
}
