import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { STATUSES } from '~/domain/entities'
import { aSettings } from '~/domain/testing/builders'
import { aBooking, aDriver, aRider, anAdmin, anOffice, bookingKey, renderApp } from '../testing'
import { officeActions } from './actions'

const many = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    aBooking({ id: bookingKey(n), booking_id: bookingKey(n), bookingDate: 1_790_000_000_000 + n }),
  )
const nearby = {
  driver: { carType: 'van', lat: -34.905, lng: -56.19, geohash: '6dqv', at: 1 },
  far: { carType: 'van', lat: -34.8, lng: -56.0, geohash: '6dqw', at: 1 },
}

test('an admin pages through the bookings by their keys, newest first', async () => {
  const { user } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOffice({ bookings: many(30) }),
  })
  expect(await screen.findByRole('button', { name: bookingKey(29) })).toBeTruthy()
  expect(screen.queryByRole('button', { name: bookingKey(4) })).toBeNull()
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  expect(await screen.findByRole('button', { name: bookingKey(4) })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /Previous page/ }))
  expect(await screen.findByRole('button', { name: bookingKey(29) })).toBeTruthy()
})

test('filters of the address are asked by one index and looked through for the others', async () => {
  const one = (n: number, over: object) =>
    aBooking({ id: bookingKey(n), booking_id: bookingKey(n), ...over })
  await renderApp('/bookings?driver=driver&from=2026-11-02&until=2026-11-02', {
    as: 'admin',
    seed: anOffice({
      settings: { timezone: 'America/Montevideo' },
      bookings: [
        one(1, { driver: 'driver', bookingDate: Date.parse('2026-11-02T02:59:59Z') }),
        one(2, { driver: 'driver', bookingDate: Date.parse('2026-11-02T03:00:00Z') }),
        one(3, { driver: 'other', bookingDate: Date.parse('2026-11-02T12:00:00Z') }),
        one(4, { driver: 'driver', bookingDate: Date.parse('2026-11-03T03:00:00Z') }),
      ],
    }),
  })
  expect(await screen.findByRole('button', { name: bookingKey(2) })).toBeTruthy()
  for (const n of [1, 3, 4])
    expect(screen.queryByRole('button', { name: bookingKey(n) })).toBeNull()
  expect(screen.getByRole('button', { name: /Driver: Beto Silva/ })).toBeTruthy()
  expect(screen.getByText('Bookings looked through: 3')).toBeTruthy()
})

test('a day of the address that no calendar has is no filter', async () => {
  const id = bookingKey(1)
  await renderApp('/bookings?from=2026-13-45', {
    as: 'admin',
    seed: anOffice({ bookings: [aBooking({ id, booking_id: id })] }),
  })
  expect(await screen.findByRole('button', { name: id })).toBeTruthy()
})

test('a filter on dates pages by dates, also where ids are not in their order', async () => {
  const dated = many(30).map((booking, n) => ({ ...booking, bookingDate: 1_790_000_000_000 - n }))
  const { user } = await renderApp('/bookings?from=2026-01-01', {
    as: 'admin',
    seed: anOffice({ bookings: dated }),
  })
  expect(await screen.findByRole('button', { name: bookingKey(0) })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  expect(await screen.findByRole('button', { name: bookingKey(29) })).toBeTruthy()
  expect(screen.queryByRole('button', { name: bookingKey(0) })).toBeNull()
})

test('the dashboard lists what stands still, and how it can go on', async () => {
  const id = bookingKey(1)
  await renderApp('/dashboard', {
    as: 'admin',
    seed: anOffice({
      bookings: [aBooking({ id, booking_id: id, status: 'ARRIVED' })],
      more: { stuck_bookings: { [id]: { status: 'ARRIVED', since: 1, found_at: 2 } } },
    }),
  })
  const list = await screen.findByRole('region', { name: /Standing still/ })
  expect(await within(list).findByText(/Started \(Driver\)/)).toBeTruthy()
  expect(await within(list).findByRole('button', { name: /^Cancel booking/ })).toBeTruthy()
})

test('many are cancelled at once, with a result for each', async () => {
  const [fine, gone] = [bookingKey(1), bookingKey(2)]
  const { user, world } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOffice({
      bookings: [
        aBooking({ id: fine, booking_id: fine }),
        aBooking({ id: gone, booking_id: gone, status: 'PAID' }),
      ],
    }),
    handlers: { advance_booking: () => ({ booking_id: fine, status: 'CANCELLED', revision: 2 }) },
  })
  await user.click(await screen.findByRole('checkbox', { name: `Select ${fine}` }))
  await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(screen.getByRole('button', { name: 'Cancel the selected' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel the selected' })
  await within(dialog).findByRole('option', { name: 'Wrong address' })
  await user.selectOptions(within(dialog).getByRole('combobox'), 'Wrong address')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel the selected' }))
  await within(dialog).findByRole('button', { name: 'Done' })
  const rows = within(dialog).getAllByRole('listitem')
  const textOf = (id: string) => rows.find((row) => row.textContent?.includes(id))?.textContent
  expect(textOf(fine)).toContain('Cancelled')
  expect(textOf(gone)).toContain('This is no longer possible')
  expect(world.calls.map(({ input }) => input)).toEqual([
    { booking_id: fine, event: 'cancel', reason: 'Wrong address' },
  ])
})

test('a status tab shows its live count and only its bookings', async () => {
  const bookings = [
    aBooking({ id: bookingKey(1), booking_id: bookingKey(1) }),
    aBooking({ id: bookingKey(2), booking_id: bookingKey(2), status: 'PAID' }),
  ]
  const { user, world } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOffice({ bookings, more: { stats: { status: { NEW: 1, PAID: 1 } } } }),
  })
  await user.click(await screen.findByRole('tab', { name: 'Paid1' }))
  expect(await screen.findByRole('button', { name: bookingKey(2) })).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: bookingKey(1) })).toBeNull())
  world.change({ 'stats/status/PAID': 2 })
  expect(await screen.findByRole('tab', { name: 'Paid2' })).toBeTruthy()
})

