import { canBeFollowed, getFollowOnMs } from '~/domain/booking/followOn'
import type { Booking, User } from '~/domain/entities'
import { dbPaths } from '~/domain/databasePaths'
import { internalPaths } from '~/domain/internalPaths'
import { readUser, type DatabasePort } from '../database'
import {
  type LoadIfRequired,
  type LoadSubject,
  getCustomerId,
  getChosenDriver,
  getDriverId,
  readWithId,
} from './loadSubject'
import type { EventContext } from '~/domain/booking/eventContext'

export const loadUsers = async (
  db: DatabasePort,
  subject: LoadSubject,
  ask: LoadIfRequired,
): Promise<
  Pick<EventContext, 'customer' | 'driver' | 'nextDriver' | 'referrer' | 'driverReferrer'>
> => {
  const user = async (uid: string | undefined) => (uid ? readUser<User>(db, uid) : null)
  // The referrer is needed only until the bonus is paid.
  const readReferrer = (referred: User | null) =>
    user(referred?.referralRewarded ? undefined : referred?.signupViaReferral)
  const [customer, driver, nextDriver] = await Promise.all([
    ask('customer', () => user(getCustomerId(subject))),
    ask('driver', () => user(getDriverId(subject))),
    ask('nextDriver', () => user(getChosenDriver(subject.input))),
  ])
  const [referrer, driverReferrer] = await Promise.all([
    ask('referrer', () => readReferrer(customer)),
    ask('driverReferrer', () => readReferrer(driver)),
  ])
  return { customer, driver, nextDriver, referrer, driverReferrer }
}

/** Reads the office's limit for a customer who owes money; null for the standard one. */
export const readDebtLimit = async (
  db: DatabasePort,
  customer: User | null,
  ask: LoadIfRequired,
): Promise<number | null> =>
  (customer?.walletBalance ?? 0) < 0
    ? ask('debtLimit', () => db.read<number>(`${internalPaths.messageSettings}/debtLimit`))
    : null

/**
 * Reads the current and the next booking of a driver as far as the event changes both. Reads after
 * the booking and the driver, which say whether there is one.
 */
export const loadLinkedBookings = async (
  db: DatabasePort,
  { actor, booking, settings }: LoadSubject,
  driver: User | null,
  asked: ReadonlySet<keyof EventContext>,
): Promise<Pick<EventContext, 'followed' | 'next' | 'driver'>> => {
  const isBusy = driver?.id === actor.uid && driver.queue === true && booking?.status === 'NEW'
  const currentId =
    asked.has('followed') && isBusy && getFollowOnMs(settings) > 0
      ? await db.read<string>(`${dbPaths.busyDriver(driver.id)}/booking`)
      : undefined
  const [followed, next] = await Promise.all([
    readWithId<Booking>(
      db,
      asked.has('followed') ? (booking?.follows ?? currentId ?? undefined) : undefined,
      dbPaths.booking,
    ),
    readWithId<Booking>(db, asked.has('next') ? booking?.next : undefined, dbPaths.booking),
  ])
  // The driver's trip may have ended between the reads of the driver and of the trip.
  const hasEnded = currentId !== undefined && !(followed && canBeFollowed(followed, actor.uid))
  return { followed, next, driver: hasEnded ? await readUser<User>(db, actor.uid) : driver }
}
