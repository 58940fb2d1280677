import { createHash } from 'node:crypto'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { removeClaimedContact, mergeEffects } from '~/domain/accounts/contactClaims'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import { isEmailDomainAllowed } from '~/domain/messages/emailDomains'
import type { MessageSettings } from '~/domain/messages/messageSettings'
import type { Effect } from '~/domain/money/wallet'
import { WriteConflictError } from '../../ports/database'
import type { DatabasePort } from '../../ports/database'
import { commit } from '../bookings/effects'
import { fail } from '../../domainException'
import type { RequestContext } from '../../ports/requestContext'
import type { User } from '~/domain/accounts/types'

/**
 * Returns the key of an address at `user_emails/{hash}`. Two people who sign up with one email
 * address at the same moment both find it free; the reservation, written in the same update as the
 * record, refuses the second. A hash keeps the address itself out of the key.
 */
const hashEmail = (email: string): string =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')

/** Returns the paths that release an email address if it belongs to this user. */
export const buildEmailRelease = async (
  db: DatabasePort,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<Record<string, DatabaseValue>> => {
  if (!email) return {}
  const path = dbPaths.userEmail(hashEmail(email))
  return (await db.read<string>(path)) === id ? { [path]: null } : {}
}

const isSameEmail = (a: string | undefined, b: string | undefined) =>
  (a ?? '').trim().toLowerCase() === (b ?? '').trim().toLowerCase()

/**
 * Maximum number of profiles searched for an address. The reservation allows one; older data may
 * have several.
 */
const MAX_HOLDERS = 20

interface EmailHolders {
  /** The uid that holds the reservation, or null. */
  reservedBy: string | null
  /** The other accounts whose profiles have the address. */
  holders: { id: string; emailVerified: boolean }[]
}

/**
 * Returns the accounts other than `uid` that have this address, found by the reservation and by the
 * index.
 */
const findEmailHolders = async (
  db: DatabasePort,
  email: string,
  uid: string,
): Promise<EmailHolders> => {
  const [reserved, usersWithEmail] = await Promise.all([
    db.read<string>(dbPaths.userEmail(hashEmail(email))),
    db.list<User>('users', { by: 'email', equalTo: email, first: MAX_HOLDERS }),
  ])
  const ids = new Set([
    ...(reserved === null ? [] : [reserved]),
    ...usersWithEmail.map(([id]) => id),
  ])
  ids.delete(uid)
  const holderLists = await Promise.all(
    [...ids].map(async (id) => {
      const [theirs, verified] = await Promise.all([
        db.read<string>(`${dbPaths.user(id)}/email`),
        db.read<boolean>(`${dbPaths.user(id)}/emailVerified`),
      ])
      // A reservation whose owner has left or uses another address is free.
      return isSameEmail(theirs ?? '', email) ? [{ id, emailVerified: verified === true }] : []
    }),
  )
  return { reservedBy: reserved, holders: holderLists.flat() }
}

/** Refuses an address of a domain from which the office takes none. */
export const assertEmailDomain = async (db: DatabasePort, email: string): Promise<void> => {
  const settings = await db.read<MessageSettings>(internalPaths.messageSettings)
  if (settings && !isEmailDomainAllowed(email, settings)) fail('email_domain_refused', 'email')
}

/** An account, its new address, and whether its token proves that the address is theirs. */
export interface EmailClaim {
  id: string
  email?: string | undefined
  emailVerified?: boolean | undefined
}

/**
 * Writes an effect that creates or changes an account, and reserves the account's email address in
 * the same update. The first unverified claim keeps an address. A verified claim takes it from
 * unverified ones: their profiles lose it, with an audit entry and a message. Refuses with
 * user_exists when another account keeps the address, and with email_domain_refused. Rejects with
 * `WriteConflictError` when the rules refuse the record itself.
 */
export const writeWithEmailReservation = async (
  context: Pick<RequestContext, 'db' | 'push' | 'random' | 'now'>,
  { id: uid, email, emailVerified = false }: EmailClaim,
  effect: Effect,
): Promise<void> => {
  const { db, now } = context
  if (!email) return commit(context, effect, now)
  await assertEmailDomain(db, email)
  let seenState: string | undefined
  for (;;) {
    const held = await findEmailHolders(db, email, uid)
    if (held.holders.some((one) => !emailVerified || one.emailVerified))
      fail('user_exists', 'email')
    const removals = held.holders.map(({ id }) =>
      removeClaimedContact('email', { from: id, by: uid, now }),
    )
    const reserved = { updates: { [dbPaths.userEmail(hashEmail(email))]: uid }, pushes: [] }
    try {
      return await commit(context, mergeEffects([...removals, effect, reserved]), now)
    } catch (error) {
      const state = JSON.stringify(held)
      // A second refusal in the same state means that the rules refuse the record, not the address.
      if (!(error instanceof WriteConflictError) || state === seenState) throw error
      seenState = state
    }
  }
}

/**
 * Like `writeWithEmailReservation`, for a new record. Refuses with user_exists when the record
 * already exists.
 */
export const writeNewUser: typeof writeWithEmailReservation = async (context, user, effect) => {
  try {
    await writeWithEmailReservation(context, user, effect)
  } catch (error) {
    if (!(error instanceof WriteConflictError)) throw error
    fail('user_exists', 'mobile')
  }
}
