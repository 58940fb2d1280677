import type { DatabaseValue } from '../data/databaseValue'
import { domainError, type DomainError } from '../api/errors'
import { sumAmounts } from './money'
import { dbPaths } from '../data/databasePaths'
import { isAttemptOpen, type PaymentAttempt } from '../payments/paymentAttempt'
import { getDecimals, isCurrencyCode } from '../payments/currencyUnits'
import { err, ok, type Result } from '../api/result'
import { ACTIVE_STATUSES, type Booking, type Status } from '../booking/types'
import type { Currency, Settings } from '../catalog/types'
import type { User } from '../accounts/types'
import type { Withdrawal } from './types'

/**
 * Milliseconds after the start of a currency change during which the database refuses every new
 * booking, payment and wallet entry. The change checks for open amounts in the old currency, and
 * none may be added meanwhile.
 */
export const CURRENCY_HOLD_MS = 60_000

/**
 * Smallest balance that counts as money, in units of the currency: half of the finest minor unit.
 */
export const MIN_COUNTED_BALANCE = 0.000_05

/** Statuses of a booking that still has money to move, or may have. */
export const UNSETTLED_STATUSES: readonly Status[] = ACTIVE_STATUSES.filter(
  (status) => status !== 'PAID',
)

/** A number of rows found; with `more`, there are at least that many. */
export interface RowCount {
  count: number
  more: boolean
}

/** Everything that is still in the old currency, with amounts in that currency. */
export interface CurrencyChangePlan {
  from: Currency
  to: Currency
  /** Wallets that are not empty, the sum of the positive balances, and the sum of the debts. */
  wallets: RowCount & { held: number; owed: number }
  /** Bookings that still have money to move. */
  bookings: RowCount
  /** Payments that may still arrive, parked money, and refunds without an outcome. */
  payments: RowCount
  /** Unpaid withdrawals. */
  withdraws: RowCount
}

/** The rows read, up to a limit each; `more` means that there are others. */
export interface CurrencyChangeRows {
  wallets: Rows<Pick<User, 'walletBalance'>>
  bookings: Rows<Pick<Booking, 'status'>>
  payments: Rows<Pick<PaymentAttempt, 'status' | 'createdAt' | 'parked' | 'problem' | 'refund'>>
  withdraws: Rows<Pick<Withdrawal, 'processed'>>
}
interface Rows<Row> {
  rows: readonly Row[]
  hasMore: boolean
}

/**
 * Returns the currency with its number of decimals (ISO 4217). Refused: bad_input for an unknown
 * code.
 */
export const toCurrency = (
  code: string,
  symbol: string | undefined,
  settings: Currency,
): Result<Currency, DomainError> => {
  if (!isCurrencyCode(code)) return err(domainError('bad_input', 'code'))
  const usual = code === settings.code ? settings.symbol : code
  return ok({ code, decimal: getDecimals(code), symbol: symbol ?? usual })
}

/** Returns true when an amount means the same in both currencies. The symbol does not matter. */
export const isSameCurrency = (
  one: Pick<Currency, 'code' | 'decimal'>,
  other: Pick<Currency, 'code' | 'decimal'>,
): boolean => one.code === other.code && one.decimal === other.decimal

const countRows = ({ rows, hasMore }: Rows<unknown>): RowCount => ({
  count: rows.length,
  more: hasMore,
})

/** Counts everything that blocks a change of the currency. */
export const planCurrencyChange = (
  { code, decimal, symbol }: Currency,
  to: Currency,
  { wallets, bookings, payments, withdraws }: CurrencyChangeRows,
  now: number,
): CurrencyChangePlan => {
  const balances = wallets.rows.map(({ walletBalance }) => walletBalance)
  // Parked money blocks the change until its problem is settled. A refund that its provider refuses
  // returns to a wallet.
  const open = payments.rows.filter(
    (attempt) =>
      (attempt.problem && attempt.parked) || attempt.refund || isAttemptOpen(attempt, now),
  )
  return {
    from: { code, decimal, symbol },
    to,
    wallets: {
      ...countRows(wallets),
      held: sumAmounts(
        balances.filter((balance) => balance > 0),
        decimal,
      ),
      owed: sumAmounts(
        balances.filter((balance) => balance < 0).map((balance) => -balance),
        decimal,
      ),
    },
    bookings: countRows(bookings),
    payments: countRows({ rows: open, hasMore: payments.hasMore }),
    withdraws: countRows(withdraws),
  }
}

/** Refuses a change with currency_in_use while anything is left in the old currency. */
export const checkCurrencyChange = ({
  wallets,
  bookings,
  payments,
  withdraws,
}: CurrencyChangePlan): DomainError | undefined =>
  [wallets, bookings, payments, withdraws].some(({ count, more }) => count > 0 || more)
    ? domainError('currency_in_use', 'code', {
        wallets: wallets.count,
        bookings: bookings.count,
        payments: payments.count,
        withdraws: withdraws.count,
      })
    : undefined

/**
 * Changes the currency in one write that also ends the hold. The old currency is kept with its end
 * time, because earlier amounts and totals stay in it.
 */
export const buildCurrencyUpdates = (
  { code, decimal, symbol }: Pick<Settings, 'code' | 'decimal' | 'symbol'>,
  to: Currency,
  now: number,
): Record<string, DatabaseValue> => ({
  [`${dbPaths.settings}/code`]: to.code,
  [`${dbPaths.settings}/decimal`]: to.decimal,
  [`${dbPaths.settings}/symbol`]: to.symbol,
  // A step belongs to its currency. The scheduled job writes the new one of the providers.
  [`${dbPaths.settings}/fareStep`]: null,
  [`${dbPaths.settings}/providerStep`]: null,
  [dbPaths.endedCurrency(now)]: { code, decimal, symbol },
  [dbPaths.currencyHold]: null,
})
