import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChunkUnavailableError, loadChunk } from './chunkLoader'

const RELOADED_BUILD_KEY = 'kerbside.reloaded'
const hasReloaded = () => sessionStorage.getItem(RELOADED_BUILD_KEY) !== null
const failedImport = () => new TypeError('Importing a module script failed.')

// jsdom reports that it cannot reload.
beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => {
  sessionStorage.clear()
  vi.restoreAllMocks()
})

test('listens for the end of the page only while it loads', async () => {
  const added = vi.spyOn(window, 'addEventListener')
  const removed = vi.spyOn(window, 'removeEventListener')
  expect(await loadChunk(() => Promise.resolve('page'))).toBe('page')
  const listenedTo = (calls: unknown[][]) => calls.map(([type]) => type)
  expect(listenedTo(added.mock.calls)).toEqual(['beforeunload'])
  expect(listenedTo(removed.mock.calls)).toEqual(['beforeunload'])
})

test('does not reload a page that is left while it imports', async () => {
  const loading = loadChunk(() => {
    window.dispatchEvent(new Event('beforeunload'))
    return Promise.reject(failedImport())
  })
  await expect(loading).rejects.toThrow(ChunkUnavailableError)
  expect(hasReloaded()).toBe(false)
})

test('reloads a page whose import failed long after it seemed to be left', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 30_000)
  try {
    void loadChunk(() => Promise.reject(failedImport()))
    await vi.advanceTimersByTimeAsync(0)
    expect(hasReloaded()).toBe(true)
  } finally {
    vi.useRealTimers()
  }
})

test('shows the problem when a person refuses the reload', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 90_000)
  try {
    const onProblem = vi.fn()
    void loadChunk(() => Promise.reject(failedImport())).catch(onProblem)
    await vi.advanceTimersByTimeAsync(9999)
    expect([hasReloaded(), onProblem.mock.calls.length]).toEqual([true, 0])
    await vi.advanceTimersByTimeAsync(1)
    expect(onProblem).toHaveBeenCalledOnce()
  } finally {
    vi.useRealTimers()
  }
})
