import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { CreateBooking } from '~/domain/api'
import {
  aBooking,
  aCarType,
  aRider,
  aSettings,
  DROP,
  PICKUP,
  ROUTE,
} from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import { MEMORY_CODE, type MemoryWorld } from '~/src/services/memory/memoryServices'
import { type Tree } from '~/src/services/memory/tree'
import { renderApp } from './renderApp'

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
})

const PLACES = { pickup: PICKUP, drop: DROP }
const rita = aRider({ id: 'rita', mobile: '+15555550103', walletBalance: 100 })
const seed = (over: Record<string, unknown> = {}) =>
  JSON.parse(
    JSON.stringify({
      settings: aSettings(),
      cartypes: { van: aCarType() },
      users: { rita },
      cancel_reason: [{ label: 'I changed my mind', value: 0 }],
      ...over,
    }),
  ) as Tree

const created = (input: CreateBooking, world: MemoryWorld) => {
  const booking = aBooking({
    id: input.booking_id,
    booking_id: input.booking_id,
    customer: 'rita',
    status: 'PAYMENT_PENDING',
    estimate: input.estimateFare,
  })
  world.change({ [`bookings/${input.booking_id}`]: JSON.parse(JSON.stringify(booking)) as Tree })
  return {
    booking_id: input.booking_id,
    status: 'PAYMENT_PENDING',
    revision: 1,
    estimate: input.estimateFare,
  }
}
const paid = ({ booking_id }: { booking_id: string }, world: MemoryWorld) => {
  world.change({ [`bookings/${booking_id}/status`]: 'NEW' })
  return { booking_id, status: 'NEW', revision: 2 }
}
const handlers = {
  'googleapis-autocomplete': ({ searchKeyword }: { searchKeyword: string }) => ({
    searchResults: Object.entries(PLACES)
      .filter(([, place]) => place.add.toLowerCase().startsWith(searchKeyword.toLowerCase()))
      .map(([place_id, { add }]) => ({ place_id, description: add })),
  }),
  'googleapis-getcoords': ({ place_id }: { place_id: 'pickup' | 'drop' }) => ({
    coords: { lat: PLACES[place_id].lat, lng: PLACES[place_id].lng },
  }),
  'googleapis-getdirections': () => ROUTE,
  create_booking: created,
  advance_booking: paid,
}

type App = Awaited<ReturnType<typeof renderApp>>
const choosePlaces = async ({ user }: App) => {
  for (const [label, letters, name] of [
    ['Pickup', 'plaza', 'Plaza Independencia'],
    ['Drop-off', 'tres', 'Tres Cruces'],
  ] as const) {
    await user.type(screen.getByRole('combobox', { name: label }), letters)
    await screen.findByRole('option', { name })
    await user.keyboard('{ArrowDown}{Enter}')
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: label })).toHaveProperty('value', name),
    )
  }
}
const upToTheEstimate = async (app: App) => {
  await choosePlaces(app)
  await app.user.click(await screen.findByRole('radio', { name: /Van/ }))
  await app.user.click(screen.getByRole('button', { name: /Book now/ }))
  await app.user.click(await screen.findByRole('radio', { name: /Box/ }))
  await app.user.click(screen.getByRole('button', { name: 'Continue' }))
  await screen.findByRole('heading', { name: 'Your estimate' })
}

/** What is said of a field, and read out with it and by itself. */
const saidAt = (field: HTMLElement): string | undefined => {
  expect(field.getAttribute('aria-invalid')).toBe('true')
  return field
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id))
    .find((text) => text?.getAttribute('role') === 'alert')
    ?.textContent?.trim()
}

test('nothing chosen: each field says so, and the first one has the focus', async () => {
  const { user } = await renderApp('/', { seed: seed() })
  await screen.findByRole('radio', { name: /Van/ })
  await user.click(screen.getByRole('button', { name: 'Book now' }))
  expect(await screen.findAllByText('Please choose this first.')).toHaveLength(3)
  for (const field of [
    screen.getByRole('combobox', { name: 'Pickup' }),
    screen.getByRole('combobox', { name: 'Drop-off' }),
    screen.getByRole('group', { name: 'Select a vehicle' }),
  ])
    expect(saidAt(field)).toBe('Please choose this first.')
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Pickup' })),
  )
})

