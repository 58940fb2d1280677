import { act, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'react-redux'
import * as v from 'valibot'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeMemoryBackend } from '~/src/services/memory/memoryBackend'
import { ServiceError } from '~/src/services/services'
import { profileArrived, sessionEnded } from '../auth'
import { createLiveSlice, useLive } from './liveSlice'
import { makeStore } from '../makeStore'
import { createRowSchema } from './rowSchemas'

interface Stop {
  id: string
  name: string
}
const row = createRowSchema<Stop>({ name: v.string() })
const stops = createLiveSlice('teststops', 'stops', {
  toQuery: () => ({ path: 'stops' }),
  schema: row,
  isPublic: true,
})
const secrets = createLiveSlice('testsecrets', 'secrets', {
  toQuery: (_: void, profile) => profile && { path: `secrets/${profile.id}` },
  schema: row,
})

const List = ({ name, live }: { name: string; live: typeof stops | typeof secrets }) => {
  const result = useLive(live as typeof stops) as unknown as Record<string, Stop[] | boolean>
  const rows = result[live.field] as Stop[]
  return <p aria-label={name}>{result.loading ? 'loading' : rows.map((r) => r.name).join(' ')}</p>
}
const Stubborn = () => {
  const { stops: found, error, retry } = useLive(stops)
  return error.flag ? <button onClick={retry}>Again</button> : <p>{found[0]?.name}</p>
}

const RULES = JSON.stringify({
  rules: {
    stops: { '.read': true },
    secrets: { $uid: { '.read': 'auth.uid === $uid' } },
  },
})

const start = (tree: Record<string, Record<string, object>>) => {
  const backend = makeMemoryBackend({ seed: tree as never, rules: RULES, as: 'rita' })
  let opened = 0
  let open = 0
  const { subscribe } = backend.services.database
  backend.services.database.subscribe = (...args) => {
    opened += 1
    open += 1
    const stop = subscribe(...args)
    return () => {
      open -= 1
      stop()
    }
  }
  const store = makeStore(backend.services)
  return { backend, store, opened: () => opened, open: () => open }
}
const rider = { id: 'rita', usertype: 'rider', approved: true } as never

test('shares one subscription between two live lists on a page', async () => {
  const { backend, store, opened } = start({ stops: { a: { name: 'Aduana' } } })
  render(
    <Provider store={store}>
      <List name="one" live={stops} />
      <List name="two" live={stops} />
    </Provider>,
  )
  await waitFor(() => expect(screen.getByLabelText('one')).toHaveProperty('textContent', 'Aduana'))
  act(() => backend.update({ 'stops/b': { name: 'Buceo' } }))
  await waitFor(() =>
    expect(screen.getByLabelText('two')).toHaveProperty('textContent', 'Aduana Buceo'),
  )
  expect(opened()).toBe(1)
})

test('drops an invalid row with one notice and keeps the others', async () => {
  const { store } = start({ stops: { a: { name: 'Aduana' }, b: { title: 'old' }, c: { name: 7 } } })
  render(
    <Provider store={store}>
      <List name="one" live={stops} />
    </Provider>,
  )
  await waitFor(() => expect(screen.getByLabelText('one')).toHaveProperty('textContent', 'Aduana'))
  await waitFor(() =>
    expect(store.getState().notices.map((notice) => notice.text)).toEqual(['row_unreadable']),
  )
})

test('does not report a record that is removed field by field as invalid', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stop = { name: 'Aduana', zone: 'port' }
  const { backend, store } = start({ stops: { a: stop, b: { name: 'Buceo' } } })
  render(
    <Provider store={store}>
      <List name="one" live={stops} />
    </Provider>,
  )
  const pass = () => act(() => vi.advanceTimersByTimeAsync(1000))
  await pass()
  expect(screen.getByLabelText('one').textContent).toBe('Aduana Buceo')
  act(() => {
    backend.update({ 'stops/a/name': null })
    backend.update({ 'stops/a/zone': null })
  })
  await pass()
  expect(screen.getByLabelText('one').textContent).toBe('Buceo')
  expect(store.getState().notices).toEqual([])
})

test('ends a subscription after the last component unmounts', async () => {
  const { store, open } = start({ stops: {} })
  const { unmount } = render(
    <Provider store={store}>
      <List name="one" live={stops} />
    </Provider>,
  )
  await waitFor(() => expect(open()).toBe(1))
  unmount()
  await waitFor(() => expect(open()).toBe(0), { timeout: 3000 })
})

test('clears private rows at sign-out and keeps public ones', async () => {
  const { store, open } = start({
    stops: { a: { name: 'Aduana' } },
    secrets: { rita: { s: { name: 'mine' } } },
  })
  store.dispatch(profileArrived(rider))
  render(
    <Provider store={store}>
      <List name="open" live={stops} />
      <List name="private" live={secrets} />
    </Provider>,
  )
  await waitFor(() =>
    expect(screen.getByLabelText('private')).toHaveProperty('textContent', 'mine'),
  )
  act(() => void store.dispatch(sessionEnded()))
  expect(screen.getByLabelText('private').textContent).toBe('')
  expect(screen.getByLabelText('open').textContent).toBe('Aduana')
  expect(open()).toBe(1)
  expect(JSON.stringify(store.getState())).not.toContain('mine')
})

test('can retry a refused query', async () => {
  const { backend, store } = start({ stops: { a: { name: 'Aduana' } } })
  const { subscribe } = backend.services.database
  let refused = 0
  backend.services.database.subscribe = (query, onValue, onError) => {
    if (++refused > 1) return subscribe(query, onValue, onError)
    queueMicrotask(() => onError(new ServiceError('unavailable', 'unavailable')))
    return () => undefined
  }
  render(
    <Provider store={store}>
      <Stubborn />
    </Provider>,
  )
  ;(await screen.findByRole('button', { name: 'Again' })).click()
  expect(await screen.findByText('Aduana')).toBeInTheDocument()
})

test('renders only the first and the last value of a burst of changes', async () => {
  const { backend, store } = start({ stops: { a: { name: 'Aduana' } } })
  render(
    <Provider store={store}>
      <List name="one" live={stops} />
    </Provider>,
  )
  await waitFor(() => expect(screen.getByLabelText('one')).toHaveProperty('textContent', 'Aduana'))
  const values: string[] = []
  const stopListening = store.subscribe(() => {
    const [row] = Object.values(
      stops.select(store.getState(), JSON.stringify({ path: 'stops' }))?.value ?? [],
    )
    if (row && row.name !== values.at(-1)) values.push(row.name)
  })
  onTestFinished(stopListening)
  act(() => {
    for (let i = 1; i <= 30; i++) backend.update({ 'stops/a': { name: `Aduana ${i}` } })
  })
  await waitFor(() =>
    expect(screen.getByLabelText('one')).toHaveProperty('textContent', 'Aduana 30'),
  )
  expect(values.length).toBeLessThanOrEqual(2)
  expect(values.at(-1)).toBe('Aduana 30')
})
