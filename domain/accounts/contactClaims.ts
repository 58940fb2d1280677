import { buildNotification } from '../messages/messageTable'
import { createAuditKey } from '../data/pushKeys'
import { dbPaths } from '../data/databasePaths'
import type { Effect } from '../money/wallet'
import type { AuditEntry } from '../office/types'

/** Merges effects into one that is written at once. */
export const mergeEffects = (effects: readonly Effect[]): Effect => ({
  updates: Object.assign({}, ...effects.map(({ updates }) => updates)) as Effect['updates'],
  pushes: effects.flatMap(({ pushes }) => pushes),
})

/**
 * Removes a phone number or an email address from the profile of `from`, because `by` has proved
 * that it is theirs. The audit entry names the field, not its content, because it outlives the
 * personal data.
 */
export const removeClaimedContact = (
  field: 'mobile' | 'email',
  { from, by, now }: { from: string; by: string; now: number },
): Effect => ({
  updates: {
    [`${dbPaths.user(from)}/${field}`]: '',
    [dbPaths.audit(createAuditKey(now, `${from}-${field}`, 0))]: {
      by,
      at: now,
      action: `${field}_claimed`,
      path: dbPaths.user(from),
      to: { fields: [field] },
    } satisfies AuditEntry,
  },
  pushes: [{ to: from, ...buildNotification(`${field}_claimed`, 'account') }],
})
