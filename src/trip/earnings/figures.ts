import { dayOf } from '~/domain/clock'
import type { Settings, User, WalletEntry } from '~/domain/entities'
import { sum } from '~/domain/money'
import { ADMIN_CREDIT, signed } from '~/domain/wallet'

type History = User['walletHistory']
type Zone = Pick<Settings, 'timezone' | 'decimal'>
const DAY_MS = 86_400_000

interface Earned {
  amount: number
  /** Bookings. */
  count: number
}
const SHARE = /-share$/

interface Share {
  amount: number
  /** yyyy-mm-dd */
  day: string
}
/** The driver's shares as they came into his wallet. */
const sharesOf = (history: History, timezone: string): Share[] =>
  Object.entries(history ?? {})
    .filter(([key]) => SHARE.test(key))
    .map(([, { amount, date }]) => ({ amount, day: dayOf(date, timezone) }))

const earned = (shares: Share[], decimal: number): Earned => ({
  amount: sum(
    shares.map(({ amount }) => amount),
    decimal,
  ),
  count: shares.length,
})

/** The calendar day that many days after a yyyy-mm-dd. */
const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The Monday of a day's week. */
const mondayOf = (day: string): string =>
  shifted(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

/** What a driver has earned today, this week from Monday, and this month, by the platform's days. */
export const periodsOf = (history: History, { timezone, decimal }: Zone, now: number) => {
  const today = dayOf(now, timezone)
  const monday = mondayOf(today)
  const shares = sharesOf(history, timezone)
  const of = (belongs: (share: Share) => boolean) => earned(shares.filter(belongs), decimal)
  return {
    today: of(({ day }) => day === today),
    week: of(({ day }) => day >= monday && day <= today),
    month: of(({ day }) => day.slice(0, 7) === today.slice(0, 7)),
  }
}

export interface Bar extends Earned {
  /** yyyy-mm-dd: a day, or the first day of the week. */
  from: string
}

const DAYS = 7

/** One bar for each of the last seven days, today last. */
export const byDay = (history: History, { timezone, decimal }: Zone, now: number): Bar[] => {
  const today = dayOf(now, timezone)
  const shares = sharesOf(history, timezone)
  return Array.from({ length: DAYS }, (_, index) => {
    const from = shifted(today, index - DAYS + 1)
    return {
      from,
      ...earned(
        shares.filter(({ day }) => day === from),
        decimal,
      ),
    }
  })
}

/** One bar for each of the last weeks from Monday to Sunday, this week last. */
export const byWeek = (
  history: History,
  { timezone, decimal }: Zone,
  now: number,
  weeks: number,
): Bar[] => {
  const monday = mondayOf(dayOf(now, timezone))
  const shares = sharesOf(history, timezone)
  return Array.from({ length: weeks }, (_, index) => {
    const from = shifted(monday, (index - weeks + 1) * 7)
    return {
      from,
      ...earned(
        shares.filter(({ day }) => mondayOf(day) === from),
        decimal,
      ),
    }
  })
}

/** The last months as yyyy-mm, this one last. */
export const lastMonths = (now: number, { timezone }: Pick<Zone, 'timezone'>, count: number) => {
  const [year = 0, month = 1] = dayOf(now, timezone).split('-').map(Number)
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(year, month - count + index, 15)).toISOString().slice(0, 7),
  )
}

export interface StatementLine extends WalletEntry {
  key: string
  /** The booking it belongs to, if any. */
  booking: string | null
  /** What the balance was after it. */
  balance: number
}
export interface Statement extends Period {
  opening: number
  closing: number
  in: number
  out: number
  /** Oldest first. */
  lines: StatementLine[]
}

/** What one booking can enter into a wallet, and what else can, by the end of the entry's key. */
const OF_BOOKING = /-(share|cash|rest-wallet|wallet|refund|cancel-fee)$/
const OF_ITSELF = /-(topup|admin|referral|withdraw)$/

export type Span = 'day' | 'week' | 'month'

/** The first day of the day, week (from Monday) or month that a yyyy-mm-dd lies in. */
const startOf = (day: string, span: Span): string =>
  span === 'day' ? day : span === 'week' ? mondayOf(day) : `${day.slice(0, 7)}-01`

/** Days from the first to the last, both included, as yyyy-mm-dd. */
interface Period {
  from: string
  to: string
}
/** The day, week or month that begins on this day. */
export const periodFrom = (from: string, span: Span): Period => {
  if (span === 'day') return { from, to: from }
  if (span === 'week') return { from, to: shifted(from, 6) }
  const [year = 0, month = 1] = from.split('-').map(Number)
  return { from, to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) }
}

/** The first days of the days, weeks or months with entries, newest first, always with this one. */
export const startsOf = (history: History, { timezone }: Zone, now: number, span: Span): string[] =>
  [
    ...new Set(
      [now, ...Object.values(history ?? {}).map(({ date }) => date)].map((at) =>
        startOf(dayOf(at, timezone), span),
      ),
    ),
  ]
    .sort()
    .reverse()

/** A period of a wallet: every entry with the balance after it, from the opening to the closing one. */
export const statementOf = (
  history: History,
  { from, to }: Period,
  { timezone, decimal }: Zone,
): Statement => {
  const entries = Object.entries(history ?? {}).sort(
    ([a, { date: first }], [b, { date: second }]) => first - second || (a < b ? -1 : 1),
  )
  const day = (entry: WalletEntry) => dayOf(entry.date, timezone)
  const opening = sum(
    entries.filter(([, entry]) => day(entry) < from).map(([, entry]) => signed(entry)),
    decimal,
  )
  let balance = opening
  const lines = entries
    .filter(([, entry]) => day(entry) >= from && day(entry) <= to)
    .map(([key, entry]) => {
      balance = sum([balance, signed(entry)], decimal)
      return { ...entry, key, booking: OF_BOOKING.test(key) ? entry.txRef : null, balance }
    })
  const moved = lines.map(signed)
  return {
    from,
    to,
    opening,
    closing: balance,
    in: sum(
      moved.filter((amount) => amount > 0),
      decimal,
    ),
    out: -sum(
      moved.filter((amount) => amount < 0),
      decimal,
    ),
    lines,
  }
}

/** The kind of an entry as a translation key. */
export const entryKind = ({ key, type, txRef }: Pick<StatementLine, 'key' | 'type' | 'txRef'>) => {
  const end = (OF_BOOKING.exec(key) ?? OF_ITSELF.exec(key))?.[1]
  if (end) return `entry_${end.replace('rest-', '').replace('-', '_')}`
  if (txRef === ADMIN_CREDIT) return 'entry_admin'
  return `entry_type_${type}`
}

/** A statement as rows of cells; `title` translates a column, `kind` an entry. Times are ISO in UTC. */
export const statementRows = (
  statement: Statement,
  title: (column: string) => string,
  kind: (line: StatementLine) => string,
): (string | number)[][] => [
  ['date', 'kind', 'booking_id', 'reference', 'amount', 'balance'].map((column) =>
    title(`statement_${column}`),
  ),
  ['', title('statement_opening'), '', '', '', statement.opening],
  ...statement.lines.map((line) => [
    new Date(line.date).toISOString(),
    kind(line),
    line.booking ?? '',
    line.txRef,
    signed(line),
    line.balance,
  ]),
  ['', title('statement_closing'), '', '', '', statement.closing],
]
