import { toJson } from '../data/databaseValue'
import { fromMinorUnits, roundAmount, toMinorUnits } from '../money/money'
import { sumWalletHistory, toSignedAmount } from '../money/wallet'
import type { RowChange } from './migration'
import type { Settings } from '../catalog/types'
import type { User } from '../accounts/types'
import type { WalletEntry } from '../money/types'

type Wallet = Partial<Pick<User, 'walletBalance' | 'walletHistory'>>

/** Key and reference of the entry that preserves a balance when its history is rounded. */
const ROUNDING_ENTRY = 'rounding'

/**
 * Makes a wallet exact: the balance is the sum of its history, and no amount has more decimals than
 * the currency. Float increments moved balances and left 3082.2699999999986 instead of 3082.27; a
 * change of the decimals left amounts that cannot be spent. Such entries are rounded, and one more
 * entry preserves their sum. A wallet that is already exact, or off by a minor unit or more, stays
 * unchanged. `now` is ms.
 */
export const roundWallet = <Stored extends Wallet>(
  user: Stored,
  { decimal }: Pick<Settings, 'decimal'>,
  now: number,
): Stored => {
  const { walletBalance, walletHistory = {} } = user
  if (typeof walletBalance !== 'number') return user
  // A balance that contradicts its history is an error to investigate, not to hide.
  if (toMinorUnits(walletBalance - sumWalletHistory(walletHistory), decimal) !== 0) return user
  const balance = roundAmount(sumWalletHistory(walletHistory), decimal)
  const rounded = roundHistory(walletHistory, decimal)
  const missing = toMinorUnits(balance, decimal) - toMinorUnits(sumWalletHistory(rounded), decimal)
  const entry = {
    type: missing > 0 ? 'Credit' : 'Debit',
    amount: fromMinorUnits(Math.abs(missing), decimal),
    date: now,
    txRef: ROUNDING_ENTRY,
  } as const
  return {
    ...user,
    walletBalance: balance,
    ...(user.walletHistory && {
      walletHistory: missing === 0 ? rounded : { ...rounded, [ROUNDING_ENTRY]: entry },
    }),
  }
}

/** Returns the history rounded to the currency's decimals, without entries that round to zero. */
const roundHistory = (
  history: Record<string, WalletEntry>,
  decimal: number,
): Record<string, WalletEntry> =>
  Object.fromEntries(
    Object.entries(history)
      .map(([key, entry]): [string, WalletEntry] => [
        key,
        { ...entry, amount: roundAmount(entry.amount, decimal) },
      ])
      .filter(([, { amount }]) => amount > 0),
  )

/** Makes every wallet exact. */
export const roundWallets: RowChange = {
  collections: ['users'],
  apply: (row, _, { settings, now }) =>
    row.users === null || row.users === undefined
      ? row
      : {
          ...row,
          users: toJson(
            roundWallet(row.users as Wallet, { decimal: Number(settings.decimal ?? 2) }, now),
          ),
        },
  describeRow: ({ users: before }, { users: after }, key) => {
    const [from = 0, to = 0] = [before, after].map((user) => (user as Wallet).walletBalance)
    const correction = (after as Wallet).walletHistory?.[ROUNDING_ENTRY]
    return `The wallet of ${key}: ${from} → ${to}${correction ? `, with a correction of ${toSignedAmount(correction)} in its history` : ''}.`
  },
}
