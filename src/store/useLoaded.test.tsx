import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { Provider } from 'react-redux'
import { expect, test } from 'vitest'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from './makeStore'
import { createServiceThunk } from './serviceThunk'
import { useLoaded } from './useLoaded'

/** Renders the hook over loads that each wait until `finish` gets their value, by their input. */
const renderLoads = (first: string) => {
  const waiting = new Map<string, (value: string) => void>()
  const load = createServiceThunk(
    'test/load',
    (input: string) => new Promise<string>((resolve) => waiting.set(input, resolve)),
  )
  const store = makeStore(makeMemoryBackend({}).services)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Provider store={store}>{children}</Provider>
  )
  const { result, rerender } = renderHook((input: string) => useLoaded(load, input), {
    initialProps: first,
    wrapper,
  })
  const finish = (input: string, value: string) =>
    act(async () => {
      waiting.get(input)?.(value)
      await Promise.resolve()
    })
  return { finish, rerender, result }
}

test('shows nothing of an input that the screen has left', async () => {
  const { finish, rerender, result } = renderLoads('a')
  rerender('b')
  await finish('a', 'old')
  expect([result.current.value, result.current.isLoading]).toEqual([undefined, true])
  await finish('b', 'new')
  expect(result.current.value).toBe('new')
})

test('keeps the value of the shown input when a change of the one before responds', async () => {
  const { finish, rerender, result } = renderLoads('a')
  await finish('a', 'old')
  const { setValue } = result.current
  rerender('b')
  await finish('b', 'new')
  act(() => setValue('changed'))
  expect([result.current.value, result.current.isLoading]).toEqual(['new', false])
})

test('keeps the result of a change when a load that began before it responds', async () => {
  const { finish, result } = renderLoads('a')
  act(() => result.current.setValue('changed'))
  await finish('a', 'old')
  expect(result.current.value).toBe('changed')
  act(() => result.current.retry())
  await finish('a', 'loaded again')
  expect(result.current.value).toBe('loaded again')
})
