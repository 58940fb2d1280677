import { isFreshSignIn } from '~/domain/access/freshSignIn'
import { dbPaths } from '~/domain/data/databasePaths'
import { fail } from '../../domainException'
import type { UserRequestContext } from '../../ports/requestContext'

/** A number that the caller has proved by a code, and the account that has it in Firebase Auth. */
export interface PhoneProof {
  phone: string
  holder: string
}

/**
 * Returns the caller's proof of a number, or refuses with phone_no_update or user_exists. `token`
 * is the ID token of a sign-in with the number moments ago, which leaves the caller's account as it
 * is. Without one, the caller's own account must have the number already.
 */
export const provePhone = async (
  { accounts, caller, db, now }: UserRequestContext,
  mobile: string,
  token: string | undefined,
): Promise<PhoneProof> => {
  const owner = token === undefined ? caller : await accounts.verifyToken(token)
  if (owner?.phone !== mobile) return fail('phone_no_update', 'mobile')
  if (owner.uid === caller.uid) return { phone: mobile, holder: caller.uid }
  if (!isFreshSignIn(owner.signedInAt, now)) fail('phone_no_update', 'mobile_token')
  if ((await db.read(`${dbPaths.user(owner.uid)}/usertype`)) !== null) fail('user_exists', 'mobile')
  return { phone: mobile, holder: owner.uid }
}
