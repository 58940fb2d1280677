import { expect, test } from 'vitest'
import { renameDispatchModes } from './dispatchMode'

const context = { settings: {}, texts: {}, now: 0 }
const migrate = (field: string, value: string | number) =>
  renameDispatchModes.apply({ settings: value }, field, context).settings

test.each([
  ['one_by_one', 'nearest'],
  ['all', 'broadcast'],
  ['nearest', 'nearest'],
  ['matched', 'matched'],
  ['broadcast', 'broadcast'],
])('stores the dispatch mode %s as %s', (stored, expected) => {
  expect(migrate('dispatchMode', stored)).toBe(expected)
})

test('leaves other settings as they are', () => {
  expect(migrate('appName', 'all')).toBe('all')
  expect(migrate('dispatchSeconds', 20)).toBe(20)
})
