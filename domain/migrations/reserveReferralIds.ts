import { fnv1a } from '../data/fnv1a'
import { createReferralId, listReferralNumberBounds } from '../accounts/referral'
import type { Naming } from './migration'

/**
 * Reserves everyone's referral id. An account whose id another account has too gets a new one; the
 * numbers come from its uid, so that an interrupted migration ends with the same ids.
 */
export const reserveReferralIds: Naming = {
  over: 'users',
  field: 'referralId',
  into: 'internal/referral_ids',
  async choose(uid, findOwner) {
    let n = 0
    for (const [min, max] of listReferralNumberBounds()) {
      const number = min + ((fnv1a(`${n++}:${uid}`) >>> 0) % (max - min + 1))
      const referralId = createReferralId('', number)
      const owner = await findOwner(referralId)
      if (owner === null || owner === uid) return referralId
    }
    throw new Error(`All referral ids for users/${uid} are taken. Set its referralId by hand.`)
  },
}
