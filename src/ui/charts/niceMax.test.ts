import { expect, test } from 'vitest'
import { niceMax } from './niceMax'

test.each([
  [0, 1],
  [0.7, 1],
  [3.2, 4],
  [1180, 2000],
])('an axis for %d ends at %d', (most, top) => {
  expect(niceMax(most)).toBe(top)
})

test.each([
  [0, 2],
  [1, 2],
  [7, 10],
  [45, 50],
  [130, 200],
])('an axis that counts to %d ends at %d, whose half is a whole number too', (most, top) => {
  expect(niceMax(most, 1)).toBe(top)
})

test.each([
  [100, 2],
  [200, 4],
  [620, 20],
])('an axis for %d s ends at %d min, so that its middle is a whole minute', (most, minutes) => {
  expect(niceMax(most, 60)).toBe(60 * minutes)
})
