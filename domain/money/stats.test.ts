import { expect, test } from 'vitest'
import {
  getCurrencyAt,
  getBookingDeltas,
  recountTotals,
  statusDelta,
  toShownTotals,
  getMinorUnitName,
} from './stats'
import { aBooking, aSettings, NOON } from '../testing/builders'
import { DAY_MS } from '../language/timeUnits'

const ZONE = aSettings()

const paid = aBooking({
  status: 'COMPLETE',
  bookingDate: NOON - DAY_MS,
  paid_at: Date.UTC(2026, 11, 1, 2, 59),
  fleetadmin: 'fleet',
  discount_amount: 3.13,
  customer_paid: 40,
})

test('counts a booking on its creation day and its money on its payment day', () => {
  const totals = recountTotals([paid], ZONE)
  expect(totals['stats/days/2026-11-19/created']).toBe(1)
  expect(totals['stats/days/2026-11-30/total_rides']).toBe(1)
  expect(totals['stats/days/2026-12-01/total_rides']).toBeUndefined()
  expect(
    recountTotals([paid], { ...ZONE, timezone: 'UTC' })['stats/days/2026-12-01/total_rides'],
  ).toBe(1)
})

test('counts the ride cost as the trip cost without the convenience fee', () => {
  expect(recountTotals([paid], ZONE)).toMatchObject({
    'stats/earnings/2026-11/minor/UYU2/tripCost': 4313,
    'stats/earnings/2026-11/minor/UYU2/rideCost': 3750,
    'stats/earnings/2026-11/minor/UYU2/convenienceFee': 563,
    'stats/earnings/2026-11/minor/UYU2/discountAmount': 313,
    'stats/earnings/2026-11/minor/UYU2/driverShare': 3750,
    'stats/earnings/2026-11/minor/UYU2/customerPaid': 4000,
  })
})

test('counts a fleet’s days, months and total, and the months of its drivers', () => {
  expect(recountTotals([paid], ZONE)).toMatchObject({
    'stats/fleet_days/fleet/2026-11-30/minor/UYU2/convenienceFee': 563,
    'stats/fleet_earnings/fleet/2026-11/minor/UYU2/convenienceFee': 563,
    'stats/fleet_total/fleet/minor/UYU2/convenienceFee': 563,
    'stats/fleet_driver_earnings/fleet/driver/2026-11/minor/UYU2/driverShare': 3750,
    'stats/driver_earnings/driver/2026-11/total_rides': 1,
  })
  const alone = recountTotals([{ ...paid, fleetadmin: undefined }], ZONE)
  expect(Object.keys(alone).some((path) => path.includes('fleet'))).toBe(false)
})

test('counts a cancellation with its fee on its day', () => {
  const cancelled = aBooking({
    status: 'CANCELLED',
    cancelled_at: NOON + DAY_MS,
    cancellationFee: 5,
  })
  expect(recountTotals([cancelled], ZONE)).toMatchObject({
    'stats/days/2026-11-20/created': 1,
    'stats/days/2026-11-21/cancelled': 1,
    'stats/days/2026-11-21/minor/UYU2/cancellationFee': 500,
    'stats/status/CANCELLED': 1,
  })
})

test('counts no money of an unpaid booking', () => {
  const totals = recountTotals([aBooking({ status: 'PENDING' })], ZONE)
  const counts = /created|status|cartypes|accepted|waited/
  expect(Object.keys(totals).filter((path) => !counts.test(path))).toEqual([])
})

test('counts a booking by vehicle type, and the waiting time for a driver of a booking for now', () => {
  const entry = { by: 'rider', event: 'pay', status: 'NEW', revision: 2 } as const
  const taken = aBooking({
    status: 'ACCEPTED',
    bookingDate: NOON,
    accepted_at: NOON + 150_000,
    fleetadmin: 'fleet',
    event_log: { pay: { ...entry, at: NOON + 30_000 } },
  })
  expect(recountTotals([taken, taken], ZONE)).toMatchObject({
    'stats/cartypes/2026-11/van': 2,
    'stats/days/2026-11-20/accepted': 2,
    'stats/days/2026-11-20/waited': 240,
    'stats/fleet_total/fleet/waited': 240,
  })
  const later = recountTotals([{ ...taken, bookLater: true }], ZONE)
  expect(Object.keys(later).filter((path) => /accepted|waited/.test(path))).toEqual([])
})

test('adds up a thousand bookings without drift', () => {
  const totals = recountTotals(Array(1000).fill(paid), ZONE)
  expect(totals['stats/total/minor/UYU2/tripCost']).toBe(4_313_000)
  expect(totals['stats/total/minor/UYU2/rideCost']).toBe(3_750_000)
})

test('moves a status count from one status to another', () => {
  expect(statusDelta('NEW', 'ACCEPTED')).toEqual({
    'stats/status/NEW': -1,
    'stats/status/ACCEPTED': 1,
  })
  expect(statusDelta(null, 'NEW')).toEqual({ 'stats/status/NEW': 1 })
  expect(statusDelta('NEW', 'NEW')).toEqual({})
  expect(getBookingDeltas(aBooking(), ZONE)).toHaveLength(2)
})

test('shows a row in the settings’ currency without money of an earlier one', () => {
  const row = {
    created: 3,
    minor: { UYU2: { tripCost: 4313, convenienceFee: 563 }, JPY0: { tripCost: 500 } },
  }
  expect(toShownTotals(row, ZONE)).toEqual({ created: 3, tripCost: 43.13, convenienceFee: 5.63 })
  expect(toShownTotals(row, { code: 'JPY', decimal: 0 })).toEqual({ created: 3, tripCost: 500 })
  expect(toShownTotals(row, { code: 'USD', decimal: 2 })).toEqual({ created: 3 })
  expect(toShownTotals({}, ZONE)).toEqual({})
  expect(getMinorUnitName({ code: 'KWD', decimal: 3 })).toBe('KWD3')
})

test('counts a booking paid before a currency change in the earlier currency', () => {
  const settings = {
    ...aSettings({ code: 'JPY', decimal: 0 }),
    ended: {
      [NOON - 300 * DAY_MS]: { code: 'USD', decimal: 2, symbol: '$' },
      [NOON + 30 * DAY_MS]: { code: 'UYU', decimal: 2, symbol: '$U' },
    },
  }
  expect(getCurrencyAt(settings, NOON - 301 * DAY_MS).code).toBe('USD')
  expect(getCurrencyAt(settings, NOON).code).toBe('UYU')
  expect(getCurrencyAt(settings, NOON + 30 * DAY_MS).code).toBe('JPY')
  const totals = recountTotals(
    [paid, { ...paid, trip_cost: 500, paid_at: NOON + 31 * DAY_MS }],
    settings,
  )
  expect(totals).toMatchObject({
    'stats/total/total_rides': 2,
    'stats/total/minor/UYU2/tripCost': 4313,
    'stats/total/minor/JPY0/tripCost': 500,
  })
})

test('stores every total as a whole number, whatever decimals the currency has', () => {
  for (const decimal of [0, 1, 2, 3, 4]) {
    const settings = aSettings({ decimal })
    for (const count of Object.values(recountTotals(Array(7).fill(paid), settings)))
      expect(Number.isSafeInteger(count)).toBe(true)
  }
})
