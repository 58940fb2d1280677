import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { DROP, PICKUP, ROUTE } from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import { anOfficeSeed, aRider, renderApp } from '../testing/officeFixtures'

const PLACES = { pickup: PICKUP, drop: DROP }
/** Returns handlers for the maps service; `directions` resolves the route. */
const createMapHandlers = (directions: () => unknown) => ({
  'googleapis-autocomplete': ({ searchKeyword }: { searchKeyword: string }) => ({
    searchResults: Object.entries(PLACES)
      .filter(([, place]) => place.add.toLowerCase().startsWith(searchKeyword.toLowerCase()))
      .map(([place_id, { add }]) => ({ place_id, description: add })),
  }),
  'googleapis-getcoords': ({ place_id }: { place_id: keyof typeof PLACES }) => ({
    coords: { lat: PLACES[place_id].lat, lng: PLACES[place_id].lng },
  }),
  'googleapis-getdirections': directions,
})
const open = async (
  directions: () => unknown = () => ROUTE,
  create: (input: CreateBookingInput) => unknown = () => ({ booking_id: '-Obooked' }),
) => {
  const app = await renderApp('/addbookings', {
    as: 'admin',
    seed: anOfficeSeed({ people: [aRider({ id: 'mute', firstName: 'Mute', mobile: '' })] }),
    handlers: {
      ...createMapHandlers(directions),
      create_booking: create,
    },
  })
  await screen.findByRole('heading', { name: 'Add booking' })
  const choose = async (label: string, letters: string, name: RegExp) => {
    await app.user.type(screen.getByRole('combobox', { name: label }), letters)
    await app.user.click(await screen.findByRole('option', { name }))
  }
  return { ...app, choose }
}
/** Returns the error message of a field; undefined when the field is valid. */
const getFieldError = (label: string | RegExp): string | undefined => {
  const field = screen.getByLabelText(label)
  return field
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id))
    .find((text) => text?.getAttribute('role') === 'alert')
    ?.textContent?.trim()
}
const book = (user: Awaited<ReturnType<typeof open>>['user']) =>
  user.click(screen.getByRole('button', { name: 'Book' }))

test('names every missing field at once with its own message, and clears each message when the field is filled in', async () => {
  const { user, choose, backend } = await open()
  await book(user)
  await waitFor(() => expect(getFieldError('Rider')).toBe('Please choose the rider.'))
  for (const [label, text] of [
    ['Pickup', 'Please choose the pickup.'],
    ['Drop-off', 'Please choose the drop-off.'],
    ['Vehicle type', 'Please choose a vehicle type.'],
  ] as const)
    expect(getFieldError(label)).toBe(text)
  expect(getFieldError('Recipient')).toBe('Please fill this in.')
  expect(getFieldError('Recipient’s phone')).toBe(
    'Please enter the recipient’s phone number, at least 7 digits.',
  )
  await waitFor(() => expect(screen.getByLabelText('Rider')).toHaveFocus())
  await user.selectOptions(screen.getByLabelText('Vehicle type'), 'Van')
  expect(getFieldError('Vehicle type')).toBeUndefined()
  await user.type(screen.getByLabelText('Recipient'), 'Ana Paz')
  expect(getFieldError('Recipient')).toBeUndefined()
  await choose('Rider', 'Mute', /Mute/)
  expect(await screen.findByText('This rider has no mobile number.')).toBeInTheDocument()
  expect(backend.calls.map(({ name }) => name)).not.toContain('create_booking')
})

