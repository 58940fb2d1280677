import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import { handleAdvanceBooking, setConnected, renderDriverApp } from '../testing/renderDriverApp'

const ID = '-OAbcdefghijklmnopqr'
afterEach(() => void vi.restoreAllMocks())

type App = Awaited<ReturnType<typeof renderDriverApp>>
const anAcceptedBooking = () => aBooking({ status: 'ACCEPTED', accepted_at: Date.now() - 60_000 })
const press = async ({ user }: App, name: string) =>
  user.click(await screen.findByRole('button', { name }))
const enter = async ({ user }: App, code: string) => {
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByRole('textbox'), code)
  await user.click(within(dialog).getByRole('button', { name: 'Start' }))
}
const disconnect = async (app: App, next = 'I’m at the pickup') => {
  await screen.findByRole('button', { name: next })
  setConnected(app.backend, false)
  await screen.findByText(/No connection/)
}
const reconnect = ({ backend }: App) => setConnected(backend, true)
const getSentEvents = ({ backend }: App) =>
  backend.calls
    .filter(({ name }) => name === 'advance_booking')
    .map(({ input }) => (input as { event: string }).event)
const getStoredItemKeys = () =>
  Object.keys(localStorage).filter((key) => key.startsWith('kerbside.outbox'))

test('sends a whole offline booking once and in order after reconnecting', async () => {
  const app = await renderDriverApp({ bookings: [anAcceptedBooking()] })
  await disconnect(app)
  await press(app, 'I’m at the pickup')
  await press(app, 'Start')
  await enter(app, '12345')
  await press(app, 'I’m at the drop-off')
  await press(app, 'Finish')
  expect(await screen.findByText(/4 steps are saved/)).toBeInTheDocument()
  expect(await screen.findByText('Collect in cash')).toBeInTheDocument()
  await press(app, 'I have the cash')
  await screen.findByRole('region', { name: 'Done' })
  expect(getSentEvents(app)).toEqual([])
  expect(app.backend.at(`bookings/${ID}/status`)).toBe('ACCEPTED')

  reconnect(app)
  await waitFor(() => expect(app.backend.at(`bookings/${ID}/status`)).toBe('PAID'))
  await waitFor(() => expect(screen.queryByText(/steps are saved|Sending/)).not.toBeInTheDocument())
  expect(getSentEvents(app)).toEqual(['arrive', 'start', 'reach', 'finish', 'collect'])
  expect(getStoredItemKeys()).toEqual([])
})

test('sends stored events from the next page when the first one is gone', async () => {
  const first = await renderDriverApp({ bookings: [anAcceptedBooking()] })
  await disconnect(first)
  await press(first, 'I’m at the pickup')
  await screen.findByRole('button', { name: 'Start' })
  first.unmount()

  reconnect(first)
  const second = await renderDriverApp({ bookings: [anAcceptedBooking()] })
  await waitFor(() => expect(getSentEvents(second)).toEqual(['arrive']))
  await waitFor(() => expect(getStoredItemKeys()).toEqual([]))
  expect(second.backend.at(`bookings/${ID}/status`)).toBe('ARRIVED')
})

test('keeps the time of track points and sends them before the event that follows', async () => {
  const app = await renderDriverApp({ bookings: [anAcceptedBooking()] })
  await waitFor(() => expect(app.backend.at(`tracking/${ID}`)).not.toBeNull())
  await disconnect(app)
  const before = Date.now()
  await press(app, 'I’m at the pickup')
  await press(app, 'Start')
  await enter(app, '12345')
  await screen.findByRole('button', { name: 'I’m at the drop-off' })
  const after = Date.now()
  reconnect(app)
  await waitFor(() => expect(app.backend.at(`bookings/${ID}/status`)).toBe('STARTED'))
  await waitFor(() => expect(getStoredItemKeys()).toEqual([]))
  const points = Object.values(
    app.backend.at(`tracking/${ID}`) as Record<string, { at: number; status: string }>,
  )
  const kept = points.filter(({ at }) => at >= before && at <= after)
  expect(kept.map(({ status }) => status)).toContain('STARTED')
})

test('dates events by the server’s clock and not by the device’s wrong clock', async () => {
  const slow = 3 * 3_600_000
  const app = await renderDriverApp({
    bookings: [anAcceptedBooking()],
    serverTimeOffset: slow,
  })
  await disconnect(app)
  const before = Date.now() + slow
  await press(app, 'I’m at the pickup')
  await screen.findByRole('button', { name: 'Start' })
  const after = Date.now() + slow
  reconnect(app)
  await waitFor(() => expect(getSentEvents(app)).toEqual(['arrive']))
  const sent = app.backend.calls.find(({ name }) => name === 'advance_booking')?.input
  const { at } = sent as { at: number }
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(after)
})

