import { isPaidOut } from '../booking/payment/paidOut'
import type { DatabaseValue } from '../data/databaseValue'
import { formatDay, formatMonth, toYearAndMonthName } from '../language/zonedTime'
import { fromMinorUnits, subtractAmount, sumAmounts, toMinorUnits } from './money'
import { dbPaths } from '../data/databasePaths'
import { MONEY_TOTAL_FIELDS, type Adjustment, type MoneyTotals, type StatsRow } from './types'
import type { Booking, Status } from '../booking/types'
import type { ClosedAccount } from '../accounts/types'
import type { Currency, EndedCurrencies, Settings } from '../catalog/types'
import type { Milliseconds } from '../language/units'

/** Path → the whole number to add. */
export type StatsDelta = Record<string, number>

type StatsCurrencies = Currency & { ended?: EndedCurrencies }
/** The settings used to count totals. */
export type StatsSettings = StatsCurrencies & Pick<Settings, 'timezone'>

/** Returns the settings used to count totals, for data that may have none. */
export const toStatsSettings = ({
  settings,
  currency,
}: {
  settings?: Partial<Settings> | undefined
  currency?: { ended?: EndedCurrencies } | undefined
}): StatsSettings => ({
  code: settings?.code ?? '',
  symbol: settings?.symbol ?? '',
  decimal: settings?.decimal ?? 2,
  timezone: settings?.timezone ?? 'UTC',
  ended: currency?.ended ?? {},
})

/** Returns the name of a currency's minor unit in the totals: hundredths of UYU are `UYU2`. */
export const getMinorUnitName = ({ code, decimal }: Pick<Currency, 'code' | 'decimal'>): string =>
  `${code}${decimal}`

/** Returns the currency at a time (ms). A booking's money stays in the currency it was paid in. */
export const getCurrencyAt = (settings: StatsCurrencies, ms: Milliseconds): Currency => {
  const [ended] = Object.keys(settings.ended ?? {})
    .map(Number)
    .filter((end) => ms < end)
    .sort((one, other) => one - other)
  return (ended !== undefined && settings.ended?.[ended]) || settings
}

/**
 * Returns a stored row for display, with its money in the settings' currency. Omits earlier
 * currencies.
 */
export const toShownTotals = <Row extends StatsRow>(
  { minor = {}, ...rest }: Row,
  settings: Pick<Settings, 'code' | 'decimal'>,
): Omit<Row, 'minor'> & MoneyTotals => ({
  ...rest,
  ...Object.fromEntries(
    Object.entries(minor[getMinorUnitName(settings)] ?? {}).map(([field, units]) => [
      field,
      fromMinorUnits(units, settings.decimal),
    ]),
  ),
})

/** Converts amounts to whole minor units of a currency and omits zeros. */
export const toMinorTotals = (
  money: MoneyTotals,
  { decimal }: Pick<Currency, 'decimal'>,
): MoneyTotals =>
  Object.fromEntries(
    MONEY_TOTAL_FIELDS.map(
      (field) => [field, toMinorUnits(money[field] ?? 0, decimal)] as const,
    ).filter(([, units]) => units !== 0),
  )

/** Adds the counts and the money of a currency to the row at each path. */
const buildDelta = (
  paths: readonly string[],
  counts: Omit<StatsRow, 'minor'>,
  money: MoneyTotals = {},
  currency?: Currency,
): StatsDelta => {
  const units = currency ? Object.entries(toMinorTotals(money, currency)) : []
  const added: [string, number][] = [
    ...Object.entries(counts),
    ...units.map(([field, n]): [string, number] => [
      `minor/${currency ? getMinorUnitName(currency) : ''}/${field}`,
      n,
    ]),
  ]
  return Object.fromEntries(
    paths.flatMap((path) =>
      added
        .filter(([, n]) => n !== 0)
        .map(([field, n]): [string, number] => [`${path}/${field}`, n]),
    ),
  )
}

const getPlatformPaths = (ms: Milliseconds, timezone: string): string[] => [
  dbPaths.statsDay(formatDay(ms, timezone)),
  dbPaths.statsEarnings(formatMonth(ms, timezone)),
  dbPaths.statsTotal,
]
const getFleetPaths = ({ fleetadmin }: Booking, ms: Milliseconds, timezone: string): string[] =>
  fleetadmin
    ? [
        dbPaths.statsFleetDay(fleetadmin, formatDay(ms, timezone)),
        dbPaths.statsFleetEarnings(fleetadmin, formatMonth(ms, timezone)),
        dbPaths.statsFleetTotal(fleetadmin),
      ]
    : []

