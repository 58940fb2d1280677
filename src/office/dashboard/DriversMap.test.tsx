import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { toDirectoryEntry } from '~/domain/accounts/directory'
import { aBooking, aDriver, anOfficeSeed, renderApp } from '../testing/officeFixtures'

const CITY = { lat: -34.9, lng: -56.18 }

const setGeolocation = (getCurrentPosition: Geolocation['getCurrentPosition']) =>
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: { getCurrentPosition },
  })

/** Lets the browser know its position; returns how often the page asked for it. */
const stubGeolocation = () => {
  const coords = { latitude: CITY.lat, longitude: CITY.lng, accuracy: 5 }
  const getCurrentPosition = vi.fn((found: PositionCallback) =>
    found({ coords } as GeolocationPosition),
  )
  setGeolocation(getCurrentPosition)
  return getCurrentPosition
}

const freeDrivers = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [
    `driver-${String(at).padStart(3, '0')}`,
    { carType: 'van', geohash: '6dp', lat: CITY.lat + at / 1e4, lng: CITY.lng, at: 1 },
  ]),
)

test('starts with enough drivers for a city and loads the others on request', async () => {
  const seed = anOfficeSeed({ more: { available_drivers: freeDrivers } })
  const { user } = await renderApp('/dashboard', { as: 'admin', seed })
  expect(await screen.findByRole('button', { name: 'Show all 250 drivers' })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Load more drivers' }))
  expect(await screen.findByRole('button', { name: 'Show all 300 drivers' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Load more drivers' })).not.toBeInTheDocument()
})

test('shows the drivers without asking for the browser’s position, and asks on request', async () => {
  const asked = stubGeolocation()
  const seed = anOfficeSeed({ more: { available_drivers: freeDrivers } })
  const { user } = await renderApp('/dashboard', { as: 'admin', seed })
  expect(await screen.findByRole('button', { name: 'Show all 250 drivers' })).toBeInTheDocument()
  expect(asked).not.toHaveBeenCalled()
  const ask = screen.getByRole('button', { name: 'Show my location' })
  await user.click(ask)
  await waitFor(() => expect(ask).not.toBeInTheDocument())
  expect(asked).toHaveBeenCalledTimes(1)
})

test('asks to allow the position only when the browser gives none', async () => {
  const getCurrentPosition = (_: PositionCallback, refuse?: PositionErrorCallback | null) =>
    refuse?.({ code: 1, message: 'denied' } as GeolocationPositionError)
  setGeolocation(getCurrentPosition)
  const { user } = await renderApp('/dashboard', { as: 'admin', seed: anOfficeSeed() })
  const ask = await screen.findByRole('button', { name: 'Show my location' })
  const hint = 'Allow this site to see your location to show it on the map.'
  expect(screen.queryByText(hint)).not.toBeInTheDocument()
  await user.click(ask)
  expect(await screen.findByText(hint)).toBeInTheDocument()
  expect(ask).toBeEnabled()
})

test('names free drivers with their plate, and shows only their state while they are unknown', async () => {
  const person = {
    usertype: 'driver',
    createdAt: '2026-01-01',
    firstName: 'Fabio',
    lastName: 'Silva',
  }
  const seed = anOfficeSeed({
    more: {
      available_drivers: {
        'driver-000': freeDrivers['driver-000'] ?? null,
        'driver-001': freeDrivers['driver-001'] ?? null,
      },
      people: { 'driver-000': toDirectoryEntry({ ...person, vehicleNumber: 'SBB 77' }) },
    },
  })
  await renderApp('/dashboard', { as: 'admin', seed })
  expect(await screen.findByText(/^Fabio Silva · SBB 77 · Available/)).toBeTruthy()
  expect(screen.getByText(/^Available/)).toBeTruthy()
})

test('shows a chosen driver with links to their record, phone and booking', async () => {
  const { user } = await renderApp('/dashboard', {
    as: 'admin',
    seed: anOfficeSeed({
      people: [aDriver({ id: 'bea', mobile: '+59899111222', queue: true, location: CITY })],
      bookings: [aBooking({ id: 'b1', booking_id: 'b1', driver: 'bea', status: 'STARTED' })],
      more: { busy_drivers: { bea: { name: 'Bea', booking: 'b1', carType: 'van' } } },
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'Show as list' }))
  const list = screen.getByRole('list', { name: 'Drivers on duty' })
  await user.click(await within(list).findByRole('button', { name: /Busy/ }))
  const phone = await screen.findByRole('link', { name: '+59899111222' })
  expect(phone).toHaveAttribute('href', 'tel:+59899111222')
  const hrefs = within(phone.closest('div') ?? phone)
    .getAllByRole('link')
    .map((link) => link.getAttribute('href'))
  expect(hrefs).toEqual(['/drivers?edit=bea', '/bookings/b1', 'tel:+59899111222'])
})
