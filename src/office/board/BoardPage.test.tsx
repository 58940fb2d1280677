import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test, vi } from 'vitest'
import { PICKUP } from '~/domain/testing/builders'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { ServiceError } from '~/src/services/services'
import {
  aBooking,
  aDriver,
  anOfficeSeed,
  aRider,
  renderApp,
  toBookingKey,
} from '../testing/officeFixtures'
import type { Booking } from '~/domain/booking/types'

const NOON = Date.parse('2026-06-01T12:00:00Z')
const [FIRST, SECOND] = [toBookingKey(1), toBookingKey(2)]

/** Sets the clock, which then stands still. */
const setClock = (now: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now })
  onTestFinished(() => void vi.useRealTimers())
}
const waiting = (id: string, minutes: number, over: Partial<Booking> = {}) =>
  aBooking({
    id,
    booking_id: id,
    bookingDate: NOON - minutes * MINUTE_MS,
    tripdate: NOON - minutes * MINUTE_MS,
    pickupAddress: `Street ${id.slice(-1)}`,
    ...over,
  })
const free = (north: number, over = {}) => ({
  carType: 'van',
  geohash: '6dp',
  lat: PICKUP.lat + north,
  lng: PICKUP.lng,
  at: 1,
  ...over,
})
const FABIO = aDriver({ id: 'far', firstName: 'Fabio', vehicleNumber: 'SBB 77' })
const seedWith = (bookings: Booking[], settings = {}) =>
  anOfficeSeed({
    bookings,
    settings: { autoDispatch: false, ...settings },
    people: [FABIO],
    more: {
      available_drivers: { far: free(0.05), driver: free(0.01, { fleetadmin: 'fleet' }) },
    },
  })
const openBoard = (
  seed = seedWith([waiting(FIRST, 1), waiting(SECOND, 9)]),
  as = 'admin',
  path = '/board',
) =>
  renderApp(path, {
    as,
    seed,
    handlers: {
      advance_booking: () => ({ booking_id: SECOND, status: 'NEW', revision: 3 }),
      'googleapis-getdistancematrix': () => ({
        data: [[{ found: true, distance_in_km: 2, time_in_secs: 240 }], [{ found: false }]],
      }),
    },
  })
const queue = () => screen.findByRole('listbox', { name: 'Waiting for a driver' })
const drivers = () => screen.findByRole('listbox', { name: 'Drivers on duty' })
const texts = (list: HTMLElement) =>
  within(list)
    .getAllByRole('option')
    .map(({ textContent }) => textContent)

test('lists the waiting bookings by age, marks late ones in words, and counts them in the tab', async () => {
  setClock(NOON)
  const later = { bookLater: true, tripdate: NOON + 600 * MINUTE_MS }
  await openBoard(
    seedWith([waiting(FIRST, 1), waiting(SECOND, 9), waiting(toBookingKey(3), 30, later)]),
  )
  expect(texts(await queue())).toEqual([
    expect.stringMatching(/^9 minToo long a wait.*Street 2/),
    expect.stringMatching(/^1 min.*Street 1.*Not offered to a driver yet/),
    expect.stringMatching(/^in 10 hours.*Street 3/),
  ])
  await waitFor(() => expect(document.title).toMatch(/^\(2\) Board · /))
  expect(screen.getByText('1 booking has waited too long for a driver')).toBeInTheDocument()
})

test('numbers the rows of the queue as the pins on the map', async () => {
  setClock(NOON)
  await openBoard()
  const rows = within(await queue()).getAllByRole('option')
  expect(
    rows.map((row) => row.querySelector('[data-number]')?.getAttribute('data-number')),
  ).toEqual(['1', '2'])
  const legend = screen.getAllByRole('list').map((list) =>
    within(list)
      .queryAllByRole('listitem')
      .map(({ textContent }) => textContent),
  )
  expect(legend).toContainEqual(['Available', 'Has an offer', 'Busy', 'Waiting for a driver'])
})

test('takes the ages from the settings', async () => {
  setClock(NOON)
  await openBoard(seedWith([waiting(FIRST, 9)], { waitWarnMinutes: 5, waitAlarmMinutes: 20 }))
  expect(texts(await queue())).toEqual([expect.stringMatching(/^9 minLong wait.*Street 1/)])
})

test('removes the count from the tab when the board is left', async () => {
  setClock(NOON)
  const { user } = await openBoard()
  await waitFor(() => expect(document.title).toMatch(/^\(2\) /))
  await user.click(screen.getByRole('link', { name: 'Dashboard' }))
  await waitFor(() => expect(document.title).toMatch(/^Dashboard · /))
})

