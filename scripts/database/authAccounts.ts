import { getRoleClaim, type RoleSource } from '~/domain/access/roles'
import { PROJECT, type LocalDatabase } from '../local/localDatabase'
import { readRecords } from './databasePages'

const BATCH_SIZE = 500

interface AuthAccount {
  localId: string
  phoneNumber: string
  displayName?: string
  /** Claims as JSON text. */
  customAttributes: string
}

/**
 * Yields accounts in batches from pages of users, because the list may be too long to read at once.
 */
async function* readAccountBatches(database: LocalDatabase): AsyncGenerator<AuthAccount[]> {
  let batch: AuthAccount[] = []
  for await (const [uid, user] of readRecords(database, 'users')) {
    const { mobile, firstName, lastName } = user as Record<string, unknown>
    if (typeof mobile !== 'string' || !/^\+\d{7,15}$/.test(mobile)) continue
    batch.push({
      localId: uid,
      phoneNumber: mobile,
      displayName: [firstName, lastName].filter((name) => typeof name === 'string').join(' '),
      customAttributes: claimsToJson(user as RoleSource),
    })
    if (batch.length < BATCH_SIZE) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * Returns the claims of a user as JSON; the functions maintain them, and a recreated account would
 * lack them.
 */
const claimsToJson = (user: RoleSource): string => {
  const role = getRoleClaim(user)
  return JSON.stringify(role === null ? {} : { role })
}

/**
 * Recreates the Auth emulator's accounts from `users/`, the source of truth for uid, phone and
 * role, because the emulator keeps them only in memory. Returns their number.
 */
export async function restoreAccounts(database: LocalDatabase, authUrl: string): Promise<number> {
  let count = 0
  for await (const users of readAccountBatches(database)) {
    const response = await fetch(
      `${authUrl}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:batchCreate`,
      {
        method: 'POST',
        headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
        body: JSON.stringify({ users, allowOverwrite: true }),
      },
    )
    const body = (await response.json()) as { error?: unknown[] | { message: string } }
    if (!response.ok || (Array.isArray(body.error) && body.error.length > 0)) {
      throw new Error(`The Auth emulator refused the accounts: ${JSON.stringify(body.error)}`)
    }
    count += users.length
  }
  return count
}
