import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
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

test('nothing chosen: each field says so, and the first one has the focus', async () => {
  const { user } = await renderApp('/', { seed: seed() })
  await screen.findByRole('radio', { name: /Van/ })
  await user.click(screen.getByRole('button', { name: 'Book now' }))
  expect(screen.getAllByText('Please choose this first.')).toHaveLength(3)
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
