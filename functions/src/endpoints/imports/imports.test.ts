import type { AuditEntry } from '~/domain/office/types'
import { describe, expect, it } from 'vitest'
import type { ImportResult } from '~/domain/api/outputFields'
import { toJson } from '~/domain/data/databaseValue'
import { IMPORT_BATCH } from '~/domain/api/inputs/imports'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { aDriver, aRider, aVehicleType, ROUTE } from '~/domain/testing/builders'
import { handleRequest, parseInput } from '../../http/requestHandler'
import { createTestDatabase } from '../../testing/testDatabase'
import {
  aProject,
  createMemoryAccounts,
  createTestPorts,
  createUserContext,
  getErrorKey,
  straightLineMaps,
  TEST_NOW,
  createCaller,
} from '../../testing/testPorts'
import { MapsError } from '../../ports/mapsPort'
import { import_bookings } from './importBookings'
import { import_people } from './importPeople'
import type { Booking } from '~/domain/booking/types'
import type { User } from '~/domain/accounts/types'

const FLEET = {
  ...aRider({ id: 'fleet', mobile: '+15555550177' }),
  usertype: 'fleetadmin' as const,
}
const createScene = (more: Record<string, unknown> = {}) => {
  const project = aProject()
  const db = createTestDatabase({
    ...project,
    users: { ...project.users, fleet: FLEET, ...(more.users ?? {}) },
    cartypes: { ...project.cartypes, bike: aVehicleType({ id: 'bike', name: 'Bike' }) },
  })
  const route = { ...ROUTE, coords: [], steps: [], approximate: false }
  const service = {
    ...straightLineMaps,
    getDirections: () => Promise.resolve(route),
    autocomplete: (text: string) => {
      if (text === 'down') return Promise.reject(new MapsError('unavailable'))
      if (text === 'nowhere') return Promise.resolve([])
      const place = { description: `${text}, City`, place_id: text, mainText: text, kind: '' }
      const lat = -34.9 + text.length / 100
      return Promise.resolve([{ ...place, secondaryText: '', coords: { lat, lng: -56.2 } }])
    },
  }
  const ports = createTestPorts({
    db,
    accounts: createMemoryAccounts(),
    maps: () => Promise.resolve(service),
  })
  let now = TEST_NOW
  // Audit entries of one person need different times.
  const as = (role: 'admin' | 'fleetadmin') => ({
    ...createUserContext(role === 'admin' ? 'admin' : 'fleet', role, ports),
    now: (now += 1),
  })
  const knownViolations = findViolations(db.at('') as DatabaseTree)
  const newViolations = () =>
    findViolations(db.at('') as DatabaseTree).filter((text) => !knownViolations.includes(text))
  const people = () => Object.values(db.at('users') as Record<string, User>)
  const bookings = () => Object.values((db.at('bookings') ?? {}) as Record<string, Booking>)
  return { db, ports, as, people, bookings, newViolations }
}
type Scene = ReturnType<typeof createScene>

const EVA = { firstName: 'Eva', lastName: 'Sosa', email: 'eva@example.com', mobile: '+59899000111' }
const importDrivers = (scene: Scene, rows: object[], role: 'admin' | 'fleetadmin' = 'admin') =>
  import_people.handle(
    parseInput(import_people.input, { usertype: 'driver', rows }),
    scene.as(role),
  )
const statusesOf = ({ results }: { results: ImportResult[] }) =>
  results.map((result) => (result.status === 'refused' ? result.error.key : result.status))

