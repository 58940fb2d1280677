import { expect, test } from 'vitest'
import { answer, read, write } from './tree'

const bookings = {
  a: { customer: 'rita', bookingDate: 1 },
  b: { customer: 'omar', bookingDate: 2 },
  c: { customer: 'rita', bookingDate: 3 },
}

test('a query by child answers only the matching rows', () => {
  const found = answer(
    { bookings },
    { path: 'bookings', orderBy: { child: 'customer' }, equalTo: 'rita' },
  )
  expect(Object.keys(found ?? {})).toEqual(['a', 'c'])
})

test('a page by key ends before the given key and keeps the newest', () => {
  const page = answer(
    { bookings },
    { path: 'bookings', orderBy: 'key', endBefore: 'c', limitToLast: 1 },
  )
  expect(page).toEqual({ b: bookings.b })
})

test('several paths change at once, null removes, and an emptied branch is gone', () => {
  const tree = write(
    { bookings: { a: bookings.a }, users: { rita: { walletBalance: 5 } } },
    {
      'bookings/a': null,
      'users/rita/walletBalance': { '.sv': { increment: -2 } },
      'users/rita/seen': { '.sv': 'timestamp' },
    },
    77,
  )
  expect(tree).toEqual({ users: { rita: { walletBalance: 3, seen: 77 } } })
  expect(read(tree, 'bookings')).toBeNull()
})
