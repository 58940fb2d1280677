import { describe, expect, test } from 'vitest'
import { aBooking, aRider, NOON } from '~/domain/testing/builders'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { equalPage } from '~/src/services/services'
import { byDate, getCursor, toPageQuery, type BookingListQuery } from './bookings'
import type { Booking } from '~/domain/booking/types'

const numbered = (number: number, over: Partial<Booking> = {}) =>
  aBooking({
    id: `-O${String(number).padStart(18, '0')}`,
    bookingDate: NOON + number,
    ...over,
  })
/** Returns all pages that an admin sees, following each page's cursor. */
const readPages = async (stored: Booking[], page: BookingListQuery): Promise<string[][]> => {
  const admin = aRider({ id: 'admin', usertype: 'admin' })
  const seed = {
    users: { admin },
    bookings: Object.fromEntries(stored.map((one) => [one.id, one])),
  } as never
  const { services } = makeMemoryBackend({ seed, as: 'admin' })
  const pages: string[][] = []
  let cursor: string | undefined
  do {
    const query = toPageQuery({ ...page, ...(cursor && { cursor }) })
    const rows = (await services.database.read(query)) as Record<string, Booking> | null
    const found = Object.values(rows ?? {}).sort(byDate)
    if (page.ascending) found.reverse()
    const last = found.at(-1)
    cursor = last && getCursor(last, page)
    if (found.length > 0) pages.push(found.map(({ id }) => id))
  } while (cursor)
  return pages
}

test('sorts bookings by creation time even when a client chose an id that sorts first', async () => {
  const first = numbered(0, { id: '-zzzzzzzzzzzzzzzzzzz' })
  const stored = [first, numbered(1), numbered(2), numbered(3)]
  const ids = stored.map(({ id }) => id).reverse()
  expect(await readPages(stored, { size: 2 })).toEqual([ids.slice(0, 2), ids.slice(2)])
})

describe.each([
  ['newest', false],
  ['oldest', true],
] as const)('%s first', (_, ascending) => {
  const inOrder = (bookings: Booking[]) => {
    const ids = bookings.map(({ id }) => id)
    return ascending ? ids : ids.reverse()
  }

  test('shows each of a hundred bookings of the same millisecond on one page', async () => {
    const stored = Array.from({ length: 100 }, (_, i) => numbered(i, { bookingDate: NOON }))
    const pages = await readPages(stored, { size: 7, ascending })
    expect(pages.flat()).toEqual(inOrder(stored))
    expect(pages).toHaveLength(15)
  })

  test('pages through a range of days', async () => {
    const stored = Array.from({ length: 10 }, (_, i) => numbered(i))
    const pages = await readPages(stored, { size: 3, ascending, from: NOON + 2, until: NOON + 7 })
    expect(pages.flat()).toEqual(inOrder(stored.slice(2, 8)))
    expect(pages).toHaveLength(2)
  })

  test('pages through the bookings of one status, and no others', async () => {
    const stored = Array.from({ length: 20 }, (_, i) =>
      numbered(i, { status: i % 2 ? 'NEW' : 'CANCELLED' }),
    )
    const pages = await readPages(stored, { size: 3, ascending, status: 'NEW' })
    expect(pages.flat()).toEqual(inOrder(stored.filter(({ status }) => status === 'NEW')))
    expect(pages).toHaveLength(4)
  })
})

test.each(['-O000000000000000009', 'x.', '.-O1', 'NaN.-O1'])(
  'starts at the first page for the invalid cursor %j',
  (cursor) => {
    expect(toPageQuery({ cursor })).toEqual(toPageQuery({}))
  },
)

test('pages by id through all bookings with one value, and no others', async () => {
  const stored = Array.from({ length: 30 }, (_, i) => numbered(i, { fleetadmin: `f${i % 2}` }))
  const ids = stored.filter(({ fleetadmin }) => fleetadmin === 'f1').map(({ id }) => id)
  const admin = aRider({ id: 'admin', usertype: 'admin' })
  const seed = {
    users: { admin },
    bookings: Object.fromEntries(stored.map((one) => [one.id, one])),
  } as never
  const { services } = makeMemoryBackend({ seed, as: 'admin' })
  const seen: string[] = []
  for (let before: string | undefined; seen.length < ids.length; before = seen[0]) {
    const page = equalPage('fleetadmin', 'f1', { size: 4, cursor: before })
    const rows = (await services.database.read({ path: 'bookings', ...page })) as Record<
      string,
      Booking
    >
    seen.unshift(...Object.keys(rows).sort())
  }
  expect(seen).toEqual(ids)
})
