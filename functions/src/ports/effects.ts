import type { Push, Value } from '~/domain/booking/change'
import { at } from '~/domain/paths'
import type { DatabasePort } from './database'
import type { PushPort } from './push'
import { pushKey } from './random'
import type { RandomPort } from './random'

export interface Effect {
  updates: Readonly<Record<string, Value>>
  pushes: readonly Push[]
}

/**
 * Commits what was decided, then sends its pushes. The inbox entries travel in the same write: a change, and who
 * is told of it, are one. Rejects with `Conflict`, nothing written and nobody told, when the rules refuse it.
 */
export const perform = async (
  { db, push, random }: { db: DatabasePort; push: PushPort; random: RandomPort },
  { updates, pushes }: Effect,
  now: number,
): Promise<void> => {
  const entries = pushes.map(({ to, ...message }): [string, Value] => [
    at.inbox(to, pushKey(now, random)),
    { ...message, at: now },
  ])
  const all = { ...updates, ...Object.fromEntries(entries) }
  if (Object.keys(all).length === 0) return
  await db.update(all)
  await Promise.all(
    pushes.map(async ({ to, ...message }) => {
      const token = await db.read<string>(`users/${to}/pushToken`)
      if (token) await push.send(token, message)
    }),
  )
}