describe('importing people', () => {
  it('adds them, and changes nothing the second time', async () => {
    const scene = createScene()
    const row = { ...EVA, carType: 'van', vehicleNumber: 'SBA 1' }
    expect(statusesOf(await importDrivers(scene, [row]))).toEqual(['added'])
    const commits = scene.db.getCommitCount()
    expect(statusesOf(await importDrivers(scene, [row]))).toEqual(['unchanged'])
    expect(scene.db.getCommitCount()).toBe(commits)
    const [eva] = scene.people().filter(({ mobile }) => mobile === EVA.mobile)
    expect(eva).toMatchObject({ ...row, usertype: 'driver', approved: true, queue: false })
    expect(scene.newViolations()).toEqual([])
  })

  it('changes only what the row has', async () => {
    const scene = createScene()
    await importDrivers(scene, [{ ...EVA, vehicleMake: 'Fiat', vehicleNumber: 'SBA 1' }])
    expect(statusesOf(await importDrivers(scene, [{ ...EVA, vehicleNumber: 'SBA 2' }]))).toEqual([
      'changed',
    ])
    expect(scene.people().find(({ mobile }) => mobile === EVA.mobile)).toMatchObject({
      vehicleMake: 'Fiat',
      vehicleNumber: 'SBA 2',
    })
  })

  it('refuses a row without stopping the others', async () => {
    const scene = createScene({
      users: { other: aDriver({ id: 'other', mobile: '+59899000222', email: 'o@example.com' }) },
    })
    const { mobile: riderMobile, email } = aRider()
    const rows = [
      { ...EVA, mobile: riderMobile },
      { ...EVA, email },
      { ...EVA, mobile: '+59899000222' },
      { ...EVA, carType: 'boat' },
      { ...EVA, mobile: '+59899000333', email: 'o@example.com' },
      EVA,
    ]
    expect(statusesOf(await importDrivers(scene, rows))).toEqual([
      'user_exists',
      'user_exists',
      'import_other_email',
      'select_proper',
      'user_exists',
      'added',
    ])
  })

  it('adds one person when fifty requests import the same row at once', async () => {
    const scene = createScene()
    const answers = await Promise.all(Array.from({ length: 50 }, () => importDrivers(scene, [EVA])))
    const statuses = answers.flatMap(statusesOf)
    expect(statuses.filter((status) => status === 'added')).toHaveLength(1)
    expect(scene.people().filter(({ mobile }) => mobile === EVA.mobile)).toHaveLength(1)
    expect(statusesOf(await importDrivers(scene, [EVA]))).toEqual(['unchanged'])
    expect(scene.newViolations()).toEqual([])
  })

  it('lets fleet admins import their own drivers only', async () => {
    const scene = createScene()
    expect(statusesOf(await importDrivers(scene, [EVA], 'fleetadmin'))).toEqual(['added'])
    expect(scene.people().find(({ mobile }) => mobile === EVA.mobile)?.fleetadmin).toBe('fleet')
    const { email, mobile } = aDriver()
    const stranger = { ...EVA, email: email || 'x@example.com', mobile }
    expect(statusesOf(await importDrivers(scene, [stranger], 'fleetadmin'))).toEqual([
      'user_exists',
    ])
    const riders = parseInput(import_people.input, { usertype: 'rider', rows: [EVA] })
    const refused = Promise.resolve().then(() =>
      import_people.handle(riders, scene.as('fleetadmin')),
    )
    expect(await getErrorKey(refused)).toBe('not_allowed')
  })

  it.each([
    ['an admin among them', { usertype: 'admin', rows: [EVA] }],
    ['a field that only the form sets', { usertype: 'driver', rows: [{ ...EVA, approved: true }] }],
    ['a vehicle of a rider', { usertype: 'rider', rows: [{ ...EVA, vehicleNumber: '1' }] }],
    ['no row', { usertype: 'rider', rows: [] }],
    [
      'too many rows',
      { usertype: 'rider', rows: Array.from({ length: IMPORT_BATCH.people + 1 }, () => EVA) },
    ],
  ])('refuses %s', (_, input) => {
    expect(() => parseInput(import_people.input, input)).toThrow('bad_input')
  })
})

