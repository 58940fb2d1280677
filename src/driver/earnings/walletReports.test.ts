import { getEntryLabelKey } from '~/src/features/wallet/walletEntries'
import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS } from '~/domain/language/timeUnits'
import { formatZonedIso } from '~/domain/language/zonedTime'
import {
  getDailyEarnings,
  getWeeklyEarnings,
  getLastMonths,
  getPeriod,
  getRecentEarnings,
  toStatementRows,
  getCarriedBalance,
  getPeriodStarts,
  buildStatement,
} from './walletReports'
import type { WalletEntry } from '~/domain/money/types'

const reportSettings = { timezone: 'America/Montevideo', decimal: 2 }
/** A Friday, 12:00 in Montevideo. */
const NOW = Date.UTC(2026, 10, 20, 15)
const credit = (amount: number, date: number, txRef: string): WalletEntry => ({
  type: 'Credit',
  amount,
  date,
  txRef,
})
const debit = (amount: number, date: number, txRef: string): WalletEntry => ({
  ...credit(amount, date, txRef),
  type: 'Debit',
})
const history = {
  'a-share': credit(10.1, NOW - HOUR_MS, 'a'),
  'b-share': credit(20.2, NOW - 2 * HOUR_MS, 'b'),
  'b-cash': debit(25, NOW - 2 * HOUR_MS, 'b'),
  'c-share': credit(5, NOW - 3 * DAY_MS, 'c'),
  'd-share': credit(7, NOW - 6 * DAY_MS, 'd'),
  'e-share': credit(40, NOW - 30 * DAY_MS, 'e'),
  'p-topup': credit(100, NOW - DAY_MS, 'p'),
  'w-withdraw': { type: 'Withdraw', amount: 30, date: NOW - HOUR_MS / 2, txRef: 'w' },
} satisfies Record<string, WalletEntry>

describe('a driver’s earnings', () => {
  it('count only the driver shares of today, of the week from Monday and of the month', () => {
    expect(getRecentEarnings(history, reportSettings, NOW)).toEqual({
      today: { amount: 30.3, count: 2 },
      week: { amount: 35.3, count: 3 },
      month: { amount: 42.3, count: 4 },
    })
  })

  it('use the platform’s days, not the device’s', () => {
    // 01:30 UTC on the 21st is still the evening of the 20th in Montevideo.
    const late = { 'x-share': credit(9, Date.UTC(2026, 10, 21, 1, 30), 'x') }
    expect(getRecentEarnings(late, reportSettings, NOW + 11 * HOUR_MS).today.amount).toBe(9)
  })

  it('have a bar for each day, including empty ones', () => {
    const bars = getDailyEarnings(history, reportSettings, NOW)
    expect(bars.map(({ from }) => from)).toEqual([
      '2026-11-14',
      '2026-11-15',
      '2026-11-16',
      '2026-11-17',
      '2026-11-18',
      '2026-11-19',
      '2026-11-20',
    ])
    expect(bars.map(({ amount }) => amount)).toEqual([7, 0, 0, 5, 0, 0, 30.3])
  })

  it('have a bar for each week from its Monday', () => {
    const bars = getWeeklyEarnings(history, reportSettings, NOW, 2)
    expect(bars).toEqual([
      { from: '2026-11-09', amount: 7, count: 1 },
      { from: '2026-11-16', amount: 35.3, count: 3 },
    ])
  })
})

describe('a wallet after a change of the platform’s currency', () => {
  it('adds up amounts with more digits than the current currency has', () => {
    const earlier = {
      'a-share': credit(1.005, NOW - 40 * DAY_MS, 'a'),
      'b-withdraw': { ...debit(1.005, NOW - 39 * DAY_MS, 'b'), type: 'Withdraw' as const },
      'c-share': credit(3, NOW - DAY_MS, 'c'),
    }
    const statement = buildStatement(earlier, getPeriod('2026-11-01', 'month'), reportSettings)
    expect(statement).toMatchObject({ opening: 0, closing: 3, in: 3 })
    expect(Object.is(statement.out, 0)).toBe(true)
  })
})

describe('the months of a chart', () => {
  it('continue across the turn of the year', () => {
    expect(getLastMonths(Date.UTC(2027, 1, 1, 12), reportSettings, 4)).toEqual([
      '2026-11',
      '2026-12',
      '2027-01',
      '2027-02',
    ])
  })
})

