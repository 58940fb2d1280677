import type { DatabaseValue } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import { toWholeSecond } from '~/domain/language/timeUnits'
import { removeAllDevices } from '../messages/pushDevices'
import type { Ports } from '../../ports/ports'

/**
 * Returns the update from which on the functions and the rules refuse an account's earlier
 * sign-ins. `signOutDevices` follows it.
 */
export const buildSessionsEnd = (uid: string, now: number): Record<string, DatabaseValue> => ({
  [`${dbPaths.user(uid)}/sessionsEnd`]: toWholeSecond(now),
})

/** Ends an account's refresh tokens and its pushes. Can be repeated. */
export const signOutDevices = async (
  { accounts, db }: Pick<Ports, 'accounts' | 'db'>,
  uid: string,
): Promise<void> => {
  await accounts.endSessions(uid)
  await removeAllDevices(db, uid)
}
