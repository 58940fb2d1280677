import { expect, test } from 'vitest'
import { movesOf, recount, statusMove } from './stats'
import { aBooking, NOON } from './testing/builders'

const DAY = 86_400_000
const ZONE = 'America/Montevideo'

const paid = aBooking({
  status: 'COMPLETE',
  bookingDate: NOON - DAY,
  paid_at: Date.UTC(2026, 11, 1, 2, 59),
  fleetadmin: 'fleet',
  discount_amount: 3.13,
  customer_paid: 40,
})

test('a booking counts as made on the day it was made, and its money on the day it was paid', () => {
  const totals = recount([paid], ZONE)
  expect(totals['stats/days/2026-11-19/created']).toBe(1)
  expect(totals['stats/days/2026-11-30/total_rides']).toBe(1)
  expect(totals['stats/days/2026-12-01/total_rides']).toBeUndefined()
  expect(recount([paid], 'UTC')['stats/days/2026-12-01/total_rides']).toBe(1)
})

test('ride cost is the trip cost without the convenience fee', () => {
  expect(recount([paid], ZONE)).toMatchObject({
    'stats/earnings/2026-11/tripCost': 43.13,
    'stats/earnings/2026-11/rideCost': 37.5,
    'stats/earnings/2026-11/convenienceFee': 5.63,
    'stats/earnings/2026-11/discountAmount': 3.13,
    'stats/earnings/2026-11/driverShare': 37.5,
    'stats/earnings/2026-11/customerPaid': 40,
  })
})

test('a fleet has its own days, months and total, and its drivers’ months', () => {
  expect(recount([paid], ZONE)).toMatchObject({
    'stats/fleet_days/fleet/2026-11-30/convenienceFee': 5.63,
    'stats/fleet_earnings/fleet/2026-11/convenienceFee': 5.63,
    'stats/fleet_total/fleet/convenienceFee': 5.63,
    'stats/fleet_driver_earnings/fleet/driver/2026-11/driverShare': 37.5,
    'stats/driver_earnings/driver/2026-11/total_rides': 1,
  })
  const alone = recount([{ ...paid, fleetadmin: undefined }], ZONE)
  expect(Object.keys(alone).some((path) => path.includes('fleet'))).toBe(false)
})

test('a cancel counts with its fee on the day it happened', () => {
  const cancelled = aBooking({ status: 'CANCELLED', cancelled_at: NOON + DAY, cancellationFee: 5 })
  expect(recount([cancelled], ZONE)).toMatchObject({
    'stats/days/2026-11-20/created': 1,
    'stats/days/2026-11-21/cancelled': 1,
    'stats/days/2026-11-21/cancellationFee': 5,
    'stats/status/CANCELLED': 1,
  })
})

test('what is not paid yet has no money in the totals', () => {
  const totals = recount([aBooking({ status: 'PENDING' })], ZONE)
  const counts = /created|status|cartypes|accepted|waited/
  expect(Object.keys(totals).filter((path) => !counts.test(path))).toEqual([])
})

test('a booking counts for its car type, and a booking for now for what it waited for its driver', () => {
  const entry = { by: 'rider', event: 'pay', status: 'NEW', revision: 2 } as const
  const taken = aBooking({
    status: 'ACCEPTED',
    bookingDate: NOON,
    accepted_at: NOON + 150_000,
    fleetadmin: 'fleet',
    event_log: { pay: { ...entry, at: NOON + 30_000 } },
  })
  expect(recount([taken, taken], ZONE)).toMatchObject({
    'stats/cartypes/2026-11/van': 2,
    'stats/days/2026-11-20/accepted': 2,
    'stats/days/2026-11-20/waited': 240,
    'stats/fleet_total/fleet/waited': 240,
  })
  const later = recount([{ ...taken, bookLater: true }], ZONE)
  expect(Object.keys(later).filter((path) => /accepted|waited/.test(path))).toEqual([])
})

test('a thousand bookings add up without drift', () => {
  const totals = recount(Array(1000).fill(paid), ZONE)
  expect(totals['stats/total/tripCost']).toBe(43130)
  expect(totals['stats/total/rideCost']).toBe(37500)
})

test('a status count leaves one place and comes to another', () => {
  expect(statusMove('NEW', 'ACCEPTED')).toEqual({
    'stats/status/NEW': -1,
    'stats/status/ACCEPTED': 1,
  })
  expect(statusMove(null, 'NEW')).toEqual({ 'stats/status/NEW': 1 })
  expect(statusMove('NEW', 'NEW')).toEqual({})
  expect(movesOf(aBooking(), ZONE)).toHaveLength(2)
})
