import { formatDay, formatZonedIso } from '~/domain/language/zonedTime'
import { MAX_DECIMALS, sumAmounts } from '~/domain/money/money'
import { DAY_MS } from '~/domain/language/timeUnits'
import { BOOKING_ENTRY_KEY, toSignedAmount } from '~/domain/money/wallet'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'
import type { WalletEntry } from '~/domain/money/types'

type WalletHistory = User['walletHistory']
type ReportSettings = Pick<Settings, 'timezone' | 'decimal'>

interface EarningsTotal {
  amount: number
  /** Number of bookings. */
  count: number
}
const DRIVER_SHARE_KEY = /-share$/

interface DriverShare {
  amount: number
  /** yyyy-mm-dd */
  day: string
}
/** Returns the driver shares in the order they reached the wallet. */
const getDriverShares = (history: WalletHistory, timezone: string): DriverShare[] =>
  Object.entries(history ?? {})
    .filter(([key]) => DRIVER_SHARE_KEY.test(key))
    .map(([, { amount, date }]) => ({ amount, day: formatDay(date, timezone) }))

const sumShares = (shares: DriverShare[], decimal: number): EarningsTotal => ({
  amount: sumAmounts(
    shares.map(({ amount }) => amount),
    decimal,
  ),
  count: shares.length,
})

/** Returns the calendar day (yyyy-mm-dd) that many days later. */
const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** Returns the Monday of a day's week. */
const getMonday = (day: string): string =>
  addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

/**
 * Returns what a driver has earned today, this week from Monday, and this month, in the platform's
 * time zone.
 */
export const getRecentEarnings = (
  history: WalletHistory,
  { timezone, decimal }: ReportSettings,
  now: number,
) => {
  const today = formatDay(now, timezone)
  const monday = getMonday(today)
  const shares = getDriverShares(history, timezone)
  const of = (belongs: (share: DriverShare) => boolean) =>
    sumShares(shares.filter(belongs), decimal)
  return {
    today: of(({ day }) => day === today),
    week: of(({ day }) => day >= monday && day <= today),
    month: of(({ day }) => day.slice(0, 7) === today.slice(0, 7)),
  }
}

export interface PeriodEarnings extends EarningsTotal {
  /** A day, or the first day of the week, as yyyy-mm-dd. */
  from: string
}

const SHOWN_DAYS = 7

/** Returns one bar for each of the last seven days, today last. */
export const getDailyEarnings = (
  history: WalletHistory,
  { timezone, decimal }: ReportSettings,
  now: number,
): PeriodEarnings[] => {
  const today = formatDay(now, timezone)
  const shares = getDriverShares(history, timezone)
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const from = addDays(today, index - SHOWN_DAYS + 1)
    return {
      from,
      ...sumShares(
        shares.filter(({ day }) => day === from),
        decimal,
      ),
    }
  })
}

/** Returns one bar for each of the last weeks, Monday to Sunday, this week last. */
export const getWeeklyEarnings = (
  history: WalletHistory,
  { timezone, decimal }: ReportSettings,
  now: number,
  weeks: number,
): PeriodEarnings[] => {
  const monday = getMonday(formatDay(now, timezone))
  const shares = getDriverShares(history, timezone)
  return Array.from({ length: weeks }, (_, index) => {
    const from = addDays(monday, (index - weeks + 1) * 7)
    return {
      from,
      ...sumShares(
        shares.filter(({ day }) => getMonday(day) === from),
        decimal,
      ),
    }
  })
}

/** Returns the last months as yyyy-mm, the current one last. */
export const getLastMonths = (
  now: number,
  { timezone }: Pick<ReportSettings, 'timezone'>,
  count: number,
) => {
  const [year = 0, month = 1] = formatDay(now, timezone).split('-').map(Number)
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month - count + index, 15)).toISOString().slice(0, 7),
  )
}

export interface StatementLine extends WalletEntry {
  key: string
  /** The booking of the entry, if any. */
  bookingId: string | null
  /** The balance after this entry. */
  balance: number
}
export interface Statement extends Period {
  opening: number
  closing: number
  in: number
  out: number
  /** Credits for complaints less the money taken back; a part of `in` and `out`. */
  compensation: number
  /** Tips from riders, which are a part of `in`, or of a rider's `out`. */
  tips: number
  /** Oldest first. */
  lines: StatementLine[]
}

export type Span = 'day' | 'week' | 'month'

/** Returns the first day of the day, week (from Monday) or month that contains a yyyy-mm-dd. */
const getPeriodStart = (day: string, span: Span): string =>
  span === 'day' ? day : span === 'week' ? getMonday(day) : `${day.slice(0, 7)}-01`

