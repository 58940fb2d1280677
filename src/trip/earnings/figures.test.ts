import { describe, expect, it } from 'vitest'
import type { WalletEntry } from '~/domain/entities'
import {
  byDay,
  byWeek,
  lastMonths,
  entryKind,
  periodFrom,
  periodsOf,
  statementRows,
  startsOf,
  statementOf,
} from './figures'

const zone = { timezone: 'America/Montevideo', decimal: 2 }
/** A Friday, 12:00 in Montevideo. */
const NOW = Date.UTC(2026, 10, 20, 15)
const HOUR = 3_600_000
const DAY = 24 * HOUR
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
  'a-share': credit(10.1, NOW - HOUR, 'a'),
  'b-share': credit(20.2, NOW - 2 * HOUR, 'b'),
  'b-cash': debit(25, NOW - 2 * HOUR, 'b'),
  'c-share': credit(5, NOW - 3 * DAY, 'c'),
  'd-share': credit(7, NOW - 6 * DAY, 'd'),
  'e-share': credit(40, NOW - 30 * DAY, 'e'),
  'p-topup': credit(100, NOW - DAY, 'p'),
  'w-withdraw': { type: 'Withdraw', amount: 30, date: NOW - HOUR / 2, txRef: 'w' },
} satisfies Record<string, WalletEntry>

describe('a driver’s earnings', () => {
  it('are his shares of today, of the week from Monday and of the month, and nothing else', () => {
    expect(periodsOf(history, zone, NOW)).toEqual({
      today: { amount: 30.3, count: 2 },
      week: { amount: 35.3, count: 3 },
      month: { amount: 42.3, count: 4 },
    })
  })

  it('follow the platform’s days, not the device’s', () => {
    // 01:30 UTC on the 21st is still the evening of the 20th in Montevideo.
    const late = { 'x-share': credit(9, Date.UTC(2026, 10, 21, 1, 30), 'x') }
    expect(periodsOf(late, zone, NOW + 11 * HOUR).today.amount).toBe(9)
  })

  it('have a bar for each day, empty ones too', () => {
    const bars = byDay(history, zone, NOW)
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
    const bars = byWeek(history, zone, NOW, 2)
    expect(bars).toEqual([
      { from: '2026-11-09', amount: 7, count: 1 },
      { from: '2026-11-16', amount: 35.3, count: 3 },
    ])
  })
})

describe('the months of a chart', () => {
  it('run over a new year', () => {
    expect(lastMonths(Date.UTC(2027, 1, 1, 12), zone, 4)).toEqual([
      '2026-11',
      '2026-12',
      '2027-01',
      '2027-02',
    ])
  })
})

describe('a statement', () => {
  const statement = statementOf(history, periodFrom('2026-11-01', 'month'), zone)

  it('begins with what earlier months left and ends with the balance', () => {
    expect(statement.opening).toBe(40)
    expect(statement.closing).toBe(127.3)
    expect(statement.in).toBe(142.3)
    expect(statement.out).toBe(55)
  })

  it('ties a line to its booking and says the balance after it', () => {
    const cash = statement.lines.find(({ key }) => key === 'b-cash')
    expect(cash).toMatchObject({ booking: 'b', balance: 127 })
    expect(statement.lines.find(({ key }) => key === 'p-topup')?.booking).toBeNull()
  })

  it('names what each line is', () => {
    expect(statement.lines.map(entryKind)).toEqual([
      'entry_share',
      'entry_share',
      'entry_topup',
      'entry_cash',
      'entry_share',
      'entry_share',
      'entry_withdraw',
    ])
  })

  it('is exported from its opening to its closing balance', () => {
    const rows = statementRows(statement, (column) => column, entryKind)
    expect(rows[1]).toEqual(['', 'statement_opening', '', '', '', 40])
    expect(rows[2]).toEqual([new Date(NOW - 6 * DAY).toISOString(), 'entry_share', 'd', 'd', 7, 47])
    expect(rows.at(-1)).toEqual(['', 'statement_closing', '', '', '', 127.3])
  })

  it('is offered for every month with entries and for this one', () => {
    expect(startsOf(history, zone, NOW + 30 * DAY, 'month')).toEqual([
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
] as const)('a %s from %s ends on %s', (span, from, to) => {
  expect(periodFrom(from, span)).toEqual({ from, to })
})

it('one statement opens where the one before it closed, whatever the period', () => {
  const history = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [
      `b${index}-share`,
      { type: 'Credit', amount: 1.1, date: NOW - index * DAY, txRef: `b${index}` } as const,
    ]),
  )
  for (const span of ['day', 'week', 'month'] as const) {
    const statements = startsOf(history, zone, NOW, span)
      .reverse()
      .map((from) => statementOf(history, periodFrom(from, span), zone))
    expect(statements.flatMap(({ lines }) => lines)).toHaveLength(60)
    expect(statements[0]?.opening).toBe(0)
    expect(statements.at(-1)?.closing).toBe(66)
    statements.slice(1).forEach(({ opening }, index) => {
      expect(opening).toBe(statements[index]?.closing)
    })
  }
})
