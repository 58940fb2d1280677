import { expect, test } from 'vitest'
import { toAvailability } from '~/domain/dispatch/dispatch'
import { aSettings } from '~/domain/testing/builders'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { createTestDatabase } from '../../testing/testDatabase'
import { findNearbyDrivers, findSoonestPickup } from './nearbyDrivers'

const CENTRE = { lat: -34.905, lng: -56.19 }
const settings = aSettings({ driverRadius: 10, convert_to_mile: false })

/** Returns a city with `count` drivers within about eight kilometers. */
const city = (count: number) => {
  const random = createSeededRandom(7)
  const drivers = Object.fromEntries(
    Array.from({ length: count }, (_, at) => {
      const location = {
        lat: CENTRE.lat + random.integer(-500, 500) / 10_000,
        lng: CENTRE.lng + random.integer(-500, 500) / 10_000,
      }
      const carType = at % 4 === 0 ? 'van' : 'bike'
      return [`driver-${String(at).padStart(4, '0')}`, toAvailability({ carType, location }, 1)]
    }),
  )
  const db = createTestDatabase({ available_drivers: drivers })
  let rows = 0
  const list: typeof db.list = async (path, query) => {
    const page = await db.list(path, query)
    rows += page.length
    return page as never
  }
  return { db: { ...db, list }, rows: () => rows }
}

test('returns the same nearest drivers for every requested number', async () => {
  const { db } = city(400)
  const all = await findNearbyDrivers(
    db,
    { from: CENTRE, carType: 'van', enough: Infinity },
    settings,
  )
  expect(all).toHaveLength(100)
  for (const enough of [1, 20, 60]) {
    const some = await findNearbyDrivers(
      db,
      { from: CENTRE, carType: 'van', enough: enough },
      settings,
    )
    expect(some.length).toBeGreaterThanOrEqual(enough)
    expect(some).toEqual(all.slice(0, some.length))
  }
})

test('reads only part of a full city to find the nearest drivers', async () => {
  const { db, rows } = city(800)
  await findNearbyDrivers(db, { from: CENTRE, carType: 'van', enough: 1 }, settings)
  expect(rows()).toBeLessThan(200)
})

test('searches up to the radius in the settings, and no farther, when drivers are scarce', async () => {
  const { db } = city(3)
  expect(
    await findNearbyDrivers(db, { from: CENTRE, carType: 'van', enough: 20 }, settings),
  ).toHaveLength(1)
  const near = aSettings({ driverRadius: 0.01, convert_to_mile: false })
  expect(await findNearbyDrivers(db, { from: CENTRE, carType: 'van', enough: 20 }, near)).toEqual(
    [],
  )
})

test('the soonest pickup is that of the busy driver of the vehicle type who is there first', async () => {
  const now = 1_790_000_000_000
  const minute = 60_000
  const busy = (carType: string, ends_at: number, lat = CENTRE.lat) => ({
    ...{ booking: 'b', carType, name: 'Beto', ends_at, lat, lng: CENTRE.lng },
  })
  const find = (busy_drivers: Record<string, ReturnType<typeof busy>>) =>
    findSoonestPickup(
      createTestDatabase({ busy_drivers }),
      { from: CENTRE, carType: 'van', enough: 1 },
      { settings, now },
    )
  const near = busy('van', now + 10 * minute)
  expect(await find({ near, sooner: busy('bike', now + minute) })).toBe(now + 10 * minute)
  expect(await find({ near, overdue: busy('van', now - minute) })).toBe(now)
  const far = busy('van', now + minute, CENTRE.lat + 0.08)
  expect(await find({ far })).toBeGreaterThan(now + 20 * minute)
  expect(await find({ away: busy('van', now, CENTRE.lat + 1) })).toBeNull()
  expect(await find({ late: busy('van', now + 180 * minute) })).toBeNull()
})
