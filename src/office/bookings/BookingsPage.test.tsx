import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { referenceAt } from '~/domain/booking/search/reference'
import { aSettings } from '~/domain/testing/builders'
import { ServiceError } from '~/src/services/services'
import {
  aBooking,
  aDriver,
  aRider,
  anAdmin,
  anOfficeSeed,
  toBookingKey,
  renderApp,
} from '../testing/officeFixtures'
import { openRowMenu } from '../testing/tables'
import { getAllowedActions } from './allowedActions'
import type { TripStep } from '~/domain/booking/transitions'
import { STATUSES, type Booking, type Status } from '~/domain/booking/types'

const createBookings = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    aBooking({
      id: toBookingKey(n),
      booking_id: toBookingKey(n),
      bookingDate: 1_790_000_000_000 + n,
    }),
  )
/** The smallest page: the time of a test follows the number of rows that it renders. */
const SMALL_PAGE = '/bookings?size=10'
const nearbyDrivers = {
  driver: { carType: 'van', lat: -34.905, lng: -56.19, geohash: '6dqv', at: 1 },
  far: { carType: 'van', lat: -34.8, lng: -56.0, geohash: '6dqw', at: 1 },
}

test('says that pages are sorted by date only, and sorts by any column after a search', async () => {
  const { user } = await renderApp(SMALL_PAGE, {
    as: 'admin',
    seed: anOfficeSeed({ bookings: createBookings(12) }),
  })
  await screen.findByRole('link', { name: referenceAt(toBookingKey(11), 0) })
  const note = screen.getByText('Only the column “Booked” can be sorted across pages.')
  const header = screen.getByRole('columnheader', { name: /^Status/ })
  const described = within(header).getByText('Status')
  expect(described).toHaveAttribute('aria-describedby', note.id)
  expect(described.title).toBe(note.textContent)
  expect(within(header).queryByRole('button')).not.toBeInTheDocument()
  await user.type(screen.getByRole('searchbox'), referenceAt(toBookingKey(11), 0))
  expect(await screen.findByRole('button', { name: 'Sort by Status' })).toBeInTheDocument()
  expect(screen.queryByText(/can be sorted across pages/)).not.toBeInTheDocument()
})

test('says that the pages of a filter by status have no order', async () => {
  await renderApp(`${SMALL_PAGE}&status=NEW`, {
    as: 'admin',
    seed: anOfficeSeed({ bookings: createBookings(12) }),
  })
  await screen.findByRole('link', { name: referenceAt(toBookingKey(11), 0) })
  expect(screen.getByText(/The pages of this list have no order\./)).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Sort by Booked' })).not.toBeInTheDocument()
})

test('shows an admin the bookings in pages by creation time, newest first', async () => {
  const { user } = await renderApp(SMALL_PAGE, {
    as: 'admin',
    seed: anOfficeSeed({ bookings: createBookings(12) }),
  })
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(11), 0) }),
  ).toBeInTheDocument()
  expect(
    screen.queryByRole('link', { name: referenceAt(toBookingKey(1), 0) }),
  ).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(1), 0) }),
  ).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /Previous page/ }))
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(11), 0) }),
  ).toBeInTheDocument()
})

test('an admin sorts the bookings of all pages oldest first and gets the order from the URL', async () => {
  const shown = (n: number) => screen.findByRole('link', { name: referenceAt(toBookingKey(n), 0) })
  const seed = anOfficeSeed({ bookings: createBookings(12) })
  const { user } = await renderApp(SMALL_PAGE, { as: 'admin', seed })
  await shown(11)
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  await shown(1)
  await user.click(screen.getByRole('button', { name: 'Sort by Booked' }))
  await shown(0)
  expect(window.location.search).toBe('?size=10&sort=date&desc=0')
  expect(screen.getByRole('button', { name: 'Sort by Booked' })).toHaveTextContent(/↑$/)
  const rows = () =>
    screen
      .getAllByRole('link')
      .map((link) => /\/bookings\/(-.*)$/.exec((link as HTMLAnchorElement).href)?.[1])
      .filter(Boolean)
  expect(rows()).toEqual(Array.from({ length: 10 }, (_, n) => toBookingKey(n)))
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  await shown(11)
  const address = window.location.search
  expect(rows()).toEqual([toBookingKey(10), toBookingKey(11)])
  expect(screen.getByRole('button', { name: /Next page/ })).toBeDisabled()

  cleanup()
  await renderApp(`/bookings${address}`, { as: 'admin', seed })
  await shown(11)
  expect(rows()).toEqual([toBookingKey(10), toBookingKey(11)])
})

