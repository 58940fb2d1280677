import { expect, test } from 'vitest'
import { getCompensation } from '~/domain/booking/events/compensate/compensationLimits'
import { getTips } from '~/domain/booking/events/tip/tipLimits'
import { toJson } from '~/domain/data/databaseValue'
import { sumAmounts } from '~/domain/money/money'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { getNetPayment } from '~/domain/payments/paymentStatement'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { buildDriverRowLabels, recountTotals, toStatsSettings } from '~/domain/money/stats'
import { aDriver } from '~/domain/testing/builders'
import { chooseLength } from '~/domain/testing/endurance'
import { createRandomPayments } from '~/domain/testing/randomPayments'
import { DAY_MS } from '~/domain/language/timeUnits'
import { getReceivedMoney } from './payments/refundableAmount'
import { anOfficeSeed, renderApp } from './testing/officeFixtures'
import { readExport, readTable, toNumber, type TableRow } from './testing/tables'
import type { Tree } from '~/src/services/memory/backendTypes'
import type { Booking, PaymentMode } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const STEPS = 700
const MAX_ROWS = 100

interface History {
  settings: Settings
  bookings: Booking[]
  payments: PaymentAttempt[]
}

/** Moves a booking to an earlier time, because a random history takes less than a month. */
const moveBack = (booking: Booking, days: number): Booking => {
  const { bookingDate, paid_at, cancelled_at, accepted_at, adjustments = {} } = booking
  const move = (ms: number) => ms - days * DAY_MS
  return {
    ...booking,
    bookingDate: move(bookingDate),
    ...(paid_at !== undefined && { paid_at: move(paid_at) }),
    ...(cancelled_at !== undefined && { cancelled_at: move(cancelled_at) }),
    ...(accepted_at !== undefined && { accepted_at: move(accepted_at) }),
    adjustments: Object.fromEntries(
      Object.entries(adjustments).map(([id, one]) => [id, { ...one, at: move(one.at) }]),
    ),
  }
}

/** Returns bookings of several months that were paid, amended, canceled, refunded and tipped. */
const createHistory = (seed: number): History => {
  const { tree, settings, step } = createRandomPayments(createSeededRandom(seed))
  for (let count = 0; count < STEPS; count++) step()
  const { bookings = {}, payments = {} } = tree as unknown as {
    bookings: Record<string, Booking>
    payments: Record<string, PaymentAttempt>
  }
  return {
    settings: { ...settings, AllowCriticalEditsAdmin: true },
    bookings: Object.values(bookings)
      .slice(0, MAX_ROWS)
      .map((booking, at) => moveBack(booking, (at % 5) * 31)),
    payments: Object.values(payments).slice(0, MAX_ROWS),
  }
}

const putAt = (tree: Record<string, unknown>, path: string, value: unknown) => {
  const names = path.split('/')
  const last = names.pop() ?? ''
  let parent = tree
  for (const name of names) parent = (parent[name] ??= {}) as Record<string, unknown>
  parent[last] = value
}

/** Returns what the functions would have counted. */
const createStats = ({ bookings, settings }: History): Tree => {
  const tree: Record<string, unknown> = {}
  const counted = recountTotals(bookings, toStatsSettings({ settings }))
  for (const [path, amount] of Object.entries(counted)) putAt(tree, path, amount)
  for (const booking of bookings)
    for (const at of [
      ...(isPaid(booking) ? [booking.paid_at ?? 0] : []),
      ...Object.values(booking.adjustments ?? {}).map((one) => one.at),
    ])
      for (const [path, label] of Object.entries(
        buildDriverRowLabels(booking, settings.timezone, at),
      ))
        putAt(tree, path, label)
  return tree as Tree
}

const openPage = (path: string, history: History) => {
  const { bookings, payments, settings } = history
  const id = path.replace(/^\/|\?.*$/g, '')
  // Shows every column, also those that people have to choose.
  localStorage.setItem(`kerbside.columns.${id}`, '[]')
  return renderApp(path, {
    as: 'admin',
    seed: anOfficeSeed({
      settings,
      bookings,
      people: ['davi', 'edu', 'fabi'].map((uid) => aDriver({ id: uid })),
      more: {
        ...createStats(history),
        payments: toJson(Object.fromEntries(payments.map((one) => [one.id, one]))),
      },
    }),
    handlers: { export_bookings: () => ({ rows: bookings, next: null }) },
  })
}
const sumColumn = (rows: Record<string, string>[], title: string, decimal: number): number =>
  sumAmounts(
    rows.map((row) => toNumber(row[title])),
    decimal,
  )

