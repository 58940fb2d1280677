import type { DatabaseValue } from '../data/databaseValue'
import type { PushMessage } from '../booking/eventTypes'
import { domainError, type DomainError } from '../api/errors'
import { buildNotification } from '../messages/messageTable'
import { fromMinorUnits, MAX_DECIMALS, roundAmount, sumAmounts, toMinorUnits } from './money'
import { dbPaths } from '../data/databasePaths'
import { err, ok, type Result } from '../api/result'
import { WALLET_SLOTS, type WalletEntry } from './types'
import type { Settings } from '../catalog/types'
import type { User } from '../accounts/types'

/** Paths to write at once, and the pushes to send afterwards. */
export interface Effect {
  updates: Record<string, DatabaseValue>
  pushes: PushMessage[]
}

/** A wallet as read: the balance that a write starts from. */
export type Wallet = Pick<User, 'id' | 'walletBalance'>

/** The reference of an admin's credit to a wallet. */
export const ADMIN_CREDIT_REF = 'AdminCredit'

/** The reference of an admin's debit of a wallet. */
export const ADMIN_DEBIT = 'AdminDebit'

/** Amount above which an admin must confirm twice, in units of the currency. */
export const LARGE_AMOUNT = 1000

/** Suffixes of the keys of entries that belong to a booking. */
export const BOOKING_ENTRY_KEY =
  /-(share|cash|rest-wallet|wallet|refund|cancel-fee|review|returned-card|returned|compensation|tip)$/

/** Returns the signed amount by which an entry changes the balance. */
export const toSignedAmount = ({ type, amount }: Pick<WalletEntry, 'type' | 'amount'>): number =>
  type === 'Credit' ? amount : -amount

/**
 * Adds entries to a wallet and changes its balance by exactly their sum, in one write. The balance
 * is an absolute value computed from the one that was read, so the rules refuse the write if the
 * balance has changed since. The keys prevent a second write. Entries that round to zero are
 * omitted; without any, nothing is written.
 */
export const buildWalletUpdates = (
  wallet: Wallet,
  entries: Readonly<Record<string, WalletEntry>>,
  { code, decimal }: Pick<Settings, 'code' | 'decimal'>,
): Record<string, DatabaseValue> => {
  // The rules compare neighboring slots, so their order must be that of the keys' UTF-16 code
  // units.
  const moves = Object.entries(entries)
    .map(([key, entry]) => ({ key, entry, units: toMinorUnits(toSignedAmount(entry), decimal) }))
    .filter(({ units }) => units !== 0)
    .sort((one, other) => (one.key < other.key ? -1 : 1))
  if (moves.length === 0) return {}
  if (moves.length > WALLET_SLOTS.length)
    throw new RangeError(
      `One write adds at most ${WALLET_SLOTS.length} entries to a wallet. Split the write.`,
    )
  const before = toMinorUnits(wallet.walletBalance ?? 0, decimal)
  const after = moves.reduce((total, { units }) => total + units, before)
  const { id } = wallet
  return {
    ...Object.fromEntries(
      moves.map(({ key, entry, units }): [string, DatabaseValue] => [
        dbPaths.walletEntry(id, key),
        { ...entry, amount: fromMinorUnits(Math.abs(units), decimal) },
      ]),
    ),
    [dbPaths.walletBalance(id)]: fromMinorUnits(after, decimal),
    [dbPaths.walletMove(id)]: {
      code,
      scale: 10 ** decimal,
      before,
      after,
      slots: Object.fromEntries<DatabaseValue>(
        moves.map(({ key, units }, index) => [WALLET_SLOTS[index] ?? '', { entry: key, units }]),
      ),
    },
  }
}

/** Returns true when a wallet is in debt by at least a minor unit. */
export const isBalanceNegative = (
  balance: number,
  { decimal }: Pick<Settings, 'decimal'>,
): boolean => toMinorUnits(balance, decimal) < 0

