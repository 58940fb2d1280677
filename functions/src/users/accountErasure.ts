import type { Booking, ClosedAccount } from '~/domain/entities'
import {
  markAccountCleared,
  anonymizeBooking,
  isAnonymized,
  anonymizeEarningRows,
} from '~/domain/accountDeletion'
import { dbPaths } from '~/domain/databasePaths'
import type { Ports } from '../http/endpointTypes'
import { logError } from '../logs'
import { WriteConflictError, iteratePages } from '../ports/database'
import { listOpenOffers } from '../ports/eventContextLoader'
import type { DatabasePort } from '../ports/database'
import { fail } from '../http/domainException'

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

/** Removes the person from every booking, each in a separate write. */
const anonymizeBookings = async (
  { db, files }: Pick<Ports, 'db' | 'files'>,
  uid: string,
): Promise<{ bookings: number; fleets: Set<string> }> => {
  let bookings = 0
  const fleets = new Set<string>()
  for await (const page of iterateUserBookings(db, uid)) {
    for (const { driver, fleetadmin } of page)
      if (driver === uid && fleetadmin) fleets.add(fleetadmin)
    await Promise.all(page.map((booking) => anonymizeStoredBooking(db, uid, booking)))
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

const anonymizeStoredBooking = async (db: DatabasePort, uid: string, found: Booking) => {
  let booking: Booking | null = found
  for (let tries = 0; booking && tries < MAX_TRIES; tries++) {
    if (isAnonymized(booking, uid)) return
    try {
      return await db.update(anonymizeBooking(booking, uid, await findOpenOffer(db, uid, booking)))
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
      booking = await db.read<Booking>(dbPaths.booking(found.id))
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
