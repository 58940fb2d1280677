import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { renderDriverApp } from '../testing/renderDriverApp'

const id = (letter: string) => `-OAbcdefghijklmnopq${letter}`
const booking = (letter: string, over: Parameters<typeof aBooking>[0]) =>
  aBooking({ id: id(letter), booking_id: id(letter), ...over })
const ownBookings = [
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

test('shows only the driver’s own bookings, grouped by outcome', async () => {
  const app = await renderDriverApp({ bookings: ownBookings, path: '/bookings' })
  expect(await screen.findByText('Open 1')).toBeInTheDocument()
  expect(screen.getByText('Done 1')).toBeInTheDocument()
  expect(screen.queryByText('Another’s')).not.toBeInTheDocument()
  await app.user.click(screen.getByRole('tab', { name: 'Canceled' }))
  await waitFor(() => expect(screen.queryByText('Done 1')).not.toBeInTheDocument())
  expect(screen.getByText('Rain')).toBeInTheDocument()
  await app.user.click(screen.getByRole('tab', { name: 'Open' }))
  expect(await screen.findByRole('link', { name: /Open 1/ })).toHaveAttribute('href', '/trips')
})

test('shows the same bookings as a table with the driver share', async () => {
  await renderDriverApp({ bookings: ownBookings, path: '/bookings?view=table' })
  expect((await screen.findAllByText('Driver share')).length).toBeGreaterThan(0)
  expect(screen.queryByText('Trip code')).not.toBeInTheDocument()
})

test.each(['/bookings', '/bookings?view=table'])(
  'shows a driver on %s in words why the system ended a booking',
  async (path) => {
    const ended = { status: 'CANCELLED', driver: 'driver', cancelled_at: 5 } as const
    await renderDriverApp({ bookings: [booking('e', { ...ended, reason: 'no_driver' })], path })
    expect((await screen.findAllByText('No driver was found.')).length).toBeGreaterThan(0)
    expect(screen.queryByText('no_driver')).not.toBeInTheDocument()
  },
)

test('links a driver without bookings to their requests', async () => {
  await renderDriverApp({ path: '/bookings' })
  expect(await screen.findByRole('link', { name: 'Go to requests' })).toHaveAttribute(
    'href',
    '/trips',
  )
})
