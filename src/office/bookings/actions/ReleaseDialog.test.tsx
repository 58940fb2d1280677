import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  aBooking,
  aDriver,
  anOfficeSeed,
  renderApp,
  toBookingKey,
} from '../../testing/officeFixtures'
import { openRowMenu } from '../../testing/tables'

const ID = toBookingKey(1)
const openBookings = () =>
  renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id: ID, booking_id: ID, status: 'ARRIVED' })],
      people: [aDriver({ id: 'next', firstName: 'Nora', vehicleNumber: 'SBB 7' })],
      more: {
        available_drivers: {
          next: { carType: 'van', lat: -34.905, lng: -56.19, geohash: '6dqv', at: 1 },
        },
      },
    }),
    handlers: { advance_booking: () => ({ booking_id: ID, status: 'NEW', revision: 2 }) },
  })

test('releases an accepted booking with a reason and the driver to ask next', async () => {
  const { user, backend } = await openBookings()
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name: 'Release' }))
  const dialog = await screen.findByRole('dialog', { name: 'Release this booking?' })
  await user.click(within(dialog).getByRole('button', { name: 'Release' }))
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Please choose a reason.')
  await user.click(await within(dialog).findByRole('radio', { name: 'Wrong address' }))
  const nora = await within(dialog).findByRole('option', { name: /Nora/ })
  await user.selectOptions(within(dialog).getByLabelText('Driver to ask next'), nora)
  await user.click(within(dialog).getByRole('button', { name: 'Release' }))
  expect(await screen.findByText('The booking is back in the queue')).toBeInTheDocument()
  expect(backend.calls.at(-1)?.input).toEqual({
    booking_id: ID,
    event: 'release',
    reason: 'Wrong address',
    driver: 'next',
  })
  await waitFor(() => expect(window.location.search).toBe(''))
})