test('a booking that changes is shown as it is now', async () => {
  const id = bookingKey(1)
  const { world } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOffice({ bookings: [aBooking({ id, booking_id: id })] }),
  })
  await screen.findByRole('button', { name: id })
  world.change({ [`bookings/${id}/driver_name`]: 'Zoe Zapata' })
  expect(await screen.findByText('Zoe Zapata')).toBeTruthy()
})

test('the nearest free driver of the car type is asked, and the office is told', async () => {
  const id = bookingKey(1)
  const { user, world } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOffice({
      bookings: [aBooking({ id, booking_id: id })],
      people: [aDriver({ id: 'far', firstName: 'Fabio', email: 'far@kerbside.example' })],
      more: { available_drivers: nearby },
    }),
    handlers: { advance_booking: () => ({ booking_id: id, status: 'NEW', revision: 2 }) },
  })
  await user.click(await screen.findByRole('button', { name: 'Assign driver' }))
  const dialog = await screen.findByRole('dialog')
  const names = (await within(dialog).findAllByRole('button', { name: /^Assign to/ })).map(
    (button) => button.getAttribute('aria-label'),
  )
  expect(names).toEqual(['Assign to Beto Silva', 'Assign to Fabio Silva'])
  await user.click(within(dialog).getByRole('button', { name: 'Assign to Beto Silva' }))
  expect(await screen.findByText('The driver was assigned and notified.')).toBeTruthy()
  expect(world.calls.at(-1)).toEqual({
    name: 'advance_booking',
    input: { booking_id: id, event: 'assign', driver: 'driver' },
  })
})

test('a busy or unapproved driver is not offered', async () => {
  const id = bookingKey(1)
  const { user } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOffice({
      bookings: [aBooking({ id, booking_id: id })],
      people: [aDriver({ id: 'far', firstName: 'Fabio', queue: true })],
      more: { available_drivers: nearby },
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'Assign driver' }))
  expect(await screen.findByRole('button', { name: 'Assign to Beto Silva' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Assign to Fabio Silva' })).toBeNull()
})

test('cancelling needs a reason, which is sent along', async () => {
  const id = bookingKey(1)
  const { user, world } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOffice({ bookings: [aBooking({ id, booking_id: id })] }),
    handlers: { advance_booking: () => ({ booking_id: id, status: 'CANCELLED', revision: 2 }) },
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }))
  expect(within(dialog).getByRole('alert').textContent).toContain('Please choose a reason.')
  await user.click(await within(dialog).findByRole('radio', { name: 'Wrong address' }))
  await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }))
  expect(await screen.findByText('The booking was cancelled.')).toBeTruthy()
  expect(world.calls.at(-1)?.input).toEqual({
    booking_id: id,
    event: 'cancel',
    reason: 'Wrong address',
  })
})