test('a search with the order oldest first looks at the oldest bookings', async () => {
  const bookings = createBookings(120).map((booking, n) => ({
    ...booking,
    customer_name: n % 2 ? 'Ana Lima' : 'Rita Sosa',
  }))
  await renderApp('/bookings?sort=date&desc=0&q=Rita', {
    as: 'admin',
    seed: anOfficeSeed({ bookings }),
  })
  const first = await screen.findByRole('link', { name: referenceAt(toBookingKey(0), 0) })
  const second = screen.getByRole('link', { name: referenceAt(toBookingKey(2), 0) })
  expect(first.compareDocumentPosition(second) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy()
  expect(screen.getByText('Bookings searched: 100')).toBeInTheDocument()
})

test('queries one index for the filters in the URL and applies the other filters to the result', async () => {
  const one = (n: number, over: object) =>
    aBooking({ id: toBookingKey(n), booking_id: toBookingKey(n), ...over })
  await renderApp('/bookings?driver=driver&from=2026-11-02&until=2026-11-02', {
    as: 'admin',
    seed: anOfficeSeed({
      settings: { timezone: 'America/Montevideo' },
      bookings: [
        one(1, { driver: 'driver', bookingDate: Date.parse('2026-11-02T02:59:59Z') }),
        one(2, { driver: 'driver', bookingDate: Date.parse('2026-11-02T03:00:00Z') }),
        one(3, { driver: 'other', bookingDate: Date.parse('2026-11-02T12:00:00Z') }),
        one(4, { driver: 'driver', bookingDate: Date.parse('2026-11-03T03:00:00Z') }),
      ],
    }),
  })
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(2), 0) }),
  ).toBeInTheDocument()
  for (const n of [1, 3, 4])
    expect(
      screen.queryByRole('link', { name: referenceAt(toBookingKey(n), 0) }),
    ).not.toBeInTheDocument()
  expect(screen.getByRole('button', { name: /Driver: Beto Silva/ })).toBeInTheDocument()
  expect(screen.getByRole('button', { name: /^From: .*2026/ })).toBeInTheDocument()
  expect(screen.getByText('Bookings searched: 3')).toBeInTheDocument()
})

test('ignores a date in the URL that does not exist in the calendar', async () => {
  const id = toBookingKey(1)
  await renderApp('/bookings?from=2026-13-45', {
    as: 'admin',
    seed: anOfficeSeed({ bookings: [aBooking({ id, booking_id: id })] }),
  })
  expect(await screen.findByRole('link', { name: referenceAt(id, 0) })).toBeInTheDocument()
})

test('pages by date when a date filter is set, even when IDs are in a different order', async () => {
  const dated = createBookings(12).map((booking, n) => ({
    ...booking,
    bookingDate: 1_790_000_000_000 - n,
  }))
  const { user } = await renderApp(`${SMALL_PAGE}&from=2026-01-01`, {
    as: 'admin',
    seed: anOfficeSeed({ bookings: dated }),
  })
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(0), 0) }),
  ).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(11), 0) }),
  ).toBeInTheDocument()
  expect(
    screen.queryByRole('link', { name: referenceAt(toBookingKey(0), 0) }),
  ).not.toBeInTheDocument()
})

test('lists stuck bookings on the dashboard, each with the action that helps most', async () => {
  const id = toBookingKey(1)
  await renderApp('/dashboard', {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id, booking_id: id, status: 'ARRIVED' })],
      more: { stuck_bookings: { [id]: { status: 'ARRIVED', since: 1, found_at: 2 } } },
    }),
  })
  const list = await screen.findByRole('region', { name: /Stuck bookings/ })
  expect(await within(list).findByRole('button', { name: /^Release: / })).toBeInTheDocument()
  expect(within(list).getAllByRole('button')).toHaveLength(1)
})

