import type { Booking, Status, StatsTotals } from './entities'
import type { Value } from './booking/change'
import { dayOf, monthOf, monthParts } from './clock'
import { minus, round } from './money'
import { at } from './paths'

/** Amounts are counted to this many decimals, whatever the settings say, so a change of the setting loses nothing. */
const EXACT = 6

/** Path → how much is added there. */
export type Move = Record<string, number>

const spread = (paths: readonly string[], totals: StatsTotals): Move =>
  Object.fromEntries(
    paths.flatMap((path) =>
      Object.entries(totals)
        .filter(([, amount]) => amount !== 0)
        .map(([field, amount]): [string, number] => [`${path}/${field}`, amount]),
    ),
  )

const platformPaths = (ms: number, timezone: string): string[] => [
  at.statsDay(dayOf(ms, timezone)),
  at.statsEarnings(monthOf(ms, timezone)),
  at.statsTotal,
]
const fleetPaths = ({ fleetadmin }: Booking, ms: number, timezone: string): string[] =>
  fleetadmin
    ? [
        at.statsFleetDay(fleetadmin, dayOf(ms, timezone)),
        at.statsFleetEarnings(fleetadmin, monthOf(ms, timezone)),
        at.statsFleetTotal(fleetadmin),
      ]
    : []

/** A booking leaves one status for another. */
export const statusMove = (from: Status | null, to: Status): Move =>
  from === to ? {} : { ...(from && { [at.statsStatus(from)]: -1 }), [at.statsStatus(to)]: 1 }

/** A booking came to be: counted on the day of its `bookingDate`, and for its car type in that month. */
export const createdMove = (booking: Booking, timezone: string): Move => ({
  ...spread(platformPaths(booking.bookingDate, timezone), { created: 1 }),
  [at.statsCarType(monthOf(booking.bookingDate, timezone), booking.carTypeId)]: 1,
})

/** A booking for now found its driver: counted with what it waited for him, on the day of its `accepted_at`. */
export const acceptedMove = (booking: Booking, timezone: string): Move => {
  const { accepted_at = 0, bookingDate, bookLater, event_log } = booking
  // Who books for later waits for the hour, not for a driver.
  if (bookLater) return {}
  const asked = Object.values(event_log).filter(({ status }) => status === 'NEW')
  const since = asked.length > 0 ? Math.min(...asked.map((entry) => entry.at)) : bookingDate
  const waited = Math.max(0, Math.round((accepted_at - since) / 1000))
  return spread(
    [...platformPaths(accepted_at, timezone), ...fleetPaths(booking, accepted_at, timezone)],
    { accepted: 1, waited },
  )
}

/** What a paid booking's money adds, for the platform and for a fleet. */
const paidTotals = (booking: Booking): StatsTotals => ({
  completed: 1,
  total_rides: 1,
  tripCost: booking.trip_cost,
  rideCost: minus(booking.trip_cost, booking.convenience_fees, EXACT),
  convenienceFee: booking.convenience_fees,
  discountAmount: booking.discount_amount ?? 0,
  driverShare: booking.driver_share,
  customerPaid: booking.customer_paid ?? 0,
})

/** A booking became PAID: its money counts on the day of its `paid_at`. */
export const paidMove = (booking: Booking, timezone: string): Move => {
  const { paid_at = 0, driver, fleetadmin } = booking
  const month = monthOf(paid_at, timezone)
  const rows = driver
    ? [
        at.statsDriver(driver, month),
        ...(fleetadmin ? [at.statsFleetDriver(fleetadmin, driver, month)] : []),
      ]
    : []
  return {
    ...spread(
      [...platformPaths(paid_at, timezone), ...fleetPaths(booking, paid_at, timezone)],
      paidTotals(booking),
    ),
    ...spread(rows, { total_rides: 1, driverShare: booking.driver_share }),
  }
}

/** What a driver's earning rows say beside their amounts: path → value. */
export const driverRowLabels = (booking: Booking, timezone: string): Record<string, Value> => {
  const { driver, fleetadmin, paid_at = 0 } = booking
  if (!driver) return {}
  const month = monthOf(paid_at, timezone)
  const labels = {
    ...monthParts(month),
    driverName: booking.driver_name ?? '',
    driverVehicleNo: booking.vehicle_number ?? '',
  }
  const rows = [
    at.statsDriver(driver, month),
    ...(fleetadmin ? [at.statsFleetDriver(fleetadmin, driver, month)] : []),
  ]
  return Object.fromEntries(
    rows.flatMap((row) =>
      Object.entries(labels).map(([field, value]): [string, Value] => [`${row}/${field}`, value]),
    ),
  )
}

/** A booking was cancelled: it and its fee count on the day of its `cancelled_at`. */
export const cancelledMove = (booking: Booking, timezone: string): Move => {
  const { cancelled_at = 0 } = booking
  return spread(
    [...platformPaths(cancelled_at, timezone), ...fleetPaths(booking, cancelled_at, timezone)],
    { cancelled: 1, cancellationFee: booking.cancellationFee ?? 0 },
  )
}

/** Everything one booking, as it is now, has added to the totals. */
export const movesOf = (booking: Booking, timezone: string): Move[] => [
  createdMove(booking, timezone),
  statusMove(null, booking.status),
  ...(booking.accepted_at === undefined ? [] : [acceptedMove(booking, timezone)]),
  ...(booking.status === 'PAID' || booking.status === 'COMPLETE'
    ? [paidMove(booking, timezone)]
    : []),
  ...(booking.status === 'CANCELLED' ? [cancelledMove(booking, timezone)] : []),
]

/** All totals counted anew from the bookings: path → amount, zeros left out. `stats` must say the same. */
export const recount = (bookings: Iterable<Booking>, timezone: string): Move => {
  const totals: Move = {}
  for (const booking of bookings)
    for (const move of movesOf(booking, timezone))
      for (const [path, amount] of Object.entries(move)) totals[path] = (totals[path] ?? 0) + amount
  return Object.fromEntries(
    Object.entries(totals)
      .map(([path, amount]): [string, number] => [path, round(amount, EXACT)])
      .filter(([, amount]) => amount !== 0),
  )
}
