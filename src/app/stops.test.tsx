import { screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { aBooking, aRider, aSettings, aVehicleType, DROP, PICKUP } from '~/domain/testing/builders'
import { STOPS } from '~/domain/testing/stopInputs'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'
import type { Booking, EventLogEntry } from '~/domain/booking/types'

const ID = aBooking().id
const AT = Date.UTC(2026, 10, 26, 15, 4)
const entry = (event: string, revision: number, more: Partial<EventLogEntry> = {}) => ({
  [`${event}_${revision}`]: {
    event,
    by: 'driver',
    at: AT,
    status: 'STARTED' as const,
    revision,
    ...more,
  },
})
/** The driver has passed the first stop and skipped the second. */
const skippedSecond = {
  ...entry('arrive_stop', 5, { ref: '0' }),
  ...entry('leave_stop', 6, { ref: '0' }),
  ...entry('skip_stop', 7, { ref: '1' }),
}
const THIRD = { lat: -34.89, lng: -56.15, add: 'Obelisco' }
const started = (over: Partial<Booking> = {}) =>
  aBooking({ status: 'STARTED', revision: 7, waypoints: [...STOPS, THIRD], ...over })
const seed = (booking: Booking) =>
  JSON.parse(
    JSON.stringify({
      settings: aSettings(),
      cartypes: { van: aVehicleType() },
      users: { rider: aRider(), admin: aRider({ id: 'admin', usertype: 'admin' }) },
      bookings: { [ID]: booking },
    }),
  ) as Tree
const open = (booking: Booking, as = 'rider') =>
  renderApp(`/bookings/${ID}`, { as, seed: seed(booking) })
const getItems = async () =>
  within(await screen.findByRole('list', { name: 'Stops' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('the rider sees', () => {
  test('which stops are passed, the next one, and a skipped one without the driver’s words', async () => {
    await open(started({ event_log: skippedSecond }))
    expect(await getItems()).toEqual([
      expect.stringMatching(/^Stop 1 of 3Plaza CaganchaPassed · /),
      expect.stringMatching(/^Stop 2 of 3Tres CrucesSkipped · /),
      'Stop 3 of 3ObeliscoNext',
    ])
    expect(screen.queryByText('The road is closed')).not.toBeInTheDocument()
    expect(screen.getByText('Reached stop 1')).toBeInTheDocument()
    expect(screen.getByText('Skipped stop 2')).toBeInTheDocument()
  })

  test('the driver pass a stop while the page is open', async () => {
    const { backend } = await open(started())
    expect((await getItems())[0]).toBe('Stop 1 of 3Plaza CaganchaNext')
    const [path, value] = Object.entries(entry('arrive_stop', 8, { ref: '0' }))[0] ?? []
    backend.update({ [`bookings/${ID}/event_log/${path}`]: value as never })
    await waitFor(async () => expect((await getItems())[0]).toContain('The driver is here'))
  })

  test('the time to the next stop, and then to the drop-off', async () => {
    const travel = (booking: Booking) =>
      renderApp(`/bookings/${ID}`, {
        as: 'rider',
        seed: {
          ...seed(booking),
          tracking: { [ID]: { a: { at: AT, status: 'STARTED', lat: -34.9, lng: -56.18 } } },
        },
        handlers: {
          'googleapis-getdistancematrix': () => ({
            data: [[{ found: true, time_in_secs: 540, distance_in_km: 3 }]],
          }),
        },
      })
    const { unmount } = await travel(started({ event_log: skippedSecond }))
    expect(await screen.findByText(/until stop 3 of 3/)).toBeInTheDocument()
    unmount()
    await travel(started({ waypoints: STOPS, event_log: skippedSecond }))
    expect(await screen.findByText(/until the drop-off/)).toBeInTheDocument()
  })

  test('nothing about stops before the start, and after a trip of the previous release', async () => {
    const { unmount } = await open(started({ status: 'ARRIVED' }))
    await screen.findAllByText('Plaza Cagancha')
    expect(screen.queryByRole('list', { name: 'Stops' })).not.toBeInTheDocument()
    unmount()
    await open(started({ status: 'COMPLETE' }))
    await screen.findAllByText('Plaza Cagancha')
    expect(screen.queryByRole('list', { name: 'Stops' })).not.toBeInTheDocument()
  })

  test('passed stops as fixed when they change the booking', async () => {
    const { user } = await open(started({ event_log: skippedSecond }))
    await user.click(await screen.findByRole('button', { name: 'Change booking' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText('Plaza Cagancha')).toBeInTheDocument()
    expect(dialog.getAllByRole('button', { name: 'Remove stop' })).toHaveLength(1)
  })
})

test('the office sees the skipped stop with its time and the driver’s reason', async () => {
  const reach = entry('reach', 8, { ref: '2', status: 'REACHED' })
  const words = { skip_stop_7: 'The road is closed' }
  const event_log = { ...skippedSecond, ...reach }
  await open(started({ status: 'REACHED', event_log, words }), 'admin')
  const skipped = await screen.findAllByText(/^Skipped ·/)
  expect(skipped.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Skipped · .*\d.* · The road is closed$/),
    expect.stringMatching(/^Skipped · /),
  ])
  expect(screen.getByText('Reached the drop-off · Skipped stop 3')).toBeInTheDocument()
})

test('the recipient sees which stops are passed', async () => {
  const [first, second] = STOPS
  await renderApp('/track/token', {
    seed: seed(started()),
    handlers: {
      track: () => ({
        status: 'STARTED',
        carType: 'Van',
        level: 'status',
        expires: Date.now() + 3_600_000,
        pickup: PICKUP,
        drop: DROP,
        stops: [
          { ...first, state: 'left' },
          { ...second, state: 'next' },
        ],
      }),
    },
  })
  expect(await getItems()).toEqual([
    'Stop 1 of 2Plaza CaganchaPassed',
    'Stop 2 of 2Tres CrucesNext',
  ])
})
