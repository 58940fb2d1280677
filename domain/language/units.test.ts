import { expect, test } from 'vitest'
import type { Kilometers, Milliseconds, Seconds } from './units'

const formatSeconds = (seconds: Seconds) => `${seconds} s`

test('a number is accepted in its unit, and after a calculation', () => {
  const timeout: Milliseconds = 3000
  const duration: Seconds = 3
  expect(formatSeconds(duration)).toBe('3 s')
  expect(formatSeconds(timeout / 1000)).toBe('3 s')
})

test('a number in another unit is a type error', () => {
  const distance: Kilometers = 3
  // @ts-expect-error -- kilometers are no seconds
  expect(formatSeconds(distance)).toBe('3 s')
})
