import { expect, test } from 'vitest'
import { screenPaths } from '~/src/store/screenPaths'
import { aBooking } from '~/domain/testing/builders'
import { STATUSES } from '~/domain/booking/types'
import { listScreens } from './screenList'

const booking = aBooking({ id: 'b1', driver: 'driver' })
const screens = listScreens({
  bookings: Object.fromEntries(STATUSES.map((status) => [status, { ...booking, status }])),
  waiting: booking,
  flagged: booking,
  offeredDriver: 'driver',
  carType: 'van',
  promo: 'p1',
  shareToken: 't1',
  payment: { payment_id: 'pay1', url: '/pay' },
})

test.each(Object.entries(screenPaths))('photographs the screen “%s”', (_, path) => {
  const pattern = typeof path === 'string' ? path : path('[^/]+')
  // The board shows a watched booking in its own panel.
  const [page = ''] = pattern.split('?')
  const isShown = new RegExp(`^${page}(\\?|$)`)
  expect(screens.filter((screen) => isShown.test(screen.path))).not.toEqual([])
})

test('gives each screen a name of its own', () => {
  const names = screens.map(({ name }) => name)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})
