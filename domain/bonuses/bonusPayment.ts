import { toJson, type DatabaseValue } from '../data/databaseValue'
import { dbPaths, SERVER_UID } from '../data/databasePaths'
import { internalPaths } from '../data/internalPaths'
import { buildNotification } from '../messages/messageTable'
import { createAuditKey } from '../data/pushKeys'
import { buildWalletUpdates, type Effect } from '../money/wallet'
import { decideBonus, type BonusDropReason, type BonusFacts } from './bonusDecision'
import { getBonusEntryKey, REFERRAL_REF, type PendingBonus } from './pendingBonus'
import type { AuditEntry } from '../office/types'

/** Returns the audit entry of a dropped bonus, which the office reads on the booking's page. */
const buildDropAudit = (
  { uid, referred, booking, amount, due }: PendingBonus,
  reason: BonusDropReason,
  now: number,
): Record<string, DatabaseValue> => {
  const entry: AuditEntry = {
    by: SERVER_UID,
    at: now,
    action: 'bonus_drop',
    path: dbPaths.booking(booking),
    from: { amount },
    // A deleted person has no name to show.
    to: { ...(reason !== 'account_deleted' && { uid }), drop_reason: reason },
  }
  // The key contains no time of the run, so that two runs at once write one entry.
  return { [dbPaths.audit(createAuditKey(due, `${uid}_${referred}`, 0))]: toJson(entry) }
}

/**
 * Pays a bonus that is due and removes it from those that wait, in one write. Drops it with an
 * audit entry, or lets it wait longer, when `decideBonus` says so.
 */
export const payPendingBonus = (bonus: PendingBonus, facts: BonusFacts, now: number): Effect => {
  const path = internalPaths.pendingBonus(bonus.uid, bonus.referred)
  const decision = decideBonus(bonus, facts, now)
  switch (decision.kind) {
    case 'wait': {
      const waiting = { ...bonus, due: decision.until, revision: bonus.revision + 1 }
      return { updates: { [path]: waiting }, pushes: [] }
    }
    case 'drop':
      return {
        updates: { [path]: null, ...buildDropAudit(bonus, decision.reason, now) },
        pushes: [],
      }
    case 'pay': {
      const { amount, wallet } = decision
      const credit = { type: 'Credit', amount, date: now, txRef: REFERRAL_REF } as const
      const entries = { [getBonusEntryKey(bonus.referred)]: credit }
      return {
        updates: { [path]: null, ...buildWalletUpdates(wallet, entries, facts.settings) },
        pushes: [
          { to: bonus.uid, ...buildNotification('referral', 'account'), params: { amount } },
        ],
      }
    }
  }
}