describe('a booking flagged as implausible', () => {
  const id = toBookingKey(1)
  const flagged = (over: Partial<Booking> = {}) =>
    aBooking({
      id,
      booking_id: id,
      status: 'PENDING',
      distance: 5.2,
      driven_distance: 14,
      trip_cost: 43.13,
      distance_review: {
        verdict: 'flagged',
        reasons: ['far_longer', 'loops'],
        dropped_points: 7,
        charged_time: 840,
      },
      ...over,
    })
  const office = (booking: Booking, settings = {}) =>
    anOfficeSeed({
      settings: { appcat: 'taxi', ...settings },
      bookings: [booking],
      more: { fare_reviews: { [id]: { at: 1, driver: 'driver' } } },
    })

  test('waits on the dashboard until the back office decides its fare', async () => {
    const { user, backend } = await renderApp('/dashboard', {
      as: 'admin',
      seed: office(flagged()),
      handlers: { advance_booking: () => ({ booking_id: id, status: 'PENDING', revision: 2 }) },
    })
    const list = await screen.findByRole('region', { name: /Fares to review/ })
    expect(await within(list).findByText('14 km driven, 5.2 km planned')).toBeInTheDocument()
    await user.click(within(list).getByRole('button', { name: /^Review the fare/ }))
    const dialog = await screen.findByRole('dialog', { name: 'Review fare' })
    expect(
      await within(dialog).findByText(/The rider pays the price you choose/),
    ).toBeInTheDocument()
    await user.click(within(dialog).getByRole('button', { name: 'Save decision' }))
    expect(await within(dialog).findByRole('alert')).toHaveTextContent('Choose')
    await user.click(await within(dialog).findByRole('radio', { name: /As driven/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Save decision' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    const reviews = backend.calls.filter(({ name }) => name === 'advance_booking')
    expect(reviews.map(({ input }) => input)).toEqual([
      { booking_id: id, event: 'review', decision: 'driven' },
    ])
  })

  test('shows the reason on its own page and offers to pay the difference to the driver when it is already paid', async () => {
    const { user } = await renderApp(`/bookings/${id}`, {
      as: 'admin',
      seed: office(flagged({ status: 'PAID', paid_at: 2 })),
    })
    expect(await screen.findByText('Much longer than planned')).toBeInTheDocument()
    expect(screen.getByText('Drives the same streets repeatedly')).toBeInTheDocument()
    expect(screen.getByText('Not plausible')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Review' }))
    const dialog = await screen.findByRole('dialog', { name: 'Review fare' })
    expect(await within(dialog).findByText(/rider’s price stays/)).toBeInTheDocument()
    const radios = within(dialog).getAllByRole('radio')
    expect(radios.map((radio) => radio.closest('label')?.textContent)).toEqual([
      expect.stringContaining('Keep the price'),
      expect.stringMatching(/As driven · .* to the driver’s wallet/),
    ])
  })

  test('cannot be decided in demo mode or by a fleet admin', async () => {
    const demo = office(flagged(), { AllowCriticalEditsAdmin: false })
    const { user } = await renderApp(`/bookings/${id}`, { as: 'admin', seed: demo })
    await user.click(await screen.findByRole('button', { name: 'Review' }))
    expect(await screen.findByText('This change is turned off in the demo.')).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    cleanup()
    await renderApp(`/bookings/${id}`, {
      as: 'fleet',
      seed: office(flagged({ fleetadmin: 'fleet' })),
    })
    expect(await screen.findByText('Much longer than planned')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Review' })).not.toBeInTheDocument()
  })

  test('shows the decision and who made it', async () => {
    const decided = flagged({
      distance_review: {
        verdict: 'flagged',
        dropped_points: 0,
        charged_time: 840,
        decision: 'keep',
        decided_by: 'admin',
        decided_at: 1_790_000_000_000,
      },
    })
    await renderApp(`/bookings/${id}`, { as: 'admin', seed: office(decided) })
    expect(await screen.findByText('Keep the price')).toBeInTheDocument()
    expect(await within(screen.getByRole('main')).findByText(/Alma Admin/)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Review' })).not.toBeInTheDocument()
  })
})

test('cancels many bookings at once and shows a result for each', async () => {
  const [fine, gone] = [toBookingKey(1), toBookingKey(2)]
  const { user, backend } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [
        aBooking({ id: fine, booking_id: fine }),
        aBooking({ id: gone, booking_id: gone, status: 'PAID' }),
      ],
    }),
    handlers: { advance_booking: () => ({ booking_id: fine, status: 'CANCELLED', revision: 2 }) },
  })
  await user.click(await screen.findByRole('checkbox', { name: `Select ${referenceAt(fine, 0)}` }))
  await user.click(screen.getByRole('checkbox', { name: 'Select all on this page' }))
  await user.click(screen.getByRole('button', { name: 'Cancel selected' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel selected' })
  await within(dialog).findByRole('option', { name: 'Wrong address' })
  await user.selectOptions(within(dialog).getByRole('combobox'), 'Wrong address')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel selected' }))
  await within(dialog).findByRole('button', { name: 'Done' })
  const rows = within(dialog).getAllByRole('listitem')
  const getRowText = (id: string) =>
    rows.find((row) => row.textContent?.includes(referenceAt(id, 0)))?.textContent
  expect(getRowText(fine)).toContain('Canceled')
  expect(getRowText(gone)).toContain('This is no longer possible')
  expect(backend.calls.map(({ input }) => input)).toEqual([
    { booking_id: fine, event: 'cancel', reason: 'Wrong address' },
  ])
})

test('shows a live count on each status tab and only the bookings of that status', async () => {
  const bookings = [
    aBooking({ id: toBookingKey(1), booking_id: toBookingKey(1) }),
    aBooking({ id: toBookingKey(2), booking_id: toBookingKey(2), status: 'PAID' }),
  ]
  const { user, backend } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({ bookings, more: { stats: { status: { NEW: 1, PAID: 1 } } } }),
  })
  await user.click(await screen.findByRole('tab', { name: 'Paid1' }))
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(2), 0) }),
  ).toBeInTheDocument()
  await waitFor(() =>
    expect(
      screen.queryByRole('link', { name: referenceAt(toBookingKey(1), 0) }),
    ).not.toBeInTheDocument(),
  )
  backend.update({ 'stats/status/PAID': 2 })
  expect(await screen.findByRole('tab', { name: 'Paid2' })).toBeInTheDocument()
})