/** Returns the change of the status counts when a booking moves to another status. */
export const statusDelta = (from: Status | null, to: Status): StatsDelta =>
  from === to
    ? {}
    : { ...(from && { [dbPaths.statsStatus(from)]: -1 }), [dbPaths.statsStatus(to)]: 1 }

/**
 * Returns the counts of a new booking: on the day of its `bookingDate`, and for its vehicle type in
 * that month.
 */
export const createdDelta = (booking: Booking, timezone: string): StatsDelta => ({
  ...buildDelta(getPlatformPaths(booking.bookingDate, timezone), { created: 1 }),
  [dbPaths.statsCarType(formatMonth(booking.bookingDate, timezone), booking.carTypeId)]: 1,
})

/**
 * Returns the counts of a booking for now that found a driver, with the waiting time, on the day of
 * its `accepted_at`.
 */
export const acceptedDelta = (booking: Booking, timezone: string): StatsDelta => {
  const { accepted_at = 0, bookingDate, bookLater, event_log } = booking
  // A later booking waits for its time, not for a driver.
  if (bookLater) return {}
  const waitStarts = Object.values(event_log).filter(({ status }) => status === 'NEW')
  const since =
    waitStarts.length > 0 ? Math.min(...waitStarts.map((entry) => entry.at)) : bookingDate
  const waited = Math.max(0, Math.round((accepted_at - since) / 1000))
  return buildDelta(
    [...getPlatformPaths(accepted_at, timezone), ...getFleetPaths(booking, accepted_at, timezone)],
    { accepted: 1, waited },
  )
}

/** Returns the change that takes an earlier one back. */
export const negateDelta = (delta: StatsDelta): StatsDelta =>
  Object.fromEntries(Object.entries(delta).map(([path, count]) => [path, -count]))

/** Returns the money of a paid booking, for the platform and for a fleet. */
const getPaidTotals = (booking: Booking, { decimal }: Currency): MoneyTotals => ({
  tripCost: booking.trip_cost,
  rideCost: subtractAmount(booking.trip_cost, booking.convenience_fees, decimal),
  convenienceFee: booking.convenience_fees,
  discountAmount: booking.discount_amount ?? 0,
  driverShare: booking.driver_share,
  customerPaid: subtractAmount(booking.customer_paid ?? 0, booking.refunded ?? 0, decimal),
})

/** Returns the money of a booking that became PAID, on the day of its `paid_at`. */
export const paidDelta = (booking: Booking, settings: StatsSettings): StatsDelta => {
  const { paid_at = 0 } = booking
  const { timezone } = settings
  const currency = getCurrencyAt(settings, paid_at)
  const rows = getDriverRows(booking, formatMonth(paid_at, timezone))
  return {
    ...buildDelta(
      [...getPlatformPaths(paid_at, timezone), ...getFleetPaths(booking, paid_at, timezone)],
      { completed: 1, total_rides: 1 },
      getPaidTotals(booking, currency),
      currency,
    ),
    ...buildDelta(rows, { total_rides: 1 }, { driverShare: booking.driver_share }, currency),
  }
}

/**
 * Returns the change for a card refund of a PAID booking: the customer paid that much less on the
 * day of the payment. `refunded` is the total refunded so far.
 */
export const refundedDelta = (
  booking: Booking,
  refunded: number,
  settings: StatsSettings,
): StatsDelta => {
  const { paid_at = 0 } = booking
  const { timezone } = settings
  const currency = getCurrencyAt(settings, paid_at)
  const paid = (now: Booking) => getPaidTotals(now, currency).customerPaid ?? 0
  const less = subtractAmount(paid({ ...booking, refunded }), paid(booking), currency.decimal)
  return buildDelta(
    [...getPlatformPaths(paid_at, timezone), ...getFleetPaths(booking, paid_at, timezone)],
    {},
    { customerPaid: less },
    currency,
  )
}

/** Returns the earning rows of a booking's driver in a month. */
const getDriverRows = ({ driver, fleetadmin }: Booking, month: string): string[] => [
  ...(driver ? [dbPaths.statsDriver(driver, month)] : []),
  ...(driver && fleetadmin ? [dbPaths.statsFleetDriver(fleetadmin, driver, month)] : []),
]

