import { buildNotification } from './messages/messageTable'
import type { Settings, User, Withdrawal } from './entities'
import { domainError, type DomainError } from './errors'
import { roundAmount, toMinorUnits } from './money'
import { dbPaths } from './databasePaths'
import { mayWithdraw, shouldShowBankFields } from './permissions'
import { err, ok, type Result } from './result'
import { buildWalletUpdates, type Effect } from './wallet'

/**
 * Requests a withdrawal for a driver, or for a rider when RiderWithDraw is on. The amount leaves
 * the wallet with the request, so that it cannot be withdrawn or spent twice. Refused: not_allowed,
 * no_details_error, withdraw_too_much.
 */
export const requestWithdrawal = (
  user: User,
  { id, amount, now }: { id: string; amount: number; now: number },
  settings: Pick<Settings, 'code' | 'decimal' | 'RiderWithDraw' | 'bank_fields'>,
): Result<Effect & { withdraw: Withdrawal }, DomainError> => {
  const { decimal } = settings
  if (!mayWithdraw(user.usertype, settings)) return err(domainError('not_allowed'))
  if (!(toMinorUnits(amount, decimal) > 0)) return err(domainError('no_details_error', 'amount'))
  if (toMinorUnits(amount, decimal) > toMinorUnits(user.walletBalance ?? 0, decimal))
    return err(
      domainError('withdraw_too_much', 'amount', {
        most: roundAmount(user.walletBalance ?? 0, decimal),
      }),
    )
  const requested = roundAmount(amount, decimal)
  const bank = shouldShowBankFields(settings)
    ? {
        ...(user.bankName && { bankName: user.bankName }),
        ...(user.bankCode && { bankCode: user.bankCode }),
        ...(user.bankAccount && { bankAccount: user.bankAccount }),
      }
    : {}
  const withdraw: Withdrawal = {
    id,
    uid: user.id,
    name: `${user.firstName} ${user.lastName}`.trim(),
    amount: requested,
    date: now,
    ...bank,
    processed: false,
  }
  return ok({
    withdraw,
    updates: {
      [dbPaths.withdraw(id)]: { ...withdraw },
      ...buildWalletUpdates(
        user,
        { [`${id}-withdraw`]: { type: 'Withdraw', amount: requested, date: now, txRef: id } },
        settings,
      ),
    },
    pushes: [],
  })
}

/** Marks a withdrawal as paid by an admin. Refused: not_found, already_processed. */
export const completeWithdrawal = (
  withdraw: Withdrawal | null,
  now: number,
): Result<Effect, DomainError> => {
  if (!withdraw) return err(domainError('not_found', 'id'))
  if (withdraw.processed) return err(domainError('already_processed', 'id'))
  const { id, uid, amount } = withdraw
  return ok({
    updates: {
      [`${dbPaths.withdraw(id)}/processed`]: true,
      [`${dbPaths.withdraw(id)}/procesDate`]: now,
    },
    pushes: [
      { to: uid, ...buildNotification('withdraw_processed', 'account'), params: { amount } },
    ],
  })
}