test('shows that the price is being calculated while the route loads, then books at that price', async () => {
  let answer = () => {}
  const { user, choose, backend } = await open(
    () => new Promise((done) => (answer = () => done(ROUTE))),
  )
  expect(
    screen.getByText('Choose a pickup, a drop-off and a vehicle type to see the price.'),
  ).toBeInTheDocument()
  await choose('Rider', 'Ana', /Ana Lima/)
  await choose('Pickup', 'plaza', /Plaza/)
  await choose('Drop-off', 'tres', /Tres/)
  await user.selectOptions(screen.getByLabelText('Vehicle type'), 'Van')
  await user.type(screen.getByLabelText('Recipient'), 'Ana Paz')
  await user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  expect(await screen.findByText('Calculating the price…')).toBeInTheDocument()
  expect(
    screen.queryByText('Choose a pickup, a drop-off and a vehicle type to see the price.'),
  ).not.toBeInTheDocument()
  await waitFor(() => expect(backend.calls.at(-1)?.name).toBe('googleapis-getdirections'))
  answer()
  const estimate = (await screen.findByRole('heading', { name: 'Estimate' })).parentElement
  await within(estimate as HTMLElement).findByText('Total')
  expect(screen.queryByText('Calculating the price…')).not.toBeInTheDocument()
  await book(user)
  expect(await screen.findByRole('dialog', { name: 'Booked' })).toBeInTheDocument()
  // The platform's country is preselected, so the number gets its prefix.
  expect(screen.getByRole('combobox', { name: 'Country' })).toHaveValue('UY')
  expect(backend.calls.at(-1)?.input).toMatchObject({ deliveryPersonPhone: '+59899123456' })
})

test('books an address that the map shows elsewhere once the office confirms it', async () => {
  let isConfirmed = false
  const { user, choose, backend } = await open(undefined, () => {
    if (isConfirmed) return { booking_id: '-Obooked' }
    throw new ServiceError('failed-precondition', 'address_elsewhere', '', { field: 'drop' })
  })
  await choose('Rider', 'Ana', /Ana Lima/)
  await choose('Pickup', 'plaza', /Plaza/)
  await choose('Drop-off', 'tres', /Tres/)
  await user.selectOptions(screen.getByLabelText('Vehicle type'), 'Van')
  await user.type(screen.getByLabelText('Recipient'), 'Ana Paz')
  await user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  const estimate = (await screen.findByRole('heading', { name: 'Estimate' })).parentElement
  await within(estimate as HTMLElement).findByText('Total')
  await book(user)
  const confirm = await screen.findByRole('button', { name: 'Confirm address and book' })
  expect(getFieldError('Drop-off')).toMatch(/^The map shows this address somewhere else/)
  expect(backend.calls.at(-1)?.input).not.toHaveProperty('addressesConfirmed')
  isConfirmed = true
  await user.click(confirm)
  expect(await screen.findByRole('dialog', { name: 'Booked' })).toBeInTheDocument()
  expect(backend.calls.at(-1)?.input).toMatchObject({ addressesConfirmed: true })
})

test('books without a driver nearby when the caller waits for the next one', async () => {
  const { user, choose, backend } = await open(undefined, (input) => {
    if (input.wait) return { booking_id: '-Obooked' }
    const details = { params: { wait_s: 720 } }
    throw new ServiceError('failed-precondition', 'no_driver_found_alert_messege', '', details)
  })
  await choose('Rider', 'Ana', /Ana Lima/)
  await choose('Pickup', 'plaza', /Plaza/)
  await choose('Drop-off', 'tres', /Tres/)
  await user.selectOptions(screen.getByLabelText('Vehicle type'), 'Van')
  await user.type(screen.getByLabelText('Recipient'), 'Ana Paz')
  await user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  const estimate = (await screen.findByRole('heading', { name: 'Estimate' })).parentElement
  await within(estimate as HTMLElement).findByText('Total')
  await book(user)
  expect(await screen.findByText(/A driver can be there in 12 min at the earliest/)).toBeVisible()
  expect(backend.calls.at(-1)?.input).not.toHaveProperty('wait')
  await user.click(screen.getByRole('button', { name: 'Book and wait' }))
  expect(await screen.findByRole('dialog', { name: 'Booked' })).toBeInTheDocument()
  expect(backend.calls.at(-1)?.input).toMatchObject({ wait: true })
})

