import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { DomainError } from '~/domain/api/errors'
import { aBooking, aRider, aSettings, aVehicleType } from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'
import type { Booking } from '~/domain/booking/types'

const refuse = (key: string, refusal: Partial<DomainError>) =>
  new ServiceError('failed-precondition', key, key, refusal)
const FAR = { lat: -34.88, lng: -56.08, add: 'Carrasco' }
const openBooking = (
  over: Partial<Booking> = {},
  answer: (input: { estimateFare?: number }) => unknown = () => ({ revision: 2 }),
  as: 'rita' | 'boss' = 'rita',
) => {
  const booking = aBooking({ id: 'b1', booking_id: 'b1', customer: 'rita', ...over })
  return renderApp('/bookings/b1', {
    as,
    seed: JSON.parse(
      JSON.stringify({
        settings: aSettings(),
        cartypes: { van: aVehicleType(), bike: aVehicleType({ id: 'bike', name: 'Bike' }) },
        users: {
          rita: aRider({ id: 'rita', mobile: '+15555550103' }),
          boss: aRider({ id: 'boss', usertype: 'admin', mobile: '+15555550100' }),
        },
        bookings: { b1: booking },
        booking_contacts: { b1: { deliveryPersonPhone: '099 123 456' } },
      }),
    ) as Tree,
    handlers: {
      'googleapis-autocomplete': () => ({
        searchResults: [{ place_id: 'far', description: FAR.add }],
      }),
      'googleapis-getcoords': () => ({ coords: { lat: FAR.lat, lng: FAR.lng } }),
      advance_booking: answer,
    },
  })
}
type App = Awaited<ReturnType<typeof openBooking>>
const openDialog = async ({ user }: App) => {
  await user.click(await screen.findByRole('button', { name: 'Change booking' }))
  return screen.findByRole('dialog', { name: 'Change booking' })
}
const amendments = ({ backend }: App) =>
  backend.calls.filter(({ name }) => name === 'advance_booking').map(({ input }) => input)

test.each(['rita', 'boss'] as const)(
  'sends only the fields that %s changed, and a higher price only after they accept it',
  async (as) => {
    const app = await openBooking(
      {},
      ({ estimateFare }) => {
        if (estimateFare === 43.13)
          throw refuse('estimate_changed', { field: 'estimateFare', params: { estimate: 61.5 } })
        return { revision: 2 }
      },
      as,
    )
    const dialog = within(await openDialog(app))
    const drop = dialog.getByRole('combobox', { name: 'Drop-off' })
    await app.user.clear(drop)
    await app.user.type(drop, 'carr')
    await app.user.click(await dialog.findByRole('option', { name: FAR.add }))
    await app.user.type(dialog.getByLabelText('Pickup instructions'), 'Ring twice')
    await waitFor(() => expect(drop).toHaveValue(FAR.add))
    await app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
    const accept = await dialog.findByRole('button', { name: /^Accept .*61\.50.* and save$/ })
    expect(dialog.getByText('New price').nextElementSibling).toHaveTextContent(/61\.50/)
    expect(dialog.getByText('Current price').nextElementSibling).toHaveTextContent(/43\.13/)
    expect(dialog.getByLabelText('Pickup instructions')).toHaveValue('Ring twice')
    await app.user.click(accept)
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    const sent = {
      booking_id: 'b1',
      event: 'amend',
      drop: FAR,
      pickUpInstructions: 'Ring twice',
      revision: 1,
    }
    expect(amendments(app)).toEqual([
      { ...sent, estimateFare: 43.13 },
      { ...sent, estimateFare: 61.5 },
    ])
    expect(await screen.findByText('The booking was changed.')).toBeInTheDocument()
  },
)