test('shows the current state of a booking that changes', async () => {
  const id = toBookingKey(1)
  const { backend } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({ bookings: [aBooking({ id, booking_id: id })] }),
  })
  await screen.findByRole('link', { name: referenceAt(id, 0) })
  backend.update({ [`bookings/${id}/driver_name`]: 'Zoe Zapata' })
  expect(await screen.findByText('Zoe Zapata')).toBeInTheDocument()
})

test('sends an offer to the nearest free driver of the vehicle type and confirms it to the admin', async () => {
  const id = toBookingKey(1)
  const { user, backend } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id, booking_id: id })],
      people: [aDriver({ id: 'far', firstName: 'Fabio', email: 'far@kerbside.example' })],
      more: { available_drivers: nearbyDrivers },
    }),
    handlers: { advance_booking: () => ({ booking_id: id, status: 'NEW', revision: 2 }) },
  })
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name: 'Assign driver' }))
  const dialog = await screen.findByRole('dialog')
  const names = (await within(dialog).findAllByRole('button', { name: /^Assign to/ })).map(
    (button) => button.getAttribute('aria-label'),
  )
  expect(names).toEqual(['Assign to Beto Silva', 'Assign to Fabio Silva'])
  await user.click(within(dialog).getByRole('button', { name: 'Assign to Beto Silva' }))
  expect(await screen.findByText('The driver was assigned and notified.')).toBeInTheDocument()
  expect(backend.calls.at(-1)).toEqual({
    name: 'advance_booking',
    input: { booking_id: id, event: 'assign', driver: 'driver' },
  })
})

test('offers what is possible with a booking in the menu of its row, also by the keyboard', async () => {
  const bookings = [
    aBooking({ id: toBookingKey(1), booking_id: toBookingKey(1) }),
    aBooking({ id: toBookingKey(2), booking_id: toBookingKey(2), status: 'COMPLETE' }),
  ]
  const { user } = await renderApp('/bookings', { as: 'admin', seed: anOfficeSeed({ bookings }) })
  const name = `Actions for ${referenceAt(toBookingKey(1), 0)}`
  const button = await screen.findByRole('button', { name })
  // Nothing is possible with an ended booking.
  expect(screen.getAllByRole('button', { name: /^Actions for/ })).toEqual([button])
  button.focus()
  await user.keyboard('{Enter}')
  const menu = screen.getByRole('group', { name })
  const actions = within(menu).getAllByRole('button')
  expect(actions.map(({ textContent }) => textContent)).toEqual([
    'Assign driver',
    'Change booking',
    'Cancel booking',
  ])
  expect(actions[0]).toHaveFocus()
  await user.keyboard('{ArrowUp}')
  expect(actions[2]).toHaveFocus()
  await user.keyboard('{Escape}')
  expect(menu).not.toBeInTheDocument()
  expect(button).toHaveFocus()
  await user.click(button)
  await user.click(screen.getByRole('heading', { level: 1 }))
  expect(screen.queryByRole('group', { name })).not.toBeInTheDocument()
})

