import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aBooking, aRider, aSettings, DROP, PICKUP } from '~/domain/testing/builders'
import { encodePolyline } from '~/domain/geo/polyline'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { ServiceError } from '~/src/services/services'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'

const seed = (bookings: object = {}) =>
  JSON.parse(
    JSON.stringify({ settings: aSettings(), users: { rider: aRider() }, bookings }),
  ) as Tree
const view = (more: object = {}) => ({
  status: 'STARTED',
  carType: 'Van',
  level: 'status',
  expires: Date.now() + HOUR_MS,
  ...more,
})
const opened = (answer: () => object) =>
  renderApp('/track/token', { seed: seed(), handlers: { track: answer } })

test('shows the addresses of a shared booking while it is in progress', async () => {
  await opened(() => view({ pickup: PICKUP, drop: DROP }))
  expect(await screen.findByText(PICKUP.add)).toBeInTheDocument()
  expect(screen.getByText(DROP.add)).toBeInTheDocument()
})

test('shows the time that the rest of the route takes, and how old the position is', async () => {
  const positions = [PICKUP, DROP]
  const half = { lat: (PICKUP.lat + DROP.lat) / 2, lng: (PICKUP.lng + DROP.lng) / 2 }
  const live = {
    ...{ pickup: PICKUP, drop: DROP, level: 'live', routeSeconds: 1200 },
    route: encodePolyline(positions),
  }
  await opened(() => view({ ...live, location: { ...half, at: Date.now() - 5 * 60_000 } }))
  const arrival = (await screen.findByText('until the drop-off', { exact: false })).closest('p')
  expect(arrival).toHaveTextContent('10 min')
  expect(arrival).toHaveTextContent(/Last position from/)
})

test('says that a shared booking has ended and hides its addresses', async () => {
  await opened(() => view({ status: 'PAID' }))
  expect(await screen.findByText(/The trip has ended/)).toBeInTheDocument()
  expect(screen.queryByText('Pickup')).not.toBeInTheDocument()
})

test('says that a shared link no longer works one hour after the end', async () => {
  await opened(() => {
    throw new ServiceError('not-found', 'not_found')
  })
  expect(
    await screen.findByRole('heading', { name: 'This link no longer works' }),
  ).toBeInTheDocument()
  expect(screen.getByRole('main').querySelector('a')?.textContent).toBe('Kerbside, home')
})

const onBooking = (booking: ReturnType<typeof aBooking>) =>
  renderApp(`/bookings/${booking.id}`, {
    as: 'rider',
    seed: seed({ [booking.id]: booking }),
    handlers: { share_booking: () => ({ token: 'token', expires: Date.now() + 24 * HOUR_MS }) },
  })

test('lists a link once when it is requested twice', async () => {
  const { user, backend } = await onBooking(aBooking({ status: 'STARTED' }))
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  const make = await screen.findByRole('button', { name: 'Create link' })
  for (const times of [1, 2]) {
    await user.click(make)
    await waitFor(() =>
      expect(backend.calls.filter(({ name }) => name === 'share_booking')).toHaveLength(times),
    )
    await waitFor(() => expect(make).not.toHaveAttribute('aria-busy'))
  }
  expect(screen.getAllByRole('button', { name: 'Revoke link' })).toHaveLength(1)
})

test('offers no link after the booking has ended', async () => {
  const { user } = await onBooking(aBooking({ status: 'PENDING', endTime: Date.now() }))
  await user.click(await screen.findByRole('button', { name: 'Share' }))
  expect(await screen.findByText(/Links to it no longer show addresses/)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Create link' })).not.toBeInTheDocument()
})
