import { expect, it } from 'vitest'
import { aBooking, DROP, PICKUP } from '../../testing/builders'
import { summarizeCaller } from './callerTrips'

const booking = (n: number, over: object = {}) => aBooking({ id: `b${n}`, status: 'PAID', ...over })
const to = (add: string) => ({ drop: { ...DROP, add } })

it('lists the newest booking of each route, at most five', () => {
  const bookings = [
    booking(1, to('Harbor')),
    booking(2, to('Airport')),
    booking(3, to(' harbor ')),
    ...[4, 5, 6, 7].map((n) => booking(n, to(`Street ${n}`))),
  ]
  expect(summarizeCaller(bookings).trips.map(({ booking_id }) => booking_id)).toEqual([
    'b7',
    'b6',
    'b5',
    'b4',
    'b3',
  ])
})

it('tells routes with other stops apart', () => {
  const bookings = [booking(1), booking(2, { waypoints: [{ ...PICKUP, add: 'Market' }] })]
  expect(summarizeCaller(bookings).trips).toHaveLength(2)
})

it('lists as open only the bookings that are not over, newest first', () => {
  const statuses = ['NEW', 'COMPLETE', 'CANCELLED', 'STARTED'] as const
  const bookings = statuses.map((status, n) => booking(n, { status }))
  expect(summarizeCaller(bookings).open.map(({ status }) => status)).toEqual(['STARTED', 'NEW'])
})

it('is empty for a person without bookings', () => {
  expect(summarizeCaller([])).toEqual({ trips: [], open: [] })
})
