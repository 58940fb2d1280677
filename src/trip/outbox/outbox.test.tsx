import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { aBooking } from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import { read } from '~/src/services/memory/tree'
import { advance, connect, onTheRoad } from '../testing/road'

const ID = '-OAbcdefghijklmnopqr'
afterEach(() => void vi.restoreAllMocks())

type App = Awaited<ReturnType<typeof onTheRoad>>
const accepted = () => aBooking({ status: 'ACCEPTED', accepted_at: Date.now() - 60_000 })
const press = async ({ user }: App, name: string) =>
  user.click(await screen.findByRole('button', { name }))
const enter = async ({ user }: App, code: string) => {
  const dialog = await screen.findByRole('dialog')
  await user.type(within(dialog).getByRole('textbox'), code)
  await user.click(within(dialog).getByRole('button', { name: 'Start' }))
}
const cut = async (app: App, next = 'I’m at the pickup') => {
  await screen.findByRole('button', { name: next })
  connect(app.world, false)
  await screen.findByText(/No connection/)
}
const restored = ({ world }: App) => connect(world, true)
const eventsCalled = ({ world }: App) =>
  world.calls
    .filter(({ name }) => name === 'advance_booking')
    .map(({ input }) => (input as { event: string }).event)
const keptItems = () => Object.keys(localStorage).filter((key) => key.startsWith('kerbside.outbox'))

test('a whole trip without a network is sent in order, once, when it is back', async () => {
  const app = await onTheRoad({ bookings: [accepted()] })
  await cut(app)
  await press(app, 'I’m at the pickup')
  await press(app, 'Start')
  await enter(app, '12345')
  await press(app, 'I’m at the drop-off')
  await press(app, 'Finish')
  expect(await screen.findByText(/4 steps are kept/)).toBeTruthy()
  expect(await screen.findByText('Collect in cash')).toBeTruthy()
  await press(app, 'I have the cash')
  await screen.findByRole('region', { name: 'Done' })
  expect(eventsCalled(app)).toEqual([])
  expect(read(app.world.tree(), `bookings/${ID}/status`)).toBe('ACCEPTED')

  restored(app)
  await waitFor(() => expect(read(app.world.tree(), `bookings/${ID}/status`)).toBe('PAID'))
  await waitFor(() => expect(screen.queryByText(/steps are kept|Sending/)).toBeNull())
  expect(eventsCalled(app)).toEqual(['arrive', 'start', 'reach', 'finish', 'collect'])
  expect(keptItems()).toEqual([])
})

test('what was kept is sent by the next page when the first one is gone', async () => {
  const first = await onTheRoad({ bookings: [accepted()] })
  await cut(first)
  await press(first, 'I’m at the pickup')
  await screen.findByRole('button', { name: 'Start' })
  first.unmount()

  restored(first)
  const second = await onTheRoad({ bookings: [accepted()] })
  await waitFor(() => expect(eventsCalled(second)).toEqual(['arrive']))
  await waitFor(() => expect(keptItems()).toEqual([]))
  expect(read(second.world.tree(), `bookings/${ID}/status`)).toBe('ARRIVED')
})

test('points of the way keep their own time and come before the step that follows them', async () => {
  const app = await onTheRoad({ bookings: [accepted()] })
  await waitFor(() => expect(read(app.world.tree(), `tracking/${ID}`)).not.toBeNull())
  await cut(app)
  const before = Date.now()
  await press(app, 'I’m at the pickup')
  await press(app, 'Start')
  await enter(app, '12345')
  await screen.findByRole('button', { name: 'I’m at the drop-off' })
  const after = Date.now()
  restored(app)
  await waitFor(() => expect(read(app.world.tree(), `bookings/${ID}/status`)).toBe('STARTED'))
  await waitFor(() => expect(keptItems()).toEqual([]))
  const points = Object.values(
    read(app.world.tree(), `tracking/${ID}`) as Record<string, { at: number; status: string }>,
  )
  const kept = points.filter(({ at }) => at >= before && at <= after)
  expect(kept.map(({ status }) => status)).toContain('STARTED')
})

test('steps tell when they were made, by the server’s clock and not by a wrong one of the device', async () => {
  const slow = 3 * 3_600_000
  const app = await onTheRoad({
    bookings: [accepted()],
    more: { '.info': { serverTimeOffset: slow } },
  })
  await cut(app)
  const before = Date.now() + slow
  await press(app, 'I’m at the pickup')
  await screen.findByRole('button', { name: 'Start' })
  const after = Date.now() + slow
  restored(app)
  await waitFor(() => expect(eventsCalled(app)).toEqual(['arrive']))
  const { at } = app.world.calls.find(({ name }) => name === 'advance_booking')?.input as {
    at: number
  }
  expect(at).toBeGreaterThanOrEqual(before)
  expect(at).toBeLessThanOrEqual(after)
})