test('chooses the first place although Enter and Tab come before the results', async () => {
  const { user } = await open()
  const pickup = screen.getByRole('combobox', { name: 'Pickup' })
  await user.type(pickup, 'plaza{Enter}{Tab}')
  await waitFor(() => expect(pickup).toHaveValue(PICKUP.add))
  expect(pickup).not.toHaveFocus()
  expect(getFieldError('Pickup')).toBeUndefined()
})

test('shows at the drop-off field that no route exists', async () => {
  const { user, choose } = await open(() => ({ error: 'none' }))
  await choose('Pickup', 'plaza', /Plaza/)
  await choose('Drop-off', 'tres', /Tres/)
  expect(await screen.findByText('No Route Found')).toBeInTheDocument()
  await book(user)
  await waitFor(() =>
    expect(getFieldError('Drop-off')).toBe('We could not find this place or a route to it.'),
  )
})

test('shows at the drop-off that it equals the pickup, and at the time that it is too far ahead', async () => {
  const { user, choose, backend } = await open()
  await choose('Pickup', 'plaza', /Plaza/)
  await choose('Drop-off', 'plaza', /Plaza/)
  await user.click(screen.getByRole('radio', { name: 'Later' }))
  const tooFar = new Date(Date.now() + 400 * 86_400_000).toISOString().slice(0, 16)
  fireEvent.change(screen.getByLabelText(/^Pickup time/), { target: { value: tooFar } })
  await book(user)
  await waitFor(() =>
    expect(getFieldError('Drop-off')).toBe(
      'Pickup and drop-off are the same place. Choose another drop-off or add a stop.',
    ),
  )
  expect(getFieldError(/^Pickup time/)).toBe('Please choose a time within the next 365 days.')
  expect(backend.calls.map(({ name }) => name)).not.toContain('create_booking')
})

test('offers up to 25 stops and then says that no more are possible', async () => {
  await open()
  const add = screen.getByRole('button', { name: 'Add a stop' })
  for (let count = 0; count < 25; count++) fireEvent.click(add)
  expect(add).toBeDisabled()
  expect(document.getElementById(add.getAttribute('aria-describedby') ?? '')).toHaveTextContent(
    /at most 25 stops/,
  )
})

test('books for a new caller by name and number, and shows a refused number at its field', async () => {
  let owner = 'a driver'
  const { user, choose, backend } = await open(
    () => ROUTE,
    () => {
      if (owner)
        throw new ServiceError('invalid-argument', 'not_a_rider', 'not_a_rider', { field: 'guest' })
      return { booking_id: '-Obooked' }
    },
  )
  await user.click(screen.getByRole('radio', { name: 'New caller' }))
  expect(screen.queryByLabelText('Rider')).not.toBeInTheDocument()
  await book(user)
  await waitFor(() => expect(getFieldError('Name')).toBe('Please fill this in.'))
  expect(getFieldError('Mobile number')).toMatch(/with its country code/)
  await user.type(screen.getByLabelText('Name'), 'Gil Paz')
  await user.type(screen.getByLabelText('Mobile number'), '099 123 457')
  await choose('Pickup', 'plaza', /Plaza/)
  await choose('Drop-off', 'tres', /Tres/)
  await user.selectOptions(screen.getByLabelText('Vehicle type'), 'Van')
  await user.type(screen.getByLabelText('Recipient'), 'Ana Paz')
  await user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await screen.findByText('Total')
  await book(user)
  await waitFor(() =>
    expect(getFieldError('Mobile number')).toMatch(/an account that cannot book trips/),
  )
  owner = ''
  await book(user)
  expect(await screen.findByRole('dialog', { name: 'Booked' })).toBeInTheDocument()
  const { input } = backend.calls.findLast(({ name }) => name === 'create_booking') ?? {}
  expect(input).toMatchObject({ guest: { name: 'Gil Paz', mobile: '+59899123457' } })
  expect(input).not.toHaveProperty('customer')
})