test('shows an event that the server refuses, with the number of later events to repeat', async () => {
  const app = await renderDriverApp({ bookings: [anAcceptedBooking()] })
  await disconnect(app)
  await press(app, 'I’m at the pickup')
  await press(app, 'Start')
  await enter(app, '99999')
  await press(app, 'I’m at the drop-off')
  await screen.findByRole('button', { name: 'Finish' })
  reconnect(app)
  expect(await screen.findByText('The start was not accepted.')).toBeInTheDocument()
  expect(screen.getByText(/1 later step was not sent/)).toBeInTheDocument()
  await screen.findByRole('button', { name: 'Start' })
  expect(app.backend.at(`bookings/${ID}/status`)).toBe('ARRIVED')
  expect(getStoredItemKeys()).toEqual([])
  await press(app, 'Got it')
  expect(screen.queryByText('The start was not accepted.')).not.toBeInTheDocument()
})

/** The server's refusal can arrive before the booking as it is now. */
const waitForRefusal = (text: string) =>
  waitFor(() =>
    expect(screen.getByText('The arrival was not accepted.').parentElement?.textContent).toBe(text),
  )

test('says why events on a booking canceled meanwhile do not count, and what to do now', async () => {
  const app = await renderDriverApp({ bookings: [anAcceptedBooking()] })
  await disconnect(app)
  await press(app, 'I’m at the pickup')
  await press(app, 'Start')
  await enter(app, '12345')
  await screen.findByRole('button', { name: 'I’m at the drop-off' })
  app.backend.update({
    [`bookings/${ID}/status`]: 'CANCELLED',
    [`bookings/${ID}/reason`]: 'Nobody is at home',
    [`bookings/${ID}/cancelledBy`]: 'rider',
    [`bookings/${ID}/cancelled_at`]: Date.now(),
  })
  reconnect(app)
  await waitForRefusal(
    'The arrival was not accepted. The booking was already canceled: Nobody is at home ' +
      'This booking is closed. If you still have cash or anything else from it, contact the office.',
  )
  expect(getStoredItemKeys()).toEqual([])
  const notice = await screen.findByRole('region', { name: 'Booking canceled' })
  expect(within(notice).getByText('Reason: Nobody is at home')).toBeInTheDocument()
  await press(app, 'Got it')
  await press(app, 'Ready for the next booking')
  await screen.findByRole('switch', { name: 'On duty' })
  expect(screen.queryByText('The arrival was not accepted.')).not.toBeInTheDocument()
})

test('says that a booking was canceled meanwhile when its reason is unknown', async () => {
  const app = await renderDriverApp({ bookings: [anAcceptedBooking()] })
  await disconnect(app)
  await press(app, 'I’m at the pickup')
  app.backend.update({ [`bookings/${ID}/status`]: 'CANCELLED' })
  reconnect(app)
  await waitForRefusal(
    'The arrival was not accepted. The booking was already canceled. ' +
      'This booking is closed. If you still have cash or anything else from it, contact the office.',
  )
})

/** Drives to the drop-off offline, takes its photo there, and applies the event. */
const takePhotoOffline = async () => {
  const app = await renderDriverApp({
    settings: { AllowFinalDeliveryImageCapture: true },
    bookings: [
      aBooking({ status: 'STARTED', accepted_at: Date.now() - 60_000, startTime: Date.now() }),
    ],
  })
  await disconnect(app, 'I’m at the drop-off')
  await press(app, 'I’m at the drop-off')
  const dialog = await screen.findByRole('dialog')
  const file = new File(['picture'], 'door.jpg', { type: 'image/jpeg' })
  await app.user.upload(within(dialog).getByLabelText('Take a photo of the delivery'), file)
  await within(dialog).findByRole('img')
  await app.user.click(within(dialog).getByRole('button', { name: 'I’m at the drop-off' }))
  await screen.findByRole('button', { name: 'Finish' })
  return app
}
const waitForUpload = ({ backend }: App) =>
  waitFor(() => expect(backend.at(`bookings/${ID}/deliver_image`)).toMatch(/deliver_image-/))

test('stores a photo taken offline and uploads it later', async () => {
  const app = await takePhotoOffline()
  reconnect(app)
  await waitForUpload(app)
})

test('sends the event and its photo on a device with full storage while the page stays open', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const app = await takePhotoOffline()
  await screen.findByText(/This device’s storage is full/)
  // Another page has sent an item.
  window.dispatchEvent(
    new StorageEvent('storage', { key: 'kerbside.outbox.driver.item.1', newValue: null }),
  )
  reconnect(app)
  await waitForUpload(app)
  expect(getSentEvents(app)).toEqual(['reach'])
})

test('resends an event after a lost response without applying it twice', async () => {
  let lost = true
  const app = await renderDriverApp({
    bookings: [anAcceptedBooking()],
    handlers: {
      advance_booking: (input: never, memoryBackend) => {
        const answer = handleAdvanceBooking(input, memoryBackend)
        if (lost) {
          lost = false
          throw new ServiceError('unavailable', 'unavailable')
        }
        return answer
      },
    },
  })
  await press(app, 'I’m at the pickup')
  await waitFor(() => expect(getSentEvents(app)).toEqual(['arrive', 'arrive']), { timeout: 4000 })
  await waitFor(() => expect(getStoredItemKeys()).toEqual([]))
  expect(app.backend.at(`bookings/${ID}/revision`)).toBe(2)
  expect(await screen.findByRole('button', { name: 'Start' })).toBeInTheDocument()
})
