import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { createStory } from '~/domain/testing/bookingStory'
import {
  aBooking,
  aCardPacket,
  aRider,
  aSettings,
  aVehicleType,
  MINUTE,
  NOON,
  rider,
} from '~/domain/testing/builders'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'
import type { Booking } from '~/domain/booking/types'

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

const aQuotedFare = (): Pick<Booking, 'fare_history'> => ({
  fare_history: {
    first: {
      kind: 'estimate',
      at: NOON,
      cause: 'booked',
      lines: [{ label: 'fare_distance', amount: 37.5 }],
      total: 43.13,
    },
  },
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

describe('the receipt of a canceled booking', () => {
  const accepted = aBooking({ status: 'ACCEPTED', accepted_at: NOON - 10 * MINUTE })
  const getReceipt = () => document.querySelector('[data-print]')?.textContent ?? ''
  /** Returns the booking after its rider has canceled it. */
  const cancel = (booking: Booking) => {
    const story = createStory(booking)
    story.apply({ event: 'cancel', reason: 'changed' }, rider)
    return story.getBooking()
  }

  test('lists the fee and says that the empty wallet owes it', async () => {
    await renderBooking(cancel(accepted))
    const payments = await screen.findByRole('list', { name: 'Payments' })
    expect(payments).toHaveTextContent('Owed in the wallet')
    expect(payments).not.toHaveTextContent('Paid')
    expect(getReceipt()).toMatch(/Cancellation fee\$15\.00Total\$15\.00Owed in the wallet/)
    expect(getReceipt()).not.toContain('Distance$')
  })

  test('lists no fare without a fee, on the page too', async () => {
    await renderBooking(cancel(aBooking({ ...aQuotedFare() })))
    expect(await screen.findByText('Nothing was charged', { selector: 'span' })).toBeVisible()
    expect(getReceipt()).toMatch(/Total\$0\.00Nothing was charged\$0\.00/)
    expect(getReceipt()).not.toContain('37.50')
    const fare = screen.getByRole('heading', { name: 'Fare' }).closest('section') as HTMLElement
    expect(fare.querySelector('strong')).toHaveTextContent('$0.00')
  })
})

test('a finished booking without a track has its planned distance and time, and names a skipped stop', async () => {
  const at = NOON + 10 * MINUTE
  const skip = { event: 'skip_stop', by: 'driver', at, status: 'STARTED' as const, revision: 7 }
  await renderBooking(
    aBooking({
      status: 'COMPLETE',
      distance: 9.9,
      estimateTime: 1200,
      total_trip_time: 60,
      waypoints: [{ lat: -34.89, lng: -56.15, add: 'Obelisco' }],
      event_log: { skip: { ...skip, ref: '0' } },
    }),
  )
  await screen.findByRole('heading', { name: 'Booking' })
  const receipt = await waitFor(() => {
    const element = document.querySelector('[data-print]')
    expect(element).not.toBeNull()
    return element
  })
  expect(receipt).toHaveTextContent('Distance9.9 km · 20 min')
  expect(receipt).toHaveTextContent('Stop 1Obelisco (Skipped)')
})
