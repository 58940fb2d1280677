import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import {
  aBooking,
  aDriver,
  anOfficeSeed,
  aRider,
  renderApp,
  toBookingKey,
} from './testing/officeFixtures'

const HIDDEN = 'Hidden for Demo'
const ID = toBookingKey(1)
const aDemoSeed = () =>
  anOfficeSeed({
    settings: { AllowCriticalEditsAdmin: false },
    bookings: [
      aBooking({
        id: ID,
        booking_id: ID,
        status: 'ACCEPTED',
        driver: 'driver',
        driver_name: 'Beto Silva',
        fleetadmin: 'fleet',
        deliveryPerson: 'Carla',
      }),
    ],
    contacts: { deliveryPersonPhone: '099 123 456', deliveryInstructions: 'Ring twice' },
    people: [
      aRider({ id: 'gil', firstName: 'Gil', lastName: 'Gomez', mobile: '+15555550142' }),
      aDriver({ id: 'other', firstName: 'Omar', mobile: '+15555550143' }),
    ],
  })
const expectNoContacts = () =>
  expect(document.body).not.toHaveTextContent(/\+\d{7}|@kerbside\.example|099 123/)

test('a demo shows a driver with vehicle and wallet, without phone and e-mail address', async () => {
  const { user } = await renderApp('/drivers?edit=driver', { as: 'admin', seed: aDemoSeed() })
  const panel = await screen.findByRole('dialog', { name: 'Beto Silva' })
  expect(within(panel).getAllByText(HIDDEN)).toHaveLength(2)
  expect(within(panel).getByLabelText('First name')).toHaveValue('Beto')
  expect(within(panel).getByLabelText('Vehicle no.')).not.toHaveValue('')
  expectNoContacts()
  await user.click(within(panel).getByRole('button', { name: 'Wallet history' }))
  expect(await screen.findByRole('dialog', { name: /Beto Silva/ })).toBeInTheDocument()
})

test('a demo shows a booking with its instructions, without the contacts of its people', async () => {
  await renderApp(`/bookings/${ID}`, { as: 'admin', seed: aDemoSeed() })
  expect(await screen.findByText('Ring twice')).toBeInTheDocument()
  // The rider's phone and address, the driver's phone and the recipient's.
  expect(screen.getAllByText(HIDDEN)).toHaveLength(4)
  expectNoContacts()
})

test('a fleet admin of a demo sees only their own drivers, without contacts', async () => {
  const { user } = await renderApp('/drivers', { as: 'fleet', seed: aDemoSeed() })
  await user.click(await screen.findByText('Beto Silva'))
  const panel = await screen.findByRole('dialog', { name: 'Beto Silva' })
  expect(within(panel).getAllByText(HIDDEN)).toHaveLength(2)
  expect(screen.queryByText(/Omar/)).not.toBeInTheDocument()
  expectNoContacts()
})

test.each([
  ['name', 'gil', true],
  ['phone', '+15555550142', false],
])('a search in a demo by %s', async (_, text, isFound) => {
  const { user } = await renderApp('/riders', { as: 'admin', seed: aDemoSeed() })
  expect(await screen.findByText('Gil Gomez')).toBeInTheDocument()
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), text)
  if (isFound) expect(await screen.findByText('Gil Gomez')).toBeInTheDocument()
  else expect(await screen.findByText('No results')).toBeInTheDocument()
  expectNoContacts()
})

test('a list of people in a demo says when it cannot be loaded, and can be loaded again', async () => {
  let isBroken = true
  const { user } = await renderApp('/riders', {
    as: 'admin',
    seed: aDemoSeed(),
    handlers: {
      list_people: () => {
        if (isBroken) throw new Error('broken')
        return { rows: [{ id: 'gil', usertype: 'rider', firstName: 'Gil', lastName: 'Gomez' }] }
      },
    },
  })
  const retry = await screen.findByRole('button', { name: 'Try again' })
  isBroken = false
  await user.click(retry)
  expect(await screen.findByText('Gil Gomez')).toBeInTheDocument()
})
