import { SETTING_DEFINITIONS } from '../catalog/settingDefinitions'
import { buildNotification } from '../messages/messageTable'
import type { DatabaseValue } from '../data/databaseValue'
import { domainError, type DomainError } from '../api/errors'
import { roundAmount, subtractAmount, toMinorUnits } from './money'
import { dbPaths } from '../data/databasePaths'
import { mayWithdraw, shouldShowBankFields } from '../access/permissions'
import { err, ok, type Result } from '../api/result'
import { HOUR_MS } from '../language/timeUnits'
import { buildWalletUpdates, isBalanceNegative, type Effect, type Wallet } from './wallet'
import { BANK_FIELDS, type BankChange, type User } from '../accounts/types'
import type { Settings } from '../catalog/types'
import type { Withdrawal } from './types'
import type { Hours } from '../language/units'

interface WithdrawalRequest {
  id: string
  amount: number
  now: number
  /** The part of the balance whose trips the office has yet to review; null if it is unknown. */
  held?: number | null
  /** The last change of the bank details. */
  bankChange?: BankChange | null
}
type WithdrawalSettings = Pick<
  Settings,
  'code' | 'decimal' | 'RiderWithDraw' | 'bank_fields' | 'bankWaitHours'
>

/** Returns the hours for which payouts wait after a change of bank details. */
const getBankWaitHours = ({
  bankWaitHours = SETTING_DEFINITIONS.bankWaitHours.standard,
}: Pick<Settings, 'bankWaitHours'>): Hours => bankWaitHours

/**
 * Returns the time before which a withdrawal is not paid out, ms; undefined when it need not wait.
 * The wait gives the owner time to notice a change that was not theirs.
 */
const getPayableTime = (
  change: BankChange | null | undefined,
  settings: Pick<Settings, 'bank_fields' | 'bankWaitHours'>,
  now: number,
): number | undefined => {
  if (!change || !shouldShowBankFields(settings)) return undefined
  const at = change.at + getBankWaitHours(settings) * HOUR_MS
  return at > now ? at : undefined
}

/**
 * Requests a withdrawal for a driver, or for a rider when RiderWithDraw is on. The amount leaves
 * the wallet with the request, so that it cannot be withdrawn or spent twice. `bankChange` is the
 * last change of the bank details. Refused: not_allowed, no_details_error, withdraw_too_much,
 * withdraw_in_review.
 */
export const requestWithdrawal = (
  user: User,
  { id, amount, now, held = 0, bankChange }: WithdrawalRequest,
  settings: WithdrawalSettings,
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
  const heldPart = held ?? roundAmount(user.walletBalance ?? 0, decimal)
  const free = Math.max(0, subtractAmount(user.walletBalance ?? 0, heldPart, decimal))
  if (toMinorUnits(amount, decimal) > toMinorUnits(free, decimal))
    return err(domainError('withdraw_in_review', 'amount', { held: heldPart, most: free }))
  const requested = roundAmount(amount, decimal)
  const payableAt = getPayableTime(bankChange, settings, now)
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
    ...(payableAt !== undefined && { payable_at: payableAt }),
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

/** Returns true while a withdrawal waits after a change of bank details. */
export const isPayoutWaiting = (
  { processed, payable_at: payableAt = 0 }: Pick<Withdrawal, 'processed' | 'payable_at'>,
  now: number,
): boolean => !processed && payableAt > now

/**
 * Returns the updates of the withdrawals that still wait when their owner's bank details change:
 * they go to the new account, and wait from now on. Otherwise a withdrawal that a thief requested
 * to their own account would be paid to it after the owner has corrected the details.
 */
export const buildWaitingPayoutUpdates = (
  withdraws: readonly Withdrawal[],
  bank: Pick<User, (typeof BANK_FIELDS)[number]>,
  settings: Pick<Settings, 'bank_fields' | 'bankWaitHours'>,
  now: number,
): Effect['updates'] =>
  Object.fromEntries(
    withdraws
      .filter((withdraw) => isPayoutWaiting(withdraw, now))
      .flatMap(({ id }): [string, DatabaseValue][] => [
        ...BANK_FIELDS.map((field): [string, DatabaseValue] => [
          `${dbPaths.withdraw(id)}/${field}`,
          bank[field] || null,
        ]),
        [
          `${dbPaths.withdraw(id)}/payable_at`,
          getPayableTime({ at: now, revision: 0 }, settings, now) ?? now,
        ],
      ]),
  )

/**
 * Returns an unpaid withdrawal to its owner's wallet, by an admin who says why: the bank knows no
 * such account, or the owner did not ask for it. `wallet` is null after a deletion of the account.
 * Refused: not_found, already_processed.
 */
export const returnWithdrawal = (
  withdraw: Withdrawal | null,
  {
    wallet,
    note,
    settings,
    now,
  }: {
    wallet: Wallet | null
    note: string
    settings: Pick<Settings, 'code' | 'decimal'>
    now: number
  },
): Result<Effect, DomainError> => {
  if (!withdraw) return err(domainError('not_found', 'withdraw_id'))
  if (withdraw.processed) return err(domainError('already_processed', 'withdraw_id'))
  if (!wallet) return err(domainError('not_found', 'uid'))
  const { id, uid, amount } = withdraw
  const entry = { type: 'Credit', amount, date: now, txRef: id, note } as const
  return ok({
    updates: {
      [`${dbPaths.withdraw(id)}/processed`]: true,
      [`${dbPaths.withdraw(id)}/returned_at`]: now,
      ...buildWalletUpdates(wallet, { [`${id}-unpaid`]: entry }, settings),
    },
    pushes: [{ to: uid, ...buildNotification('withdraw_returned', 'account'), params: { amount } }],
  })
}

/**
 * Marks a withdrawal as paid by an admin. `wallet` is its owner's, null after a deletion. Refused:
 * not_found, already_processed, payout_waits, payout_wallet_negative.
 */
export const completeWithdrawal = (
  withdraw: Withdrawal | null,
  {
    wallet,
    settings,
    now,
  }: { wallet: Wallet | null; settings: Pick<Settings, 'decimal'>; now: number },
): Result<Effect, DomainError> => {
  if (!withdraw) return err(domainError('not_found', 'id'))
  if (withdraw.processed) return err(domainError('already_processed', 'id'))
  if (isPayoutWaiting(withdraw, now)) return err(domainError('payout_waits', 'id'))
  // A chargeback may have taken the money back after the request.
  if (isBalanceNegative(wallet?.walletBalance ?? 0, settings))
    return err(domainError('payout_wallet_negative', 'id'))
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