test('a visitor fills everything in, logs in at the end, and books what was filled in', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  const { user, world } = app
  await upToTheEstimate(app)
  await user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await user.click(screen.getByRole('button', { name: /Log in to book/ }))

  await user.type(await screen.findByLabelText('Mobile number'), '+15555550103')
  await user.click(screen.getByRole('button', { name: 'Get code' }))
  await user.click(await screen.findByLabelText('Six-digit code'))
  await user.paste(MEMORY_CODE)

  await screen.findByRole('heading', { name: 'Your estimate' })
  expect(screen.getByLabelText('Recipient’s phone')).toHaveProperty('value', '099 123 456')
  await user.click(screen.getByRole('button', { name: /Book for/ }))
  await user.click(await screen.findByRole('button', { name: /^Pay \$/ }))
  await screen.findByText(/Your booking was successful/)

  const create = world.calls.find(({ name }) => name === 'create_booking')?.input as CreateBooking
  expect(create).toMatchObject({
    pickup: PICKUP,
    drop: DROP,
    carType: 'van',
    bookLater: false,
    parcelTypeIndex: 1,
    optionIndex: 0,
    deliveryPersonPhone: '099 123 456',
  })
  expect(screen.getByText(/Your booking was successful/).textContent).toContain(create.booking_id)
  await user.click(screen.getByRole('link', { name: 'Go to my bookings' }))
  expect(await screen.findByText('Looking for a driver')).toBeDefined()
})

test('a later booking needs a time, at least fifteen minutes ahead', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  await choosePlaces(app)
  await app.user.click(await screen.findByRole('radio', { name: /Van/ }))
  await app.user.click(screen.getByRole('radio', { name: 'Later' }))
  await app.user.click(screen.getByRole('button', { name: /Book for later/ }))
  expect(await screen.findByText('Please choose this first.')).toBeDefined()
  await app.user.type(screen.getByLabelText('Pickup date and time'), '2020-01-01T10:00')
  await app.user.click(screen.getByRole('button', { name: /Book for later/ }))
  expect(
    await screen.findByText('Please choose a time at least 15 minutes from now.'),
  ).toBeDefined()
  expect(saidAt(screen.getByLabelText('Pickup date and time'))).toMatch(/15 minutes/)
})

test('a search that fails, and a place that cannot be found, are told at their field', async () => {
  let works = false
  const app = await renderApp('/', {
    seed: seed(),
    handlers: {
      ...handlers,
      'googleapis-autocomplete': (asked: { searchKeyword: string }) =>
        works ? handlers['googleapis-autocomplete'](asked) : { error: 'down' },
      'googleapis-getcoords': () => ({ error: 'unknown' }),
    },
  })
  const field = screen.getByRole('combobox', { name: 'Pickup' })
  await app.user.type(field, 'plaza')
  await waitFor(() => expect(saidAt(field)).toMatch(/cannot reach the server/))
  works = true
  await app.user.type(field, ' ')
  await app.user.click(await screen.findByRole('option', { name: 'Plaza Independencia' }))
  await waitFor(() => expect(saidAt(field)).toBe('We could not find where that place is.'))
})

test('a way that is not found is told at the drop-off', async () => {
  const app = await renderApp('/', {
    seed: seed(),
    handlers: { ...handlers, 'googleapis-getdirections': () => ({ error: 'No Route Found' }) },
  })
  await choosePlaces(app)
  await app.user.click(await screen.findByRole('radio', { name: /Van/ }))
  await app.user.click(screen.getByRole('button', { name: /Book now/ }))
  const drop = screen.getByRole('combobox', { name: 'Drop-off' })
  await waitFor(() => expect(saidAt(drop)).toMatch(/route/i))
  await waitFor(() => expect(document.activeElement).toBe(drop))
})