test('does not list busy or unapproved drivers', async () => {
  const id = toBookingKey(1)
  const { user } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id, booking_id: id })],
      people: [aDriver({ id: 'far', firstName: 'Fabio', queue: true })],
      more: { available_drivers: nearbyDrivers },
    }),
  })
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name: 'Assign driver' }))
  expect(await screen.findByRole('button', { name: 'Assign to Beto Silva' })).toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Assign to Fabio Silva' })).not.toBeInTheDocument()
})

test('requires a reason for canceling and sends it with the request', async () => {
  const id = toBookingKey(1)
  const { user, backend } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({ bookings: [aBooking({ id, booking_id: id })] }),
    handlers: { advance_booking: () => ({ booking_id: id, status: 'CANCELLED', revision: 2 }) },
  })
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name: 'Cancel booking' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }))
  expect(within(dialog).getByRole('alert')).toHaveTextContent('Please choose a reason.')
  await user.click(await within(dialog).findByRole('radio', { name: 'Wrong address' }))
  await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }))
  expect(await screen.findByText('The booking was canceled.')).toBeInTheDocument()
  expect(backend.calls.at(-1)?.input).toEqual({
    booking_id: id,
    event: 'cancel',
    reason: 'Wrong address',
  })
  // Closing the dialog goes back in the history, which would change the URL of the next test.
  await waitFor(() => expect(window.location.search).toBe(''))
})

test('cancels one booking or many on a platform without cancellation reasons', async () => {
  const id = toBookingKey(1)
  const { user, backend } = await renderApp(`/bookings?bulk=cancel~${id}`, {
    as: 'admin',
    seed: anOfficeSeed({ bookings: [aBooking({ id, booking_id: id })], reasons: [] }),
    handlers: { advance_booking: () => ({ booking_id: id, status: 'CANCELLED', revision: 2 }) },
  })
  const many = await screen.findByRole('dialog', { name: 'Cancel selected' })
  expect(await within(many).findByRole('option', { name: 'Another reason' })).toBeInTheDocument()
  await user.click(within(many).getByRole('button', { name: 'Close' }))
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name: 'Cancel booking' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' })
  await user.click(await within(dialog).findByRole('radio', { name: 'Another reason' }))
  await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }))
  expect(await screen.findByText('The booking was canceled.')).toBeInTheDocument()
  expect(backend.calls.at(-1)?.input).toMatchObject({ event: 'cancel', reason: 'Another reason' })
})

test('cancels an unpaid booking with the fixed reason', async () => {
  const id = toBookingKey(1)
  const { user, backend } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({ bookings: [aBooking({ id, booking_id: id, status: 'PAYMENT_PENDING' })] }),
    handlers: { advance_booking: () => ({ booking_id: id, status: 'CANCELLED', revision: 2 }) },
  })
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name: 'Cancel booking' }))
  const dialog = await screen.findByRole('dialog')
  await user.click(within(dialog).getByRole('button', { name: 'Cancel booking' }))
  await waitFor(() => expect(backend.calls).toHaveLength(1), { timeout: 5000 })
  expect(backend.calls[0]?.input).toMatchObject({ reason: 'incomplete_booking' })
})

test('refuses to cancel, offers no export and hides phone numbers in demo mode', async () => {
  const id = toBookingKey(1)
  const { user } = await renderApp('/bookings', {
    as: 'admin',
    seed: anOfficeSeed({
      settings: { AllowCriticalEditsAdmin: false },
      bookings: [aBooking({ id, booking_id: id })],
      contacts: { deliveryPersonPhone: '099 123 456' },
    }),
  })
  await openRowMenu(user)
  await user.click(screen.getByRole('button', { name: 'Cancel booking' }))
  expect(await screen.findByText('This change is turned off in the demo.')).toBeInTheDocument()
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Export CSV' })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Export Excel' })).not.toBeInTheDocument()
  expect(await screen.findByText('Hidden for Demo')).toBeInTheDocument()
  expect(screen.queryByText('099 123 456')).not.toBeInTheDocument()
})