test('a platform without reasons can cancel, one booking or many', async () => {
  const id = bookingKey(1)
  const { user, world } = await renderApp(`/bookings?bulk=cancel~${id}`, {
    as: 'admin',
    seed: anOffice({ bookings: [aBooking({ id, booking_id: id })], reasons: [] }),
    handlers: { advance_booking: () => ({ booking_id: id, status: 'CANCELLED', revision: 2 }) },
  })
  const many = await screen.findByRole('dialog', { name: 'Cancel the selected' })
  expect(await within(many).findByRole('option', { name: 'Something else' })).toBeTruthy()
  await user.click(within(many).getByRole('button', { name: 'Close' }))
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' })
  await user.click(await within(dialog).findByRole('radio', { name: 'Something else' }))
  await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }))
  expect(await screen.findByText('The booking was cancelled.')).toBeTruthy()
  expect(world.calls.at(-1)?.input).toMatchObject({ event: 'cancel', reason: 'Something else' })
})

test('an unpaid booking is cancelled with the fixed reason', async () => {
  const id = bookingKey(1)
  const { user, world } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOffice({ bookings: [aBooking({ id, booking_id: id, status: 'PAYMENT_PENDING' })] }),
    handlers: { advance_booking: () => ({ booking_id: id, status: 'CANCELLED', revision: 2 }) },
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }))
  await waitFor(() => expect(world.calls).toHaveLength(1), { timeout: 5000 })
  expect(world.calls[0]?.input).toMatchObject({ reason: 'incomplete_booking' })
})

test('demo mode refuses to cancel, offers no export and hides who to call', async () => {
  const id = bookingKey(1)
  const { user } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOffice({
      settings: { AllowCriticalEditsAdmin: false },
      bookings: [aBooking({ id, booking_id: id, deliveryPersonPhone: '099 123 456' })],
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'Cancel booking' }))
  expect(await screen.findByText('This is a demo: that change is switched off.')).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Export Excel' })).toBeNull()
  expect(screen.getByText('Hidden for Demo')).toBeTruthy()
  expect(screen.queryByText('099 123 456')).toBeNull()
})

test('a fleet admin sees his drivers’ bookings and can neither assign nor cancel', async () => {
  const bookings = [
    aBooking({
      id: bookingKey(1),
      booking_id: bookingKey(1),
      status: 'ACCEPTED',
      fleetadmin: 'fleet',
    }),
    aBooking({ id: bookingKey(2), booking_id: bookingKey(2), fleetadmin: 'other' }),
  ]
  await renderApp('/bookings', { as: 'fleet', seed: anOffice({ bookings }) })
  expect(await screen.findByRole('button', { name: bookingKey(1) })).toBeTruthy()
  expect(screen.queryByRole('button', { name: bookingKey(2) })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Cancel booking' })).toBeNull()
  expect(screen.queryByRole('columnheader', { name: 'Trip code' })).toBeNull()
})

test('the detail tells who, what for and what happened', async () => {
  const id = bookingKey(1)
  const booking = aBooking({
    id,
    booking_id: id,
    status: 'PAID',
    deliveryPerson: 'Carla Caro',
    fare_history: {
      a: {
        kind: 'estimate',
        at: 1_790_000_000_000,
        cause: 'booked',
        lines: [{ label: 'fare_base', amount: 10 }],
        total: 43.13,
      },
    },
  })
  await renderApp(`/bookings?open=${id}`, {
    as: 'admin',
    seed: anOffice({ bookings: [booking], more: { booking_otps: { [id]: 54321 } } }),
  })
  const panel = await screen.findByRole('dialog')
  expect(await within(panel).findByText('Carla Caro')).toBeTruthy()
  expect(within(panel).getAllByText('Base fare').length).toBeGreaterThan(0)
  expect(within(panel).getByText('54321')).toBeTruthy()
  expect(within(panel).getByRole('heading', { name: 'Timeline' })).toBeTruthy()
})

test.each(STATUSES)('a booking that is %s offers what the specification allows', (status) => {
  const booking = aBooking({ status })
  const admin = anAdmin()
  expect(officeActions(booking, admin, aSettings())).toEqual({
    assign: status === 'NEW',
    cancel: ['NEW', 'ACCEPTED', 'PAYMENT_PENDING'].includes(status),
  })
  expect(officeActions(booking, admin, aSettings({ autoDispatch: true })).assign).toBe(false)
  expect(officeActions(booking, aRider({ usertype: 'fleetadmin' }), aSettings())).toEqual({
    assign: false,
    cancel: false,
  })
})
