import { removeClaimedContact, mergeEffects } from '~/domain/contactClaims'
import type { ErrorKey } from '~/domain/errors'
import type { User } from '~/domain/entities'
import type { Effect } from '~/domain/wallet'
import type { RequestContext } from '../http/endpointTypes'
import { fail } from '../http/domainException'

const MAX_HOLDERS = 20

/**
 * Returns the effect that removes a verified number from other profiles. Firebase Auth assigns a
 * number to one account, so another profile with this number never verified it or has since changed
 * numbers. Refuses with `otherwise` when the number now belongs to another account, or when the
 * other profile has no account; then only the back office can decide who owns it.
 */
export const buildPhoneClaim = async (
  { db, accounts, now }: Pick<RequestContext, 'db' | 'accounts' | 'now'>,
  { uid, phone }: { uid: string; phone: string },
  otherwise: { key: ErrorKey; field?: string },
): Promise<Effect> => {
  const found = await db.list<User>('users', { by: 'mobile', equalTo: phone, first: MAX_HOLDERS })
  const others = found.map(([id]) => id).filter((id) => id !== uid)
  if (others.length === 0) return { updates: {}, pushes: [] }
  const [owner, ...open] = await Promise.all([
    accounts.findByPhone(phone),
    ...others.map((id) => accounts.isActive(id)),
  ])
  if (owner !== uid || open.includes(false)) fail(otherwise.key, otherwise.field)
  return mergeEffects(others.map((from) => removeClaimedContact('mobile', { from, by: uid, now })))
}
