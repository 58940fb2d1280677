import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { onTheRoad } from '../testing/road'

const id = (letter: string) => `-OAbcdefghijklmnopq${letter}`
const booking = (letter: string, over: Parameters<typeof aBooking>[0]) =>
  aBooking({ id: id(letter), booking_id: id(letter), ...over })
const mine = [
  booking('a', { status: 'STARTED', pickupAddress: 'Open 1' }),
  booking('b', { status: 'COMPLETE', pickupAddress: 'Done 1' }),
  booking('c', {
    status: 'CANCELLED',
    driver: 'driver',
    cancelled_at: 5,
    reason: 'Rain',
    pickupAddress: 'Cancelled 1',
  }),
  booking('d', { status: 'COMPLETE', driver: 'another', pickupAddress: 'Another’s' }),
]

test('a driver sees his own bookings only, by what has become of them', async () => {
  const app = await onTheRoad({ bookings: mine, path: '/bookings' })
  expect(await screen.findByText('Open 1')).toBeTruthy()
  expect(screen.getByText('Done 1')).toBeTruthy()
  expect(screen.queryByText('Another’s')).toBeNull()
  await app.user.click(screen.getByRole('tab', { name: 'Cancelled' }))
  await waitFor(() => expect(screen.queryByText('Done 1')).toBeNull())
  expect(screen.getByText('Rain')).toBeTruthy()
  await app.user.click(screen.getByRole('tab', { name: 'Open' }))
  expect((await screen.findByRole('link', { name: /Open 1/ })).getAttribute('href')).toBe('/trips')
})

test('the same bookings are the specification’s table, with the driver’s share', async () => {
  await onTheRoad({ bookings: mine, path: '/bookings?view=table' })
  expect((await screen.findAllByText('Driver share')).length).toBeGreaterThan(0)
  expect(screen.queryByText('Trip code')).toBeNull()
})

test('a driver without bookings is shown the way to his requests', async () => {
  await onTheRoad({ path: '/bookings' })
  expect((await screen.findByRole('link', { name: 'To your requests' })).getAttribute('href')).toBe(
    '/trips',
  )
})
