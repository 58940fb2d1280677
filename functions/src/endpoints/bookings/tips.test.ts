import { expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { sumAmounts } from '~/domain/money/money'
import { aBooking, aCardPacket, aRider } from '~/domain/testing/builders'
import { toSignedAmount } from '~/domain/money/wallet'
import {
  aProject,
  createProjectPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
} from '../../testing/testPorts'
import { advance_booking } from './advanceBooking'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

const ID = '-OAbcdefghijklmnopqr'
const toKey = (n: number) => `-OAtip${String(n).padStart(14, '0')}`
/** Completes a booking of 43.13 by a rider with 45 in the wallet. */
const aCompletedTrip = () => {
  const history = { start: { type: 'Credit', amount: 45, date: 1, txRef: 'AdminCredit' } } as const
  const rider = aRider({ walletBalance: 45, walletHistory: history })
  const booking = aBooking({ status: 'COMPLETE', paymentPacket: aCardPacket(), paid_at: TEST_NOW })
  return createProjectPorts({
    users: { ...aProject().users, rider },
    bookings: { [ID]: toJson(booking) },
  })
}
type Trip = ReturnType<typeof aCompletedTrip>
const tip = (trip: Trip, n: number, amount: number, role: 'rider' | 'admin' = 'rider') =>
  advance_booking.handle(
    { booking_id: ID, event: 'tip', request_id: toKey(n), amount },
    createUserContext(role, role, trip),
  )
const getBalance = ({ db }: Trip, uid: string): number => {
  const { walletBalance, walletHistory = {} } = db.at(`users/${uid}`) as User
  expect(walletBalance).toBe(sumAmounts(Object.values(walletHistory).map(toSignedAmount), 2))
  return walletBalance
}

it('a tip is given once, however often the request comes', async () => {
  const trip = aCompletedTrip()
  const responses = await Promise.all(Array.from({ length: 50 }, () => tip(trip, 1, 10)))
  expect(new Set(responses.map(({ revision }) => revision))).toEqual(new Set([2]))
  expect([getBalance(trip, 'rider'), getBalance(trip, 'driver')]).toEqual([35, 10])
  expect(Object.keys(trip.db.at('inbox/driver') as object)).toHaveLength(1)
})

it('fifty tips at once give at most what the wallet has', async () => {
  const trip = aCompletedTrip()
  const given = await Promise.allSettled(Array.from({ length: 50 }, (_, n) => tip(trip, n, 10)))
  expect(given.filter(({ status }) => status === 'fulfilled')).toHaveLength(4)
  expect([getBalance(trip, 'rider'), getBalance(trip, 'driver')]).toEqual([5, 40])
  const { adjustments = {} } = trip.db.at(`bookings/${ID}`) as Booking
  expect(Object.keys(adjustments)).toHaveLength(4)
  expect(await getErrorKey(tip(trip, 99, 5.01))).toBe('wallet_too_low')
})

it('an admin cannot tip for the rider', async () => {
  const trip = aCompletedTrip()
  expect(await getErrorKey(tip(trip, 1, 10, 'admin'))).toBe('not_allowed')
  expect(getBalance(trip, 'rider')).toBe(45)
})