test.each([true, false])(
  'a way without streets (%s) is a guess, and the estimate says so',
  async (guess) => {
    const route = { ...ROUTE, approximate: guess }
    const told = { ...handlers, 'googleapis-getdirections': () => route }
    await upToTheEstimate(await renderApp('/', { seed: seed(), handlers: told }))
    const said = screen.queryByText('Distance is estimated: we have no street map here.')
    expect(said !== null).toBe(guess)
  },
)

test('without leave to know the position, the pickup says so', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  const field = screen.getByRole('combobox', { name: 'Pickup' })
  await app.user.click(field)
  await app.user.click(await screen.findByRole('option', { name: 'Use my location' }))
  await waitFor(() => expect(saidAt(field)).toMatch(/location/i))
})

test('no driver near: it is said, nothing typed is lost, and a later time can still be booked', async () => {
  const app = await renderApp('/', {
    seed: seed(),
    as: 'rita',
    handlers: {
      ...handlers,
      create_booking: (input: CreateBooking, world: MemoryWorld) => {
        if (input.bookLater) return created(input, world)
        throw new ServiceError('failed-precondition', 'no_driver_found_alert_messege', 'nobody')
      },
    },
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/driver/i)
  await app.user.click(screen.getByRole('button', { name: 'Close' }))
  await app.user.click(screen.getByRole('radio', { name: 'Later' }))
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16)
  await app.user.type(screen.getByLabelText('Pickup date and time'), tomorrow)
  await app.user.click(screen.getByRole('button', { name: /Book for later/ }))
  await app.user.click(await screen.findByRole('button', { name: 'Continue' }))
  expect(await screen.findByLabelText('Recipient’s phone')).toHaveProperty('value', '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for \$/ }))
  await screen.findByRole('button', { name: /^Pay \$/ })
})

test('who has no number is shown the way to his profile', async () => {
  const app = await renderApp('/', {
    seed: seed({ users: { rita: { ...rita, mobile: '' } } }),
    handlers,
    as: 'rita',
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  const dialog = await screen.findByRole('dialog', { name: 'Mobile number' })
  await app.user.click(within(dialog).getByRole('button', { name: 'Your profile' }))
  await waitFor(() => expect(window.location.pathname).toBe('/profile'))
})

test('an admin who tries the public form is told that only riders book there', async () => {
  const app = await renderApp('/', {
    seed: seed({ users: { rita: { ...rita, usertype: 'admin' } } }),
    handlers,
    as: 'rita',
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  expect((await screen.findByRole('alert')).textContent).toMatch(/contact/i)
  expect(app.world.calls.some(({ name }) => name === 'create_booking')).toBe(false)
})

test('one session goes from the first letter to the place, in the language of the page', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  await choosePlaces(app)
  const inputs = (name: string) =>
    app.world.calls
      .filter((call) => call.name === name)
      .map(({ input }) => input as { sessionToken: string; language?: string })
  const searched = inputs('googleapis-autocomplete')
  const [pickup, drop] = inputs('googleapis-getcoords').map(({ sessionToken }) => sessionToken)
  expect(pickup).toMatch(/^[\da-f-]{36}$/)
  expect(drop).not.toBe(pickup)
  expect(new Set(searched.map(({ sessionToken }) => sessionToken))).toEqual(new Set([pickup, drop]))
  expect(searched.map(({ language }) => language)).toEqual(searched.map(() => 'en'))
})

test('ends are swapped and stops put in order, and the way is asked for as it then is', async () => {
  const app = await renderApp('/', { seed: seed(), handlers })
  await choosePlaces(app)
  await app.user.click(screen.getByRole('button', { name: 'Swap pickup and drop-off' }))
  expect(screen.getByRole('combobox', { name: 'Pickup' })).toHaveProperty('value', DROP.add)
  expect(screen.getByRole('combobox', { name: 'Drop-off' })).toHaveProperty('value', PICKUP.add)
  await waitFor(() =>
    expect(app.world.calls.at(-1)).toMatchObject({
      name: 'googleapis-getdirections',
      input: { start: `${DROP.lat},${DROP.lng}`, dest: `${PICKUP.lat},${PICKUP.lng}` },
    }),
  )
})

test('a place that is moved while it is still looked up arrives where it has been moved to', async () => {
  const answers: (() => void)[] = []
  const app = await renderApp('/', {
    seed: seed(),
    handlers: {
      ...handlers,
      'googleapis-getcoords': async (asked: { place_id: 'pickup' | 'drop' }) => {
        await new Promise<void>((resolve) => answers.push(resolve))
        return handlers['googleapis-getcoords'](asked)
      },
    },
  })
  const { user } = app
  const choose = async (name: string, letters: string, text: string) => {
    await user.type(screen.getByRole('combobox', { name }), letters)
    await user.click(await screen.findByRole('option', { name: text }))
  }
  const valueOf = (name: string) => screen.getByRole<HTMLInputElement>('combobox', { name }).value
  await choose('Pickup', 'plaza', PICKUP.add)
  await user.click(screen.getByRole('button', { name: 'Swap pickup and drop-off' }))
  await user.click(screen.getByRole('button', { name: 'Add a stop' }))
  await user.click(screen.getByRole('button', { name: 'Add a stop' }))
  await choose('Stop 2', 'tres', DROP.add)
  await user.click(screen.getByRole('button', { name: 'Move this stop earlier' }))
  await waitFor(() => expect(answers).toHaveLength(2))
  for (const answer of answers) answer()
  await waitFor(() => {
    expect(valueOf('Drop-off')).toBe(PICKUP.add)
    expect(valueOf('Stop 1')).toBe(DROP.add)
  })
  expect(valueOf('Pickup')).toBe('')
  expect(valueOf('Stop 2')).toBe('')
})

test('saved addresses come first, then those chosen here last', async () => {
  const savedAddresses = { home: { description: 'Casa', lat: -34.9, lng: -56.2, count: 3 } }
  localStorage.setItem('kerbside.recent', JSON.stringify([DROP]))
  const app = await renderApp('/', {
    seed: seed({ users: { rita: { ...rita, savedAddresses } } }),
    handlers,
    as: 'rita',
  })
  await screen.findAllByRole('link', { name: 'My account' })
  await app.user.click(screen.getByRole('combobox', { name: 'Pickup' }))
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual([
    'Use my location',
    'Casa',
    DROP.add,
    'Choose on the map',
  ])
})

test('a browser that keeps nothing of a site books all the same', async () => {
  const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError')
  })
  onTestFinished(() => full.mockRestore())
  await upToTheEstimate(await renderApp('/', { seed: seed(), handlers }))
})

test('vehicles that could not be had are asked for again', async () => {
  const app = await renderApp('/about-us', { seed: seed(), handlers })
  const { database } = app.world.services
  const { live } = database
  let isLost = true
  database.live = (query, onValue, onError) => {
    if (query.path !== 'cartypes' || !isLost) return live(query, onValue, onError)
    queueMicrotask(() => onError(new ServiceError('unavailable', 'unavailable')))
    return () => undefined
  }
  await app.user.click((await screen.findAllByRole('link', { name: 'Home' }))[0] as HTMLElement)
  const again = await screen.findByRole('button', { name: 'Try again' })
  expect(screen.getByRole('group', { name: 'Select a vehicle' }).textContent).toContain(
    'We cannot reach the server.',
  )
  isLost = false
  await app.user.click(again)
  await screen.findByRole('radio', { name: /Van/ })
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
})

test('the arrows open what is offered at its first and at its last', async () => {
  localStorage.setItem('kerbside.recent', JSON.stringify([PICKUP, DROP]))
  const { user } = await renderApp('/', { seed: seed(), handlers })
  const field = await screen.findByRole('combobox', { name: 'Pickup' })
  const pointedAt = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent
  field.focus()
  await user.keyboard('{ArrowUp}')
  expect(pointedAt()).toBe('Choose on the map')
  await user.keyboard('{ArrowDown}')
  expect(pointedAt()).toBe('Use my location')
  await user.keyboard('{ArrowUp}{ArrowUp}')
  expect(pointedAt()).toBe(DROP.add)
  await user.keyboard('{Escape}{ArrowDown}')
  expect(pointedAt()).toBe('Use my location')
})

test('a recipient’s phone that cannot be dialled is refused at its field', async () => {
  const app = await renderApp('/', { seed: seed(), handlers, as: 'rita' })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '12 34')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  const field = screen.getByLabelText('Recipient’s phone')
  expect(field.getAttribute('aria-invalid')).toBe('true')
  expect(app.world.calls.some(({ name }) => name === 'create_booking')).toBe(false)
})

test('a rider without a name is asked for it before booking, and it is kept', async () => {
  const nameless = { ...rita, firstName: '', email: '' }
  const app = await renderApp('/', {
    seed: seed({ users: { rita: nameless } }),
    handlers,
    as: 'rita',
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  expect(screen.getByLabelText('First name').getAttribute('aria-invalid')).toBe('true')
  await app.user.type(screen.getByLabelText('First name'), 'Rita')
  await app.user.type(screen.getByLabelText('Email'), 'rita@kerbside.example')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await screen.findByRole('button', { name: /^Pay \$/ })
  expect(app.world.tree().users).toMatchObject({
    rita: { firstName: 'Rita', email: 'rita@kerbside.example' },
  })
})

test('a price that changed meanwhile is shown, and booking again sends the new one', async () => {
  let first = true
  const app = await renderApp('/', {
    seed: seed(),
    as: 'rita',
    handlers: {
      ...handlers,
      create_booking: (input: CreateBooking, world: MemoryWorld) => {
        if (!first) return created(input, world)
        first = false
        world.change({ 'cartypes/van/base_fare': 30 })
        throw new ServiceError('failed-precondition', 'estimate_changed', 'changed', {
          field: 'estimateFare',
        })
      },
    },
  })
  await upToTheEstimate(app)
  await app.user.type(screen.getByLabelText('Recipient’s phone'), '099 123 456')
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await screen.findByText(/The price is now/)
  await app.user.click(screen.getByRole('button', { name: /Book for/ }))
  await screen.findByRole('button', { name: /^Pay \$/ })
  const [before, after] = app.world.calls
    .filter(({ name }) => name === 'create_booking')
    .map(({ input }) => input as CreateBooking)
  expect(after?.booking_id).toBe(before?.booking_id)
  expect(after?.estimateFare).toBeGreaterThan(before?.estimateFare ?? 0)
})

test('a booking’s page changes by itself, shows its code, and asks for a rating in the end', async () => {
  const booking = aBooking({
    id: 'b1',
    booking_id: 'b1',
    customer: 'rita',
    status: 'NEW',
    otp: true,
  })
  const { world, user } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking }, booking_otps: { b1: 48213 } }),
    as: 'rita',
    handlers: { ...handlers, advance_booking: () => ({}) },
  })
  expect(await screen.findByText('48213')).toBeDefined()
  world.change({
    'bookings/b1/status': 'ACCEPTED',
    'bookings/b1/driver': 'beto',
    'bookings/b1/driver_name': 'Beto Silva',
  })
  expect(await screen.findByText('Beto Silva')).toBeDefined()
  world.change({ 'bookings/b1/status': 'PAID' })
  const stars = await screen.findByRole('group', { name: 'How was it?' })
  await user.click(within(stars).getByRole('radio', { name: '4 stars' }))
  await user.click(screen.getByRole('button', { name: 'Send rating' }))
  await waitFor(() =>
    expect(world.calls).toContainEqual({
      name: 'advance_booking',
      input: { booking_id: 'b1', event: 'rate', rating: 4 },
    }),
  )
  expect(screen.queryByText('48213')).toBeNull()
})

