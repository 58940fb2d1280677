import type { Registration } from '~/domain/api/inputs/people'
import { toJson } from '~/domain/data/databaseValue'
import { dbPaths } from '~/domain/data/databasePaths'
import {
  isUnusedProfile,
  toPendingRegistration,
  parsePendingRegistration,
  type UnconfirmedRegistration,
} from '~/domain/accounts/pendingRegistration'
import { hashWithSalt, type Config } from '../../config'
import { logError } from '../../logs'
import { WriteConflictError } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import { fail } from '../../domainException'
import type { Ports } from '../../ports/ports'
import type { RequestContext } from '../../ports/requestContext'
import { OTHER_LIMITS } from '../limitTable'
import { isOverDailyLimit } from '../rateLimits'
import type { PendingRegistration, User } from '~/domain/accounts/types'

/**
 * Returns the path of a number's pending sign-up. The database does not contain the number itself.
 */
export const getRegistrationPath = (mobile: string, config: Pick<Config, 'salt'>): string =>
  dbPaths.pendingRegistration(hashWithSalt(mobile, config))

/**
 * Stores a sign-up until its number is verified and replaces an earlier one for the same number.
 * Refuses with too_many_requests above the daily quota of the caller's address.
 */
export const saveRegistration = async (
  { db, config, rateLimitKey, now }: Pick<RequestContext, 'db' | 'config' | 'rateLimitKey' | 'now'>,
  registration: Registration,
): Promise<void> => {
  const call = { caller: rateLimitKey, now }
  if (await isOverDailyLimit(db, OTHER_LIMITS.pendingRegistrations, call)) fail('too_many_requests')
  const path = getRegistrationPath(registration.mobile, config)
  await db.update({ [path]: toJson(toPendingRegistration(registration, now)) })
}

/** Returns the pending sign-up for a verified number if the profile is still unused. */
export const findRegistration = async (
  { db, config, now }: Pick<RequestContext, 'db' | 'config' | 'now'>,
  user: User,
  phone: string | undefined,
): Promise<UnconfirmedRegistration | null> => {
  if (phone === undefined || !isUnusedProfile(user)) return null
  const pending = await db.read<PendingRegistration>(getRegistrationPath(phone, config))
  const waiting = parsePendingRegistration(pending, now)
  return waiting && (await hasNoHistory(db, user.id)) ? waiting : null
}

/** Returns true when the account has neither bookings nor wallet entries. */
const hasNoHistory = async (db: DatabasePort, uid: string): Promise<boolean> => {
  const [bookings, entries] = await Promise.all([
    db.list('bookings', { by: 'customer', equalTo: uid, first: 1 }),
    db.list(`${dbPaths.user(uid)}/walletHistory`, { by: '$key', first: 1 }),
  ])
  return bookings.length + entries.length === 0
}

/** Removes the pending sign-up for a number if there is one. */
export const removeRegistration = async (
  { db, config }: Pick<RequestContext, 'db' | 'config'>,
  phone: string,
): Promise<void> => {
  const path = getRegistrationPath(phone, config)
  if ((await db.read(path)) === null) return
  try {
    await db.update({ [path]: null })
  } catch (error) {
    // Another call has already removed it.
    if (!(error instanceof WriteConflictError)) throw error
  }
}

const BATCH_SIZE = 200
const MAX_BATCHES = 10

/** Removes expired sign-ups, at most 2,000 per call. Returns the number removed. */
export const removeExpiredRegistrations = async (
  { db }: Pick<Ports, 'db'>,
  now: number,
): Promise<number> => {
  let forgotten = 0
  for (let batch = 0; batch < MAX_BATCHES; batch++) {
    const expired = await db.list<PendingRegistration>('pending_registrations', {
      by: 'expires',
      endAt: now,
      first: BATCH_SIZE,
    })
    if (expired.length === 0) break
    try {
      await db.update(
        Object.fromEntries(expired.map(([hash]) => [dbPaths.pendingRegistration(hash), null])),
      )
      forgotten += expired.length
    } catch (error) {
      // Another call removed one of them; the next run finds the others.
      if (!(error instanceof WriteConflictError)) logError('sweep', error)
      break
    }
  }
  return forgotten
}
