import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGcScheduler } from './gcScheduler'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const MEGABYTE = 2 ** 20

test('collects once after a series of large imports', () => {
  const collect = vi.fn()
  const collectAfter = createGcScheduler(collect, () => 100 * MEGABYTE)
  collectAfter(20 * MEGABYTE)
  vi.advanceTimersByTime(400)
  collectAfter(20 * MEGABYTE)
  vi.advanceTimersByTime(400)
  expect(collect).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(collect).toHaveBeenCalledTimes(1)
})

test('collects only a few times during an import in many parts', () => {
  let heap = 0
  const collect = vi.fn()
  const collectAfter = createGcScheduler(collect, () => heap)
  for (let piece = 0; piece < 1000; piece++) {
    heap += 5 * MEGABYTE
    collectAfter(5 * MEGABYTE)
    vi.advanceTimersByTime(1000)
  }
  expect(collect.mock.calls.length).toBeGreaterThan(10)
  expect(collect.mock.calls.length).toBeLessThan(50)
})