type Sums = Record<string, number>
const isPaid = ({ status }: Booking) => status === 'PAID' || status === 'COMPLETE'

/** Returns the sums that a report must show, from the bookings alone. */
const sumBookings = ({ bookings, settings }: History, entries: SumEntries): Sums =>
  Object.fromEntries(
    Object.entries(entries).map(([title, value]) => [
      title,
      sumAmounts(
        bookings.map((booking) => value(booking) ?? 0),
        settings.decimal,
      ),
    ]),
  )
type SumEntries = Record<string, (booking: Booking) => number | undefined>

const getPaidAmount = (value: (booking: Booking) => number | undefined) => (booking: Booking) =>
  isPaid(booking) ? value(booking) : 0
const getFee = ({ status, cancellationFee }: Booking) =>
  status === 'CANCELLED' ? cancellationFee : 0
const getDriverCompensation = (settings: Settings) => (booking: Booking) =>
  getCompensation(booking, settings, 'driver')
const getRiderCompensation = (settings: Settings) => (booking: Booking) =>
  getCompensation(booking, settings, 'rider')
const getCompensationAndRefunds = (settings: Settings) => (booking: Booking) =>
  sumAmounts(
    [
      getCompensation(booking, settings, 'rider'),
      getCompensation(booking, settings, 'driver'),
      getRefund(booking) ?? 0,
    ],
    settings.decimal,
  )
const getRefund = getPaidAmount((b) => b.refunded)
/** Returns what the platform has kept of what moved for a booking. */
const getKeptAmount = (settings: Settings) => (booking: Booking) => {
  const { status, driver_share } = booking
  if (!isPaid(booking) && status !== 'CANCELLED') return 0
  const { decimal } = settings
  return sumAmounts(
    [
      getNetPayment(booking, decimal),
      isPaid(booking) ? -driver_share : 0,
      -getCompensation(booking, settings, 'rider'),
      -getCompensation(booking, settings, 'driver'),
    ],
    decimal,
  )
}

const createReportSums = (settings: Settings): SumEntries => ({
  Bookings: getPaidAmount(() => 1),
  'Trip cost': getPaidAmount((b) => b.trip_cost),
  'Convenience fee': getPaidAmount((b) => b.convenience_fees),
  Discount: getPaidAmount((b) => b.discount_amount),
  'Cancellation fee': getFee,
  'Compensation and refunds': getCompensationAndRefunds(settings),
  'Compensation to riders': getRiderCompensation(settings),
  'Compensation to drivers': getDriverCompensation(settings),
  'Refunds to cards': getRefund,
  'Admin earnings': getKeptAmount(settings),
  Profit: getKeptAmount(settings),
  Tips: (b) => getTips(b, settings),
})
const createDriverSums = (settings: Settings): SumEntries => ({
  Bookings: getPaidAmount(() => 1),
  'Driver share': getPaidAmount((b) => b.driver_share),
  Compensation: getDriverCompensation(settings),
  Tips: (b) => getTips(b, settings),
})

const REPORTS = [
  ['/earningreports', createReportSums],
  ['/driverearning', createDriverSums],
  ['/driverearning?group=month', createDriverSums],
  ['/driverearning?group=driver', createDriverSums],
] as const
const SEEDS = chooseLength([11], [3, 11, 27, 42])

test.each(REPORTS.flatMap(([path, sums]) => SEEDS.map((seed) => [path, seed, sums] as const)))(
  'the totals of %s, its export and the bookings are equal (history %i)',
  async (path, seed, createSums) => {
    const history = createHistory(seed)
    const { user } = await openPage(path, history)
    const exported = await readExport(user)
    const rows = readTable()
    const totals = rows.pop() ?? {}
    const { decimal } = history.settings
    const expected = sumBookings(history, createSums(history.settings))
    expect(exported.length).toBeGreaterThan(1)
    expect(rows).toHaveLength(exported.length)
    for (const [title, sum] of Object.entries(expected)) {
      expect({ [title]: toNumber(totals[title]) }).toEqual({ [title]: sum })
      expect({ [title]: sumColumn(exported, title, decimal) }).toEqual({ [title]: sum })
    }
    // The other amounts, such as the gross trip cost, have no sum over bookings of their own.
    for (const [title, total] of Object.entries(totals))
      if (total.includes('$'))
        expect({ [title]: sumColumn(exported, title, decimal) }).toEqual({
          [title]: toNumber(total),
        })
  },
)

