import type { Value } from '~/domain/booking/change'
import { listingOf } from '~/domain/listing'
import { PROJECT, type LocalDatabase } from './localDatabase'

const BATCH = 500

interface Account {
  localId: string
  phoneNumber: string
  displayName?: string
}

/** Users by key, a page at a time: the list may be long and is never read whole. */
async function* pages(database: LocalDatabase): AsyncGenerator<[string, unknown][]> {
  let after: string | undefined
  for (;;) {
    const page = (await database.get('users', {
      orderBy: '"$key"',
      limitToFirst: String(BATCH + 1),
      ...(after !== undefined && { startAt: JSON.stringify(after) }),
    })) as Record<string, unknown> | null
    const fresh = Object.entries(page ?? {}).filter(([uid]) => uid !== after)
    if (fresh.length === 0) return
    yield fresh
    after = fresh
      .map(([uid]) => uid)
      .sort()
      .at(-1)
  }
}

/**
 * Makes the Auth emulator's accounts from `users/`, which is the source of truth for uid and phone:
 * the emulator keeps them in memory only. Answers how many there are.
 */
export async function restoreAccounts(database: LocalDatabase, authUrl: string): Promise<number> {
  let count = 0
  for await (const page of pages(database)) {
    const users: Account[] = []
    for (const [uid, user] of page) {
      const { mobile, firstName, lastName } = user as Record<string, unknown>
      if (typeof mobile !== 'string' || !/^\+\d{7,15}$/.test(mobile)) continue
      users.push({
        localId: uid,
        phoneNumber: mobile,
        displayName: [firstName, lastName].filter((name) => typeof name === 'string').join(' '),
      })
    }
    if (users.length === 0) continue
    const response = await fetch(
      `${authUrl}/identitytoolkit.googleapis.com/v1/projects/${PROJECT}/accounts:batchCreate`,
      {
        method: 'POST',
        headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
        body: JSON.stringify({ users, allowOverwrite: true }),
      },
    )
    const answer = (await response.json()) as { error?: unknown[] | { message: string } }
    if (!response.ok || (Array.isArray(answer.error) && answer.error.length > 0)) {
      throw new Error(`The Auth emulator refused accounts: ${JSON.stringify(answer.error)}`)
    }
    count += users.length
  }
  return count
}

/** Lists everybody for the office in a database that is older than the list. */
export async function listPeople(database: LocalDatabase): Promise<void> {
  if ((await database.get('people', { shallow: 'true' })) !== null) return
  const listed: Record<string, Value> = {}
  for await (const page of pages(database))
    for (const [uid, user] of page) listed[uid] = listingOf(user as Record<string, Value>)
  await database.put('people', listed)
}
