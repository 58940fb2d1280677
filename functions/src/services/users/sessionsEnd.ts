import type { DatabaseValue } from '~/domain/data/databaseValue'
import { getOwnSignIn } from '~/domain/access/ownSignIn'
import { dbPaths } from '~/domain/data/databasePaths'
import { toWholeSecond } from '~/domain/language/timeUnits'
import { removeAllDevices } from '../messages/pushDevices'
import type { Ports } from '../../ports/ports'
import type { User } from '~/domain/accounts/types'

const SECOND_MS = 1000

/**
 * Returns the update from which on the functions and the rules refuse an account's earlier
 * sign-ins. `signOutDevices` follows it.
 */
export const buildSessionsEnd = (uid: string, now: number): Record<string, DatabaseValue> => ({
  [`${dbPaths.user(uid)}/sessionsEnd`]: toWholeSecond(now),
})

/**
 * Ends an account's pushes, its refresh tokens, and the ways to sign in that its record excludes.
 * Can be repeated.
 */
export const signOutDevices = async (
  { accounts, clock, db }: Pick<Ports, 'accounts' | 'clock' | 'db'>,
  user: Pick<User, 'id' | 'mobile' | 'loginType' | 'usertype'>,
): Promise<void> => {
  await removeAllDevices(db, user.id)
  // A session of a removed number began before its removal, and would go on as one of the restored
  // number. The times of tokens are whole seconds, so that the second of the removal counts.
  if (await accounts.endSessions(user.id, getOwnSignIn(user)))
    await db.update(buildSessionsEnd(user.id, clock.now() + SECOND_MS))
}
