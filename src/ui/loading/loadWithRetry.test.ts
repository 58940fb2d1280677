import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChunkUnavailableError } from './chunkLoader'
import {
  retryMissingChunks,
  isChunkMissing,
  loadWithRetry,
  subscribeToMissingChunks,
} from './loadWithRetry'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** Returns a loader whose file fails to load `failures` times. */
const flaky = (failures: number) => {
  let attempts = 0
  const load = async () => {
    attempts += 1
    if (attempts <= failures) throw new ChunkUnavailableError('page.js', 'no network')
    return 'page'
  }
  return { load, attempts: () => attempts }
}

test('requests a file every three seconds until it arrives, and reports it as missing until then', async () => {
  const isMissingReports: boolean[] = []
  const stop = subscribeToMissingChunks(() => isMissingReports.push(isChunkMissing()))
  const { load, attempts } = flaky(2)
  const loaded = loadWithRetry(load)
  await vi.advanceTimersByTimeAsync(2999)
  expect(attempts()).toBe(1)
  expect(isChunkMissing()).toBe(true)
  await vi.advanceTimersByTimeAsync(3001)
  expect(await loaded).toBe('page')
  expect(attempts()).toBe(3)
  stop()
  expect(isMissingReports).toEqual([true, false])
})

test('requests every missing file at once on demand', async () => {
  const parts = [flaky(1), flaky(1)]
  const loaded = Promise.all(parts.map(({ load }) => loadWithRetry(load)))
  await vi.advanceTimersByTimeAsync(0)
  expect(isChunkMissing()).toBe(true)
  retryMissingChunks()
  expect(await loaded).toEqual(['page', 'page'])
  expect(isChunkMissing()).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('does not repeat a load whose code failed', async () => {
  let attempts = 0
  const broken = loadWithRetry(async () => {
    attempts += 1
    throw new TypeError('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(attempts).toBe(1)
  expect(isChunkMissing()).toBe(false)
})
