import { screen, waitFor, within } from '@testing-library/react'
import { expect, onTestFinished, test } from 'vitest'
import { referenceAt } from '~/domain/booking/search/reference'
import { aBooking, aVehicleType, aRider, aSettings } from '~/domain/testing/builders'
import { renderApp } from './renderApp'
import type { Tree } from '~/src/services/memory/backendTypes'
import type { Booking } from '~/domain/booking/types'

const rita = aRider({ id: 'rita', mobile: '+15555550103', walletBalance: 100 })
const id = (index: number) => `-O${String(index).padStart(18, '0')}`
const mine = (index: number, over: Partial<Booking> = {}) =>
  aBooking({
    id: id(index),
    booking_id: id(index),
    customer: 'rita',
    status: 'COMPLETE',
    bookingDate: 1_000 + index,
    ...over,
  })
const seed = (bookings: Booking[], settings: Parameters<typeof aSettings>[0] = {}) =>
  JSON.parse(
    JSON.stringify({
      settings: aSettings(settings),
      cartypes: { van: aVehicleType() },
      users: { rita },
      bookings: Object.fromEntries(bookings.map((b) => [b.id, b])),
    }),
  ) as Tree
const open = (
  bookings: Booking[],
  {
    tab = 'all',
    settings,
    handlers,
  }: {
    tab?: string
    settings?: Parameters<typeof aSettings>[0]
    handlers?: Record<string, (input: never) => unknown>
  } = {},
) =>
  renderApp(`/bookings?view=table&tab=${tab}`, {
    seed: seed(bookings, settings),
    as: 'rita',
    ...(handlers && { handlers: handlers }),
  })
const table = () => screen.findByRole('region', { name: 'My bookings' })
const findRow = async (index: number) => {
  const row = within(await table())
    .getByText(referenceAt(id(index), 0))
    .closest('tr')
  if (!row) throw new Error('The booking has no row.')
  return within(row)
}

test('offers payment and cancellation in a row exactly when the booking’s page does', async () => {
  const { user } = await open([
    mine(1, { status: 'PAYMENT_PENDING' }),
    mine(2, { status: 'NEW' }),
    mine(3, { status: 'PENDING', driver: 'beto' }),
    mine(4, { status: 'STARTED', driver: 'beto' }),
  ])
  const offered = async (index: number) => {
    const row = await findRow(index)
    return ['Pay now', 'Cancel booking'].filter((name) => row.queryByRole('button', { name }))
  }
  expect(await offered(1)).toEqual(['Pay now', 'Cancel booking'])
  expect(await offered(2)).toEqual(['Cancel booking'])
  expect(await offered(3)).toEqual(['Pay now'])
  expect(await offered(4)).toEqual([])
  await user.click((await findRow(2)).getByRole('button', { name: 'Cancel booking' }))
  const dialog = await screen.findByRole('dialog', { name: 'Cancel this booking?' })
  await user.click(within(dialog).getByRole('button', { name: 'Keep as it is' }))
  await user.click((await findRow(1)).getByRole('button', { name: 'Pay now' }))
  expect(
    await screen.findByRole('dialog', { name: 'How would you like to pay?' }),
  ).toBeInTheDocument()
})

test('exports all of a rider’s bookings in the tab, with reasons in words', async () => {
  const older = mine(0, { status: 'CANCELLED', reason: 'no_driver', bookingDate: 1 })
  const pages = [
    { rows: [older, mine(1)], next: id(1) },
    { rows: [mine(2, { status: 'CANCELLED', reason: 'no_driver' })], next: null },
  ]
  const { user, backend } = await open([mine(2, { status: 'CANCELLED', reason: 'no_driver' })], {
    tab: 'cancelled',
    handlers: {
      export_bookings: ({ cursor }: { cursor?: string }) => pages[cursor ? 1 : 0],
    },
  })
  const files: Blob[] = []
  const made = URL.createObjectURL
  URL.createObjectURL = (file) => {
    files.push(file as Blob)
    return 'blob:kept'
  }
  onTestFinished(() => {
    URL.createObjectURL = made
  })
  await table()
  await user.click(screen.getByText('Export'))
  expect(screen.getByRole('button', { name: /Excel|XLSX/ })).toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(files).toHaveLength(1))
  expect(backend.calls.filter(({ name }) => name === 'export_bookings')).toHaveLength(2)
  const text = await files[0]?.text()
  expect(text).toContain(referenceAt(id(2), 0))
  expect(text).toContain('No driver was found.')
  expect(text).not.toContain(referenceAt(id(1), 0))
  // The newest booking is first, as on the screen.
  expect(text?.indexOf(referenceAt(id(2), 0))).toBeLessThan(
    text?.indexOf(referenceAt(id(0), 0)) ?? -1,
  )
})