const TRIP = {
  key: 'ref r-1',
  name: 'Gil Paz',
  mobile: '+59899000444',
  pickup: 'Street 1',
  drop: 'Long avenue 200',
  tripdate: TEST_NOW + 86_400_000,
  carType: 'van',
  deliveryPerson: 'Ana',
  deliveryPersonPhone: '099 000 555',
}
const importTrips = (scene: Scene, rows: object[]) =>
  import_bookings.handle(parseInput(import_bookings.input, { rows }), scene.as('admin'))

describe('importing bookings', () => {
  it('books them at the price of the moment, and books nothing the second time', async () => {
    const scene = createScene()
    const { results } = await importTrips(scene, [TRIP])
    const [booking] = scene.bookings()
    expect(results).toEqual([
      {
        status: 'added',
        id: booking?.id,
        booking: {
          pickup: 'Street 1, City',
          drop: 'Long avenue 200, City',
          estimate: booking?.estimate,
        },
      },
    ])
    expect(booking).toMatchObject({
      status: 'NEW',
      bookLater: true,
      tripdate: TRIP.tripdate,
      customer_name: 'Gil Paz',
      booking_type_admin: true,
    })
    const commits = scene.db.getCommitCount()
    expect(statusesOf(await importTrips(scene, [TRIP]))).toEqual(['unchanged'])
    expect(scene.db.getCommitCount()).toBe(commits)
    expect(scene.newViolations()).toEqual([])
  })

  it('books the stops in their order, and refuses a row with one that is not found', async () => {
    const scene = createScene()
    const rows = [
      { ...TRIP, key: 'with stops', stops: ['First 1', 'Second 22'] },
      { ...TRIP, key: 'lost', stops: ['First 1', 'nowhere'] },
    ]
    const { results } = await importTrips(scene, rows)
    expect(results).toMatchObject([
      { status: 'added', booking: { stops: ['First 1, City', 'Second 22, City'] } },
      {
        status: 'refused',
        error: { key: 'import_stop_not_found', field: 'stops', params: { number: 2 } },
      },
    ])
    const [booking, ...others] = scene.bookings()
    expect(others).toEqual([])
    expect(booking?.waypoints?.map(({ add }) => add)).toEqual(['First 1, City', 'Second 22, City'])
    expect(statusesOf(await importTrips(scene, rows.slice(0, 1)))).toEqual(['unchanged'])
    const tooMany = { ...TRIP, stops: Array.from({ length: 26 }, () => 'First 1') }
    expect(() => parseInput(import_bookings.input, { rows: [tooMany] })).toThrow()
    expect(scene.newViolations()).toEqual([])
  })

  it('refuses another trip under the same number, and books nothing', async () => {
    const scene = createScene()
    await importTrips(scene, [TRIP])
    const changes = [
      { tripdate: TRIP.tripdate + 60_000 },
      { carType: 'bike' },
      { drop: 'Long avenue 300' },
      { name: 'Gila Paz' },
      { mobile: '+59899123999' },
    ]
    const others = changes.map((change) => ({ ...TRIP, ...change }))
    expect(statusesOf(await importTrips(scene, others))).toEqual(
      changes.map(() => 'booking_exists'),
    )
    expect(scene.bookings()).toHaveLength(1)
  })

  it('leaves a booking as it is that the office has changed since, and knows earlier imports', async () => {
    const scene = createScene()
    await importTrips(scene, [TRIP])
    const [booking] = scene.bookings()
    scene.db.put({ [`bookings/${booking?.id}/dropAddress`]: 'Long avenue 300, City' })
    expect(statusesOf(await importTrips(scene, [TRIP]))).toEqual(['unchanged'])
    const audit = scene.db.at('audit') as Record<string, AuditEntry>
    const [key] = Object.entries(audit).find(([, { action }]) => action === 'booking_import') ?? []
    // An earlier release stored no hash of the row.
    scene.db.put({ [`audit/${key}/to`]: null })
    expect(statusesOf(await importTrips(scene, [TRIP]))).toEqual(['unchanged'])
  })

  it('books one trip when fifty requests import the same row at once', async () => {
    const scene = createScene()
    await Promise.all(Array.from({ length: 50 }, () => importTrips(scene, [TRIP])))
    expect(scene.bookings()).toHaveLength(1)
    expect(statusesOf(await importTrips(scene, [TRIP]))).toEqual(['unchanged'])
    expect(scene.newViolations()).toEqual([])
  })

  it('books a free trip once', async () => {
    const scene = createScene()
    const free = { base_fare: 0, min_fare: 0, rate_per_unit_distance: 0, rate_per_hour: 0 }
    scene.db.put({ 'cartypes/van': toJson(aVehicleType({ ...free, convenience_fees: 0 })) })
    expect(statusesOf(await importTrips(scene, [TRIP]))).toEqual(['added'])
    expect(statusesOf(await importTrips(scene, [TRIP]))).toEqual(['unchanged'])
    expect(scene.bookings()).toMatchObject([{ estimate: 0 }])
  })

  it('continues with the reserved id when the process died before it booked', async () => {
    const scene = createScene()
    const { bookings } = scene.ports
    let calls = 0
    const dying = {
      ...scene.as('admin'),
      bookings: {
        applyEvent: (...event: Parameters<typeof bookings.applyEvent>) =>
          (calls += 1) === 2
            ? Promise.reject(new Error('The process died.'))
            : bookings.applyEvent(...event),
      },
    }
    const input = parseInput(import_bookings.input, { rows: [TRIP] })
    await expect(import_bookings.handle(input, dying)).rejects.toThrow('died')
    const reserved = Object.values(scene.db.at('audit') as Record<string, { path: string }>)
    expect(statusesOf(await importTrips(scene, [TRIP]))).toEqual(['added'])
    expect(reserved[0]?.path).toBe(`bookings/${scene.bookings()[0]?.id}`)
  })

  it('refuses a row without stopping the others, and reserves nothing for it', async () => {
    const scene = createScene()
    const { mobile } = aDriver()
    const rows = [
      { ...TRIP, key: 'a', pickup: 'nowhere' },
      { ...TRIP, key: 'b', drop: 'down' },
      { ...TRIP, key: 'c', tripdate: TEST_NOW },
      { ...TRIP, key: 'd', mobile },
      { ...TRIP, key: 'e', carType: 'boat' },
      { ...TRIP, key: 'f', drop: TRIP.pickup },
      { ...TRIP, key: 'g', pickup: '-34.9,-56.15' },
    ]
    expect(statusesOf(await importTrips(scene, rows))).toEqual([
      'import_place_not_found',
      'google_places_error',
      'past_booking_error',
      'not_a_rider',
      'select_proper',
      'same_place',
      'added',
    ])
    const entries = Object.values(scene.db.at('audit') as Record<string, { action: string }>)
    expect(entries.filter(({ action }) => action === 'booking_import')).toHaveLength(1)
    expect(scene.bookings()[0]?.pickup).toMatchObject({ lat: -34.9, add: 'Near -34.9,-56.15' })
  })

  it('is for admins only', async () => {
    const scene = createScene()
    const call = {
      input: { rows: [TRIP] },
      caller: createCaller(scene, 'fleet'),
      hasMapsBasicAuth: false,
      ip: '203.0.113.7',
      now: TEST_NOW,
    }
    await expect(handleRequest(import_bookings, call, scene.ports)).rejects.toMatchObject({
      error: { key: 'not_allowed' },
    })
    const rider = { ...call, input: { usertype: 'driver', rows: [EVA] }, caller: { uid: 'rider' } }
    await expect(handleRequest(import_people, rider, scene.ports)).rejects.toMatchObject({
      error: { key: 'not_allowed' },
    })
    expect(scene.bookings()).toEqual([])
  })
})