test('a step the server does not take is told, with how many later ones are to be done again', async () => {
  const app = await onTheRoad({ bookings: [accepted()] })
  await cut(app)
  await press(app, 'I’m at the pickup')
  await press(app, 'Start')
  await enter(app, '99999')
  await press(app, 'I’m at the drop-off')
  await screen.findByRole('button', { name: 'Finish' })
  restored(app)
  expect(await screen.findByText('The start was not accepted.')).toBeTruthy()
  expect(screen.getByText(/1 later step was not sent/)).toBeTruthy()
  await screen.findByRole('button', { name: 'Start' })
  expect(read(app.world.tree(), `bookings/${ID}/status`)).toBe('ARRIVED')
  expect(keptItems()).toEqual([])
  await press(app, 'Understood')
  expect(screen.queryByText('The start was not accepted.')).toBeNull()
})

test('steps on a booking that was cancelled meanwhile: why they do not count, and what to do now', async () => {
  const app = await onTheRoad({ bookings: [accepted()] })
  await cut(app)
  await press(app, 'I’m at the pickup')
  await press(app, 'Start')
  await enter(app, '12345')
  await screen.findByRole('button', { name: 'I’m at the drop-off' })
  app.world.change({
    [`bookings/${ID}/status`]: 'CANCELLED',
    [`bookings/${ID}/reason`]: 'Nobody is at home',
    [`bookings/${ID}/cancelledBy`]: 'rider',
    [`bookings/${ID}/cancelled_at`]: Date.now(),
  })
  restored(app)
  expect(
    (await screen.findByText('The arrival was not accepted.')).parentElement?.textContent,
  ).toBe(
    'The arrival was not accepted. The booking had been cancelled: Nobody is at home ' +
      'Nothing more is to be done on it. If you hold its parcel or its cash, tell the office.',
  )
  expect(keptItems()).toEqual([])
  const told = await screen.findByRole('region', { name: 'Booking cancelled' })
  expect(within(told).getByText('Reason: Nobody is at home')).toBeTruthy()
  await press(app, 'Understood')
  await press(app, 'Ready for the next one')
  await screen.findByRole('switch', { name: 'On duty' })
  expect(screen.queryByText('The arrival was not accepted.')).toBeNull()
})

/** On his way to the drop-off without a network; its photo is taken there, and the step. */
const photographed = async () => {
  const app = await onTheRoad({
    settings: { AllowFinalDeliveryImageCapture: true },
    bookings: [
      aBooking({ status: 'STARTED', accepted_at: Date.now() - 60_000, startTime: Date.now() }),
    ],
  })
  await cut(app, 'I’m at the drop-off')
  await press(app, 'I’m at the drop-off')
  const dialog = await screen.findByRole('dialog')
  const file = new File(['picture'], 'door.jpg', { type: 'image/jpeg' })
  await app.user.upload(within(dialog).getByLabelText('Photograph the delivery'), file)
  await within(dialog).findByRole('img')
  await app.user.click(within(dialog).getByRole('button', { name: 'I’m at the drop-off' }))
  await screen.findByRole('button', { name: 'Finish' })
  return app
}
const uploaded = ({ world }: App) =>
  waitFor(() =>
    expect(read(world.tree(), `bookings/${ID}/deliver_image`)).toMatch(/deliver_image-/),
  )

test('a photo taken without a network is kept and uploaded later', async () => {
  const app = await photographed()
  restored(app)
  await uploaded(app)
})

test('a device without room sends the step and its photo all the same, as long as the page is open', async () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const app = await photographed()
  await screen.findByText(/This device has no room left/)
  // Another page has sent something of its own.
  window.dispatchEvent(
    new StorageEvent('storage', { key: 'kerbside.outbox.driver.item.1', newValue: null }),
  )
  restored(app)
  await uploaded(app)
  expect(eventsCalled(app)).toEqual(['reach'])
})

test('an answer that was lost is asked for again, and nothing is done twice', async () => {
  let lost = true
  const app = await onTheRoad({
    bookings: [accepted()],
    handlers: {
      advance_booking: (input: never, world) => {
        const answer = advance(input, world)
        if (lost) {
          lost = false
          throw new ServiceError('unavailable', 'unavailable')
        }
        return answer
      },
    },
  })
  await press(app, 'I’m at the pickup')
  await waitFor(() => expect(eventsCalled(app)).toEqual(['arrive', 'arrive']), { timeout: 4000 })
  await waitFor(() => expect(keptItems()).toEqual([]))
  expect(read(app.world.tree(), `bookings/${ID}/revision`)).toBe(2)
  expect(await screen.findByRole('button', { name: 'Start' })).toBeTruthy()
})
