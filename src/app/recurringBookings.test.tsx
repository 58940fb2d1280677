import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { SeriesView } from '~/domain/recurring/view'
import { aRider, aSettings, aVehicleType, DROP, PICKUP, ROUTE } from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { ServiceError } from '~/src/services/services'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'

const NOW = Date.now()
const aSeries = (over: Partial<SeriesView> = {}): SeriesView => ({
  id: '-Oseriesabcdefghijkl',
  revision: 3,
  customer: 'rita',
  pickup: PICKUP,
  drop: DROP,
  waypoints: [],
  carType: 'van',
  role: 'rider',
  days: [1, 5],
  time: '08:30',
  back: '17:00',
  from: '2026-11-20',
  next: [
    { date: '2026-11-23', leg: 'out', at: NOW + 5 * HOUR_MS, booking: '-Obooked' },
    { date: '2026-11-23', leg: 'back', at: NOW + 30 * HOUR_MS },
  ],
  problems: [],
  skipped: [],
  ...over,
})
const seed = (settings: object = {}) =>
  JSON.parse(
    JSON.stringify({
      settings: aSettings(settings),
      cartypes: { van: aVehicleType() },
      users: {
        rita: aRider({ id: 'rita', mobile: '+15555550103' }),
        boss: aRider({ id: 'boss', usertype: 'admin', mobile: '+15555550100' }),
        fleet: aRider({ id: 'fleet', usertype: 'fleetadmin', mobile: '+15555550101' }),
      },
    }),
  ) as Tree
const open = (
  path: string,
  as: 'rita' | 'boss' | 'fleet',
  handlers: Record<string, (input: never) => unknown> = {},
) =>
  renderApp(path, {
    as,
    seed: seed(),
    handlers: {
      list_recurring: () => ({ series: [aSeries()], next: null }),
      'googleapis-getdirections': () => ROUTE,
      ...handlers,
    },
  })
type App = Awaited<ReturnType<typeof open>>
const sent = ({ backend }: App, name: string) =>
  backend.calls.filter((call) => call.name === name).map(({ input }) => input)

test('shows the next trips, and skips one without a booking', async () => {
  const app = await open('/recurring', 'rita', {
    change_recurring: () => ({
      series: aSeries({ next: [], skipped: [{ date: '2026-11-23', leg: 'back' }] }),
    }),
  })
  await screen.findByRole('heading', { name: /Mon and Fri at .*8:30.*, back at .*5:00/ })
  expect(screen.getByRole('link', { name: 'Booked' }).getAttribute('href')).toBe(
    '/bookings/-Obooked',
  )
  await app.user.click(screen.getByRole('button', { name: /^Skip .*Return trip$/ }))
  await screen.findByText('Skipped')
  await screen.findByText('No further trips')
  expect(sent(app, 'change_recurring')).toEqual([
    { series_id: '-Oseriesabcdefghijkl', action: 'skip', date: '2026-11-23', leg: 'back' },
  ])
})

test('shows why a trip was not booked, and pauses and ends the recurring booking', async () => {
  const problem = {
    date: '2026-11-22',
    leg: 'out',
    at: NOW - HOUR_MS,
    key: 'wallet_too_low',
  } as const
  const app = await open('/recurring', 'rita', {
    list_recurring: () => ({ series: [aSeries({ problems: [problem] })], next: null }),
    change_recurring: ({ action }: { action: string }) => ({
      series: action === 'end' ? null : aSeries({ pause: { from: '2026-12-01' } }),
    }),
  })
  await screen.findByText(/There is not enough money in your wallet/)
  await app.user.click(screen.getByRole('button', { name: 'Pause' }))
  const pause = within(await screen.findByRole('dialog', { name: 'Pause' }))
  const from = pause.getByLabelText('First day of the pause')
  await app.user.clear(from)
  await app.user.type(from, '2026-12-01')
  await app.user.click(pause.getByRole('button', { name: 'Pause' }))
  await screen.findByText(/^Paused from Dec 1, 2026$/)
  await app.user.click(screen.getByRole('button', { name: 'End' }))
  const end = within(await screen.findByRole('dialog', { name: 'End this recurring booking?' }))
  await app.user.click(end.getByRole('button', { name: 'End' }))
  await screen.findByRole('heading', { name: 'No recurring bookings' })
  expect(sent(app, 'change_recurring')).toMatchObject([
    { action: 'pause', from: '2026-12-01' },
    { action: 'end' },
  ])
})