/** The first and the last day, both included, as yyyy-mm-dd. */
interface Period {
  from: string
  to: string
}
/** Returns the day, week or month that begins on this day. */
export const getPeriod = (from: string, span: Span): Period => {
  if (span === 'day') return { from, to: from }
  if (span === 'week') return { from, to: addDays(from, 6) }
  const [year = 0, month = 1] = from.split('-').map(Number)
  return { from, to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) }
}

/**
 * Returns the first days of the periods with entries, newest first, always including the current
 * period.
 */
export const getPeriodStarts = (
  history: WalletHistory,
  { timezone }: ReportSettings,
  now: number,
  span: Span,
  isWhole = true,
): string[] => {
  const dates = [now, ...Object.values(history ?? {}).map(({ date }) => date)]
  const starts = [...new Set(dates.map((at) => getPeriodStart(formatDay(at, timezone), span)))]
    .sort()
    .reverse()
  return isWhole || starts.length === 1 ? starts : starts.slice(0, -1)
}

/**
 * Returns the balance before the oldest of the loaded entries, from the current balance: 0 when the
 * history is whole.
 */
export const getCarriedBalance = (
  history: WalletHistory,
  balance: number,
  isWhole: boolean,
): number =>
  isWhole
    ? 0
    : sumAmounts(
        [balance, ...Object.values(history ?? {}).map((entry) => -toSignedAmount(entry))],
        MAX_DECIMALS,
      )

/**
 * Returns one period of a wallet: every entry with the balance after it, from the opening to the
 * closing balance. `carried` is the balance before the first entry of the history.
 */
export const buildStatement = (
  history: WalletHistory,
  { from, to }: Period,
  { timezone, decimal }: ReportSettings,
  carried = 0,
): Statement => {
  const entries = Object.entries(history ?? {}).sort(
    ([a, { date: first }], [b, { date: second }]) => first - second || (a < b ? -1 : 1),
  )
  const day = (entry: WalletEntry) => formatDay(entry.date, timezone)
  const before = entries.filter(([, entry]) => day(entry) < from)
  const opening = sumAmounts(
    [carried, ...before.map(([, entry]) => toSignedAmount(entry))],
    MAX_DECIMALS,
  )
  let balance = opening
  const lines = entries
    .filter(([, entry]) => day(entry) >= from && day(entry) <= to)
    .map(([key, entry]) => {
      balance = sumAmounts([balance, toSignedAmount(entry)], MAX_DECIMALS)
      return { ...entry, key, bookingId: BOOKING_ENTRY_KEY.test(key) ? entry.txRef : null, balance }
    })
  const moved = lines.map(toSignedAmount)
  return {
    from,
    to,
    opening,
    closing: balance,
    in: sumAmounts(
      moved.filter((amount) => amount > 0),
      decimal,
    ),
    out: sumAmounts(
      moved.filter((amount) => amount < 0).map((amount) => -amount),
      decimal,
    ),
    compensation: sumAmounts(lines.filter(isCompensation).map(toSignedAmount), decimal),
    tips: sumAmounts(lines.filter(isTip).map(toSignedAmount), decimal),
    lines,
  }
}

const isCompensation = ({ key }: Pick<StatementLine, 'key'>): boolean =>
  key.endsWith('-compensation')
const isTip = ({ key }: Pick<StatementLine, 'key'>): boolean => key.endsWith('-tip')

interface StatementTexts {
  /** Translates the title of a column. */
  title: (column: string) => string
  /** Names an entry. */
  kind: (line: StatementLine) => string
  /** Translates the reason of an entry. */
  reason: (reason: string) => string
  /** References of bookings, by ID. */
  references: Record<string, string>
  timezone: string
}

const STATEMENT_COLUMNS = [
  'date',
  'kind',
  'booking_id',
  'reference',
  'amount',
  'balance',
  'compensation',
  'tips',
  'reason',
] as const

/**
 * Returns a statement as rows of cells. Times are ISO in the platform's time zone. An entry of a
 * booking has the booking's reference, or its ID when that is unknown. Compensation and
 * tips have columns of their own besides the amount.
 */
export const toStatementRows = (
  statement: Statement,
  { title, kind, reason, references, timezone }: StatementTexts,
): (string | number)[][] => [
  STATEMENT_COLUMNS.map((column) => title(`statement_${column}`)),
  ['', title('statement_opening'), '', '', '', statement.opening, '', '', ''],
  ...statement.lines.map((line) => [
    formatZonedIso(line.date, timezone),
    kind(line),
    ...(line.bookingId ? [references[line.bookingId] ?? line.bookingId, ''] : ['', line.txRef]),
    toSignedAmount(line),
    line.balance,
    isCompensation(line) ? toSignedAmount(line) : '',
    isTip(line) ? toSignedAmount(line) : '',
    line.reason ? reason(line.reason) : '',
  ]),
  [
    ...['', title('statement_closing'), '', '', ''],
    ...[statement.closing, statement.compensation, statement.tips, ''],
  ],
]
