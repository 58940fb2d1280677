import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { warmUpStorage } from './storageWarmUp'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Returns an IndexedDB that loses the first requests, and the number that were sent. */
const createStorage = (lost: number) => {
  const sent = { count: 0 }
  const databases = () => {
    sent.count += 1
    return sent.count <= lost ? new Promise<never>(() => {}) : Promise.resolve([])
  }
  return { sent, storage: { databases } as unknown as IDBFactory }
}

/** Starts waiting for a browser, and tells whether the wait is over. */
const startWaiting = (storage: IDBFactory) => {
  const onDone = vi.fn()
  void warmUpStorage(storage).then(onDone)
  return onDone
}

it('asks once when the browser answers', async () => {
  const { sent, storage } = createStorage(0)
  await warmUpStorage(storage)
  expect(sent.count).toBe(1)
})

it('asks again when the browser lost the request', async () => {
  const { sent, storage } = createStorage(2)
  const onDone = startWaiting(storage)
  await vi.advanceTimersByTimeAsync(499)
  expect(onDone).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(onDone).toHaveBeenCalled()
  expect(sent.count).toBe(3)
})

it('gives up after 5 s, so that a browser that never answers still signs people in', async () => {
  const { sent, storage } = createStorage(Infinity)
  const onDone = startWaiting(storage)
  await vi.advanceTimersByTimeAsync(5000)
  expect(onDone).toHaveBeenCalled()
  expect(sent.count).toBe(20)
})

it.each([
  ['without IndexedDB', undefined],
  ['whose IndexedDB has no list', {} as IDBFactory],
  [
    'that refuses the list',
    { databases: () => Promise.reject(new Error('refused')) } as unknown as IDBFactory,
  ],
])('does not hold up a browser %s', async (_, storage) => {
  await warmUpStorage(storage)
})
