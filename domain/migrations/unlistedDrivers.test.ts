import { expect, test } from 'vitest'
import { aDriver, NOON } from '../testing/builders'
import { removeHiddenDrivers } from './unlistedDrivers'
import type { MigrationContext, MigrationRow } from './migration'

const car = { carType: 'van', geohash: '6dptest00', lat: -34.9, lng: -56.1, at: NOON }
const context: MigrationContext = { settings: {}, texts: {}, now: NOON }
const makeRow = (over: object): MigrationRow =>
  JSON.parse(JSON.stringify({ users: aDriver(over), available_drivers: car })) as MigrationRow

test('removes a free driver whose car is hidden from riders', () => {
  const row = makeRow({})
  expect(removeHiddenDrivers.apply(row, 'driver', context)).toEqual({
    ...row,
    available_drivers: null,
  })
})

test('keeps a free driver whose car is shown to riders', () => {
  const row = makeRow({ shift: 'key' })
  expect(removeHiddenDrivers.apply(row, 'driver', context)).toEqual(row)
})
