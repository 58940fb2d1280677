import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { getStops } from '~/domain/booking/stops/bookingStops'
import { aBooking } from '~/domain/testing/builders'
import { STOPS } from '~/domain/testing/stopInputs'
import { renderDriverApp, setConnected } from '../../testing/renderDriverApp'
import type { Booking } from '~/domain/booking/types'

const ID = aBooking().id
type App = Awaited<ReturnType<typeof renderDriverApp>>
const started = (over: Partial<Booking> = {}) =>
  aBooking({
    status: 'STARTED',
    accepted_at: Date.now() - 120_000,
    startTime: Date.now() - 60_000,
    waypoints: STOPS,
    ...over,
  })
const press = async ({ user }: App, name: string) =>
  user.click(await screen.findByRole('button', { name }))
const confirm = async ({ user }: App, title: string, name: string) => {
  const dialog = await screen.findByRole('dialog', { name: title })
  await user.click(within(dialog).getByRole('button', { name }))
}
const getBooking = ({ backend }: App) => backend.at(`bookings/${ID}`) as unknown as Booking
const getStates = (app: App) => getStops(getBooking(app)).map(({ state }) => state)
const getSentEvents = ({ backend }: App) =>
  backend.calls
    .filter(({ name }) => name === 'advance_booking')
    .map(({ input }) => (input as { event: string }).event)

describe('the stops of the current booking', () => {
  test('are passed one after the other with the main button, and then the drop-off', async () => {
    const app = await renderDriverApp({ bookings: [started()] })
    expect(await screen.findByRole('heading', { name: 'Stop 1 of 2' })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'I’m at the drop-off' })).not.toBeInTheDocument()
    await press(app, 'Navigate')
    const [stop] = STOPS
    expect(
      (await screen.findByRole('link', { name: 'Google Maps' })).getAttribute('href'),
    ).toContain(`destination=${stop?.lat},${stop?.lng}`)
    await press(app, 'Close')

    await press(app, 'I’m at stop 1')
    expect(await screen.findByRole('heading', { name: 'At stop 1 of 2' })).toBeInTheDocument()
    expect(getStates(app)).toEqual(['reached', 'ahead'])
    await press(app, 'Continue')
    expect(await screen.findByRole('heading', { name: 'Stop 2 of 2' })).toBeInTheDocument()
    await press(app, 'I’m at stop 2')
    await press(app, 'Continue')
    expect(
      await screen.findByRole('heading', { name: 'Drive to the drop-off' }),
    ).toBeInTheDocument()
    expect(getStates(app)).toEqual(['left', 'left'])
    expect(screen.queryByRole('button', { name: 'End the trip now' })).not.toBeInTheDocument()
    await press(app, 'I’m at the drop-off')
    await screen.findByRole('button', { name: 'Finish' })
    expect(getBooking(app).event_log.reach).not.toHaveProperty('ref')
  })

  test('are skipped only after the driver confirms it, with their reason', async () => {
    const app = await renderDriverApp({ bookings: [started()] })
    await press(app, 'Skip this stop')
    await confirm(app, 'Skip stop 1?', 'Cancel')
    expect(getSentEvents(app)).toEqual([])
    await press(app, 'Skip this stop')
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('Plaza Cagancha')).toBeInTheDocument()
    await app.user.type(within(dialog).getByRole('textbox'), 'The road is closed')
    await confirm(app, 'Skip stop 1?', 'Skip this stop')
    expect(await screen.findByRole('heading', { name: 'Stop 2 of 2' })).toBeInTheDocument()
    expect(getStops(getBooking(app))[0]).toMatchObject({
      state: 'skipped',
      reason: 'The road is closed',
    })
  })

  test('that are left when the driver ends the trip are named before, and then skipped', async () => {
    const app = await renderDriverApp({ bookings: [started()] })
    await press(app, 'I’m at stop 1')
    await press(app, 'Continue')
    await press(app, 'End the trip now')
    const dialog = await screen.findByRole('dialog', { name: 'End the trip now?' })
    expect(within(dialog).getByText('Tres Cruces')).toBeInTheDocument()
    expect(within(dialog).queryByText('Plaza Cagancha')).not.toBeInTheDocument()
    await confirm(app, 'End the trip now?', 'End the trip now')
    await screen.findByRole('button', { name: 'Finish' })
    expect(getBooking(app).status).toBe('REACHED')
    expect(getStates(app)).toEqual(['left', 'skipped'])
  })

  test('still need the photo of the delivery when the driver ends the trip early', async () => {
    const app = await renderDriverApp({
      settings: { AllowFinalDeliveryImageCapture: true },
      bookings: [started()],
    })
    await press(app, 'End the trip now')
    await confirm(app, 'End the trip now?', 'End the trip now')
    const dialog = await screen.findByRole('dialog', { name: 'Drive to the drop-off' })
    expect(within(dialog).getByRole('button', { name: 'I’m at the drop-off' })).toBeDisabled()
    expect(getSentEvents(app)).toEqual([])
  })

  test('are passed without a connection and sent in order after it', async () => {
    const app = await renderDriverApp({ bookings: [started()] })
    await screen.findByRole('button', { name: 'I’m at stop 1' })
    setConnected(app.backend, false)
    await screen.findByText(/No connection/)
    await press(app, 'I’m at stop 1')
    await press(app, 'Continue')
    await press(app, 'Skip this stop')
    await confirm(app, 'Skip stop 2?', 'Skip this stop')
    await press(app, 'I’m at the drop-off')
    await screen.findByRole('button', { name: 'Finish' })
    expect(getSentEvents(app)).toEqual([])
    setConnected(app.backend, true)
    await waitFor(() => expect(getBooking(app).status).toBe('REACHED'))
    expect(getSentEvents(app)).toEqual(['arrive_stop', 'leave_stop', 'skip_stop', 'reach'])
    expect(getStates(app)).toEqual(['left', 'skipped'])
  })

  test('that an amendment changed meanwhile do not keep the end of the trip from being sent', async () => {
    const app = await renderDriverApp({ bookings: [started()] })
    await screen.findByRole('button', { name: 'I’m at stop 1' })
    setConnected(app.backend, false)
    await screen.findByText(/No connection/)
    await press(app, 'I’m at stop 1')
    await press(app, 'Continue')
    await press(app, 'End the trip now')
    await confirm(app, 'End the trip now?', 'End the trip now')
    await screen.findByRole('button', { name: 'Finish' })
    app.backend.update({ [`bookings/${ID}/waypoints`]: [{ ...STOPS[1], add: 'Tres Cruces' }] })
    setConnected(app.backend, true)
    expect(await screen.findByText('The arrival at the stop was not accepted.')).toBeInTheDocument()
    await waitFor(() => expect(getBooking(app).status).toBe('REACHED'))
    expect(getSentEvents(app)).toEqual(['arrive_stop', 'reach'])
    expect(getStates(app)).toEqual(['skipped'])
  })
})
