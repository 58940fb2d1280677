import { describe, expect, test } from 'vitest'
import { getFleetBounds } from '../driversOnMap'
import {
  type BoardDriver,
  filterDrivers,
  isCandidate,
  sortDrivers,
  toBoardDrivers,
  trackStates,
} from './boardDrivers'
import { getWaitAlert } from './waitAlerts'

const PICKUP = { lat: -34.9, lng: -56.18 }
const aBoardDriver = (id: string, over: Partial<BoardDriver> = {}): BoardDriver => ({
  id,
  state: 'free',
  name: id,
  plate: '',
  carType: 'van',
  fleet: undefined,
  at: PICKUP,
  booking: undefined,
  ...over,
})
const ids = (drivers: readonly { id: string }[]) => drivers.map(({ id }) => id).join(' ')

test('joins free, asked and busy drivers with their names', () => {
  const at = { ...PICKUP, carType: 'van', geohash: '6dp', at: 1 }
  const drivers = toBoardDrivers({
    available: [
      { id: 'ana', ...at },
      { id: 'bob', ...at, fleetadmin: 'fleet' },
      // In both lists for a moment, while an accepted offer is written.
      { id: 'eve', ...at },
    ],
    busy: [
      { id: 'eve', booking: 'b2', carType: 'van', name: 'Eve Engel' },
      { id: 'joe', booking: 'b3', carType: 'van', name: 'Joe Jones' },
    ],
    positions: new Map([['eve', { at: PICKUP }]]),
    people: [
      {
        id: 'ana',
        usertype: 'driver',
        firstName: 'Ana',
        lastName: 'Alba',
        mobile: '',
        email: '',
        createdAt: '',
        referralId: '',
        vehicleNumber: 'SBA 1',
      },
    ],
    offeredBookings: new Map([['bob', 'b1']]),
  })
  expect(drivers.map(({ id, state, name, plate }) => [id, state, name, plate])).toEqual([
    ['ana', 'free', 'Ana Alba', 'SBA 1'],
    ['bob', 'asked', '', ''],
    ['eve', 'busy', 'Eve Engel', ''],
    ['joe', 'busy', 'Joe Jones', ''],
  ])
  expect(drivers.map(({ at: place }) => place !== undefined)).toEqual([true, true, true, false])
  expect(drivers[1]).toMatchObject({ fleet: 'fleet', booking: 'b1' })
})

describe('the filter of drivers', () => {
  const drivers = [
    aBoardDriver('ana', { name: 'Ana Alba', plate: 'SBA 1' }),
    aBoardDriver('bob', { name: 'Bob Bell', carType: 'taxi', fleet: 'one' }),
    aBoardDriver('eve', { name: 'Eve Engel', at: { lat: 10, lng: 10 }, fleet: 'one' }),
    aBoardDriver('joe', { name: 'Joe Jones', at: undefined }),
  ]
  const any = { text: '', carType: '', fleet: '', zone: null }
  const zone = { south: -35, north: -34, west: -57, east: -56 }
  test.each([
    ['nothing', {}, 'ana bob eve joe'],
    ['a name', { text: 'bELL' }, 'bob'],
    ['a plate', { text: 'sba 1' }, 'ana'],
    ['a vehicle type', { carType: 'taxi' }, 'bob'],
    ['a fleet', { fleet: 'one' }, 'bob eve'],
    ['the visible map', { zone }, 'ana bob'],
    ['a fleet on the visible map', { zone, fleet: 'one' }, 'bob'],
  ])('by %s keeps the drivers that match', (_, filter, kept) => {
    expect(ids(filterDrivers(drivers, { ...any, ...filter }))).toBe(kept)
  })
})

test('sorts the candidates of a booking by their distance, then all others by state and name', () => {
  const north = (km: number) => ({ lat: PICKUP.lat + km / 111.2, lng: PICKUP.lng })
  const drivers = [
    aBoardDriver('busy', { state: 'busy', at: north(0) }),
    aBoardDriver('far', { at: north(5) }),
    aBoardDriver('taxi', { carType: 'taxi', at: north(0) }),
    aBoardDriver('near', { at: north(1) }),
    aBoardDriver('asked', { state: 'asked', at: north(0) }),
  ]
  const booking = { carTypeId: 'van', pickup: PICKUP }
  expect(ids(sortDrivers(drivers, booking))).toBe('near far taxi asked busy')
  expect(ids(sortDrivers(drivers, null))).toBe('far near taxi asked busy')
  expect(ids(drivers.filter((driver) => isCandidate(driver, booking)))).toBe('far near')
})

test('keeps the order of drivers who move a few meters', () => {
  const moved = aBoardDriver('a', { at: { lat: PICKUP.lat + 0.0005, lng: PICKUP.lng } })
  const booking = { carTypeId: 'van', pickup: PICKUP }
  expect(ids(sortDrivers([aBoardDriver('b'), moved], booking))).toBe('a b')
})

test('remembers since when a driver is in a state, exactly only for changes that it saw', () => {
  const free = [{ id: 'ana', state: 'free' } as const]
  const first = trackStates(new Map(), free, { now: 1, isLoading: true })
  expect(first.get('ana')).toEqual({ state: 'free', at: 1, isExact: false })
  expect(trackStates(first, free, { now: 2, isLoading: false })).toBe(first)
  const busy = trackStates(first, [{ id: 'ana', state: 'busy' }], { now: 3, isLoading: false })
  expect(busy.get('ana')).toEqual({ state: 'busy', at: 3, isExact: true })
  expect(trackStates(busy, [], { now: 4, isLoading: false }).size).toBe(0)
})

test('fits the map to the fleet without the few drivers far away', () => {
  const city = [0, 1, 2, 3, 4].map((step) => ({ lat: step / 100, lng: step / 100 }))
  expect(getFleetBounds([...city, { lat: 3, lng: 3 }])).toEqual([city[0], city[4]])
  expect(getFleetBounds(city)).toEqual([city[0], city[4]])
  expect(getFleetBounds([])).toEqual([])
})

test('fits the map to where most of a fleet works, not to its outermost drivers', () => {
  const center = Array.from({ length: 18 }, (_, at) => ({ lat: at / 1000, lng: at / 1000 }))
  const edges = [
    { lat: 0.008, lng: -0.012 },
    { lat: 0.009, lng: 0.03 },
  ]
  expect(getFleetBounds([...center, ...edges])).toEqual([
    { lat: 0.002, lng: 0.001 },
    { lat: 0.015, lng: 0.016 },
  ])
})

test('alerts once when a booking becomes more urgent, and not for one it sees first', () => {
  const none = new Map()
  const fresh = new Map([['a', 'fresh'] as const])
  const warn = new Map([
    ['a', 'warn'],
    ['b', 'alarm'],
  ] as const)
  const alarm = new Map([['a', 'alarm'] as const])
  expect(getWaitAlert(none, fresh)).toBeNull()
  expect(getWaitAlert(fresh, fresh)).toBeNull()
  expect(getWaitAlert(fresh, warn)).toEqual({ level: 'warn', ids: ['a'] })
  expect(getWaitAlert(warn, alarm)).toEqual({ level: 'alarm', ids: ['a'] })
  expect(getWaitAlert(alarm, fresh)).toBeNull()
})
