import { expect, test } from 'vitest'
import { getCompensation } from '../booking/events/compensate/compensationLimits'
import { sumAmounts } from './money'
import { getNetPayment } from '../payments/paymentStatement'
import {
  getAdminEarnings,
  getComplaintCosts,
  getProfit,
  getRefunds,
  getRiderCompensation,
} from './platformEarnings'
import { createSeededRandom } from '../data/seededRandom'
import { recountTotals, toShownTotals, toStatsSettings } from './stats'
import { chooseLength } from '../testing/endurance'
import { createRandomPayments } from '../testing/randomPayments'
import type { Booking } from '../booking/types'

const HISTORIES = chooseLength(12, 80)
const STEPS = 300

const aMonth = { tripCost: 100, customerPaid: 90, discountAmount: 10, convenienceFee: 15 }

test('counts the profit of a month without complaints as fees less discounts', () => {
  const month = { ...aMonth, driverShare: 85, cancellationFee: 7 }
  expect(getProfit(month, 2)).toBe(15 + 7 - 10)
  expect(getAdminEarnings(month, 2)).toBe(90 + 7 - 85)
})

test('subtracts refunds and compensation from the profit and the earnings alike', () => {
  const month = {
    ...aMonth,
    customerPaid: 70,
    driverShare: 85,
    compensation: 0,
    driverCompensation: -8,
  }
  expect(getRefunds(month, 2)).toBe(20)
  expect(getRiderCompensation(month, 2)).toBe(8)
  expect(getComplaintCosts(month, 2)).toBe(20)
  expect(getProfit(month, 2)).toBe(-15)
  expect(getAdminEarnings(month, 2)).toBe(-15)
})

const isPaid = ({ status }: Booking) => status === 'PAID' || status === 'COMPLETE'
const isOver = (booking: Booking) => isPaid(booking) || booking.status === 'CANCELLED'

test('counts what moved for the bookings of random histories', () => {
  let refunds = 0
  let compensation = 0
  for (let seed = 1; seed <= HISTORIES; seed++) {
    const { tree, settings, step } = createRandomPayments(createSeededRandom(seed))
    for (let count = 0; count < STEPS; count++) step()
    const bookings = Object.values(
      (tree as unknown as { bookings: Record<string, Booking> }).bookings,
    )
    const { decimal } = settings
    const units = recountTotals(bookings, toStatsSettings({ settings }))
    const prefix = 'stats/total/minor/'
    const minor: Record<string, Record<string, number>> = {}
    for (const [path, amount] of Object.entries(units)) {
      const [unit = '', field = ''] = path.startsWith(prefix)
        ? path.slice(prefix.length).split('/')
        : []
      if (field) minor[unit] = { ...minor[unit], [field]: amount }
    }
    const totals = toShownTotals({ minor }, settings)
    const sum = (value: (booking: Booking) => number) => sumAmounts(bookings.map(value), decimal)
    const riders = sum((booking) => getCompensation(booking, settings, 'rider'))
    const drivers = sum((booking) => getCompensation(booking, settings, 'driver'))
    const kept = sumAmounts(
      [
        sum((booking) => (isOver(booking) ? getNetPayment(booking, decimal) : 0)),
        -sum((booking) => (isPaid(booking) ? booking.driver_share : 0)),
        -riders,
        -drivers,
      ],
      decimal,
    )
    expect([seed, getRefunds(totals, decimal)]).toEqual([
      seed,
      sum((booking) => (isPaid(booking) ? (booking.refunded ?? 0) : 0)),
    ])
    expect([seed, getRiderCompensation(totals, decimal)]).toEqual([seed, riders])
    expect([seed, totals.driverCompensation ?? 0]).toEqual([seed, drivers])
    expect([seed, getProfit(totals, decimal)]).toEqual([seed, kept])
    expect([seed, getAdminEarnings(totals, decimal)]).toEqual([seed, kept])
    refunds += getRefunds(totals, decimal)
    compensation += riders
  }
  expect(refunds).toBeGreaterThan(0)
  expect(compensation).toBeGreaterThan(0)
})
