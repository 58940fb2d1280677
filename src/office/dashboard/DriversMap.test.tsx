import { screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { anOffice, renderApp } from '../testing'

const CITY = { lat: -34.9, lng: -56.18 }

beforeAll(() => {
  const coords = { latitude: CITY.lat, longitude: CITY.lng, accuracy: 5 }
  Object.defineProperty(navigator, 'geolocation', {
    configurable: true,
    value: {
      getCurrentPosition: (found: PositionCallback) => found({ coords } as GeolocationPosition),
    },
  })
})

const free = Object.fromEntries(
  Array.from({ length: 300 }, (_, at) => [
    `driver-${String(at).padStart(3, '0')}`,
    { carType: 'van', geohash: '6dp', lat: CITY.lat + at / 1e4, lng: CITY.lng, at: 1 },
  ]),
)

test('the map begins with a city’s worth of drivers, and shows the others when it is asked to', async () => {
  const seed = anOffice({ more: { available_drivers: free } })
  const { user } = await renderApp('/dashboard', { as: 'admin', seed })
  expect(await screen.findByRole('button', { name: 'Show all 250 drivers' })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Load more drivers' }))
  expect(await screen.findByRole('button', { name: 'Show all 300 drivers' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Load more drivers' })).toBeNull()
})