test('shows who is asked and the seconds left', async () => {
  setClock(NOON)
  const offer = { requestedDrivers: { far: true }, askedDrivers: { far: NOON - 5000 } } as const
  await openBoard(seedWith([waiting(FIRST, 1, offer)], { dispatchSeconds: 30 }))
  await within(await queue()).findByRole('option', {
    name: /Offered to Fabio Silva · 25 s left to answer$/,
  })
  expect(texts(await drivers())).toEqual([
    expect.stringMatching(/^Beto SilvaSBA 1234Available/),
    expect.stringMatching(/^Fabio SilvaSBB 77Has an offer/),
  ])
})

test('assigns the nearest driver with the keyboard, and Undo withdraws the offer', async () => {
  setClock(NOON)
  const { user, backend } = await openBoard()
  ;(await queue()).focus()
  await user.keyboard('{ArrowDown}')
  const card = await screen.findByRole('region', { name: /^Booking / })
  expect(within(card).getByText('Ana Lima')).toBeInTheDocument()
  await user.keyboard('{Enter}')
  const list = await drivers()
  expect(list).toHaveFocus()
  await waitFor(() =>
    expect(texts(list)).toEqual([
      expect.stringMatching(/^Beto Silva.*4 min by street/),
      expect.stringMatching(/^Fabio Silva.*≈ \d+ min, straight line/),
    ]),
  )
  await user.keyboard('{ArrowDown}{ArrowUp}{Enter}')
  await screen.findByText('The booking was offered to Beto Silva.')
  await waitFor(async () => expect(await queue()).toHaveFocus())
  const offer = { booking_id: SECOND, driver: 'driver' }
  const calls = () => backend.calls.filter(({ name }) => name === 'advance_booking')
  expect(calls().map(({ input }) => input)).toEqual([{ ...offer, event: 'assign' }])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(calls().map(({ input }) => input)).toEqual([
      { ...offer, event: 'assign' },
      { ...offer, event: 'withdraw' },
    ]),
  )
})

test('assigns by two clicks, and by dragging the booking onto a driver', async () => {
  setClock(NOON)
  const { user, backend } = await openBoard()
  await user.click(within(await queue()).getByText('Street 2'))
  await user.click(within(await drivers()).getByText('Fabio Silva'))
  await user.click(await screen.findByRole('button', { name: 'Assign to Fabio Silva' }))
  await screen.findByText('The booking was offered to Fabio Silva.')
  const data = new Map<string, string>()
  const dataTransfer = {
    setData: (type: string, value: string) => data.set(type, value),
    getData: (type: string) => data.get(type) ?? '',
    get types() {
      return [...data.keys()]
    },
  }
  const option = (list: HTMLElement, name: RegExp) => within(list).getByRole('option', { name })
  fireEvent.dragStart(option(await queue(), /Street 1/), { dataTransfer })
  const target = option(await drivers(), /Beto Silva/)
  // The browser drops only where dragging over is accepted, which cancels the event.
  expect(fireEvent.dragOver(target, { dataTransfer })).toBe(false)
  fireEvent.drop(target, { dataTransfer })
  await screen.findByText('The booking was offered to Beto Silva.')
  const offers = backend.calls.filter(({ name }) => name === 'advance_booking')
  expect(offers.map(({ input }) => input)).toEqual([
    { booking_id: SECOND, driver: 'far', event: 'assign' },
    { booking_id: FIRST, driver: 'driver', event: 'assign' },
  ])
})

test('shows a refusal of the server and leaves the booking in the queue', async () => {
  const { user } = await renderApp('/board', {
    as: 'admin',
    seed: seedWith([waiting(FIRST, 1)]),
    handlers: {
      advance_booking: () => {
        throw new ServiceError('failed-precondition', 'auto_dispatch_on')
      },
    },
  })
  await user.click(within(await queue()).getByText('Street 1'))
  await user.dblClick(within(await drivers()).getByText('Fabio Silva'))
  expect(await screen.findByText('Drivers are assigned automatically.')).toBeInTheDocument()
  expect(texts(await queue())).toHaveLength(1)
})

test('opens the card with the phone, the offers, the history and the actions of a booking', async () => {
  const { user } = await openBoard()
  await user.click(within(await queue()).getByText('Street 2'))
  const card = await screen.findByRole('region', { name: /^Booking / })
  const phone = await within(card).findByRole('link', { name: /^\+?\d/ })
  expect(phone).toHaveAttribute('href', expect.stringMatching(/^tel:/))
  expect(await within(card).findByText('No offers yet.')).toBeInTheDocument()
  await user.click(within(card).getByRole('tab', { name: 'Chat' }))
  expect(await within(card).findByText('No messages.')).toBeInTheDocument()
  await user.click(within(card).getByRole('button', { name: 'Cancel booking' }))
  expect(await screen.findByRole('dialog', { name: 'Cancel this booking?' })).toBeInTheDocument()
})

