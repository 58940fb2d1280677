import { afterAll, beforeAll, expect, test } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import { toDirectory } from '~/domain/accounts/directory'
import { getBookedOccurrence, type RecurringRecord } from '~/domain/recurring/series'
import { getRoles } from '~/domain/access/roles'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import {
  aRider,
  aSettings,
  aVehicleType,
  DROP,
  MINUTE,
  PICKUP,
  ROUTE,
} from '~/domain/testing/builders'
import { addDays, formatDay, formatTimeOfDay, toInstant } from '~/domain/language/zonedTime'
import { change_recurring } from '~/functions/src/endpoints/recurring/changeRecurring'
import { save_recurring } from '~/functions/src/endpoints/recurring/saveRecurring'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import {
  bookDueOccurrences,
  runRecurringBookings,
} from '~/functions/src/services/recurring/recurringBookings'
import {
  createTestPorts,
  createUserContext,
  straightLineMaps,
} from '~/functions/src/testing/testPorts'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { systemClock } from '~/functions/src/adapters/node/systemClock'
import type { Booking } from '~/domain/booking/types'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  database.connectFunctions()
})
afterAll(() => database.stop())

const RUNS = 50
const SERIES = '-Oseriesabcdefghijkl'
const settings = aSettings({ appcat: 'taxi' })

/** Saves a series with a trip out and back every day; returns its ports and its record. */
const openSeries = async () => {
  const users = { rider: aRider() }
  await database.put(
    toJson({
      schema: { version: SCHEMA_VERSION },
      settings,
      users,
      roles: getRoles(users),
      people: toDirectory(users),
      cartypes: { van: aVehicleType() },
    }),
  )
  const db = createFirebaseDatabase()
  const route = { ...ROUTE, coords: [], steps: [], approximate: false }
  const maps = () =>
    Promise.resolve({ ...straightLineMaps, getDirections: () => Promise.resolve(route) })
  const ports = createTestPorts({ db, maps, clock: systemClock })
  const now = Date.now()
  const context = { ...createUserContext('rider', 'rider', ports), now }
  // The day after tomorrow, so that its trips are ahead at every time of the day.
  const day = addDays(formatDay(now, settings.timezone), 2)
  await save_recurring.handle(
    {
      series_id: SERIES,
      pickup: PICKUP,
      drop: DROP,
      carType: 'van',
      days: [1, 2, 3, 4, 5, 6, 7],
      time: '00:10',
      back: '00:20',
      from: day,
    },
    context,
  )
  return { ports, context, day, at: toInstant(day, '00:00', settings.timezone) - 30 * MINUTE }
}
const readRecord = () => database.read('internal/recurring/rider') as Promise<RecurringRecord>
const readBookings = async () =>
  Object.values(((await database.read('bookings')) ?? {}) as Record<string, Booking>)

test('fifty runs of the job at once book each trip once', async () => {
  const { ports, at } = await openSeries()
  const record = await readRecord()
  await Promise.all(
    Array.from({ length: RUNS }, () =>
      bookDueOccurrences({ ports, settings, now: at }, 'rider', record),
    ),
  )
  const bookings = await readBookings()
  const made = bookings.map((one) => getBookedOccurrence(one)?.leg).sort()
  expect(made).toEqual(['back', 'out'])
  expect(await database.read('open_bookings/rider/open')).toBe(2)
  const { series } = await readRecord()
  expect(
    Object.values(series?.[SERIES]?.made ?? {})
      .map(({ booking }) => booking)
      .sort(),
  ).toEqual(bookings.map(({ id }) => id).sort())
})

test('of fifty scheduled runs at once, one works and each trip is booked once', async () => {
  const { ports, at } = await openSeries()
  const results = await Promise.all(
    Array.from({ length: RUNS }, () => runRecurringBookings(ports, at, () => true)),
  )
  expect(results.filter((result) => result !== null && result.made > 0)).toHaveLength(1)
  expect(await readBookings()).toHaveLength(2)
})

test('a trip that is skipped while fifty runs book it is either booked or skipped', async () => {
  const { ports, context, day, at } = await openSeries()
  const record = await readRecord()
  const skip = { series_id: SERIES, action: 'skip', date: day, leg: 'out' } as const
  const [skipped] = await Promise.allSettled([
    change_recurring.handle(skip, context),
    ...Array.from({ length: RUNS }, () =>
      bookDueOccurrences({ ports, settings, now: at }, 'rider', record),
    ),
  ])
  const booked = (await readBookings()).filter((one) => getBookedOccurrence(one)?.leg === 'out')
  expect(booked).toHaveLength(skipped.status === 'fulfilled' ? 0 : 1)
})

test('trips that are edited while fifty runs book them are booked once, with one state of the series', async () => {
  const { ports, context, at } = await openSeries()
  const record = await readRecord()
  const edit = {
    series_id: SERIES,
    action: 'edit',
    revision: 0,
    time: '00:15',
    back: '00:25',
  } as const
  await Promise.all([
    ...Array.from({ length: RUNS / 2 }, () =>
      bookDueOccurrences({ ports, settings, now: at }, 'rider', record),
    ),
    change_recurring.handle(edit, context),
    ...Array.from({ length: RUNS / 2 }, () =>
      bookDueOccurrences({ ports, settings, now: at }, 'rider', record),
    ),
  ])
  // The run of the next minute books what the edit came before.
  await bookDueOccurrences({ ports, settings, now: at }, 'rider', await readRecord())
  const bookings = await readBookings()
  expect(bookings.map((one) => getBookedOccurrence(one)?.leg).sort()).toEqual(['back', 'out'])
  expect(await database.read('open_bookings/rider/open')).toBe(2)
  const { series } = await readRecord()
  expect(series?.[SERIES]).toMatchObject({ revision: 1, time: '00:15', back: '00:25' })
  // Each booking has the time that the series remembers for it: the old one or the new one.
  const remembered = Object.values(series?.[SERIES]?.made ?? {})
  expect(remembered.map(({ at: time }) => time).sort()).toEqual(
    bookings.map(({ tripdate }) => tripdate).sort(),
  )
  const zone = settings.timezone
  for (const { tripdate } of bookings)
    expect(['00:10', '00:15', '00:20', '00:25']).toContain(
      formatTimeOfDay(tripdate, zone).slice(0, 5),
    )
})

test('of fifty edits and fifty repeats of one, a single edit is stored', async () => {
  const { context } = await openSeries()
  const edit = (time: string) =>
    change_recurring.handle({ series_id: SERIES, action: 'edit', revision: 0, time }, context)
  const results = await Promise.allSettled(
    Array.from({ length: RUNS }, (_, n) => edit(n % 2 === 0 ? '00:12' : '00:14')),
  )
  const { series } = await readRecord()
  const stored = series?.[SERIES]
  expect(stored?.revision).toBe(1)
  // Repeats of the edit that was stored succeed, and the others are refused.
  const succeeded = results.filter(({ status }) => status === 'fulfilled')
  expect(succeeded).toHaveLength(RUNS / 2)
})
