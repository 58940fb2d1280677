import { dbPaths } from '~/domain/data/databasePaths'
import { buildUnavailabilityUpdates } from '~/domain/dispatch/dispatch'
import { buildAuditEntry } from '../office/auditEntry'
import { fail } from '../../domainException'
import { iteratePages, readUser, WriteConflictError, type DatabasePort } from '../../ports/database'
import type { UserRequestContext } from '../../ports/requestContext'
import type { User } from '~/domain/accounts/types'

/** Drivers read at a time. */
const PAGE_SIZE = 100
/** Maximum number of pages that one call moves; a repeated call continues. */
const MAX_PAGES = 50

const listDrivers = (db: DatabasePort, fleetadmin: string, first: number) =>
  db.list<object>('people', { by: 'fleetadmin', equalTo: fleetadmin, first })

/** Counts the drivers of a fleet, at most as many as one call can move. */
const countDrivers = async (db: DatabasePort, fleetadmin: string): Promise<number> => {
  let count = 0
  const query = { by: 'fleetadmin', equalTo: fleetadmin }
  for await (const page of iteratePages<object>(db, 'people', query, PAGE_SIZE)) {
    count += page.length
    if (count >= PAGE_SIZE * MAX_PAGES) break
  }
  return count
}

/**
 * Refuses the deletion of a fleet admin with drivers until an admin says who takes them over:
 * drivers_left with their number in `params.drivers`. `target` is another fleet admin,
 * null for no fleet, or undefined without a decision.
 */
export const assertDriversHaveFleet = async (
  fleetadmin: User,
  target: string | null | undefined,
  { actor, db }: UserRequestContext,
): Promise<void> => {
  if (fleetadmin.usertype !== 'fleetadmin') {
    if (target !== undefined) fail('bad_input', 'drivers_to')
    return
  }
  if (target !== undefined && actor.role !== 'admin') fail('not_allowed', 'drivers_to')
  if (target) {
    const owner = await db.read<string>(`${dbPaths.user(target)}/usertype`)
    if (owner !== 'fleetadmin' || target === fleetadmin.id) fail('bad_input', 'drivers_to')
  }
  if (target !== undefined) return
  const drivers = await countDrivers(db, fleetadmin.id)
  if (drivers > 0) fail('drivers_left', 'drivers_to', { drivers })
}

/** Moves one driver, who leaves the list of available drivers until their page adds them again. */
const moveDriver = async (
  { actor, db, now }: UserRequestContext,
  id: string,
  { from, to }: { from: string; to: string | null },
): Promise<void> => {
  const driver = await readUser<User>(db, id)
  if (driver?.fleetadmin !== from) return
  const entry = {
    by: actor.uid,
    at: now,
    action: 'user_edit',
    path: dbPaths.user(id),
    to: { fields: ['fleetadmin'] },
  }
  await db.update({
    [`${dbPaths.user(id)}/fleetadmin`]: to,
    ...buildUnavailabilityUpdates(driver),
    ...buildAuditEntry(entry, id),
  })
}

/**
 * Moves all drivers of a fleet admin to another one, or out of any fleet. Safe to repeat after an
 * interruption, because it reads the drivers that are left.
 */
export const moveFleetDrivers = async (
  context: UserRequestContext,
  from: string,
  to: string | null,
): Promise<void> => {
  for (let page = 0; page < MAX_PAGES; page++) {
    const drivers = await listDrivers(context.db, from, PAGE_SIZE)
    if (drivers.length === 0) return
    for (const [id] of drivers)
      try {
        await moveDriver(context, id, { from, to })
      } catch (error) {
        // The driver changed meanwhile, and the next page has them again.
        if (!(error instanceof WriteConflictError)) throw error
      }
  }
  fail('changed_meanwhile')
}
