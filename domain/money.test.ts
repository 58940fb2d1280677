import { expect, test } from 'vitest'
import { allocate, minus, portion, round, sum, toMinor } from './money'

test.each([
  [1.005, 2, 1.01],
  [-1.005, 2, -1.01],
  [2.5, 0, 3],
  [-2.5, 0, -3],
  [2.4999, 0, 2],
  [1.15 * 3, 1, 3.5],
  [0.1 + 0.2, 2, 0.3],
  [8.345, 2, 8.35],
  [1234567.895, 2, 1234567.9],
  [1e-7, 2, 0],
  [1e-7, 7, 1e-7],
  [-0.001, 2, 0],
  [0, 3, 0],
])('%d to %d decimals is %d: half goes away from zero', (amount, decimal, rounded) => {
  expect(round(amount, decimal)).toBe(rounded)
})

test('nothing is never minus nothing', () => {
  expect(Object.is(round(-0.001, 2), 0)).toBe(true)
})

test('a thousand cents are ten, exactly', () => {
  expect(sum(Array(1000).fill(0.01), 2)).toBe(10)
  expect(minus(0.3, 0.1, 2)).toBe(0.2)
  expect(toMinor(19.99, 2)).toBe(1999)
})

test('a portion is a flat amount as it is, or per cent of the base', () => {
  expect(portion(80, { type: 'flat', value: 12.345 }, 2)).toBe(12.35)
  expect(portion(80.1, { type: 'percentage', value: 15 }, 2)).toBe(12.02)
})

test('rounded lines add up to the rounded total, the largest remainders going up', () => {
  expect(allocate([1 / 3, 1 / 3, 1 / 3], 100, 2)).toEqual([34, 33, 33])
  expect(allocate([0.005, 0.005], 1, 2)).toEqual([1, 0])
  expect(allocate([10, 0, 2.5], 1250, 2)).toEqual([1000, 0, 250])
})
