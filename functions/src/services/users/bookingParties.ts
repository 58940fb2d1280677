import { dbPaths } from '~/domain/data/databasePaths'
import { fail } from '../../domainException'
import type { DatabasePort } from '../../ports/database'
import type { Booking } from '~/domain/booking/types'

/**
 * Refuses with not_found when a party of a booking no longer has an account, so that nothing is
 * written about them that no deletion removes. Safe only for a booking that was
 * read before the call, and together with a write of its next revision: a deletion removes the
 * account first, and then writes the next revision too.
 */
export const assertPartiesExist = async (
  db: DatabasePort,
  { customer, driver }: Pick<Booking, 'customer' | 'driver'>,
): Promise<void> => {
  const exists = async (uid: string) => (await db.read(`${dbPaths.user(uid)}/usertype`)) !== null
  if (!(await exists(customer))) fail('not_found', 'customer')
  if (driver !== undefined && !(await exists(driver))) fail('not_found', 'driver')
}
