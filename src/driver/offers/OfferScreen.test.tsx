import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { offeredBooking } from '../testing/offeredBooking'
import { renderDriverApp } from '../testing/renderDriverApp'

const ID = aBooking().id
const OTHER = '-OAbcdefghijklmnopqs'
const TRIP = '-OAbcdefghijklmnopqt'
const asks = { name: '1 request for you' }

test.each(['/trips', '/profile', '/wallet', '/bookings', '/vehicle'])(
  'an offer covers %s, and is accepted there',
  async (path) => {
    const app = await renderDriverApp({ path, bookings: [offeredBooking()] })
    const dialog = await screen.findByRole('dialog', asks)
    await app.user.click(await within(dialog).findByRole('button', { name: 'Accept' }))
    await waitFor(() => expect(app.backend.at(`bookings/${ID}/status`)).toBe('ACCEPTED'))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
  },
)

test('a closed offer stays in the list, and a later one covers the screen again', async () => {
  const app = await renderDriverApp({ bookings: [offeredBooking()] })
  const dialog = await screen.findByRole('dialog', asks)
  await app.user.click(within(dialog).getByRole('button', { name: 'Close' }))
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(await screen.findByRole('heading', asks)).toBeInTheDocument()
  expect(await screen.findByRole('button', { name: 'Accept' })).toBeEnabled()
  app.backend.update({
    [`bookings/${OTHER}`]: JSON.parse(JSON.stringify(offeredBooking(OTHER))),
    [`driver_tasks/driver/${OTHER}`]: true,
  })
  const again = await screen.findByRole('dialog', { name: '2 requests for you' })
  expect(await within(again).findAllByRole('article')).toHaveLength(2)
})

test('an offer that a busy driver cannot accept covers nothing', async () => {
  await renderDriverApp({
    driver: { queue: true },
    bookings: [
      offeredBooking(),
      aBooking({ id: TRIP, booking_id: TRIP, status: 'STARTED', startTime: Date.now() }),
    ],
  })
  expect(await screen.findByRole('heading', asks)).toBeInTheDocument()
  expect(await screen.findByRole('button', { name: 'Decline' })).toBeEnabled()
  expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
})

test.each([
  [false, 'per km'],
  [true, 'per mile'],
])('an offer says what it pays for its length; in miles: %s', async (convert_to_mile, unit) => {
  const booking = { ...offeredBooking(), driver_share: 90, estimateDistance: 4.5 }
  await renderDriverApp({ settings: { convert_to_mile }, bookings: [booking] })
  const dialog = await screen.findByRole('dialog', asks)
  expect(await within(dialog).findByText(new RegExp(`20\\.00 ${unit}`))).toBeInTheDocument()
})

test('a closed offer that is made again covers the screen again', async () => {
  const app = await renderDriverApp({ bookings: [offeredBooking()] })
  const dialog = await screen.findByRole('dialog', asks)
  await app.user.click(within(dialog).getByRole('button', { name: 'Close' }))
  app.backend.update({ [`driver_tasks/driver/${ID}`]: null })
  await waitFor(() => expect(screen.queryByRole('heading', asks)).not.toBeInTheDocument())
  app.backend.update({ [`driver_tasks/driver/${ID}`]: true })
  await screen.findByRole('dialog', asks)
})