/** Returns the money that moved after the end of a booking, on the day on which it moved. */
export const adjustmentDelta = (
  booking: Booking,
  { at, reason, rider = 0, driver = 0 }: Adjustment,
  settings: StatsSettings,
): StatsDelta => {
  const { timezone } = settings
  const currency = getCurrencyAt(settings, at)
  const isTip = reason === 'tip'
  const forPlatform: MoneyTotals = isTip
    ? { tips: driver }
    : {
        compensation: sumAmounts([rider, driver], currency.decimal),
        driverCompensation: driver,
      }
  const forDriver: MoneyTotals = isTip ? { tips: driver } : { compensation: driver }
  return {
    ...buildDelta(
      [...getPlatformPaths(at, timezone), ...getFleetPaths(booking, at, timezone)],
      {},
      forPlatform,
      currency,
    ),
    ...buildDelta(getDriverRows(booking, formatMonth(at, timezone)), {}, forDriver, currency),
  }
}

/**
 * Returns the labels in a driver's earning rows besides their amounts: path → value. `ms` is a time
 * in the month of the rows.
 */
export const buildDriverRowLabels = (
  booking: Booking,
  timezone: string,
  ms = booking.paid_at ?? 0,
): Record<string, DatabaseValue> => {
  const month = formatMonth(ms, timezone)
  const labels = {
    ...toYearAndMonthName(month),
    driverName: booking.driver_name ?? '',
    driverVehicleNo: booking.vehicle_number ?? '',
  }
  return Object.fromEntries(
    getDriverRows(booking, month).flatMap((row) =>
      Object.entries(labels).map(([field, value]): [string, DatabaseValue] => [
        `${row}/${field}`,
        value,
      ]),
    ),
  )
}

/** Returns the count and the fee of a canceled booking, on the day of its `cancelled_at`. */
export const canceledDelta = (booking: Booking, settings: StatsSettings): StatsDelta => {
  const { cancelled_at = 0, cancellationFee = 0 } = booking
  const { timezone } = settings
  return buildDelta(
    [
      ...getPlatformPaths(cancelled_at, timezone),
      ...getFleetPaths(booking, cancelled_at, timezone),
    ],
    { cancelled: 1 },
    { cancellationFee },
    getCurrencyAt(settings, cancelled_at),
  )
}

/** Returns the change for waived money, on the day the account was closed. */
export const waivedDelta = (
  { at: closedAt, waived }: ClosedAccount,
  settings: StatsSettings,
): StatsDelta =>
  buildDelta(
    getPlatformPaths(closedAt, settings.timezone),
    {},
    { waived },
    getCurrencyAt(settings, closedAt),
  )

/** Returns everything that one booking in its current state has added to the totals. */
export const getBookingDeltas = (booking: Booking, settings: StatsSettings): StatsDelta[] => [
  createdDelta(booking, settings.timezone),
  statusDelta(null, booking.status),
  ...(booking.accepted_at === undefined ? [] : [acceptedDelta(booking, settings.timezone)]),
  ...(isPaidOut(booking) ? [paidDelta(booking, settings)] : []),
  ...(booking.status === 'CANCELLED' ? [canceledDelta(booking, settings)] : []),
  ...Object.values(booking.adjustments ?? {}).map((one) => adjustmentDelta(booking, one, settings)),
]

/**
 * Counts the totals that `isCounted` accepts, by default all, from bookings and closed accounts,
 * which are added one by one. `listAmounts` yields whole numbers without zeros.
 */
export const createTotalsCounter = (
  settings: StatsSettings,
  isCounted: (path: string) => boolean = () => true,
) => {
  const totals = new Map<string, number>()
  const count = (move: StatsDelta): void => {
    for (const [path, amount] of Object.entries(move))
      if (isCounted(path)) totals.set(path, (totals.get(path) ?? 0) + amount)
  }
  return {
    getSize: (): number => totals.size,
    addBooking: (booking: Booking): void => getBookingDeltas(booking, settings).forEach(count),
    addClosedAccount: (account: ClosedAccount): void => count(waivedDelta(account, settings)),
    *listAmounts(): Generator<[path: string, amount: number]> {
      for (const [path, amount] of totals) if (amount !== 0) yield [path, amount]
    },
  }
}

/**
 * Returns all totals counted from bookings and closed accounts, path → whole number, without zeros.
 * `stats` must match.
 */
export const recountTotals = (
  bookings: Iterable<Booking>,
  settings: StatsSettings,
  closed: Iterable<ClosedAccount> = [],
): StatsDelta => {
  const count = createTotalsCounter(settings)
  for (const booking of bookings) count.addBooking(booking)
  for (const account of closed) count.addClosedAccount(account)
  return Object.fromEntries(count.listAmounts())
}
