import type { Actor } from '~/domain/booking/eventTypes'
import type { EventContext } from '~/domain/booking/eventContext'
import { getDefinition } from '~/domain/booking/transitions'
import type { Booking, Settings } from '~/domain/entities'
import { dbPaths } from '~/domain/databasePaths'
import { fail } from '../../http/domainException'
import type { DatabasePort } from '../database'
import type { Lookups } from './lookups'
import type { LoadIfRequired } from './loadSubject'
import { loadByBookingId, loadRecords } from './records'
import { loadUsers, readDebtLimit, loadLinkedBookings } from './people'
import { readRequests } from './offers'
import { loadCatalog } from './catalog'
import type { EventInput } from '~/domain/booking/eventInput'

/**
 * Reads the booking and only the data its event requires: first the data found by the booking's id,
 * then the data the booking refers to, each in parallel.
 */
export const loadEventContext = async (
  db: DatabasePort,
  id: string,
  input: EventInput,
  actor: Actor,
  lookups: Lookups,
  now: number,
): Promise<{ booking: Booking | null; eventContext: EventContext }> => {
  const asked = new Set<keyof EventContext>(getDefinition(input.event).needs)
  const ask: LoadIfRequired = (part, read) => (asked.has(part) ? read() : Promise.resolve(null))
  const [booking, settings, byId] = await Promise.all([
    db.read<Booking>(dbPaths.booking(id)),
    db.read<Settings>(dbPaths.settings),
    loadByBookingId(db, id, input, lookups, ask),
  ])
  if (!settings) return fail('not_found', 'settings')
  const { tracking } = byId
  const subject = { id, input, actor, booking, settings, cachedLookups: lookups, now, tracking }
  const loadingUsers = loadUsers(db, subject, ask)
  const [records, things, people, requests] = await Promise.all([
    loadRecords(db, subject, ask),
    loadCatalog(
      db,
      subject,
      ask,
      loadingUsers.then(({ driver }) => driver),
    ),
    loadingUsers,
    readRequests(db, subject, ask),
  ])
  const linked = await loadLinkedBookings(db, subject, people.driver, asked)
  const { customer } = people
  const debtLimit = await readDebtLimit(db, customer, ask)
  const { promo } = things
  const hadBefore = promo !== null && customer?.formerPromos?.[promo.id] === true
  return {
    booking,
    eventContext: {
      settings,
      debtLimit,
      ...byId,
      ...records,
      ...things,
      ...people,
      ...requests,
      ...linked,
      isPromoUsed: things.isPromoUsed || hadBefore,
    },
  }
}
