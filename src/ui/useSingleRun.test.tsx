import { act, renderHook } from '@testing-library/react'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useSingleRun } from './useSingleRun'

const SOURCE = join(import.meta.dirname, '..')

/** Renders the hook, with an action that ends when the test says so. */
const renderRun = (options?: Parameters<typeof useSingleRun>[0]) => {
  const ends: { resolve: () => void; reject: (reason: Error) => void }[] = []
  const action = () =>
    new Promise<string>((resolve, reject) => ends.push({ resolve: () => resolve('done'), reject }))
  const { result } = renderHook(() => useSingleRun(options))
  return { result, ends, start: () => result.current.run(action) }
}

test('a second call in the same tick does nothing', async () => {
  const { result, ends, start } = renderRun()
  const calls: Promise<string | undefined>[] = []
  act(() => {
    calls.push(start(), start())
  })
  expect(ends).toHaveLength(1)
  expect(result.current.busy).toBe(true)
  await act(async () => {
    ends[0]?.resolve()
    expect(await Promise.all(calls)).toEqual(['done', undefined])
  })
  expect(result.current.busy).toBe(false)
  act(() => void start())
  expect(ends).toHaveLength(2)
})

test('an action can be repeated after a failure, also where a success is the last run', async () => {
  const { result, ends, start } = renderRun({ isLast: true })
  await act(async () => {
    const failing = start()
    ends[0]?.reject(new Error('refused'))
    await expect(failing).rejects.toThrow('refused')
  })
  expect(result.current.busy).toBe(false)
  await act(async () => {
    const succeeding = start()
    ends[1]?.resolve()
    await succeeding
  })
  expect(result.current.busy).toBe(true)
  expect(await start()).toBeUndefined()
  expect(ends).toHaveLength(2)
})

// A state changes with the next render, which two clicks in one tick both precede.
test('no component guards an action with a state of its own', () => {
  const hasOwnGuard = /const \[(busy|is(Busy|Sending|Saving|Submitting)), set/
  const files = (readdirSync(SOURCE, { recursive: true }) as string[])
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .filter((file) => hasOwnGuard.test(readFileSync(join(SOURCE, file), 'utf8')))
  expect(files).toEqual(['ui/useSingleRun.ts'])
})
