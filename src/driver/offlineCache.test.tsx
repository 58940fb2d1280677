import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { renderDriverApp } from './testing/renderDriverApp'
import type { Booking } from '~/domain/booking/types'

const OPEN = '-OAbcdefghijklmnopqr'
const PAID = '-OAbcdefghijklmnopqs'
const bookings = [
  aBooking({ id: OPEN, booking_id: OPEN, status: 'STARTED', startTime: Date.now() }),
  aBooking({ id: PAID, booking_id: PAID, status: 'PAID', paid_at: Date.now() }),
]
type App = Awaited<ReturnType<typeof renderDriverApp>>
const readCache = ({ backend }: App) => backend.services.offlineStorage.read('driver')
const readCachedBookingIds = async (app: App) =>
  Object.entries(await readCache(app))
    .filter(([name]) => name.startsWith('bookinglistdata'))
    .flatMap(([, rows]) => (rows as Booking[]).map(({ id }) => id))

test('keeps the driver’s profile, the settings and their open bookings on the device', async () => {
  const app = await renderDriverApp({ bookings })
  await screen.findByRole('article', { name: 'Current booking' })
  await waitFor(async () => expect(await readCachedBookingIds(app)).toEqual([OPEN]))
  const kept = await readCache(app)
  expect(kept.profile).toMatchObject({ id: 'driver', usertype: 'driver' })
  expect(Object.keys(kept).some((name) => name.startsWith('settingsdata'))).toBe(true)
})

test('removes a paid booking from the device', async () => {
  const app = await renderDriverApp({ bookings })
  await waitFor(async () => expect(await readCachedBookingIds(app)).toEqual([OPEN]))
  app.backend.update({
    [`bookings/${OPEN}/status`]: 'PAID',
    [`bookings/${OPEN}/paid_at`]: Date.now(),
  })
  await waitFor(async () => expect(await readCachedBookingIds(app)).toEqual([]))
})

test('removes everything at sign-out', async () => {
  const app = await renderDriverApp({ bookings: [] })
  await waitFor(async () => expect((await readCache(app)).profile).toBeTruthy())
  await app.user.click(await screen.findByRole('link', { name: 'Profile' }))
  await app.user.click(await screen.findByRole('button', { name: 'Log out' }))
  await waitFor(async () => expect(await readCache(app)).toEqual({}))
})
