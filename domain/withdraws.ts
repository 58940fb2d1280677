import { pushText } from './booking/pushes'
import type { Settings, User, Withdraw } from './entities'
import { refusal, type Refusal } from './errors'
import { round, toMinor } from './money'
import { at } from './paths'
import { mayWithdraw, showsBankFields } from './permissions'
import { err, ok, type Result } from './result'
import { walletUpdates, type Effect } from './wallet'

/**
 * A driver (or a rider when RiderWithDraw is on) asks for money out. The amount leaves the wallet with the request, so
 * that it can't be asked for or spent twice. Refused: not_allowed, no_details_error, withdraw_too_much.
 */
export const requestWithdraw = (
  user: User,
  { id, amount, now }: { id: string; amount: number; now: number },
  settings: Pick<Settings, 'decimal' | 'RiderWithDraw' | 'bank_fields'>,
): Result<Effect & { withdraw: Withdraw }, Refusal> => {
  const { decimal } = settings
  if (!mayWithdraw(user.usertype, settings)) return err(refusal('not_allowed'))
  if (!(toMinor(amount, decimal) > 0)) return err(refusal('no_details_error', 'amount'))
  if (toMinor(amount, decimal) > toMinor(user.walletBalance ?? 0, decimal))
    return err(refusal('withdraw_too_much', 'amount', { most: user.walletBalance ?? 0 }))
  const asked = round(amount, decimal)
  const bank = showsBankFields(settings)
    ? {
        ...(user.bankName && { bankName: user.bankName }),
        ...(user.bankCode && { bankCode: user.bankCode }),
        ...(user.bankAccount && { bankAccount: user.bankAccount }),
      }
    : {}
  const withdraw: Withdraw = {
    id,
    uid: user.id,
    name: `${user.firstName} ${user.lastName}`.trim(),
    amount: asked,
    date: now,
    ...bank,
    processed: false,
  }
  return ok({
    withdraw,
    updates: {
      [at.withdraw(id)]: { ...withdraw },
      ...walletUpdates(user.id, `${id}-withdraw`, {
        type: 'Withdraw',
        amount: asked,
        date: now,
        txRef: id,
      }),
    },
    pushes: [],
  })
}

/** An admin has paid a withdraw out. Refused: not_found, already_processed. */
export const completeWithdraw = (
  withdraw: Withdraw | null,
  now: number,
): Result<Effect, Refusal> => {
  if (!withdraw) return err(refusal('not_found', 'id'))
  if (withdraw.processed) return err(refusal('already_processed', 'id'))
  const { id, uid, amount } = withdraw
  return ok({
    updates: { [`${at.withdraw(id)}/processed`]: true, [`${at.withdraw(id)}/procesDate`]: now },
    pushes: [{ to: uid, ...pushText('withdraw_processed'), params: { amount }, screen: 'Wallet' }],
  })
}
