import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Booking } from '~/domain/entities'
import { aBooking, aCardPacket, aRider, aSettings, aVehicleType } from '~/domain/testing/builders'
import type { Tree } from '~/src/services/memory/memoryBackend'
import { renderApp } from './renderApp'

const renderBooking = (booking: Booking) =>
  renderApp(`/bookings/${booking.id}`, {
    seed: JSON.parse(
      JSON.stringify({
        settings: aSettings(),
        cartypes: { van: aVehicleType() },
        users: { rider: aRider({ walletBalance: 100 }) },
        bookings: { [booking.id]: booking },
      }),
    ) as Tree,
    as: 'rider',
  })

test('the payment of a finished booking is what is still due', async () => {
  await renderBooking(
    aBooking({ status: 'PENDING', trip_cost: 71.88, paymentPacket: aCardPacket() }),
  )
  const pay = await screen.findByRole('button', { name: 'Pay now' })
  const panel = pay.parentElement!
  await waitFor(() => expect(within(panel).getByText(/28\.75/)).toBeInTheDocument())
  expect(within(panel).queryByText(/71\.88/)).not.toBeInTheDocument()
})