describe('a statement', () => {
  const statement = buildStatement(history, getPeriod('2026-11-01', 'month'), reportSettings)

  it('starts with the balance of earlier months and ends with the current balance', () => {
    expect(statement.opening).toBe(40)
    expect(statement.closing).toBe(127.3)
    expect(statement.in).toBe(142.3)
    expect(statement.out).toBe(55)
  })

  it('links a line to its booking and shows the balance after it', () => {
    const cash = statement.lines.find(({ key }) => key === 'b-cash')
    expect(cash).toMatchObject({ bookingId: 'b', balance: 127 })
    expect(statement.lines.find(({ key }) => key === 'p-topup')?.bookingId).toBeNull()
  })

  it('names the kind of each line', () => {
    expect(statement.lines.map((line) => getEntryLabelKey(line.key, line))).toEqual([
      'entry_share',
      'entry_share',
      'entry_topup',
      'entry_cash',
      'entry_share',
      'entry_share',
      'entry_withdraw',
    ])
  })

  it('exports from its opening to its closing balance', () => {
    const references = { d: 'K7M-4QX' }
    const rows = toStatementRows(statement, {
      title: (column) => column,
      kind: (line) => getEntryLabelKey(line.key, line),
      reason: (reason) => reason,
      references,
      timezone: 'America/Montevideo',
    })
    expect(rows[1]).toEqual(['', 'statement_opening', '', '', '', 40, '', '', ''])
    const day = formatZonedIso(NOW - 6 * DAY_MS, 'America/Montevideo')
    expect(rows[2]).toEqual([day, 'entry_share', 'K7M-4QX', '', 7, 47, '', '', ''])
    // The reference of the other bookings could not be read.
    expect(rows[3]?.slice(2, 4)).toEqual(['c', ''])
    expect(rows.find(([, kind]) => kind === 'entry_topup')?.slice(2, 4)).toEqual(['', 'p'])
    expect(rows.at(-1)).toEqual(['', 'statement_closing', '', '', '', 127.3, 0, 0, ''])
  })

  it('shows compensation and tips in columns of their own', () => {
    const history: Record<string, WalletEntry> = {
      'b--x-compensation': {
        ...credit(8, NOW - 2, 'b'),
        reason: 'damage',
      },
      'b--y-compensation': {
        ...debit(3, NOW - 1, 'b'),
        reason: 'detour',
      },
      'b-share': credit(20, NOW - 3, 'b'),
      'b--z-tip': { ...credit(2, NOW, 'b'), reason: 'tip' },
    }
    const own = buildStatement(history, getPeriod('2026-11-01', 'month'), reportSettings)
    expect([own.compensation, own.tips]).toEqual([5, 2])
    const rows = toStatementRows(own, {
      title: (column) => column,
      kind: (line) => getEntryLabelKey(line.key, line),
      reason: (reason) => reason,
      references: {},
      timezone: reportSettings.timezone,
    })
    expect(rows.slice(2, 6).map((row) => [row[1], row[4], ...row.slice(6)])).toEqual([
      ['entry_share', 20, '', '', ''],
      ['entry_compensation', 8, 8, '', 'damage'],
      ['entry_compensation', -3, -3, '', 'detour'],
      ['entry_tip', 2, '', 2, 'tip'],
    ])
  })

  it('exists for every month with entries and for the current month', () => {
    expect(getPeriodStarts(history, reportSettings, NOW + 30 * DAY_MS, 'month')).toEqual([
      '2026-12-01',
      '2026-11-01',
      '2026-10-01',
    ])
  })
})

it.each([
  ['day', '2026-02-10', '2026-02-10'],
  ['week', '2026-02-23', '2026-03-01'],
  ['month', '2026-02-01', '2026-02-28'],
  ['month', '2028-02-01', '2028-02-29'],
  ['month', '2026-12-01', '2026-12-31'],
] as const)('ends a %s from %s on %s', (span, from, to) => {
  expect(getPeriod(from, span)).toEqual({ from, to })
})

it('opens each statement with the closing balance of the previous one, whatever the period', () => {
  const history = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `b${index}-share`,
      { type: 'Credit', amount: 1.1, date: NOW - index * DAY_MS, txRef: `b${index}` } as const,
    ]),
  )
  for (const span of ['day', 'week', 'month'] as const) {
    const statements = getPeriodStarts(history, reportSettings, NOW, span)
      .reverse()
      .map((from) => buildStatement(history, getPeriod(from, span), reportSettings))
    expect(statements.flatMap(({ lines }) => lines)).toHaveLength(60)
    expect(statements[0]?.opening).toBe(0)
    expect(statements.at(-1)?.closing).toBe(66)
    statements.slice(1).forEach(({ opening }, index) => {
      expect(opening).toBe(statements[index]?.closing)
    })
  }
})

it('gives the same statements when only the newest entries were read', () => {
  const all = Array.from(
    { length: 60 },
    (_, index) =>
      [
        `b${index}-share`,
        { type: 'Credit', amount: 1.1, date: NOW - index * DAY_MS, txRef: `b${index}` } as const,
      ] as const,
  )
  const newest = Object.fromEntries(all.slice(0, 40))
  const carried = getCarriedBalance(newest, 66, false)
  expect(carried).toBe(22)
  for (const span of ['day', 'week', 'month'] as const) {
    const starts = getPeriodStarts(newest, reportSettings, NOW, span, false)
    expect(starts.length).toBeGreaterThan(0)
    for (const from of starts)
      expect(buildStatement(newest, getPeriod(from, span), reportSettings, carried)).toEqual(
        buildStatement(Object.fromEntries(all), getPeriod(from, span), reportSettings),
      )
  }
})