test('a booking is cancelled only once its reasons are there, which is seen', async () => {
  const booking = aBooking({ id: 'b1', booking_id: 'b1', customer: 'rita', status: 'NEW' })
  const { world, user } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking } }),
    as: 'rita',
    handlers: { ...handlers, advance_booking: () => ({}) },
  })
  const { live } = world.services.database
  let arrive = () => {}
  world.services.database.live = (query, ...listener) => {
    if (query.path !== 'cancel_reason') return live(query, ...listener)
    arrive = () => void live(query, ...listener)
    return () => {}
  }
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }))
  const cancel = await screen.findByRole('button', { name: 'Cancel the booking' })
  expect(cancel.getAttribute('aria-busy')).toBe('true')
  expect(screen.getByText('Loading…')).toBeDefined()
  await user.click(cancel)
  expect(world.calls.map(({ name }) => name)).not.toContain('advance_booking')
  arrive()
  await screen.findByRole('radio', { name: 'I changed my mind' })
  await user.click(cancel)
  await waitFor(() =>
    expect(world.calls).toContainEqual({
      name: 'advance_booking',
      input: { booking_id: 'b1', event: 'cancel', reason: 'I changed my mind' },
    }),
  )
})

test('an office that gives no reasons keeps nobody from cancelling', async () => {
  const booking = aBooking({ id: 'b1', booking_id: 'b1', customer: 'rita', status: 'NEW' })
  const { world, user } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking }, cancel_reason: null }),
    as: 'rita',
    handlers: { ...handlers, advance_booking: () => ({}) },
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }))
  await screen.findByRole('radio', { name: 'Something else' })
  await user.click(await screen.findByRole('button', { name: 'Cancel the booking' }))
  await waitFor(() =>
    expect(world.calls).toContainEqual({
      name: 'advance_booking',
      input: { booking_id: 'b1', event: 'cancel', reason: 'Something else' },
    }),
  )
})