const createBookingSums = (settings: Settings): SumEntries => ({
  'Trip cost': (b) => b.trip_cost,
  'Driver share': getPaidAmount((b) => b.driver_share),
  'Convenience fee': getPaidAmount((b) => b.convenience_fees),
  Discount: getPaidAmount((b) => b.discount_amount),
  'Cancellation fee': (b) => b.cancellationFee,
  'Customer paid': (b) => getNetPayment(b, settings.decimal),
  ...Object.fromEntries(
    (
      [
        ['Cash', 'cash'],
        ['Card', 'card'],
        ['Wallet', 'wallet'],
      ] as [string, PaymentMode][]
    ).map(([title, method]) => [title, (b: Booking) => getNetPayment(b, settings.decimal, method)]),
  ),
  'Compensation of the rider': getRiderCompensation(settings),
  'Compensation of the driver': getDriverCompensation(settings),
  Tips: (b) => getTips(b, settings),
})

test.each(SEEDS)(
  'the bookings table and its export have the sums of the bookings (history %i)',
  async (seed) => {
    const history = createHistory(seed)
    const { settings } = history
    const { user } = await openPage(`/bookings?size=${MAX_ROWS}`, history)
    const exported = await readExport(user)
    const rows = readTable()
    expect(rows).toHaveLength(history.bookings.length)
    expect(exported).toHaveLength(history.bookings.length)
    const expected = sumBookings(history, createBookingSums(settings))
    for (const [title, sum] of Object.entries(expected)) {
      expect({ [title]: sumColumn(rows, title, settings.decimal) }).toEqual({ [title]: sum })
      expect({ [title]: sumColumn(exported, title, settings.decimal) }).toEqual({ [title]: sum })
    }
  },
)

/** Returns the month of a row of the report, such as 2026-11. */
const getMonth = ({ Month = '', Year = '' }: TableRow): string => {
  const month = new Date(`${Month} 15, ${Year}`).getMonth() + 1
  return `${Year}-${String(month).padStart(2, '0')}`
}

test.each(SEEDS)(
  'the exported bookings paid in a month have the sums of the report (history %i)',
  async (seed) => {
    const history = createHistory(seed)
    const { decimal } = history.settings
    const reportPage = await openPage('/earningreports', history)
    const months = await readExport(reportPage.user)
    reportPage.unmount()
    const { user } = await openPage('/bookings', history)
    const exported = await readExport(user)
    expect(months.filter((row) => row.Bookings !== '0').length).toBeGreaterThan(1)
    for (const row of months) {
      const month = getMonth(row)
      const paid = exported.filter((one) => one['Paid at']?.startsWith(month))
      expect({ month, bookings: paid.length }).toEqual({ month, bookings: toNumber(row.Bookings) })
      for (const title of ['Trip cost', 'Convenience fee', 'Discount'])
        expect({ month, [title]: sumColumn(paid, title, decimal) }).toEqual({
          month,
          [title]: toNumber(row[title]),
        })
    }
  },
)

test.each(SEEDS)(
  'the payments and their export have the sums of the attempts (history %i)',
  async (seed) => {
    const history = createHistory(seed)
    const { decimal } = history.settings
    const { user } = await openPage(`/payments?show=all&size=${MAX_ROWS}`, history)
    const exported = await readExport(user)
    const rows = readTable()
    expect(exported).toHaveLength(history.payments.length)
    for (const [title, value] of [
      ['Amount', ({ amount }: PaymentAttempt) => amount],
      ['Received', (attempt: PaymentAttempt) => getReceivedMoney(attempt)?.amount ?? 0],
    ] as const) {
      const sum = sumAmounts(history.payments.map(value), decimal)
      expect({ [title]: sumColumn(exported, title, decimal) }).toEqual({ [title]: sum })
      expect({ [title]: sumColumn(rows, title, decimal) }).toEqual({ [title]: sum })
    }
  },
)