test.each([
  ['was not offered to a driver yet', {}, false],
  ['goes to the next driver', { requeued_at: NOON - MINUTE_MS, due_at: NOON - MINUTE_MS }, false],
  [
    'waits because its drivers gave it back',
    { requeued_at: NOON - MINUTE_MS, due_at: NOON + 60 * MINUTE_MS, event_log: {} },
    true,
  ],
  [
    'is offered to another driver again',
    { requeued_at: NOON - MINUTE_MS, requestedDrivers: { far: true } as const },
    false,
  ],
])(
  'with automatic dispatch, a booking that %s can be assigned by hand: %o',
  async (_, over, may) => {
    const { user } = await openBoard(seedWith([waiting(FIRST, 1, over)], { autoDispatch: true }))
    await user.click(within(await queue()).getByText('Street 1'))
    const card = await screen.findByRole('region', { name: /^Booking / })
    const note = may ? /Assign one by hand/ : 'Drivers are assigned automatically.'
    expect(await within(card).findByText(note)).toBeInTheDocument()
    expect(within(card).queryAllByRole('button', { name: 'Assign driver' })).toHaveLength(
      Number(may),
    )
  },
)

test('opens the card of the booking that a link names', async () => {
  const { user } = await openBoard(undefined, 'admin', `/board?open=${SECOND}`)
  const card = await screen.findByRole('region', { name: /^Booking / })
  expect(within(card).getByText('Ana Lima')).toBeInTheDocument()
  await user.click(within(card).getByRole('button', { name: 'Close' }))
  expect(await queue()).toHaveFocus()
})

test('hides the phone in demo mode', async () => {
  const { user } = await openBoard(
    seedWith([waiting(FIRST, 1)], { AllowCriticalEditsAdmin: false }),
  )
  await user.click(within(await queue()).getByText('Street 1'))
  const card = await screen.findByRole('region', { name: /^Booking / })
  expect((await within(card).findAllByText('Hidden for Demo')).length).toBeGreaterThan(0)
  expect(within(card).queryByRole('link', { name: /^\+?\d/ })).not.toBeInTheDocument()
})

/** Counts the tones that the page plays. */
const stubSound = () => {
  const start = vi.fn()
  const gain = { setValueAtTime: () => undefined, linearRampToValueAtTime: () => undefined }
  class FakeAudioContext {
    readonly state = 'running'
    readonly currentTime = 0
    readonly destination = {}
    resume = async () => undefined
    createOscillator = () => ({
      frequency: {},
      connect: (next: unknown) => next,
      start,
      stop: () => undefined,
    })
    createGain = () => ({ gain, connect: (next: unknown) => next })
  }
  vi.stubGlobal('AudioContext', FakeAudioContext)
  onTestFinished(() => void vi.unstubAllGlobals())
  return start
}

test('sounds when a booking reaches an age of the settings, unless it is muted', async () => {
  const tones = stubSound()
  setClock(NOON)
  const { user } = await openBoard(seedWith([waiting(FIRST, 1)]))
  const list = await queue()
  await user.click(within(list).getByText('Street 1'))
  expect(tones).not.toHaveBeenCalled()
  vi.setSystemTime(NOON + 3 * MINUTE_MS)
  await waitFor(() => expect(texts(list)).toEqual([expect.stringMatching(/^4 minLong wait/)]))
  await waitFor(() => expect(tones).toHaveBeenCalledTimes(1))
  const sound = screen.getByRole('button', { name: 'Sound for waiting bookings', pressed: true })
  list.focus()
  await user.keyboard('m')
  expect(sound).toHaveAttribute('aria-pressed', 'false')
  vi.setSystemTime(NOON + 9 * MINUTE_MS)
  await screen.findByText('1 booking has waited too long for a driver')
  expect(tones).toHaveBeenCalledTimes(1)
  expect(localStorage.getItem('kerbside.board-muted')).toBe('yes')
})

test('resizes its parts with the arrow keys and remembers the sizes for the person', async () => {
  const { user, unmount } = await openBoard()
  const border = await screen.findByRole('separator', { name: 'Resize “Waiting for a driver”' })
  const size = Number(border.getAttribute('aria-valuenow'))
  border.focus()
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(border).toHaveAttribute('aria-valuenow', String(size + 4))
  await user.keyboard('{Home}')
  expect(border).toHaveAttribute('aria-valuenow', border.getAttribute('aria-valuemin'))
  await user.keyboard('{End}')
  const widest = border.getAttribute('aria-valuemax')
  expect(border).toHaveAttribute('aria-valuenow', widest)
  unmount()
  await openBoard()
  const again = await screen.findByRole('separator', { name: 'Resize “Waiting for a driver”' })
  expect(again).toHaveAttribute('aria-valuenow', widest)
})

