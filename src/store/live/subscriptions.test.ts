import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeSubscriptions } from './subscriptions'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test("keeps another subscriber's subscription when one leaves twice", () => {
  const stop = vi.fn()
  const { subscribe } = makeSubscriptions()
  const leave = subscribe('bookings', false, () => stop)
  subscribe('bookings', false, () => stop)
  leave()
  leave()
  vi.runAllTimers()
  expect(stop).not.toHaveBeenCalled()
})

test('ends the subscription after the last subscriber has left', () => {
  const stop = vi.fn()
  const { subscribe } = makeSubscriptions()
  const leaves = [
    subscribe('bookings', false, () => stop),
    subscribe('bookings', false, () => stop),
  ]
  for (const leave of leaves) leave()
  expect(stop).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(stop).toHaveBeenCalledTimes(1)
})

test('keeps the subscription of a page that is reopened at once', () => {
  const start = vi.fn(() => () => {})
  const { subscribe } = makeSubscriptions()
  subscribe('bookings', false, start)()
  subscribe('bookings', false, start)
  vi.runAllTimers()
  expect(start).toHaveBeenCalledTimes(1)
})