test('what happened without a connection says when it happened and when it was heard of', async () => {
  const at = Date.parse('2026-11-20T15:04:00Z')
  const entry = (event: string, revision: number, received_at?: number) => ({
    event,
    by: 'beto',
    at: at + revision * 1000,
    ...(received_at && { received_at }),
    status: 'ARRIVED',
    revision,
  })
  const booking = aBooking({
    id: 'b1',
    booking_id: 'b1',
    customer: 'rita',
    status: 'STARTED',
    event_log: {
      a: entry('accept', 1),
      b: entry('arrive', 2, at + 5 * 60_000),
      c: entry('start', 3, at + 4000),
    } as never,
  })
  await renderApp('/bookings/b1', {
    seed: seed({
      bookings: { b1: booking },
      settings: aSettings({ timezone: 'America/Montevideo' }),
    }),
    as: 'rita',
    handlers,
  })
  const heading = await screen.findByRole('heading', { name: 'Timeline' })
  // In the city's time, once the settings say which that is.
  await waitFor(() => {
    const lines = within(heading.closest('section') as HTMLElement).getAllByRole('listitem')
    expect(lines.map((line) => line.textContent.replace(/\s+/g, ' '))).toEqual([
      expect.stringMatching(/^Driver accepted.*12:04 ?PM$/),
      expect.stringMatching(/^Driver arrived.*12:04 ?PM · received 12:09 ?PM$/),
      expect.stringMatching(/^Started.*12:04 ?PM$/),
    ])
  })
})

