import { roundAmount } from '~/domain/money/money'
import { dbPaths } from '~/domain/data/databasePaths'
import { type OfficeAction, checkAction } from '~/domain/access/permissions'
import type { addAdminCredit } from '~/domain/money/wallet'
import { buildAuditEntry } from '../office/auditEntry'
import { commitOrFail } from '../bookings/commitRetry'
import { getWrittenBalance, readWallet } from '../../ports/database'
import { unwrap, throwIfError } from '../../domainException'
import { readSettings } from '../office/settings'
import type { UserRequestContext } from '../../ports/requestContext'
import type { WalletEntry } from '~/domain/money/types'

interface Adjustment {
  /** The client's push key. */
  id: string
  uid: string
  amount: number
  note?: string | undefined
  action: Extract<OfficeAction, 'wallet_credit' | 'wallet_debit'>
  /** The end of the entry's key in the wallet's history, after the id. */
  suffix: 'admin' | 'correction'
  decide: typeof addAdminCredit
}

/**
 * Moves a wallet's money for an admin: balance, history and audit log in one write. A repeat of the
 * same id returns the entry that is there.
 */
export const adjustWallet = (
  { id, uid, amount, note, action, suffix, decide }: Adjustment,
  context: UserRequestContext,
) => {
  const { actor, db, now } = context
  return commitOrFail(context, { subject: uid, event: action }, async () => {
    const [settings, wallet, earlier] = await Promise.all([
      readSettings(db),
      readWallet(db, uid),
      db.read<WalletEntry>(dbPaths.walletEntry(uid, `${id}-${suffix}`)),
    ])
    throwIfError(checkAction(action, actor.role, settings))
    const stateRead = [settings, wallet]
    if (wallet && earlier) {
      // The first call may have been written after the balance was read above.
      const { walletBalance } = (await readWallet(db, uid)) ?? wallet
      return { stateRead, now, result: { uid, amount: earlier.amount, walletBalance } }
    }
    const { updates, pushes } = unwrap(decide(wallet, { id, amount, note, now }, settings))
    const moved = roundAmount(amount, settings.decimal)
    const walletBalance = getWrittenBalance(updates, uid)
    const entry = {
      by: actor.uid,
      at: now,
      action,
      path: dbPaths.user(uid),
      from: { walletBalance: roundAmount(wallet?.walletBalance ?? 0, settings.decimal) },
      to: { walletBalance, amount: moved, ...(note && { note }) },
    }
    const effect = { updates: { ...updates, ...buildAuditEntry(entry, id) }, pushes }
    return { stateRead, now, effect, result: { uid, amount: moved, walletBalance } }
  })
}
