import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { CityMap } from '~/src/ui/map/cityMap'
import { aBooking, anOfficeSeed, renderApp, toBookingKey } from './testing/officeFixtures'

const OTHER_FILE = () => Promise.resolve(new Response('', { status: 404 }))
const CITY: CityMap = {
  slug: 'montevideo',
  city: 'Montevideo',
  country: 'UY',
  bounds: [-56.4, -35, -56, -34.7],
  tileBounds: [-56.4, -35, -56, -34.7],
  minZoom: 10,
  maxZoom: 14,
  worldMaxZoom: 5,
  date: '2026-01-01',
}
const CITY_FILE = () => Promise.resolve(Response.json(CITY))

beforeEach(() => {
  vi.stubGlobal('fetch', (address: string) =>
    address.endsWith('/maps/meta.json') ? CITY_FILE() : OTHER_FILE(),
  )
  return () => vi.unstubAllGlobals()
})

const PICKUP = 'Rincón 500, Ciudad Vieja, Montevideo, Uruguay'
const ELSEWHERE = 'Calle 5, Las Piedras, Canelones, Uruguay'
const bookings = [
  aBooking({
    id: toBookingKey(1),
    booking_id: toBookingKey(1),
    pickupAddress: PICKUP,
    dropAddress: ELSEWHERE,
  }),
]

test.each(['/bookings', '/dashboard', '/board'])(
  'leaves the platform’s city and country out of the addresses of %s, with the whole as a tooltip',
  async (path) => {
    await renderApp(path, { as: 'admin', seed: anOfficeSeed({ bookings }) })
    expect(await screen.findByText('Rincón 500, Ciudad Vieja')).toHaveAttribute('title', PICKUP)
    expect(screen.queryByText(PICKUP)).not.toBeInTheDocument()
  },
)

test('keeps the city of another place, and whole addresses in the details of a booking', async () => {
  await renderApp(`/bookings?open=${toBookingKey(1)}`, {
    as: 'admin',
    seed: anOfficeSeed({ bookings }),
  })
  const details = await screen.findByRole('dialog')
  expect(await within(details).findByText(PICKUP)).toBeInTheDocument()
  expect(within(details).getByText(ELSEWHERE)).toBeInTheDocument()
  expect(screen.getAllByText('Calle 5, Las Piedras, Canelones')).not.toHaveLength(0)
})
