import { expect, test } from 'vitest'
import { listing } from '~/domain/dispatch'
import { aSettings } from '~/domain/testing/builders'
import { randomFrom } from '~/domain/testing/random'
import { memoryDatabase } from './memoryDatabase'
import { driversAround } from './nearby'

const CENTRE = { lat: -34.905, lng: -56.19 }
const settings = aSettings({ driverRadius: 10, convert_to_mile: false })

/** So many drivers within about eight kilometres. */
const city = (count: number) => {
  const random = randomFrom(7)
  const drivers = Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const location = {
        lat: CENTRE.lat + random.whole(-500, 500) / 10_000,
        lng: CENTRE.lng + random.whole(-500, 500) / 10_000,
      }
      const carType = at % 4 === 0 ? 'van' : 'bike'
      return [`driver-${String(at).padStart(4, '0')}`, listing({ carType, location }, 1)]
    }),
  )
  const db = memoryDatabase({ available_drivers: drivers })
  let rows = 0
  const list: typeof db.list = async (path, query) => {
    const page = await db.list(path, query)
    rows += page.length
    return page as never
  }
  return { db: { ...db, list }, rows: () => rows }
}

test('the nearest are the same, however few are asked for', async () => {
  const { db } = city(400)
  const all = await driversAround(db, CENTRE, 'van', settings, Infinity)
  expect(all).toHaveLength(100)
  for (const enough of [1, 20, 60]) {
    const some = await driversAround(db, CENTRE, 'van', settings, enough)
    expect(some.length).toBeGreaterThanOrEqual(enough)
    expect(some).toEqual(all.slice(0, some.length))
  }
})

test('in a full city the next few cost a part of it', async () => {
  const { db, rows } = city(800)
  await driversAround(db, CENTRE, 'van', settings, 1)
  expect(rows()).toBeLessThan(200)
})

test('where there are few it looks as far as the settings allow, and no farther', async () => {
  const { db } = city(3)
  expect(await driversAround(db, CENTRE, 'van', settings, 20)).toHaveLength(1)
  const near = aSettings({ driverRadius: 0.01, convert_to_mile: false })
  expect(await driversAround(db, CENTRE, 'van', near, 20)).toEqual([])
})