test('offers a rider no export in demo mode', async () => {
  await open([mine(1)], { settings: { AllowCriticalEditsAdmin: false } })
  await table()
  expect(screen.queryByText('Export')).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'Export CSV' })).not.toBeInTheDocument()
})

const many = Array.from({ length: 60 }, (_, index) => mine(index + 100))
const search = async (user: Awaited<ReturnType<typeof open>>['user'], words: string) => {
  await table()
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), words)
}

test('searches bookings that are not loaded, and shows its progress and its end', async () => {
  let answerSecond = () => {}
  const old = mine(1, { dropAddress: 'Harbor gate' })
  const { user, backend } = await open(many, {
    handlers: {
      find_bookings: ({ cursor }: { cursor?: string }) =>
        cursor
          ? new Promise((done) => (answerSecond = () => done({ rows: [], looked: 60, next: null })))
          : { rows: [old], looked: 200, next: id(99) },
    },
  })
  await search(user, 'harbor')
  expect(await screen.findByText('Searched 200 bookings so far…')).toBeInTheDocument()
  expect(within(await table()).getByText(referenceAt(id(1), 0))).toBeInTheDocument()
  answerSecond()
  expect(await screen.findByText('Searched all your bookings (260).')).toBeInTheDocument()
  expect(backend.calls.filter(({ name }) => name === 'find_bookings')).toEqual([
    { name: 'find_bookings', input: { words: 'harbor' } },
    { name: 'find_bookings', input: { words: 'harbor', cursor: id(99) } },
  ])
})

test('says that other tabs have matches when a search finds nothing in this tab', async () => {
  const old = mine(1, { dropAddress: 'Harbor gate' })
  const { user } = await open(many, {
    tab: 'cancelled',
    handlers: { find_bookings: () => ({ rows: [old], looked: 61, next: null }) },
  })
  await user.type(await screen.findByRole('searchbox', { name: 'Search' }), 'harbor')
  expect(await screen.findByText(/Matches in other tabs: 1\./)).toBeInTheDocument()
  expect(screen.getByText('No results')).toBeInTheDocument()
})

test('says that a search failed and offers another attempt', async () => {
  let fails = true
  const { user } = await open(many, {
    handlers: {
      find_bookings: () => {
        if (fails) throw new Error('offline')
        return { rows: [], looked: 60, next: null }
      },
    },
  })
  await search(user, 'harbor')
  expect(await screen.findByText(/older bookings could not be searched/)).toBeInTheDocument()
  fails = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Searched all your bookings (60).')).toBeInTheDocument()
})

test('sends no request for a search when all bookings are loaded', async () => {
  const { user, backend } = await open([mine(1), mine(2)])
  await search(user, 'harbor')
  expect(await screen.findByText('Searched all your bookings (2).')).toBeInTheDocument()
  expect(backend.calls.map(({ name }) => name)).not.toContain('find_bookings')
})

test('a phone’s card of a booking for later has the pickup time', async () => {
  window.matchMedia = (query) =>
    ({ matches: true, media: query, addEventListener() {}, removeEventListener() {} }) as never
  onTestFinished(() => Reflect.deleteProperty(window, 'matchMedia') as never)
  const tripdate = Date.UTC(2040, 4, 17, 12)
  await open([mine(1, { status: 'NEW', bookLater: true, tripdate })])
  const card = (await screen.findByText(referenceAt(id(1), 0))).closest('li')
  card?.querySelector('details')?.remove()
  expect(card).toHaveTextContent(/2040/)
})
