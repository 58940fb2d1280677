import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aBooking, aCardPacket, aRider, aSettings, aVehicleType } from '~/domain/testing/builders'
import { renderApp } from './renderApp'
import type { MemoryOptions, Tree } from '~/src/services/memory/backendTypes'
import type { Booking } from '~/domain/booking/types'

const ID = '-OAbcdefghijklmnopqr'
const open = (
  over: Partial<Booking> = {},
  {
    walletBalance = 20,
    handlers = { advance_booking: () => ({ booking_id: ID, status: 'COMPLETE', revision: 2 }) },
  }: { walletBalance?: number; handlers?: MemoryOptions['handlers'] } = {},
) =>
  renderApp(`/bookings/${ID}`, {
    as: 'rita',
    seed: JSON.parse(
      JSON.stringify({
        settings: aSettings(),
        cartypes: { van: aVehicleType() },
        users: { rita: aRider({ id: 'rita', walletBalance }) },
        bookings: {
          [ID]: aBooking({
            id: ID,
            customer: 'rita',
            status: 'COMPLETE',
            paymentPacket: aCardPacket(),
            paid_at: Date.now() - 60_000,
            ...over,
          }),
        },
      }),
    ) as Tree,
    ...(handlers && { handlers }),
  })

test('a rider gives a suggested tip from the wallet', async () => {
  const { user, backend } = await open()
  await user.click(await screen.findByRole('button', { name: '$6.00' }))
  const amount = screen.getByRole('textbox', { name: /Amount/ })
  await waitFor(() => expect(amount).toHaveValue('6'))
  expect(amount).toHaveAccessibleDescription('$ Your wallet has $20.00.')
  await user.click(screen.getByRole('button', { name: 'Give tip' }))
  expect(await screen.findByText('Thank you. The driver got your tip.')).toBeInTheDocument()
  expect(backend.calls.at(-1)).toMatchObject({
    name: 'advance_booking',
    input: {
      booking_id: ID,
      event: 'tip',
      amount: 6,
      request_id: expect.stringMatching(/^-/) as string,
    },
  })
})

test('a rider with too little money reads why and finds the way to add some', async () => {
  const { user, backend } = await open({}, { walletBalance: 2 })
  await user.type(await screen.findByRole('textbox', { name: /Amount/ }), '5')
  await user.click(screen.getByRole('button', { name: 'Give tip' }))
  const amount = screen.getByRole('textbox', { name: /Amount/ })
  await waitFor(() => expect(amount).toBeInvalid())
  expect(amount).toHaveAccessibleDescription(/wallet/i)
  expect(screen.getByRole('link', { name: 'Add money to the wallet' })).toHaveAttribute(
    'href',
    '/wallet',
  )
  expect(backend.calls.filter(({ name }) => name === 'advance_booking')).toEqual([])
})

test('a tip has a bound', async () => {
  const { user } = await open({}, { walletBalance: 500 })
  const amount = await screen.findByRole('textbox', { name: /Amount/ })
  await user.type(amount, '86.27')
  await user.click(screen.getByRole('button', { name: 'Give tip' }))
  await waitFor(() => expect(amount).toHaveAccessibleDescription(/at most twice its price/))
})

test('the page and its receipt show a tip that was given', async () => {
  await open({
    adjustments: { '-OAtip00000000000001': { at: 1, reason: 'tip', rider: -5, driver: 5 } },
  })
  expect(await screen.findByText('You have given $5.00 so far.')).toBeInTheDocument()
  const payments = await screen.findByRole('list', { name: 'Payments' })
  expect(payments).toHaveTextContent(/Tip.*\$5\.00/)
})

test.each<[string, Partial<Booking>]>([
  ['weeks after the payment', { paid_at: 1 }],
  ['before the payment', { status: 'PENDING' }],
])('no tip is offered %s', async (_, over) => {
  await open(over)
  expect(await screen.findByRole('list', { name: 'Payments' })).toBeInTheDocument()
  expect(screen.queryByRole('heading', { name: 'Tip your driver' })).not.toBeInTheDocument()
})
