import { CONTACT_WINDOW_MS, getTripEnd } from '~/domain/booking/contactAccess'
import {
  markAccountCleared,
  anonymizeBooking,
  isAnonymized,
  anonymizeEarningRows,
  type ReasonCheck,
} from '~/domain/accounts/accountDeletion'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { logError } from '../../logs'
import { WriteConflictError, iteratePages } from '../../ports/database'
import { listOpenOffers } from '../bookings/eventContext/offers'
import type { DatabasePort } from '../../ports/database'
import { fail } from '../../domainException'
import type { Ports } from '../../ports/ports'
import type { Booking } from '~/domain/booking/types'
import type { CancellationReason } from '~/domain/catalog/types'
import type { ClosedAccount } from '~/domain/accounts/types'
import type { InboxEntry } from '~/domain/messages/types'

const PAGE_SIZE = 100
const MAX_TRIES = 10
/** Maximum number of accounts that one run of the scheduled job clears. */
const MAX_ACCOUNTS_PER_RUN = 20
/** Milliseconds that the scheduled job leaves a closed account to the call that closed it. */
const MIN_CLOSED_MS = 2 * 60_000

type ErasurePorts = Pick<Ports, 'accounts' | 'db' | 'files'>

/**
 * Clears the rest of a removed account: the sign-in first, then the person's data in bookings,
 * their files, and their name on earnings. Every step can be repeated, so an interruption loses
 * nothing. Returns the number of anonymized bookings.
 */
export const eraseAccountData = async (ports: ErasurePorts, uid: string): Promise<number> => {
  const { accounts, db, files } = ports
  await accounts.remove(uid)
  const { bookings, fleets } = await anonymizeBookings(ports, uid)
  await files.removeFolder(`users/${uid}/`)
  await removePendingBonuses(db, uid)
  await db.update({
    ...(await buildAnonymizedEarnings(db, uid, fleets)),
    ...markAccountCleared(uid),
  })
  return bookings
}

/**
 * Clears accounts whose removal was interrupted. A failure with one account does not stop the
 * others.
 */
export const eraseClosedAccounts = async (ports: ErasurePorts, now: number): Promise<void> => {
  const open = { by: 'open', equalTo: true, first: MAX_ACCOUNTS_PER_RUN }
  const closed = await ports.db.list<ClosedAccount>('closed_accounts', open)
  for (const [uid, { at: closedAt }] of closed) {
    if (now - closedAt < MIN_CLOSED_MS) continue
    try {
      await eraseAccountData(ports, uid)
    } catch (error) {
      logError('clear_closed', error)
    }
  }
}

/**
 * Yields pages of the bookings of a customer or driver, then the bookings offered to the driver.
 */
export const iterateUserBookings = async function* (
  db: DatabasePort,
  uid: string,
): AsyncGenerator<Booking[]> {
  for (const by of ['customer', 'driver'])
    for await (const page of iteratePages<Booking>(db, 'bookings', { by, equalTo: uid }, PAGE_SIZE))
      yield page.map(([, booking]) => booking)
  const tasks = await db.list<true>(`driver_tasks/${uid}`, { by: '$key' })
  const offered = await Promise.all(tasks.map(([id]) => db.read<Booking>(dbPaths.booking(id))))
  yield offered.filter((booking) => booking !== null)
}

/** Removes the bonuses that wait for their payment to the person. */
const removePendingBonuses = async (db: DatabasePort, uid: string): Promise<void> => {
  const query = { by: 'uid', equalTo: uid }
  for await (const page of iteratePages(db, internalPaths.pendingBonuses, query, PAGE_SIZE))
    if (page.length > 0)
      await db.update(
        Object.fromEntries(page.map(([key]) => [`${internalPaths.pendingBonuses}/${key}`, null])),
      )
}

/** Reasons that the platform itself stores. */
const SYSTEM_REASONS = ['no_driver', 'incomplete_booking', 'no_show']

/** Returns a check for the reasons that the office offers or the platform stores. */
const createReasonCheck = async (db: DatabasePort): Promise<ReasonCheck> => {
  const storedReasons = await db.read<CancellationReason[]>(dbPaths.cancellationReasons)
  const knownReasons = new Set([
    ...SYSTEM_REASONS,
    ...Object.values(storedReasons ?? {}).map((one) => one.label),
  ])
  return (reason) => knownReasons.has(reason)
}

/** Milliseconds after the end of a booking in which messages can still name a party. */
const NAMING_MS = CONTACT_WINDOW_MS + HOUR_MS

