import { renderHook } from '@testing-library/react'
import { Provider } from 'react-redux'
import { expect, test } from 'vitest'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { makeStore } from './makeStore'
import { useIdempotencyKey } from './useIdempotencyKey'

const renderKeys = () => {
  const store = makeStore(makeMemoryBackend().services)
  return renderHook(() => useIdempotencyKey(), {
    wrapper: ({ children }) => <Provider store={store}>{children}</Provider>,
  }).result.current
}

test('two clicks in one tick get one key', async () => {
  const { getKey } = renderKeys()
  const [first, second] = await Promise.all([getKey({ amount: 5 }), getKey({ amount: 5 })])
  expect(second).toBe(first)
})

test('another action, and the same one after its success, get new keys', async () => {
  const { getKey, reset } = renderKeys()
  const keys = [await getKey({ amount: 5 }), await getKey({ amount: 6 })]
  reset()
  keys.push(await getKey({ amount: 6 }))
  expect(new Set(keys).size).toBe(3)
})