test('edits a recurring booking, sends only what changed, and says what became of booked trips', async () => {
  const trip = {
    date: '2026-11-23',
    leg: 'out',
    at: NOW + 5 * HOUR_MS,
    booking: '-Obooked',
  } as const
  let tries = 0
  const app = await open('/recurring', 'rita', {
    change_recurring: () => {
      tries += 1
      if (tries === 1)
        throw new ServiceError('aborted', 'changed_meanwhile', 'changed', {
          params: { revision: 4 },
        })
      return {
        series: aSeries({ revision: 5, time: '09:00' }),
        amended: [
          trip,
          { ...trip, leg: 'back', key: 'estimate_changed', params: { estimate: 99.5 } },
        ],
      }
    },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit' }))
  const time = dialog.getByLabelText('Pickup time')
  await app.user.clear(time)
  await app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
  await dialog.findByText('Please fill this in.')
  await app.user.type(time, '09:00')
  await app.user.click(dialog.getByRole('checkbox', { name: 'With a return trip' }))
  await app.user.click(dialog.getByRole('radio', { name: 'Change them too' }))
  await app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
  await dialog.findByText('Someone else changed this at the same time. Please try again.')
  await app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
  const result = within(await screen.findByRole('dialog', { name: 'Booked trips' }))
  result.getByText('Changed')
  result.getByText(/the new price is .*99\.50/)
  await app.user.click(result.getAllByRole('button', { name: 'Close' })[0]!)
  await screen.findByRole('heading', { name: /at .*9:00/ })
  const edit = { action: 'edit', time: '09:00', back: null, booked: 'amend' }
  expect(sent(app, 'change_recurring')).toEqual([
    { series_id: '-Oseriesabcdefghijkl', revision: 3, ...edit },
    { series_id: '-Oseriesabcdefghijkl', revision: 4, ...edit },
  ])
})

test.each(['rita', 'boss'] as const)(
  'gives %s the first day, the recipient and the notes to edit, with a refusal beside its field',
  async (as) => {
    const details = {
      deliveryPerson: 'Carla',
      deliveryPersonPhone: '099 123 456',
      pickUpInstructions: 'Ring twice',
    }
    let tries = 0
    const app = await open('/recurring', as, {
      list_recurring: () => ({
        series: [aSeries({ ...details, customer_name: 'Ana Lima' })],
        next: null,
      }),
      change_recurring: () => {
        tries += 1
        if (tries === 1)
          throw new ServiceError('invalid-argument', 'deliveryDetailMissing', 'no phone', {
            field: 'deliveryPersonPhone',
          })
        return { series: aSeries({ revision: 4 }) }
      },
    })
    await app.user.click(await screen.findByRole('button', { name: 'Edit' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit' }))
    const type = async (label: string, text: string) => {
      const field = dialog.getByLabelText(label)
      await app.user.clear(field)
      if (text !== '') await app.user.type(field, text)
    }
    const save = () => app.user.click(dialog.getByRole('button', { name: 'Save changes' }))
    const phone = dialog.getByLabelText<HTMLInputElement>('Recipient’s phone')
    expect(phone.value).toBe('099 123 456')
    await type('First day', '')
    await save()
    await waitFor(() =>
      expect(dialog.getByLabelText('First day').getAttribute('aria-invalid')).toBe('true'),
    )
    await type('First day', '2026-12-01')
    await type('Recipient', 'Bea')
    await type('Recipient’s phone', '12')
    await type('Pickup instructions', '')
    await type('Delivery instructions', 'The green door')
    await save()
    await waitFor(() => expect(phone.getAttribute('aria-invalid')).toBe('true'))
    expect(dialog.getAllByRole('alert')).toHaveLength(1)
    await type('Recipient’s phone', '098 765 432')
    await save()
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit' })).toBeNull())
    expect(sent(app, 'change_recurring').at(-1)).toEqual({
      series_id: '-Oseriesabcdefghijkl',
      ...(as === 'boss' && { customer: 'rita' }),
      action: 'edit',
      revision: 3,
      from: '2026-12-01',
      deliveryPerson: 'Bea',
      deliveryPersonPhone: '098 765 432',
      pickUpInstructions: '',
      deliveryInstructions: 'The green door',
      booked: 'keep',
    })
  },
)

test('asks for no recipient where people are driven', async () => {
  const app = await renderApp('/recurring', {
    as: 'rita',
    seed: seed({ appcat: 'taxi' }),
    handlers: { list_recurring: () => ({ series: [aSeries()], next: null }) },
  })
  await app.user.click(await screen.findByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit' }))
  dialog.getByLabelText('First day')
  expect(dialog.queryByLabelText('Recipient')).toBeNull()
})

test('shows the error of a failed list and loads it again', async () => {
  let fails = true
  const app = await open('/recurring', 'rita', {
    list_recurring: () => {
      if (fails) throw new ServiceError('failed-precondition', 'not_found', 'gone')
      return { series: [], next: null }
    },
  })
  const again = await screen.findByRole('button', { name: 'Try again' })
  fails = false
  await app.user.click(again)
  await screen.findByRole('heading', { name: 'No recurring bookings' })
})

test('shows the office the recurring bookings of all riders, page by page', async () => {
  const app = await open('/recurring', 'boss', {
    list_recurring: ({ cursor }: { cursor?: string }) =>
      cursor === undefined
        ? { series: [aSeries({ customer_name: 'Ana Lima' })], next: '5.rita' }
        : { series: [aSeries({ customer: 'bo', customer_name: 'Bo Paz' })], next: null },
    change_recurring: () => ({ series: null }),
  })
  expect((await screen.findByRole('link', { name: 'Ana Lima' })).getAttribute('href')).toBe(
    '/riders?edit=rita',
  )
  await app.user.click(screen.getByRole('button', { name: 'More' }))
  const card = (await screen.findByRole('link', { name: 'Bo Paz' })).closest('article')!
  await app.user.click(within(card).getByRole('button', { name: 'End' }))
  const end = within(await screen.findByRole('dialog', { name: 'End this recurring booking?' }))
  await app.user.click(end.getByRole('button', { name: 'End' }))
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Bo Paz' })).toBeNull())
  expect(sent(app, 'change_recurring')).toEqual([
    { series_id: '-Oseriesabcdefghijkl', customer: 'bo', action: 'end' },
  ])
})

test('is no page of a fleet admin', async () => {
  const app = await open('/recurring', 'fleet')
  await waitFor(() => expect(window.location.pathname).not.toBe('/recurring'))
  expect(sent(app, 'list_recurring')).toEqual([])
})

test('a rider saves a recurring booking from the form for a later time', async () => {
  const tomorrow = new Date(NOW + 24 * HOUR_MS).toISOString().slice(0, 10)
  sessionStorage.setItem(
    'kerbside.draft',
    JSON.stringify({
      draft: {
        later: true,
        when: `${tomorrow}T23:30`,
        stage: 'estimate',
        deliveryPersonPhone: '099 123 456',
      },
      trip: { pickup: PICKUP, drop: DROP, waypoints: [], carType: 'van', selected: 'pickup' },
    }),
  )
  const app = await open('/', 'rita', { save_recurring: () => ({ series: aSeries() }) })
  await app.user.click(await screen.findByRole('button', { name: 'Repeat weekly' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Repeat weekly' }))
  const days = dialog.getAllByRole('checkbox').slice(0, 7)
  for (const day of days) if ((day as HTMLInputElement).checked) await app.user.click(day)
  await app.user.click(dialog.getByRole('button', { name: 'Save recurring booking' }))
  await dialog.findByText('Choose at least one day.')
  await app.user.click(dialog.getByRole('checkbox', { name: 'Tuesday' }))
  await app.user.click(dialog.getByRole('checkbox', { name: 'With a return trip' }))
  await app.user.type(dialog.getByLabelText('Pickup time of the return trip'), '06:15')
  await dialog.findByText('On the next day')
  await dialog.findByText(/Each trip costs the price .* It is .*43\.13 now/)
  await app.user.click(dialog.getByRole('radio', { name: 'Wallet' }))
  await app.user.click(dialog.getByRole('button', { name: 'Save recurring booking' }))
  await screen.findByRole('link', { name: 'Show recurring bookings' })
  expect(sent(app, 'create_booking')).toEqual([])
  expect(sent(app, 'save_recurring')).toMatchObject([
    {
      days: [2],
      time: '23:30',
      back: '06:15',
      from: tomorrow,
      payment: 'wallet',
      carType: 'van',
      deliveryPersonPhone: '099 123 456',
    },
  ])
})
