import { expect, test } from 'vitest'
import {
  allocateUnits,
  fromMinorUnits,
  subtractAmount,
  getPortion,
  roundAmount,
  sumAmounts,
  toMinorUnits,
} from './money'

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
])('rounds %d to %d decimals as %d, half away from zero', (amount, decimal, rounded) => {
  expect(roundAmount(amount, decimal)).toBe(rounded)
})

test('rounds a small negative amount to zero, not negative zero', () => {
  expect(Object.is(roundAmount(-0.001, 2), 0)).toBe(true)
})

test('returns zero, not negative zero, for sums and differences of nothing', () => {
  expect(Object.is(fromMinorUnits(-0, 2), 0)).toBe(true)
  expect(Object.is(subtractAmount(0.3, 0.3, 2), 0)).toBe(true)
  expect(Object.is(sumAmounts([-0.004, 0.001], 2), 0)).toBe(true)
})

test('adds a thousand cents to exactly ten', () => {
  expect(sumAmounts(Array(1000).fill(0.01), 2)).toBe(10)
  expect(subtractAmount(0.3, 0.1, 2)).toBe(0.2)
  expect(toMinorUnits(19.99, 2)).toBe(1999)
})

test('calculates a portion as a flat amount or a percentage of the base', () => {
  expect(getPortion(80, { type: 'flat', value: 12.345 })).toBe(12.345)
  expect(roundAmount(getPortion(80.1, { type: 'percentage', value: 15 }), 2)).toBe(12.02)
})

test('rounds lines so that they add up to the rounded total, largest remainders up', () => {
  expect(allocateUnits([1 / 3, 1 / 3, 1 / 3], 100, 2, 1)).toEqual([34, 33, 33])
  expect(allocateUnits([0.005, 0.005], 1, 2, 1)).toEqual([1, 0])
  expect(allocateUnits([10, 0, 2.5], 1250, 2, 1)).toEqual([1000, 0, 250])
  expect(allocateUnits([10.02, 0.5, 2.51], 261, 2, 5)).toEqual([201, 10, 50])
})