test('a finished booking is printed with what was paid, and booked again with its places', async () => {
  const booking = aBooking({
    id: 'b1',
    booking_id: 'b1',
    customer: 'rita',
    status: 'COMPLETE',
    cashPaymentAmount: 43.13,
    payment_mode: 'cash',
  })
  const { user } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking } }),
    as: 'rita',
    handlers,
  })
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  await user.click(await screen.findByRole('button', { name: 'Print the receipt' }))
  expect(print).toHaveBeenCalledTimes(1)
  const receipt = document.querySelector('[data-print]')?.textContent
  for (const said of ['Receipt', 'b1', PICKUP.add, DROP.add, 'Beto Silva', 'Paid: Cash', '43.13'])
    expect(receipt).toContain(said)
  await user.click(screen.getByRole('button', { name: 'Book again' }))
  await waitFor(() => expect(window.location.pathname).toBe('/'))
  const places = ['Pickup', 'Drop-off'].map((name) => screen.getByRole('combobox', { name }))
  await waitFor(() =>
    expect(places.map((field) => (field as HTMLInputElement).value)).toEqual([
      PICKUP.add,
      DROP.add,
    ]),
  )
  expect(await screen.findByRole('radio', { name: /Van/ })).toHaveProperty('checked', true)
})

test('it is told how long until the driver is here, however he moves meanwhile, and then until the drop-off', async () => {
  const booking = aBooking({ id: 'b1', booking_id: 'b1', customer: 'rita', status: 'ACCEPTED' })
  const point = (lng: number) => ({ at: Date.now(), status: 'ACCEPTED', lat: -34.9, lng })
  const answers: Record<string, () => void> = {}
  const pickup = `${PICKUP.lat},${PICKUP.lng}`
  const drop = `${DROP.lat},${DROP.lng}`
  const { world, store } = await renderApp('/bookings/b1', {
    seed: seed({ bookings: { b1: booking }, tracking: { b1: { a: point(-56.2) } } }),
    as: 'rita',
    handlers: {
      ...handlers,
      'googleapis-getdistancematrix': async ({ dest }: { dest: string }) => {
        await new Promise<void>((done) => (answers[dest] = done))
        const time_in_secs = dest === pickup ? 420 : 120
        return { data: [[{ found: true, distance_in_km: 1, time_in_secs }]] }
      },
    },
  })
  await waitFor(() => expect(answers).toHaveProperty([pickup]))
  world.change({ 'tracking/b1/b': point(-56.17) })
  await waitFor(() => expect(JSON.stringify(store.getState())).toContain('-56.17'))
  answers[pickup]?.()
  const told = (await screen.findByText('until your driver is here')).closest('p')
  expect(told?.textContent).toMatch(/^7 min/)
  expect(told?.getAttribute('aria-live')).toBe('polite')
  world.change({ 'bookings/b1/status': 'STARTED' })
  await waitFor(() => expect(answers).toHaveProperty([drop]))
  // How long it was to the pickup says nothing of the drop-off.
  expect(screen.queryByText('until the drop-off')).toBeNull()
  answers[drop]?.()
  expect((await screen.findByText('until the drop-off')).closest('p')?.textContent).toMatch(
    /^2 min/,
  )
})

