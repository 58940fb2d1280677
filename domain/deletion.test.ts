import { expect, test } from 'vitest'
import { STATUSES, type Booking } from './entities'
import { anonymised, deletion, isAnonymous, namelessRows } from './deletion'
import { violations, type DatabaseTree } from './invariants'
import { aBooking } from './testing/builders'
import { platform } from './testing/platform'
import { randomFrom } from './testing/random'
import { commit, guarded, valueAt } from './testing/tree'

test.each(STATUSES)(
  'an account with a booking that is %s can go only when nothing is owed',
  (status) => {
    const result = deletion('rider', [aBooking({ status })], [])
    expect(result.ok).toBe(['PAID', 'COMPLETE', 'CANCELLED'].includes(status))
  },
)

test('what is left of a customer in his bookings is money and times', () => {
  const booking = aBooking({
    status: 'COMPLETE',
    deliveryPerson: 'Carla',
    deliveryPersonPhone: '099 123 456',
    pickUpInstructions: 'Third floor',
    customer_image: 'https://pictures.example/ana.jpg',
  })
  const result = deletion('rider', [booking], [])
  const tree = {
    bookings: { [booking.id]: JSON.parse(JSON.stringify(booking)) },
    users: { rider: { email: 'x' } },
  }
  for (const updates of result.ok ? result.value : []) commit(tree, { updates })
  const left = JSON.stringify(tree)
  for (const personal of [
    'Ana',
    'Lima',
    'rider@kerbside',
    '+15555550199',
    'Carla',
    '099',
    'Third',
    'Tres Cruces',
    'Plaza',
    '-34.9058',
    'ana.jpg',
  ])
    expect(left).not.toContain(personal)
  expect(valueAt(tree, `bookings/${booking.id}`)).toMatchObject({
    trip_cost: 43.13,
    driver_name: 'Beto Silva',
    revision: 2,
  })
})

test('a booking is made anonymous once', () => {
  const booking = aBooking({ status: 'COMPLETE' })
  const tree = { bookings: { [booking.id]: JSON.parse(JSON.stringify(booking)) } }
  for (const uid of ['rider', 'driver']) {
    const now = () => valueAt(tree, `bookings/${booking.id}`) as unknown as typeof booking
    expect(isAnonymous(now(), uid)).toBe(false)
    commit(tree, { updates: anonymised(now(), uid) })
    expect(isAnonymous(now(), uid)).toBe(true)
  }
  expect(isAnonymous(aBooking({ requestedDrivers: { d: true } }), 'd')).toBe(false)
})

test('what is left of a driver in his bookings is what he was paid', () => {
  const booking = aBooking({ status: 'PAID', driver_contact: '+15555550102' })
  const result = deletion(
    'driver',
    [booking],
    [
      {
        id: 'w',
        uid: 'driver',
        name: 'Beto Silva',
        amount: 5,
        date: 1,
        bankAccount: '123-456',
        processed: true,
      },
    ],
  )
  const left = JSON.stringify(result)
  for (const personal of ['Beto', '+15555550102', '123-456', 'SBA'])
    expect(left).not.toContain(personal)
})

test('who asked for money out is paid it before he leaves', () => {
  const asked = { id: 'w', uid: 'driver', name: 'Beto Silva', amount: 5, date: 1 }
  expect(deletion('driver', [], [{ ...asked, processed: false }])).toMatchObject({
    ok: false,
    error: { key: 'event_not_possible', params: { withdraws: 1 } },
  })
  expect(deletion('driver', [], [{ ...asked, processed: true }]).ok).toBe(true)
})

test('earnings are kept without the name of who earned them', () => {
  expect(namelessRows('d', ['2026-01'], [{ fleetadmin: 'f', months: ['2026-01'] }])).toEqual({
    'stats/driver_earnings/d/2026-01/driverName': '',
    'stats/driver_earnings/d/2026-01/driverVehicleNo': '',
    'stats/fleet_driver_earnings/f/d/2026-01/driverName': '',
    'stats/fleet_driver_earnings/f/d/2026-01/driverVehicleNo': '',
  })
})

test('after people have left, the data is still sound', () => {
  let gone = 0
  for (let seed = 1; seed <= 8; seed++) gone += leave(seed)
  expect(gone).toBeGreaterThan(4)
})

const leave = (seed: number): number => {
  const { tree, step } = platform(randomFrom(seed))
  for (let n = 0; n < 150; n++) step()
  const all = Object.values((tree as DatabaseTree).bookings ?? {})
  let gone = 0
  for (const uid of ['ana', 'bea', 'caio', 'davi', 'edu', 'fabi']) {
    const own = all
      .map(({ id }) => valueAt(tree, `bookings/${id}`) as unknown as Booking)
      .filter(
        ({ customer, driver, requestedDrivers }) =>
          customer === uid || driver === uid || requestedDrivers?.[uid],
      )
    const result = deletion(uid, own, [])
    if (!result.ok) continue
    gone++
    for (const updates of result.value) {
      expect(guarded(tree, { updates })).toBeUndefined()
      commit(tree, { updates })
    }
    expect(violations(tree as DatabaseTree)).toEqual([])
  }
  return gone
}
