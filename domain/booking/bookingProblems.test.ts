import { describe, expect, test } from 'vitest'
import { domainError } from '../api/errors'
import { aRider, aVehicleType, DROP, NOON, PICKUP } from '../testing/builders'
import { type BookingContext, type DraftedBooking, getBookingProblems } from './bookingProblems'

const TRIP: DraftedBooking = {
  pickup: PICKUP,
  drop: DROP,
  bookLater: false,
  deliveryPerson: 'Ana Lima',
  deliveryPersonPhone: '099 123 456',
}
const CONTEXT: BookingContext = {
  actor: { uid: 'rider', role: 'rider' },
  customer: aRider(),
  carType: aVehicleType(),
  hasRoute: true,
  isDriverNearby: true,
  settings: { appcat: 'delivery' },
}
const ADMIN = { uid: 'admin', role: 'admin' } as const
const refuse = (draft: Partial<DraftedBooking>, context: Partial<BookingContext> = {}) =>
  Object.entries(getBookingProblems({ ...TRIP, ...draft }, { ...CONTEXT, ...context }, NOON)).map(
    ([field, problem]) => `${field}: ${problem?.key}`,
  )

test('accepts a complete booking of a rider and of an admin', () => {
  expect(refuse({})).toEqual([])
  expect(refuse({}, { actor: ADMIN })).toEqual([])
})

test('names every field of an empty form, in the order in which a booking is refused', () => {
  const empty = {
    pickup: null,
    drop: null,
    waypoints: [null],
    bookLater: true,
    deliveryPerson: '',
    deliveryPersonPhone: '',
  }
  expect(refuse(empty, { actor: ADMIN, customer: undefined, carType: null })).toEqual([
    'customer: select_proper',
    'carType: select_proper',
    'pickup: select_proper',
    'stop0: select_proper',
    'drop: select_proper',
    'tripdate: select_proper',
    'deliveryPerson: deliveryDetailMissing',
    'deliveryPersonPhone: deliveryDetailMissing',
  ])
})

describe('the customer', () => {
  test('may be missing as long as a visitor has not signed in', () => {
    expect(refuse({}, { customer: undefined })).toEqual([])
  })
  test('needs a complete profile to book for themselves, and a phone number when admins book', () => {
    const nameless = aRider({ firstName: '', email: ' ', mobile: '' })
    expect(refuse({}, { customer: nameless })).toEqual([
      'email: profile_incomplete',
      'firstName: profile_incomplete',
    ])
    expect(refuse({}, { actor: ADMIN, customer: nameless })).toEqual(['customer: incomplete_user'])
  })
  test('is limited to a number of open bookings, after the profile and before the trip', () => {
    const context = { limitProblem: domainError('too_many_bookings'), carType: null }
    const problems = ['too_many_bookings: too_many_bookings', 'carType: select_proper']
    expect(refuse({}, context)).toEqual(problems)
    expect(refuse({}, { ...context, customer: aRider({ email: '' }) })).toEqual([
      'email: profile_incomplete',
      ...problems,
    ])
  })
})

describe('the places', () => {
  test('refuse the drop-off once, with the first reason', () => {
    expect(refuse({ drop: PICKUP }, { hasRoute: false })).toEqual(['drop: same_place'])
    expect(refuse({}, { hasRoute: false })).toEqual(['drop: place_to_coords_error'])
    expect(refuse({ drop: { ...PICKUP, add: '' } })).toEqual(['drop: select_proper'])
  })
  test('refuse too many stops, and an address that is too long at its own field', () => {
    const waypoints = Array.from({ length: 26 }, () => DROP)
    expect(refuse({ waypoints })).toEqual(['waypoints: too_many_stops'])
    const long = { ...DROP, add: 'a'.repeat(501) }
    expect(refuse({ waypoints: [DROP, long] })).toEqual(['stop1: address_too_long'])
  })
})

test('needs a driver in reach only for a booking for now', () => {
  expect(refuse({}, { isDriverNearby: false })).toEqual(['driver: no_driver_found_alert_messege'])
  const later = { bookLater: true, tripdate: NOON + 3_600_000 }
  expect(refuse(later, { isDriverNearby: false })).toEqual([])
})

test.each([
  ['a number that cannot be dialed', '1'],
  ['a number of more than 40 characters', '1'.repeat(41)],
])('refuses %s as the recipient’s phone, and only for a delivery', (_, deliveryPersonPhone) => {
  expect(refuse({ deliveryPersonPhone })).toEqual(['deliveryPersonPhone: deliveryDetailMissing'])
  expect(refuse({ deliveryPersonPhone }, { settings: { appcat: 'taxi' } })).toEqual([])
})
