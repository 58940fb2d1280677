import { canBeFollowed, getFollowOnMs } from '~/domain/booking/offers/followOn'
import { getDefinition } from '~/domain/booking/transitions'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { readUser, type DatabasePort } from '../../../ports/database'
import {
  type EventReads,
  getChosenDriver,
  getCustomerId,
  getDriverId,
  type Loaders,
  readWithId,
} from './eventReads'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

const readPerson = async (db: DatabasePort, uid: string | undefined): Promise<User | null> =>
  uid ? readUser<User>(db, uid) : null

/** The referrer is needed only until the bonus is paid. */
const readReferrer = async (db: DatabasePort, referred: User | null): Promise<User | null> =>
  readPerson(db, referred?.referralRewarded ? undefined : referred?.signupViaReferral)

/** A promo excludes drivers who are tied to the referrer, also after the bonus is paid. */
const readCustomerReferrer = async ({ db, input, booking, load }: EventReads) => {
  const isPromoTrip =
    booking?.paymentPacket?.promo_applied === true || ('promo' in input && input.promo)
  if (input.event === 'accept' && !isPromoTrip) return null
  const customer = await load('customer')
  return isPromoTrip ? readPerson(db, customer?.signupViaReferral) : readReferrer(db, customer)
}

/**
 * Reads the driver, and for an acceptance by a busy one the booking that they drive. It is read
 * after the booking and the driver, which say whether there is one.
 */
const readDriverAndTrip = async (
  reads: EventReads,
): Promise<{ driver: User | null; followed: Booking | null }> => {
  const { db, input, actor, booking, settings } = reads
  const driver = await readPerson(db, getDriverId(reads))
  if (!getDefinition(input.event).needs.includes('followed')) return { driver, followed: null }
  const isBusy = driver?.id === actor.uid && driver.queue === true && booking?.status === 'NEW'
  const currentId =
    isBusy && getFollowOnMs(settings) > 0
      ? await db.read<string>(`${dbPaths.busyDriver(driver.id)}/booking`)
      : undefined
  const followedId = booking?.follows ?? currentId ?? undefined
  const followed = await readWithId<Booking>(db, followedId, dbPaths.booking)
  // The driver's trip may have ended between the reads of the driver and of the trip.
  const hasEnded = currentId !== undefined && !(followed && canBeFollowed(followed, actor.uid))
  return { followed, driver: hasEnded ? await readUser<User>(db, actor.uid) : driver }
}

/** Creates the loaders of people, and of the bookings that their driver has beside this one. */
export const createPeopleLoaders = (): Loaders<
  | 'customer'
  | 'driver'
  | 'nextDriver'
  | 'referrer'
  | 'driverReferrer'
  | 'debtLimit'
  | 'followed'
  | 'next'
> => {
  let reading: ReturnType<typeof readDriverAndTrip> | undefined
  const readOnce = (reads: EventReads) => (reading ??= readDriverAndTrip(reads))
  return {
    customer: (reads) => readPerson(reads.db, getCustomerId(reads)),
    driver: async (reads) => (await readOnce(reads)).driver,
    followed: async (reads) => (await readOnce(reads)).followed,
    next: ({ db, booking }) => readWithId<Booking>(db, booking?.next, dbPaths.booking),
    nextDriver: ({ db, input }) => readPerson(db, getChosenDriver(input)),
    referrer: readCustomerReferrer,
    driverReferrer: async ({ db, load }) => readReferrer(db, await load('driver')),
    // Only for a customer who owes money; null for the standard limit.
    debtLimit: async ({ db, load }) =>
      ((await load('customer'))?.walletBalance ?? 0) < 0
        ? db.read<number>(`${internalPaths.messageSettings}/debtLimit`)
        : null,
  }
}
