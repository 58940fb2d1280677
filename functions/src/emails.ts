import { createHash } from 'node:crypto'
import type { Value } from '~/domain/booking/change'
import type { User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { Conflict } from './ports/database'
import type { DatabasePort } from './ports/database'
import { refuse } from './refused'

/**
 * Two people who sign up with one e-mail at the same moment both find it free. `user_emails/{hash}` is written in the same
 * update as the record and belongs to one, so the second is refused. A hash, because the reservation need not say whose.
 */
const hashOf = (email: string): string =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('base64url')

/** The paths that reserve an e-mail for somebody; none when he has none. */
const emailReserved = (uid: string, email: string | undefined): Record<string, Value> =>
  email ? { [at.userEmail(hashOf(email))]: uid } : {}

/** The paths that give an e-mail back, if it is his. */
export const emailReleased = async (
  db: DatabasePort,
  { id, email }: Pick<User, 'id' | 'email'>,
): Promise<Record<string, Value>> => {
  if (!email) return {}
  const path = at.userEmail(hashOf(email))
  return (await db.read<string>(path)) === id ? { [path]: null } : {}
}

const sameEmail = (a: string | undefined, b: string | undefined) =>
  (a ?? '').trim().toLowerCase() === (b ?? '').trim().toLowerCase()

/**
 * Writes somebody's record and reserves his e-mail, all or nothing. Refused with user_exists when somebody else was
 * faster; rejects with `Conflict` when the rules refuse the record itself. A reservation whose owner has left or
 * uses another e-mail by now is nobody's.
 */
export const writeWithEmail = async (
  db: DatabasePort,
  { id: uid, email }: { id: string; email?: string | undefined },
  updates: Readonly<Record<string, Value>>,
): Promise<void> => {
  const reserved = emailReserved(uid, email)
  const [path] = Object.keys(reserved)
  const owner = path === undefined ? null : await db.read<string>(path)
  if (path !== undefined && owner !== null && owner !== uid) {
    const theirs = await db.read<string>(`${at.user(owner)}/email`)
    if (sameEmail(theirs ?? undefined, email)) refuse('user_exists', 'email')
    await db.update({ [path]: null })
  }
  try {
    await db.update({ ...updates, ...reserved })
  } catch (error) {
    if (!(error instanceof Conflict) || path === undefined) throw error
    const faster = await db.read<string>(path)
    if (faster === null || faster === uid) throw error
    refuse('user_exists', 'email')
  }
}

/** `writeWithEmail` for a new record: refused with user_exists when the record is there already. */
export const writeNewUser: typeof writeWithEmail = async (db, user, updates) => {
  try {
    await writeWithEmail(db, user, updates)
  } catch (error) {
    if (!(error instanceof Conflict)) throw error
    refuse('user_exists', 'mobile')
  }
}
