import { screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { readPushRegistration } from '~/src/store/pushRegistration'
import { renderDriverApp } from '../testing/renderDriverApp'

const ID = '-OAbcdefghijklmnopqr'
const ANSWER_PATH = '/push/answer'
let stored: Map<string, Response>

// jsdom has no Cache API; this one stores the data that the service worker and the page exchange.
beforeEach(() => {
  stored = new Map()
  const cache = {
    match: (path: string) => Promise.resolve(stored.get(path)),
    put: (path: string, response: Response) => Promise.resolve(void stored.set(path, response)),
    delete: (path: string) => Promise.resolve(stored.delete(path)),
    keys: () => Promise.resolve([]),
  }
  vi.stubGlobal('caches', {
    open: () => Promise.resolve(cache),
    keys: () => Promise.resolve(['kerbside-push']),
  })
})
afterEach(() => void vi.unstubAllGlobals())

const setPermission = (permission: 'default' | 'denied') => {
  const device = {
    permission: permission as string,
    requestPermission: vi.fn(() => Promise.resolve((device.permission = 'granted'))),
  }
  vi.stubGlobal('Notification', device)
  return device.requestPermission
}
const register = () => ({ registered: true })
const openOnDuty = (permission: 'default' | 'denied', onDuty = true) => {
  const asked = setPermission(permission)
  const app = renderDriverApp({
    driver: { driverActiveStatus: onDuty },
    handlers: { register_push_token: register },
  })
  return app.then((rendered) => ({ ...rendered, asked }))
}

describe('the offer of notifications', () => {
  test('waits until the driver is on duty, and the browser asks only after a press', async () => {
    const { user, asked, backend } = await openOnDuty('default', false)
    const duty = await screen.findByRole('switch', { name: 'On duty' })
    expect(screen.queryByText(/hear about each request/)).not.toBeInTheDocument()
    await user.click(duty)
    await screen.findByText(/hear about each request/)
    expect(asked).not.toHaveBeenCalled()
    await user.click(screen.getByRole('button', { name: 'Turn on notifications' }))
    await waitFor(() =>
      expect(backend.calls).toContainEqual({
        name: 'register_push_token',
        input: { token: 'memory-device', platform: 'WEB' },
      }),
    )
    await waitFor(() => expect(readPushRegistration()?.uid).toBe('driver'))
    expect(screen.queryByText(/hear about each request/)).not.toBeInTheDocument()
    // The service worker has the texts of the person's language.
    await waitFor(() => expect(stored.has('/push/texts')).toBe(true))
    expect(await stored.get('/push/texts')?.json()).toMatchObject({
      locale: 'en',
      texts: { push_task_title: 'New request', notify_accept: 'Accept' },
      paths: { DriverTrips: '/trips' },
    })
  })
  test('says what to do when the browser blocks them', async () => {
    await openOnDuty('denied')
    await screen.findByText(/^Notifications are blocked/)
    expect(screen.queryByRole('button', { name: 'Turn on notifications' })).not.toBeInTheDocument()
  })
  test('does not come back after the driver declined it', async () => {
    const { user } = await openOnDuty('default')
    await user.click(await screen.findByRole('button', { name: 'Not now' }))
    expect(screen.queryByText(/hear about each request/)).not.toBeInTheDocument()
    expect(localStorage.getItem('kerbside.push-dismissed')).toBe('yes')
  })
})

describe('a button of the notification', () => {
  const offered = (over: Parameters<typeof aBooking>[0] = {}) =>
    aBooking({
      id: ID,
      booking_id: ID,
      requestedDrivers: { driver: true },
      askedDrivers: { driver: Date.now() },
      ...over,
    })
  const leaveAnswer = (event: string, at = Date.now(), booking_id = ID) =>
    stored.set(ANSWER_PATH, Response.json({ booking_id, event, at }))
  const open = () => renderDriverApp({ bookings: [offered()], path: `/trips?booking=${ID}` })
  type App = Awaited<ReturnType<typeof open>>
  const readEvents = ({ backend }: App) =>
    backend.calls
      .filter(({ name }) => name === 'advance_booking')
      .map(({ input }) => (input as { event: string }).event)

  test('accepts the request on the page that it opens, once', async () => {
    leaveAnswer('accept')
    const app = await open()
    await screen.findByRole('button', { name: 'I’m at the pickup' })
    expect(app.backend.at(`bookings/${ID}`)).toMatchObject({ status: 'ACCEPTED' })
    expect(readEvents(app)).toEqual(['accept'])
    expect(stored.has(ANSWER_PATH)).toBe(false)
  })
  test('declines the request', async () => {
    leaveAnswer('decline')
    const app = await open()
    await waitFor(() => expect(readEvents(app)).toEqual(['decline']))
  })
  test.each<[string, () => void]>([
    ['of a link alone', () => undefined],
    ['that is older than two minutes', () => leaveAnswer('accept', Date.now() - 121_000)],
    ['for another booking', () => leaveAnswer('accept', Date.now(), '-OAanother')],
    ['with an unknown event', () => leaveAnswer('cancel')],
  ])('does not count as the answer %s', async (_, leave) => {
    leave()
    const app = await open()
    await screen.findByRole('button', { name: 'Accept' })
    await waitFor(() => expect(stored.has(ANSWER_PATH)).toBe(false))
    expect(readEvents(app)).toEqual([])
  })
})