/** Returns the drivers who have, or had, a booking. */
const listDrivers = ({ driver, event_log = {} }: Booking): string[] => {
  const accepted = Object.values(event_log)
    .filter(({ event }) => event === 'accept')
    .map(({ by }) => by)
  return [...new Set([...accepted, ...(driver === undefined ? [] : [driver])])]
}

/**
 * Returns the paths of the notices in the other parties' inboxes that have the name, the plate or
 * the words of the person. A driver who released the booking was a party too.
 */
const findNamingNotices = async (
  db: DatabasePort,
  uid: string,
  booking: Booking,
): Promise<Record<string, null>> => {
  if (booking.customer !== uid && booking.driver !== uid) return {}
  const others = booking.customer === uid ? listDrivers(booking) : [booking.customer]
  const notices = await Promise.all(others.map((other) => findNoticesIn(db, other, booking)))
  return Object.fromEntries(notices.flat())
}

const findNoticesIn = async (
  db: DatabasePort,
  other: string,
  booking: Booking,
): Promise<[string, null][]> => {
  const end = getTripEnd(booking)
  const notices = await db.list<InboxEntry>(`inbox/${other}`, {
    by: 'at',
    startAt: booking.bookingDate,
    ...(end !== undefined && { endAt: end + NAMING_MS }),
  })
  return notices
    .filter(
      ([, { booking_id, params = {} }]) =>
        booking_id === booking.id && NAMING_PARAMS.some((name) => Object.hasOwn(params, name)),
    )
    .map(([key]) => [dbPaths.inbox(other, key), null])
}
const NAMING_PARAMS = ['driver', 'vehicle', 'sender', 'reason']

/** Removes the person from every booking, each in a separate write. */
const anonymizeBookings = async (
  { db, files }: Pick<Ports, 'db' | 'files'>,
  uid: string,
): Promise<{ bookings: number; fleets: Set<string> }> => {
  let bookings = 0
  const fleets = new Set<string>()
  const isListed = await createReasonCheck(db)
  for await (const page of iterateUserBookings(db, uid)) {
    for (const { driver, fleetadmin } of page)
      if (driver === uid && fleetadmin) fleets.add(fleetadmin)
    await Promise.all(page.map((booking) => anonymizeStoredBooking(db, uid, booking, isListed)))
    const photographed = page.filter(
      ({ customer, pickup_image, deliver_image }) =>
        customer === uid && (pickup_image ?? deliver_image),
    )
    await Promise.all(photographed.map(({ id }) => files.removeFolder(`bookings/${id}/`)))
    bookings += page.length
  }
  return { bookings, fleets }
}

const findOpenOffer = async (db: DatabasePort, uid: string, booking: Booking) => {
  if (!booking.requestedDrivers?.[uid]) return undefined
  const open = await listOpenOffers(db, booking.id)
  const offer = open.find(([, { driver }]) => driver === uid)?.[0]
  return offer === undefined ? undefined : { offer, at: Date.now() }
}

const anonymizeStoredBooking = async (
  db: DatabasePort,
  uid: string,
  storedBooking: Booking,
  isListed: ReasonCheck,
) => {
  let booking: Booking | null = storedBooking
  for (let tries = 0; booking && tries < MAX_TRIES; tries++) {
    if (isAnonymized(booking, uid, isListed)) return
    const [offer, notices] = await Promise.all([
      findOpenOffer(db, uid, booking),
      findNamingNotices(db, uid, booking),
    ])
    try {
      return await db.update({ ...anonymizeBooking(booking, uid, offer, isListed), ...notices })
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
      booking = await db.read<Booking>(dbPaths.booking(storedBooking.id))
    }
  }
  fail('changed_meanwhile')
}

const buildAnonymizedEarnings = async (db: DatabasePort, id: string, fleets: Set<string>) => {
  const monthsAt = async (path: string) =>
    (await db.list<unknown>(path, { by: '$key' })).map(([month]) => month)
  const [months, ...ofFleets] = await Promise.all([
    monthsAt(`stats/driver_earnings/${id}`),
    ...[...fleets].map((fleetadmin) => monthsAt(`stats/fleet_driver_earnings/${fleetadmin}/${id}`)),
  ])
  const rows = [...fleets].map((fleetadmin, i) => ({ fleetadmin, months: ofFleets[i] ?? [] }))
  return anonymizeEarningRows(id, months ?? [], rows)
}