test('a fleet admin loads older bookings past the first thousand, and goes back', async () => {
  const bookings = createBookings(1000).map((booking) => ({ ...booking, fleetadmin: 'fleet' }))
  const { user } = await renderApp('/bookings', { as: 'fleet', seed: anOfficeSeed({ bookings }) })
  expect(await screen.findByText(referenceAt(toBookingKey(999), 0))).toBeInTheDocument()
  // Says that the order of the table is the order of these, not of all.
  expect(
    screen.getByText('Search and sorting cover the 30 entries loaded here.'),
  ).toBeInTheDocument()
  const older = async () => user.click(await screen.findByText('Load older entries'))
  // 30, 90, 270, 810 and 990 on one page, then the next page.
  for (let clicks = 1; clicks <= 5; clicks++) await older()
  expect(await screen.findByText(referenceAt(toBookingKey(9), 0))).toBeInTheDocument()
  expect(screen.queryByText(referenceAt(toBookingKey(10), 0))).not.toBeInTheDocument()
  expect(screen.queryByText('Load older entries')).not.toBeInTheDocument()
  expect(screen.queryByText(/^Search and sorting cover/)).not.toBeInTheDocument()
  await user.click(screen.getByText('Back to newer bookings'))
  expect(await screen.findByText(referenceAt(toBookingKey(999), 0))).toBeInTheDocument()
})

test('shows a fleet admin the bookings of their drivers without assigning or canceling', async () => {
  const bookings = [
    aBooking({
      id: toBookingKey(1),
      booking_id: toBookingKey(1),
      status: 'ACCEPTED',
      fleetadmin: 'fleet',
    }),
    aBooking({ id: toBookingKey(2), booking_id: toBookingKey(2), fleetadmin: 'other' }),
  ]
  await renderApp('/bookings', { as: 'fleet', seed: anOfficeSeed({ bookings }) })
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(1), 0) }),
  ).toBeInTheDocument()
  expect(
    screen.queryByRole('link', { name: referenceAt(toBookingKey(2), 0) }),
  ).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Cancel booking' })).not.toBeInTheDocument()
  expect(screen.queryByRole('columnheader', { name: 'Trip code' })).not.toBeInTheDocument()
})

test('shows the people, the payment and the history of a booking in its details', async () => {
  const id = toBookingKey(1)
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
    seed: anOfficeSeed({
      bookings: [booking],
      contacts: { deliveryPersonPhone: '099 123 456' },
      more: { booking_otps: { [id]: 54321 } },
    }),
  })
  const panel = await screen.findByRole('dialog')
  for (const contact of ['+15555550199', 'rider@kerbside.example', '+15555550102', '099 123 456'])
    expect(await within(panel).findByText(contact)).toBeInTheDocument()
  expect(await within(panel).findByText('Carla Caro')).toBeInTheDocument()
  expect(within(panel).getAllByText('Base fare').length).toBeGreaterThan(0)
  expect(within(panel).getByText('54321')).toBeInTheDocument()
  expect(within(panel).getByRole('heading', { name: 'Timeline' })).toBeInTheDocument()
})

const STEPS: Partial<Record<Status, TripStep>> = {
  ACCEPTED: 'arrive',
  ARRIVED: 'start',
  STARTED: 'reach',
  REACHED: 'finish',
  PENDING: 'collect',
}

test.each(STATUSES)('offers only the allowed actions on a booking that is %s', (status) => {
  const booking = aBooking({ status })
  const admin = anAdmin()
  expect(getAllowedActions(booking, admin, aSettings())).toEqual({
    assign: status === 'NEW',
    take: false,
    hand_back: false,
    keep_waiting: false,
    amend: ['PAYMENT_PENDING', 'NEW', 'ACCEPTED', 'ARRIVED', 'STARTED'].includes(status),
    release: ['ACCEPTED', 'ARRIVED'].includes(status),
    no_show: status === 'ARRIVED',
    step: STEPS[status],
    compensate: ['PAID', 'COMPLETE', 'CANCELLED'].includes(status),
    cancel: ['NEW', 'ACCEPTED', 'PAYMENT_PENDING'].includes(status),
  })
  const automatic = aSettings({ autoDispatch: true })
  expect(getAllowedActions(booking, admin, automatic)).toMatchObject({
    assign: false,
    take: status === 'NEW',
    hand_back: false,
  })
  const taken = { ...booking, taken_by: admin.id }
  expect(getAllowedActions(taken, admin, automatic)).toMatchObject({
    assign: status === 'NEW',
    take: false,
    hand_back: status === 'NEW',
  })
  const waiting = { ...booking, wait_until: booking.bookingDate }
  expect(getAllowedActions(waiting, admin, aSettings()).keep_waiting).toBe(status === 'NEW')
  const requeued = {
    ...booking,
    requeued_at: booking.bookingDate,
    due_at: booking.bookingDate + 1,
  }
  expect(getAllowedActions(requeued, admin, automatic).assign).toBe(status === 'NEW')
  const asked = { ...requeued, requestedDrivers: { driver: true } as const }
  expect(getAllowedActions(asked, admin, automatic).assign).toBe(false)
  expect(getAllowedActions(booking, aRider({ usertype: 'fleetadmin' }), aSettings())).toEqual({
    assign: false,
    take: false,
    hand_back: false,
    keep_waiting: false,
    amend: false,
    release: false,
    no_show: false,
    compensate: false,
    cancel: false,
    step: undefined,
  })
})

