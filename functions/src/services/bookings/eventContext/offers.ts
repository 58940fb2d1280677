import { getFollowOnMs } from '~/domain/booking/offers/followOn'
import { toOpenOffers } from '~/domain/booking/offers/offers'
import { getDefinition } from '~/domain/booking/transitions'
import { dbPaths } from '~/domain/data/databasePaths'
import type { DatabasePort } from '../../../ports/database'
import { getChosenDriver, type Loaders } from './eventReads'
import type { EventContext } from '~/domain/booking/eventContext'
import type { Offer } from '~/domain/dispatch/types'
import type { Settings } from '~/domain/catalog/types'

/** Maximum number of open requests read for one driver; dispatch stops far below it. */
const MAX_READ_REQUESTS = 1000

/** Maximum number of open offers read for one booking; dispatch stops far below it. */
const MAX_OPEN_OFFERS = 1000

/** Returns the open offers of a booking by number. */
export const listOpenOffers = (db: DatabasePort, booking: string) =>
  db.list<Offer>(dbPaths.offers(booking), {
    by: 'answer',
    equalTo: null,
    first: MAX_OPEN_OFFERS,
  })

/**
 * Reads the open offers of a booking. They change only together with its revision, so that a write
 * that is based on older ones is refused.
 */
const readOpenOffers = async (
  db: DatabasePort,
  booking: string,
): Promise<EventContext['offers']> => {
  const [open, last] = await Promise.all([
    listOpenOffers(db, booking),
    db.list<Offer>(dbPaths.offers(booking), { by: '$key', last: 1 }),
  ])
  return toOpenOffers(open, last[0]?.[0])
}

const readOpenRequests = async (
  db: DatabasePort,
  driver: string,
  accepted: string,
): Promise<EventContext['openRequests']> => {
  const tasks = await db.list<true>(dbPaths.tasks(driver), {
    by: '$key',
    first: MAX_READ_REQUESTS,
  })
  const others = tasks.map(([booking]) => booking).filter((booking) => booking !== accepted)
  return Promise.all(
    others.map(async (booking) => {
      // Reads the revision first, so that the write fails when a request changes after it.
      const revision = await db.read<number>(`${dbPaths.booking(booking)}/revision`)
      const asks = await db.read<true>(`${dbPaths.booking(booking)}/requestedDrivers/${driver}`)
      if (!asks) return { booking, revision: null }
      const offer = (await listOpenOffers(db, booking)).find(([, one]) => one.driver === driver)
      return { booking, revision, offer: offer?.[0] }
    }),
  )
}

/**
 * Returns the drivers whom the booking cannot ask now. An accept and the end of a shift both take
 * the driver off the list of available drivers. A driver on a trip can be asked while its end is
 * near. Except in broadcast mode, a driver has at most one open request.
 */
const listUnavailableDrivers = async (
  db: DatabasePort,
  booking: string,
  drivers: readonly string[],
  settings: Settings,
): Promise<string[]> => {
  const isListed = async (uid: string): Promise<boolean> => {
    if ((await db.read<object>(dbPaths.availableDriver(uid))) !== null) return true
    if (getFollowOnMs(settings) === 0) return false
    return (await db.read<number>(`${dbPaths.busyDriver(uid)}/ends_at`)) !== null
  }
  const free = await Promise.all(
    drivers.map(async (uid) => {
      const [isAvailable, requests] = await Promise.all([
        isListed(uid),
        settings.dispatchMode === 'broadcast' ? [] : listRequests(db, uid),
      ])
      return isAvailable && requests.every((id) => id === booking)
    }),
  )
  return drivers.filter((_, i) => !free[i])
}

/** Returns the first bookings that request a driver, enough to find one besides a known one. */
export const listRequests = async (db: DatabasePort, driver: string): Promise<string[]> =>
  (await db.list<true>(dbPaths.tasks(driver), { by: '$key', first: 2 })).map(([id]) => id)

/** The loaders of requests to drivers. */
export const OFFER_LOADERS: Loaders<'openRequests' | 'notFree' | 'offers'> = {
  openRequests: async ({ db, id, input, actor }) => {
    const { isForAskedDrivers } = getDefinition(input.event)
    const driver = isForAskedDrivers ? actor.uid : getChosenDriver(input)
    return driver === undefined ? [] : readOpenRequests(db, driver, id)
  },
  notFree: async ({ db, id, input, settings }) =>
    input.event === 'dispatch' ? listUnavailableDrivers(db, id, input.drivers, settings) : [],
  offers: ({ db, id }) => readOpenOffers(db, id),
}
