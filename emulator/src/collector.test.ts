import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collector } from './collector'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const MEGABYTE = 2 ** 20

test('a large import is collected once, after the last of a row of them', () => {
  const collect = vi.fn()
  const collectAfter = collector(collect, () => 100 * MEGABYTE)
  collectAfter(20 * MEGABYTE)
  vi.advanceTimersByTime(400)
  collectAfter(20 * MEGABYTE)
  vi.advanceTimersByTime(400)
  expect(collect).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(collect).toHaveBeenCalledTimes(1)
})

test('importing piece by piece looks at what is kept a few times, not once for every piece', () => {
  let heap = 0
  const collect = vi.fn()
  const collectAfter = collector(collect, () => heap)
  for (let piece = 0; piece < 1000; piece++) {
    heap += 5 * MEGABYTE
    collectAfter(5 * MEGABYTE)
    vi.advanceTimersByTime(1000)
  }
  expect(collect.mock.calls.length).toBeGreaterThan(10)
  expect(collect.mock.calls.length).toBeLessThan(50)
})