describe('the row of a booking', () => {
  test('is a link to its page, which a click opens in the drawer', async () => {
    const id = toBookingKey(1)
    const { user } = await renderApp('/bookings', {
      as: 'admin',
      seed: anOfficeSeed({ bookings: [aBooking({ id, booking_id: id })] }),
    })
    const link = await screen.findByRole('link', { name: referenceAt(id, 0) })
    expect(link).toHaveAttribute('href', `/bookings/${id}`)
    await user.click(link)
    await waitFor(() => expect(window.location.search).toBe(`?open=${id}`))
    const drawer = await screen.findByRole('dialog')
    expect(within(drawer).getByRole('heading', { name: referenceAt(id, 0) })).toBeInTheDocument()
  })

  test('has the columns that a dispatcher needs, with the customer’s phone and the requested drivers', async () => {
    const id = toBookingKey(1)
    await renderApp('/bookings', {
      as: 'admin',
      seed: anOfficeSeed({
        bookings: [aBooking({ id, booking_id: id, requestedDrivers: { driver: true } })],
        contacts: { customer_contact: '+15555550199' },
      }),
    })
    expect(await screen.findByText('+15555550199')).toBeInTheDocument()
    expect(await screen.findByText('Beto Silva')).toBeInTheDocument()
    expect(screen.getByText('Has an offer')).toBeInTheDocument()
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      '',
      'Reference',
      'Booked↓',
      'Status',
      'Customer',
      'Route',
      'Driver',
      'Trip cost',
      'Actions',
    ])
  })
})

test('goes back from the next page to the previous one', async () => {
  const { user } = await renderApp(SMALL_PAGE, {
    as: 'admin',
    seed: anOfficeSeed({ bookings: createBookings(12) }),
  })
  await screen.findByRole('link', { name: referenceAt(toBookingKey(11), 0) })
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  await screen.findByRole('link', { name: referenceAt(toBookingKey(1), 0) })
  window.history.back()
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(11), 0) }),
  ).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: /Next page/ }))
  await screen.findByRole('link', { name: referenceAt(toBookingKey(1), 0) })
  await user.click(screen.getByRole('button', { name: /Previous page/ }))
  expect(
    await screen.findByRole('link', { name: referenceAt(toBookingKey(11), 0) }),
  ).toBeInTheDocument()
})

test('goes back one page after a reload, and to the first page from a link', async () => {
  const seed = anOfficeSeed({ bookings: createBookings(32) })
  const shown = (n: number) => screen.findByRole('link', { name: referenceAt(toBookingKey(n), 0) })
  const { user } = await renderApp(SMALL_PAGE, { as: 'admin', seed })
  await shown(31)
  for (const n of [21, 11]) {
    await user.click(screen.getByRole('button', { name: /Next page/ }))
    await shown(n)
  }
  const address = `/bookings${window.location.search}`
  cleanup()
  const reloaded = await renderApp(address, { as: 'admin', seed })
  await shown(11)
  await reloaded.user.click(screen.getByRole('button', { name: /Previous page/ }))
  await shown(21)
  cleanup()
  sessionStorage.clear()
  const linked = await renderApp(address, { as: 'admin', seed })
  await shown(11)
  await linked.user.click(screen.getByRole('button', { name: /Previous page/ }))
  await shown(31)
})

