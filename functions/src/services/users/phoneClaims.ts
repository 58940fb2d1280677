import { listUsedPromos } from '~/domain/accounts/accountDeletion'
import { removeClaimedContact, mergeEffects } from '~/domain/accounts/contactClaims'
import { isOfficeRole } from '~/domain/access/permissions'
import { getRole } from '~/domain/access/roles'
import { dbPaths } from '~/domain/data/databasePaths'
import type { ErrorKey } from '~/domain/api/errorKeys'
import type { Effect } from '~/domain/money/wallet'
import { fail } from '../../domainException'
import { iteratePages, type DatabasePort } from '../../ports/database'
import type { RequestContext } from '../../ports/requestContext'
import type { Booking, OpenBookings } from '~/domain/booking/types'
import type { FormerUser, User } from '~/domain/accounts/types'

const MAX_HOLDERS = 20
const PAGE_SIZE = 100

/** A number's move to the profile of its verified owner. */
export interface PhoneClaim {
  /** Removes the number from the profiles that had it. */
  effect: Effect
  /** The benefits that those profiles used, which the owner therefore cannot use again. */
  used: FormerUser[]
}

/** Returns true while a profile owes money or has a booking that is not over and paid. */
const isInvolved = async (db: DatabasePort, { id, walletBalance = 0 }: User): Promise<boolean> =>
  walletBalance < 0 ||
  ((await db.read<Partial<OpenBookings>>(dbPaths.openBookings(id)))?.open ?? 0) > 0

const findUsedBenefits = async (db: DatabasePort, user: User, now: number): Promise<FormerUser> => {
  const promos = new Set<string>()
  const own = { by: 'customer', equalTo: user.id }
  for await (const page of iteratePages<Booking>(db, 'bookings', own, PAGE_SIZE)) {
    const bookings = page.map(([, booking]) => booking)
    for (const promo of listUsedPromos(user, bookings)) promos.add(promo)
  }
  return {
    at: now,
    promos: Object.fromEntries([...promos].map((promo): [string, true] => [promo, true])),
    ...(user.referralRewarded && { referred: true }),
  }
}

/**
 * Returns how a verified number leaves other profiles. Firebase Auth assigns a number to one
 * account, so another profile with this number never verified it or has since changed numbers.
 * Refuses with `otherwise` when only the back office can decide who owns the number: when it now
 * belongs to another account than `holder`, or when the other profile has no account, works in the
 * office, owes money or has an open booking. Otherwise a person could unlink the number from an
 * account with a debt and start again.
 */
export const buildPhoneClaim = async (
  { db, accounts, now }: Pick<RequestContext, 'db' | 'accounts' | 'now'>,
  { uid, phone, holder = uid }: { uid: string; phone: string; holder?: string },
  otherwise: { key: ErrorKey; field?: string },
): Promise<PhoneClaim> => {
  const matchingUsers = await db.list<User>('users', {
    by: 'mobile',
    equalTo: phone,
    first: MAX_HOLDERS,
  })
  const others = matchingUsers.flatMap(([id, user]) => (id === uid ? [] : [{ ...user, id }]))
  if (others.length === 0) return { effect: { updates: {}, pushes: [] }, used: [] }
  const [owner, ...isOpen] = await Promise.all([
    accounts.findByPhone(phone),
    ...others.map(
      async (other) => (await accounts.isActive(other.id)) && !(await isInvolved(db, other)),
    ),
  ])
  const isOfficeNumber = others.some((other) => isOfficeRole(getRole(other) ?? undefined))
  if (owner !== holder || isOfficeNumber || isOpen.includes(false))
    fail(otherwise.key, otherwise.field)
  return {
    effect: mergeEffects(
      others.map(({ id: from }) => removeClaimedContact('mobile', { from, by: uid, now })),
    ),
    used: await Promise.all(others.map((other) => findUsedBenefits(db, other, now))),
  }
}
