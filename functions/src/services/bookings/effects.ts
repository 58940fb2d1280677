import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { PushMessage } from '~/domain/booking/eventTypes'
import { dbPaths } from '~/domain/data/databasePaths'
import { cleanParams } from '../messages/cleanParams'
import { pushToUser } from '../messages/pushDevices'
import type { DatabasePort } from '../../ports/database'
import type { PushPort } from '../../ports/push'
import { generatePushKey } from '../../ports/random'
import type { RandomPort } from '../../ports/random'

export interface Effect {
  updates: Readonly<Record<string, DatabaseValue>>
  pushes: readonly PushMessage[]
}

/**
 * Writes a change, then sends its push messages. The inbox entries are part of the same write. When
 * the rules refuse it, rejects with `WriteConflictError`, writes nothing and sends nothing.
 */
export const commit = async (
  { db, push, random }: { db: DatabasePort; push: PushPort; random: RandomPort },
  { updates, pushes: messages }: Effect,
  now: number,
): Promise<void> => {
  const pushes = messages.map(({ params, ...message }) => ({
    ...message,
    ...(params && { params: cleanParams(params) }),
  }))
  const entries = pushes.map(({ to, ...message }): [string, DatabaseValue] => [
    dbPaths.inbox(to, generatePushKey(now, random)),
    { ...message, at: now },
  ])
  const all = { ...updates, ...Object.fromEntries(entries) }
  if (Object.keys(all).length === 0) return
  await db.update(all)
  await Promise.all(pushes.map(({ to, ...message }) => pushToUser({ db, push }, to, message)))
}