/**
 * Sums a wallet's history exactly, whatever decimals the currency had at the time of each entry.
 */
export const sumWalletHistory = (history: User['walletHistory']): number =>
  sumAmounts(Object.values(history ?? {}).map(toSignedAmount), MAX_DECIMALS)

const creditWallet = (
  wallet: Wallet,
  key: string,
  entry: Omit<WalletEntry, 'type'>,
  currency: Pick<Settings, 'code' | 'decimal'>,
): Effect => {
  const amount = roundAmount(entry.amount, currency.decimal)
  const event = entry.reason === 'card_refund_failed' ? entry.reason : 'wallet_credited'
  return {
    updates: buildWalletUpdates(wallet, { [key]: { type: 'Credit', ...entry } }, currency),
    pushes: [{ to: wallet.id, ...buildNotification(event, 'account'), params: { amount } }],
  }
}

/**
 * A manual change of a wallet by an admin; `id` belongs to the request, so a repeat changes
 * nothing.
 */
interface Adjustment {
  id: string
  amount: number
  note?: string | undefined
  /** ms */
  now: number
}

/** Credits a wallet manually. Refused: no_details_error. */
export const addAdminCredit = (
  wallet: Wallet | null,
  { id, amount, note, now }: Adjustment,
  currency: Pick<Settings, 'code' | 'decimal'>,
): Result<Effect, DomainError> => {
  if (!wallet) return err(domainError('no_details_error', 'uid'))
  if (!(toMinorUnits(amount, currency.decimal) > 0))
    return err(domainError('no_details_error', 'amount'))
  const entry = { amount, txRef: ADMIN_CREDIT_REF, date: now, ...(note && { note }) }
  return ok(creditWallet(wallet, `${id}-admin`, entry, currency))
}

/**
 * Debits a wallet to correct a credit. The balance cannot become negative. Refused:
 * no_details_error, withdraw_too_much.
 */
export const takeFromWallet = (
  wallet: Wallet | null,
  { id, amount, note, now }: Adjustment,
  currency: Pick<Settings, 'code' | 'decimal'>,
): Result<Effect, DomainError> => {
  const { decimal } = currency
  if (!wallet) return err(domainError('no_details_error', 'uid'))
  const units = toMinorUnits(amount, decimal)
  const balance = toMinorUnits(wallet.walletBalance ?? 0, decimal)
  if (!(units > 0)) return err(domainError('no_details_error', 'amount'))
  if (units > balance) {
    const most = fromMinorUnits(Math.max(0, balance), decimal)
    return err(domainError('withdraw_too_much', 'amount', { most }))
  }
  const params = { amount: fromMinorUnits(units, decimal) }
  const entry: WalletEntry = {
    type: 'Debit',
    amount,
    txRef: ADMIN_DEBIT,
    date: now,
    ...(note && { note }),
  }
  return ok({
    updates: buildWalletUpdates(wallet, { [`${id}-correction`]: entry }, currency),
    pushes: [{ to: wallet.id, ...buildNotification('wallet_corrected', 'account'), params }],
  })
}

/**
 * Credits a verified payment to its payer's wallet: a top-up, or a payment too late for its
 * booking.
 */
export const topUpWallet = (
  wallet: Wallet,
  { id, amount }: { id: string; amount: number },
  now: number,
  currency: Pick<Settings, 'code' | 'decimal'>,
): Effect => creditWallet(wallet, `${id}-topup`, { amount, txRef: id, date: now }, currency)

/** Credits parked money to its payer's wallet. */
export const creditUnmatchedPayment = (
  wallet: Wallet,
  {
    id,
    parkedAt,
    ...entry
  }: { id: string; parkedAt: number } & Pick<WalletEntry, 'amount' | 'reason'>,
  now: number,
  currency: Pick<Settings, 'code' | 'decimal'>,
): Effect =>
  creditWallet(wallet, `${id}-parked-${parkedAt}`, { ...entry, txRef: id, date: now }, currency)
