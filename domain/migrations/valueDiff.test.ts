import { expect, test } from 'vitest'
import type { DatabaseValue } from '../data/databaseValue'
import { diffValues } from './valueDiff'

test('writes only the fields that differ', () => {
  const before = { name: 'Ana', phone: '1', address: { street: 'A', number: 4 } }
  const after = { name: 'Ana', address: { street: 'B', number: 4 }, city: 'M' }
  expect(diffValues(before, after, 'users/u')).toEqual([
    ['users/u/phone', null],
    ['users/u/address/street', 'B'],
    ['users/u/city', 'M'],
  ])
})

test('writes a new record completely and removes one completely', () => {
  expect(diffValues(null, { a: { b: 1 } }, 'x/y')).toEqual([['x/y', { a: { b: 1 } }]])
  expect(diffValues({ a: { b: 1 } }, null, 'x/y')).toEqual([['x/y', null]])
})

test('finds no difference between values that the database stores alike', () => {
  const before: DatabaseValue = { list: [{ a: 1 }, { b: [2] }], text: 'x' }
  const after: DatabaseValue = {
    list: [{ a: 1 }, { b: [2] }],
    text: 'x',
    none: null,
    empty: {},
    nothing: [],
  }
  expect(diffValues(before, after, 'x')).toEqual([])
  const listed: DatabaseValue = { '0': { a: 1 }, '1': { b: { '0': 2 } } }
  expect(diffValues(before, { list: listed, text: 'x' }, 'x')).toEqual([])
  expect(diffValues({ list: [1, 2, 4] }, { list: [1, 3] }, 'x')).toEqual([
    ['x/list/1', 3],
    ['x/list/2', null],
  ])
})