test('keeps what was typed and shows a refusal beside its field', async () => {
  const app = await openBooking({}, () => {
    throw refuse('deliveryDetailMissing', { field: 'deliveryPersonPhone' })
  })
  const dialog = within(await openDialog(app))
  const phone = dialog.getByLabelText('Recipient’s phone')
  await waitFor(() => expect(phone).toHaveValue('099 123 456'))
  await app.user.clear(phone)
  await app.user.type(phone, '12')
  await app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(phone).toHaveFocus())
  expect(phone).toHaveAttribute('aria-invalid', 'true')
  expect(phone).toHaveValue('12')
})

test('shows an emptied place and stop at their fields until each is corrected', async () => {
  const app = await openBooking()
  const dialog = within(await openDialog(app))
  const drop = dialog.getByRole('combobox', { name: 'Drop-off' })
  await app.user.clear(drop)
  await app.user.click(dialog.getByRole('button', { name: 'Add a stop' }))
  await app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
  const stop = dialog.getByRole('combobox', { name: 'Stop 1' })
  await waitFor(() => expect(stop).toHaveFocus())
  expect(stop).toHaveAccessibleDescription('Please choose the stop, or remove it.')
  expect(drop).toHaveAccessibleDescription('Please choose the drop-off.')
  await app.user.click(dialog.getByRole('button', { name: 'Remove stop' }))
  await app.user.type(drop, 'carr')
  await app.user.click(await dialog.findByRole('option', { name: FAR.add }))
  await waitFor(() => expect(drop).toHaveValue(FAR.add))
  expect(dialog.queryByRole('alert')).not.toBeInTheDocument()
  await app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(amendments(app)).toEqual([
    { booking_id: 'b1', event: 'amend', drop: FAR, estimateFare: 43.13, revision: 1 },
  ])
})

test('shows what a colleague changes meanwhile in the untouched fields', async () => {
  const app = await openBooking()
  const dialog = within(await openDialog(app))
  const pickup = dialog.getByRole('combobox', { name: 'Pickup' })
  await app.user.clear(pickup)
  app.backend.update({ 'bookings/b1/drop': FAR, 'bookings/b1/pickup': FAR })
  await waitFor(() =>
    expect(dialog.getByRole('combobox', { name: 'Drop-off' })).toHaveValue(FAR.add),
  )
  expect(pickup).toHaveValue('')
})

test('tells the second of two people that the booking has changed, and saves on the next attempt', async () => {
  let refused = false
  const app = await openBooking({}, () => {
    if (refused) return { revision: 6 }
    refused = true
    throw refuse('changed_meanwhile', { params: { revision: 5, estimate: 43.13 } })
  })
  const dialog = within(await openDialog(app))
  await app.user.selectOptions(dialog.getByLabelText('Vehicle type'), 'Bike')
  await app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent(/Someone else changed this/)
  await app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(amendments(app)).toEqual([
    expect.objectContaining({ carType: 'bike', revision: 1 }),
    expect.objectContaining({ carType: 'bike', revision: 5 }),
  ])
})

test('offers only the drop-off and the stops after the start, and nothing after the drop-off', async () => {
  const app = await openBooking({ status: 'STARTED', driver: 'beto' })
  const dialog = within(await openDialog(app))
  expect(dialog.getByRole('combobox', { name: 'Drop-off' })).toBeInTheDocument()
  expect(dialog.getByRole('button', { name: 'Add a stop' })).toBeInTheDocument()
  for (const label of ['Pickup', 'Pickup time', 'Vehicle type', 'Recipient'])
    expect(dialog.queryByLabelText(label)).not.toBeInTheDocument()
  await app.user.click(dialog.getByRole('button', { name: 'Cancel' }))
  app.backend.update({ 'bookings/b1/status': 'REACHED' })
  await waitFor(() =>
    expect(screen.queryByRole('button', { name: 'Change booking' })).not.toBeInTheDocument(),
  )
})

test('names the changed fields in the history', async () => {
  const entry = { event: 'amend', by: 'rita', at: Date.now(), status: 'NEW' as const }
  await openBooking({ event_log: { amend_2: { ...entry, revision: 2, ref: 'drop,waypoints' } } })
  expect(await screen.findByText('Booking changed: Drop-off · Stops')).toBeInTheDocument()
})
