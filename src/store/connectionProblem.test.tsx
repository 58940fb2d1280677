import { act, fireEvent, render, screen } from '@testing-library/react'
import { Provider } from 'react-redux'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { profileArrived } from './auth'
import { createLiveSlice, useLive } from './live/liveSlice'
import { makeStore } from './makeStore'
import { useConnectionProblem } from './connectionProblem'
import { createRowSchema } from './live/rowSchemas'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
})

const row = createRowSchema<{ id: string; name: string }>({ name: v.string() })
const stops = createLiveSlice('waitingstops', 'stops', {
  toQuery: () => ({ path: 'stops' }),
  schema: row,
  isPublic: true,
})

const Page = () => {
  useLive(stops)
  const { problem, onRetry, isRetrying } = useConnectionProblem()
  return (
    <>
      <p role="status">{problem}</p>
      {onRetry && <button onClick={onRetry}>{isRetrying ? 'Trying' : 'Again'}</button>}
    </>
  )
}

/** Renders a page with a database that responds only after `answer` is called. */
const open = ({ isSiteReachable = true } = {}) => {
  const backend = makeMemoryBackend({
    seed: { stops: { a: { name: 'Aduana' } } },
    rules: JSON.stringify({ rules: { stops: { '.read': true } } }),
  })
  const { services } = backend
  const { subscribe } = services.database
  let isAnswering = false
  const waiting: (() => void)[] = []
  services.database.subscribe = (...query) => {
    if (isAnswering) return subscribe(...query)
    waiting.push(() => subscribe(...query))
    return () => {}
  }
  let reconnects = 0
  services.database.reconnect = async () => {
    reconnects += 1
  }
  services.isSiteReachable = async () => isSiteReachable
  backend.setOnline(false)
  const store = makeStore(services)
  render(
    <Provider store={store}>
      <Page />
    </Provider>,
  )
  const answer = () => {
    isAnswering = true
    backend.setOnline(true)
    for (const ask of waiting) ask()
  }
  return { backend, services, store, answer, reconnects: () => reconnects }
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const getStatus = () => screen.getByRole('status').textContent

test('reports within five seconds that the database is unreachable, until it responds', async () => {
  const { answer } = open()
  await pass(2000)
  expect(getStatus()).toBe('')
  await pass(2000)
  expect(getStatus()).toBe('unreachable')
  await act(async () => answer())
  await pass(0)
  expect(getStatus()).toBe('')
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})

test('reports that the device is offline when the site is unreachable too', async () => {
  open({ isSiteReachable: false })
  await pass(4000)
  expect(getStatus()).toBe('offline')
})

test('corrects its report when the site responds late, or no longer', async () => {
  const { services } = open({ isSiteReachable: false })
  // A server behind a slow network takes two seconds to respond.
  services.isSiteReachable = async (limitMs) => limitMs > 2000
  await pass(4000)
  expect(getStatus()).toBe('offline')
  await pass(3000)
  expect(getStatus()).toBe('unreachable')
  services.isSiteReachable = async () => false
  await pass(3000)
  expect(getStatus()).toBe('offline')
})

test('reports nothing when a slow network connects after more than two seconds', async () => {
  const { answer } = open()
  await pass(2500)
  await act(async () => answer())
  await pass(10_000)
  expect(getStatus()).toBe('')
})

test('reconnects at once on request, and reports again if that fails', async () => {
  const { reconnects } = open()
  await pass(4000)
  fireEvent.click(screen.getByRole('button', { name: 'Again' }))
  expect(reconnects()).toBe(1)
  expect(screen.getByRole('button').textContent).toBe('Trying')
  expect(getStatus()).toBe('unreachable')
  await pass(4000)
  expect(screen.getByRole('button').textContent).toBe('Again')
  expect(getStatus()).toBe('unreachable')
})

test('reports a lost connection to a signed-in user but not to a visitor with a complete page', async () => {
  const { backend, store, answer } = open()
  await act(async () => answer())
  await pass(0)
  act(() => backend.setOnline(false))
  await pass(10_000)
  expect(getStatus()).toBe('')
  act(() => {
    store.dispatch(profileArrived({ id: 'rita', usertype: 'rider', approved: true } as never))
  })
  await pass(2000)
  expect(getStatus()).toBe('offline')
  expect(screen.queryByRole('button')).not.toBeInTheDocument()
})
