import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { aBooking, aRider, aSettings } from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'
import type { Booking } from '~/domain/booking/types'

const HERE = { latitude: -34.9, longitude: -56.2 }
/** Gives the device a position, because jsdom has no geolocation. */
const setPosition = (coords: typeof HERE | null) => {
  const geolocation = {
    getCurrentPosition: (found: (at: object) => void, failed: (error: object) => void) =>
      coords ? found({ coords }) : failed({ code: 1 }),
  }
  Object.defineProperty(navigator, 'geolocation', { configurable: true, value: geolocation })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'geolocation'))
}
const openBooking = (
  over: Partial<Booking> = {},
  answer: () => unknown = () => ({ at: 1 }),
  panic?: string,
) =>
  renderApp('/bookings/b1', {
    as: 'rita',
    seed: JSON.parse(
      JSON.stringify({
        settings: aSettings(panic ? { panic } : {}),
        users: { rita: aRider({ id: 'rita', mobile: '+15555550103' }) },
        bookings: {
          b1: aBooking({
            id: 'b1',
            booking_id: 'b1',
            customer: 'rita',
            driver: 'dario',
            status: 'STARTED',
            ...over,
          }),
        },
      }),
    ) as Tree,
    handlers: { raise_panic: answer },
  })
type App = Awaited<ReturnType<typeof openBooking>>
const openDialog = async ({ user }: App) => {
  await user.click(await screen.findByRole('button', { name: 'Emergency' }))
  return within(await screen.findByRole('dialog', { name: 'Emergency' }))
}
const presses = ({ backend }: App) =>
  backend.calls.filter(({ name }) => name === 'raise_panic').map(({ input }) => input)

test('alerts the office only after a second press, with the position, and offers the emergency number', async () => {
  setPosition(HERE)
  const app = await openBooking({}, undefined, '+598 911')
  const dialog = await openDialog(app)
  expect(dialog.getByRole('link', { name: /Call/ })).toHaveAttribute('href', 'tel:+598911')
  expect(presses(app)).toEqual([])
  await app.user.click(dialog.getByRole('button', { name: 'Alert the office' }))
  expect(await dialog.findByText('The office has been alerted.')).toBeInTheDocument()
  expect(presses(app)).toEqual([
    {
      panic_id: expect.any(String) as string,
      booking_id: 'b1',
      position: { lat: -34.9, lng: -56.2 },
    },
  ])
})

test('says that the office was not alerted, and repeats the same press', async () => {
  setPosition(null)
  const answers = [new ServiceError('unavailable', 'unavailable')]
  const app = await openBooking({}, () => {
    const failure = answers.shift()
    if (failure) throw failure
    return { at: 1 }
  })
  const dialog = await openDialog(app)
  await app.user.click(dialog.getByRole('button', { name: 'Alert the office' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('The office was not alerted.')
  await app.user.click(dialog.getByRole('button', { name: 'Alert the office' }))
  expect(await dialog.findByText('The office has been alerted.')).toBeInTheDocument()
  const [first, second] = presses(app)
  expect(second).toEqual(first)
  expect(first).not.toHaveProperty('position')
})

test.each<[string, Partial<Booking>]>([
  ['before a driver has accepted', { status: 'NEW', driver: undefined }],
  ['after a trip that is paid', { status: 'PAID', endTime: Date.now() - 60_000 }],
  ['an hour after the end', { status: 'PAID', endTime: Date.now() - 3_600_000 }],
])('is not offered %s', async (_, over) => {
  await openBooking(over)
  await screen.findByRole('heading', { level: 1 })
  await waitFor(() => expect(screen.getByText('Timeline')).toBeInTheDocument())
  expect(screen.queryByRole('button', { name: 'Emergency' })).not.toBeInTheDocument()
})