test('finds drivers by name, plate and vehicle type', async () => {
  const { user } = await openBoard()
  const search = await screen.findByRole('searchbox', { name: 'Name or plate' })
  await waitFor(async () => expect(texts(await drivers())).toHaveLength(2))
  await user.type(search, 'sbb')
  await waitFor(async () =>
    expect(texts(await drivers())).toEqual([expect.stringMatching(/^Fabio Silva/)]),
  )
  await user.clear(search)
  await user.type(search, 'nobody')
  expect(await screen.findByText('No driver matches')).toBeInTheDocument()
})

test('renders only the drivers in view of a fleet of a thousand', async () => {
  const fleet = Object.fromEntries(
    Array.from({ length: 1000 }, (_, at) => [
      `driver-${String(at).padStart(4, '0')}`,
      free(at / 1e5),
    ]),
  )
  const seed = anOfficeSeed({ more: { available_drivers: fleet } })
  const { user } = await openBoard(seed)
  const list = await drivers()
  const options = within(list).getAllByRole('option')
  expect(options.length).toBeLessThan(40)
  expect(options[0]).toHaveAttribute('aria-setsize', '1000')
  list.focus()
  await user.keyboard('{End}')
  const active = () => document.getElementById(list.getAttribute('aria-activedescendant') ?? '')
  expect(active()).toHaveAttribute('aria-posinset', '1000')
})

test('shows a fleet admin the map and only their own drivers', async () => {
  await openBoard(seedWith([waiting(FIRST, 1)]), 'fleet')
  await waitFor(async () =>
    expect(texts(await drivers())).toEqual([expect.stringMatching(/^Beto Silva/)]),
  )
  expect(screen.queryByRole('listbox', { name: 'Waiting for a driver' })).not.toBeInTheDocument()
  expect(screen.getAllByRole('separator')).toHaveLength(1)
})

test('lists the keys of the board in the sheet of shortcuts', async () => {
  const { user } = await openBoard(seedWith([]))
  await screen.findByText('Every booking has a driver')
  await user.keyboard('?')
  const sheet = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  expect(
    within(sheet).getByText('Board: from the booking to the drivers, then assign'),
  ).toBeInTheDocument()
})

test('names the next booking of a driver on a trip', async () => {
  const trip = { status: 'STARTED', driver: 'far', next: FIRST } as const
  const next = { status: 'ACCEPTED', driver: 'far', follows: SECOND } as const
  const seed = anOfficeSeed({
    bookings: [
      aBooking({ id: SECOND, booking_id: SECOND, ...trip }),
      aBooking({ id: FIRST, booking_id: FIRST, reference: 'NEXT1234', ...next }),
    ],
    people: [FABIO, aRider({ id: 'other' })],
    more: { busy_drivers: { far: { booking: SECOND, carType: 'van', name: 'Fabio Silva' } } },
  })
  await openBoard(seed)
  await waitFor(async () =>
    expect(texts(await drivers())).toEqual([expect.stringContaining('then NEXT1234')]),
  )
})

test('names a driver of a booking that left the queue', async () => {
  const busy = { far: { booking: SECOND, carType: 'van', name: 'Fabio Silva' } }
  const seed = anOfficeSeed({
    bookings: [aBooking({ id: SECOND, booking_id: SECOND, status: 'ACCEPTED', driver: 'far' })],
    people: [FABIO, aRider({ id: 'other' })],
    more: { busy_drivers: busy },
  })
  await openBoard(seed)
  await waitFor(async () =>
    expect(texts(await drivers())).toEqual([expect.stringMatching(/^Fabio SilvaSBB 77Driver on/)]),
  )
})

test('writes to all drivers on duty, or to the chosen one', async () => {
  const sent: unknown[] = []
  const { user } = await renderApp('/board', {
    as: 'admin',
    seed: seedWith([]),
    handlers: {
      send_office_message: ({ message_id, ...message }: { message_id: string }) => {
        sent.push(message)
        return { message_id, sent: 2, done: true }
      },
    },
  })
  const write = async (name: string, text: string) => {
    await user.click(await screen.findByRole('button', { name }))
    const dialog = await screen.findByRole('dialog', { name })
    await user.type(within(dialog).getByLabelText('Message'), text)
    await user.click(within(dialog).getByRole('button', { name: 'Send message' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
  }
  await write('Message to all drivers on duty', 'Rain in the west')
  expect(await screen.findByText('Sent to 2 people.')).toBeInTheDocument()
  await user.click(within(await drivers()).getByRole('option', { name: /Fabio/ }))
  await write('Message to Fabio Silva', 'Please call')
  expect(sent).toEqual([{ text: 'Rain in the west' }, { driver: 'far', text: 'Please call' }])
})
