import { expect, it } from 'vitest'
import { createSharedReads } from './sharedReads'

/** A place whose reads answer on demand with the number of the read. */
const createPlace = () => {
  const answers: ((fail?: Error) => void)[] = []
  const send = () =>
    new Promise<number>((resolve, reject) => {
      const number = answers.length + 1
      answers.push((fail) => (fail ? reject(fail) : resolve(number)))
    })
  return { send, answers }
}

it('shares one read among the calls that wait for a running one', async () => {
  const { send, answers } = createPlace()
  const read = createSharedReads()
  const first = read('settings', send)
  const others = Array.from({ length: 50 }, () => read('settings', send))
  expect(answers).toHaveLength(1)
  answers[0]?.()
  expect(await first).toBe(1)
  await expect.poll(() => answers.length).toBe(2)
  answers[1]?.()
  expect(new Set(await Promise.all(others))).toEqual(new Set([2]))
  expect(answers).toHaveLength(2)
})

it('never answers a call from a read that began before the call', async () => {
  const { send, answers } = createPlace()
  const read = createSharedReads()
  const first = read('settings', send)
  const second = read('settings', send)
  answers[0]?.()
  await first
  await expect.poll(() => answers.length).toBe(2)
  // The second read runs now, so a third call needs a third read.
  const third = read('settings', send)
  answers[1]?.()
  expect(await second).toBe(2)
  await expect.poll(() => answers.length).toBe(3)
  answers[2]?.()
  expect(await third).toBe(3)
})

it('reads again after a failure, and keeps other places apart', async () => {
  const { send, answers } = createPlace()
  const read = createSharedReads()
  const first = read('settings', send)
  const second = read('settings', send)
  const other = read('cartypes/van', send)
  expect(answers).toHaveLength(2)
  answers[0]?.(new Error('lost'))
  answers[1]?.()
  await expect(first).rejects.toThrow('lost')
  expect(await other).toBe(2)
  await expect.poll(() => answers.length).toBe(3)
  answers[2]?.()
  expect(await second).toBe(3)
})
