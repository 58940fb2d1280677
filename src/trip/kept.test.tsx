import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Booking } from '~/domain/entities'
import { aBooking } from '~/domain/testing/builders'
import { onTheRoad } from './testing/road'

const OPEN = '-OAbcdefghijklmnopqr'
const PAID = '-OAbcdefghijklmnopqs'
const bookings = [
  aBooking({ id: OPEN, booking_id: OPEN, status: 'STARTED', startTime: Date.now() }),
  aBooking({ id: PAID, booking_id: PAID, status: 'PAID', paid_at: Date.now() }),
]
type App = Awaited<ReturnType<typeof onTheRoad>>
const keptOf = ({ world }: App) => world.services.device.kept('driver')
const keptBookings = async (app: App) =>
  Object.entries(await keptOf(app))
    .filter(([name]) => name.startsWith('bookinglistdata'))
    .flatMap(([, rows]) => (rows as Booking[]).map(({ id }) => id))

test('the driver’s profile, the settings and his open bookings are kept on the device', async () => {
  const app = await onTheRoad({ bookings })
  await screen.findByRole('article', { name: 'Current booking' })
  await waitFor(async () => expect(await keptBookings(app)).toEqual([OPEN]))
  const kept = await keptOf(app)
  expect(kept.profile).toMatchObject({ id: 'driver', usertype: 'driver' })
  expect(Object.keys(kept).some((name) => name.startsWith('settingsdata'))).toBe(true)
})

test('a booking that is paid leaves the device', async () => {
  const app = await onTheRoad({ bookings })
  await waitFor(async () => expect(await keptBookings(app)).toEqual([OPEN]))
  app.world.change({
    [`bookings/${OPEN}/status`]: 'PAID',
    [`bookings/${OPEN}/paid_at`]: Date.now(),
  })
  await waitFor(async () => expect(await keptBookings(app)).toEqual([]))
})

test('signing out leaves nothing behind', async () => {
  const app = await onTheRoad({ bookings: [] })
  await waitFor(async () => expect((await keptOf(app)).profile).toBeTruthy())
  await app.user.click(await screen.findByRole('button', { name: 'Log out' }))
  await waitFor(async () => expect(await keptOf(app)).toEqual({}))
})