test('a push that comes is a toast that leads to its booking, and counts until it is read', async () => {
  const booking = aBooking({ id: 'b1', booking_id: 'b1', customer: 'rita', status: 'ACCEPTED' })
  const { world, user } = await renderApp('/bookings', {
    seed: seed({ bookings: { b1: booking } }),
    as: 'rita',
    handlers,
  })
  await screen.findByRole('button', { name: 'Messages' })
  world.change({
    'inbox/rita/n1': {
      title: 'push_accepted_title',
      msg: 'push_accepted_msg',
      params: { driver: 'Beto', vehicle: 'SBA 1234' },
      screen: 'BookedCab',
      booking_id: 'b1',
      at: Date.now(),
    },
  })
  const toast = await screen.findByRole('link', { name: 'Beto is coming in SBA 1234.' })
  expect(toast.getAttribute('href')).toBe('/bookings/b1')
  await user.click(screen.getByRole('button', { name: 'Messages, 1 new' }))
  const inbox = await screen.findByRole('dialog', { name: 'Messages' })
  expect(within(inbox).getByText('Driver on the way')).toBeDefined()
  await user.click(within(inbox).getByRole('button', { name: 'Close' }))
  expect(await screen.findByRole('button', { name: 'Messages' })).toBeDefined()
})
