import { internalPaths } from '~/domain/data/internalPaths'
import { buildNotification } from '~/domain/messages/messageTable'
import type { Effect } from '~/domain/money/wallet'
import { buildWaitingPayoutUpdates } from '~/domain/money/withdrawals'
import type { DatabasePort } from '../../ports/database'
import { readSettings } from '../office/settings'
import { getProvedAddresses } from './provedAddresses'
import type { UserHandlerContext } from '../../ports/handlerContext'
import { BANK_FIELDS, type BankChange, type User } from '~/domain/accounts/types'
import type { Withdrawal } from '~/domain/money/types'

/** Returns a person's withdrawals. */
export const listWithdrawals = async (db: DatabasePort, uid: string): Promise<Withdrawal[]> =>
  (await db.list<Withdrawal>('withdraws', { by: 'uid', equalTo: uid })).map(([id, withdraw]) => ({
    ...withdraw,
    id,
  }))

/**
 * Returns what else changes with bank details: payouts wait from now on, and the owner reads a
 * message, also on another channel.
 */
export const buildBankChange = async (
  user: User,
  changed: Readonly<Record<string, unknown>>,
  { db, now, outbox }: UserHandlerContext<'messages'>,
): Promise<Effect> => {
  if (!BANK_FIELDS.some((field) => field in changed)) return { updates: {}, pushes: [] }
  const path = internalPaths.bankChange(user.id)
  const [settings, before, withdraws] = await Promise.all([
    readSettings(db),
    db.read<BankChange>(path),
    listWithdrawals(db, user.id),
  ])
  const bank: User = { ...user, ...changed }
  const change: BankChange = { at: now, revision: (before?.revision ?? 0) + 1 }
  return {
    updates: {
      [path]: { ...change },
      ...buildWaitingPayoutUpdates(withdraws, bank, settings, now),
      ...outbox.buildUpdates({
        scope: `${user.id}-${change.revision}`,
        event: 'bank_changed',
        audience: 'account',
        uid: user.id,
        addresses: getProvedAddresses(user),
        at: now,
        now,
      }),
    },
    pushes: [{ to: user.id, ...buildNotification('bank_changed', 'account') }],
  }
}
