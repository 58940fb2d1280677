import { getRoleClaim } from '~/domain/access/roles'
import type { Caller } from '../../ports/accounts'
import type { Ports } from '../../ports/ports'

const MAX_TRIES = 10

type ClaimPorts = Pick<Ports, 'db' | 'accounts'>

/**
 * Sets the account claim that storage.rules check, from the profile in the database. Runs after
 * each change of `approved`, which exists as long as the profile. Safe because it reads again after
 * the write: of two concurrent runs, the last one to finish has read the current value.
 */
export const syncRoleClaim = async ({ db, accounts }: ClaimPorts, uid: string): Promise<void> => {
  const read = async () => {
    const [usertype, approved] = await Promise.all([
      db.read<string>(`users/${uid}/usertype`),
      db.read<boolean>(`users/${uid}/approved`),
    ])
    return getRoleClaim({ usertype, approved })
  }
  let role = await read()
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    await accounts.setRole(uid, role)
    const now = await read()
    if (now === role) return
    role = now
  }
}

/**
 * Sets the same claim for a caller whose token may lack it: an account older than the claim or
 * approved a moment ago.
 */
export const syncCallerRoleClaim = async (
  { accounts }: Pick<Ports, 'accounts'>,
  { uid, role }: Pick<Caller, 'uid' | 'role'>,
  profile: { usertype: string; approved: boolean },
): Promise<void> => {
  const is = getRoleClaim(profile)
  if ((role ?? null) !== is) await accounts.setRole(uid, is)
}
