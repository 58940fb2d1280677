import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Status } from '~/domain/booking/types'
import { aBooking, anOfficeSeed, renderApp, toBookingKey } from '../../testing/officeFixtures'
import { openRowMenu } from '../../testing/tables'

const ID = toBookingKey(1)

test('ends a booking whose customer did not come, and says what they pay', async () => {
  const { user, backend } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id: ID, booking_id: ID, status: 'ARRIVED' })],
      settings: { noShowFee: 60 },
    }),
    handlers: { advance_booking: () => ({ booking_id: ID, status: 'CANCELLED', revision: 2 }) },
  })
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name: 'No-show' }))
  const dialog = await screen.findByRole('dialog', { name: 'Did the customer not come?' })
  expect(within(dialog).getByText(/The customer pays .*60/)).toBeInTheDocument()
  await user.click(within(dialog).getByRole('button', { name: 'No-show' }))
  expect(await screen.findByText('The booking ended as a no-show.')).toBeInTheDocument()
  expect(backend.calls.at(-1)?.input).toEqual({ booking_id: ID, event: 'no_show' })
})

test.each<[Status, string, string, RegExp]>([
  ['ACCEPTED', 'arrive', 'Record the arrival', /is at the pickup/],
  ['ARRIVED', 'start', 'Record the start', /without the customer’s code/],
  ['STARTED', 'reach', 'Record the drop-off', /The planned price stays/],
  ['REACHED', 'finish', 'Record the end', /free for the next booking/],
  ['PENDING', 'collect', 'Record the cash', /in cash/],
])('records in %s the step %s for the driver, with a reason', async (status, event, name, text) => {
  const { user, backend } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({ bookings: [aBooking({ id: ID, booking_id: ID, status })] }),
    handlers: { advance_booking: () => ({ booking_id: ID, status, revision: 2 }) },
  })
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name }))
  const dialog = await screen.findByRole('dialog', { name })
  expect(within(dialog).getByText(text)).toBeInTheDocument()
  await user.click(within(dialog).getByRole('button', { name: 'Record' }))
  expect(await within(dialog).findByText('Please fill this in.')).toBeInTheDocument()
  await user.type(
    within(dialog).getByRole('textbox', { name: /Why does the office record it/ }),
    'The phone is dead',
  )
  await user.click(within(dialog).getByRole('button', { name: 'Record' }))
  expect(await screen.findByText('The step is recorded.')).toBeInTheDocument()
  expect(backend.calls.at(-1)?.input).toEqual({
    booking_id: ID,
    event,
    reason: 'The phone is dead',
  })
  await waitFor(() => expect(window.location.search).toBe(''))
})