test.each([
  [
    'reference',
    referenceAt(toBookingKey(0), 0).toLowerCase().replace('-', ' '),
    /^Booking /,
    `open=${toBookingKey(0)}`,
  ],
  ['recipient’s phone', '099 123 456', /^Booking /, `open=${toBookingKey(0)}`],
  ['customer’s phone', '+1 555 555 0199', 'Bookings of Ana Lima', 'customer=rider'],
  ['customer’s national number', '099 123 457', 'Bookings of Ana Lima', 'customer=local'],
  ['driver’s name', 'beto sil', 'Bookings of Beto Silva', 'driver=driver'],
  ['plate', 'sba 1234', 'Bookings of Beto Silva', 'driver=driver'],
  ['plate without its space', 'sba1234', 'Bookings of Beto Silva', 'driver=driver'],
])(
  'finds bookings by the %s, even when they are older than the pages searched first',
  async (_, text, name, query) => {
    const id = toBookingKey(0)
    await renderApp(`/bookings?q=${encodeURIComponent(text)}`, {
      as: 'admin',
      seed: anOfficeSeed({
        bookings: createBookings(102),
        people: [
          aRider({ id: 'rider', mobile: '+15555550199' }),
          aRider({ id: 'local', mobile: '+59899123457' }),
          aDriver({ id: 'driver', vehicleNumber: 'SBA 1234', mobile: '+15555550102' }),
        ],
        more: {
          booking_refs: { [referenceAt(id, 0)]: id },
          booking_contacts: {
            [id]: {
              customer_contact: '+15555550199',
              customer_email: '',
              deliveryPersonPhone: '099 123 456',
            },
          },
        },
      }),
    })
    const hit = await screen.findByRole('link', { name })
    expect(hit).toHaveAttribute('href', `/bookings?${query}`)
  },
)

test.each([
  ['099 123 456', '099123456'],
  ['099 123 456', '+598 99 123 456'],
  ['099123456', '+59899123456'],
  ['+59899123456', '099 123 456'],
  ['+598 99 123 456', '099123456'],
  ['099 123 456', '(099) 123-456'],
  ['(099) 123 456', '(099) 123 456'],
])('finds the recipient’s phone that was typed as %s when searched as %s', async (typed, text) => {
  const id = toBookingKey(0)
  await renderApp(`/bookings?q=${encodeURIComponent(text)}`, {
    as: 'admin',
    seed: anOfficeSeed({
      bookings: [aBooking({ id, booking_id: id })],
      more: {
        booking_contacts: {
          [id]: { customer_contact: '', customer_email: '', deliveryPersonPhone: typed },
        },
      },
    }),
  })
  const hit = await screen.findByRole('link', { name: /^Booking / })
  expect(hit).toHaveAttribute('href', `/bookings?open=${id}`)
})

test('shows a fleet admin no results for a reference of another fleet', async () => {
  const own = toBookingKey(1)
  const { user, backend } = await renderApp('/bookings', {
    as: 'fleet',
    seed: anOfficeSeed({ bookings: [aBooking({ id: own, booking_id: own, fleetadmin: 'fleet' })] }),
  })
  const { database } = backend.services
  const { subscribe } = database
  const refused: string[] = []
  // The rules refuse it whether the reference exists or not.
  database.subscribe = (query, onValue, onError) => {
    if (!query.path.startsWith('booking_refs/')) return subscribe(query, onValue, onError)
    refused.push(query.path)
    onError(new ServiceError('permission-denied', 'not_allowed'))
    return () => undefined
  }
  await screen.findByRole('link', { name: referenceAt(own, 0) })
  const reference = referenceAt(toBookingKey(2), 0)
  await user.type(screen.getByRole('searchbox'), reference)
  // A part of the reference has no results either, before the whole one is searched.
  await waitFor(() => expect(refused).toContain(`booking_refs/${reference}`))
  expect(await screen.findByText('No results')).toBeInTheDocument()
  expect(await screen.findByText('Try other words or clear the search.')).toBeInTheDocument()
  expect(
    screen.queryByRole('navigation', { name: 'Matches in all bookings' }),
  ).not.toBeInTheDocument()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()

  await user.keyboard('{Control>}k{/Control}')
  await user.type(await screen.findByRole('combobox', { name: 'Search' }), reference)
  expect(await screen.findByText('No people or bookings found')).toBeInTheDocument()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()

  await user.click(screen.getByRole('option', { name: `Search bookings for “${reference}”` }))
  expect(await screen.findByRole('button', { name: 'Clear search' })).toBeInTheDocument()
})
