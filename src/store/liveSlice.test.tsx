import { act, cleanup, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'react-redux'
import * as v from 'valibot'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { memoryWorld } from '~/src/services/memory/memoryServices'
import { ServiceError } from '~/src/services/services'
import { profileArrived, sessionEnded } from './auth'
import { liveSlice, useLive } from './liveSlice'
import { makeStore } from './makeStore'
import { rowOf } from './rows'

afterEach(cleanup)

interface Stop {
  id: string
  name: string
}
const row = rowOf<Stop>({ name: v.string() })
const stops = liveSlice('teststops', 'stops', { at: () => ({ path: 'stops' }), row, open: true })
const secrets = liveSlice('testsecrets', 'secrets', {
  at: (_: void, profile) => profile && { path: `secrets/${profile.id}` },
  row,
})

const List = ({ name, live }: { name: string; live: typeof stops | typeof secrets }) => {
  const looked = useLive(live as typeof stops) as unknown as Record<string, Stop[] | boolean>
  const rows = looked[live.field] as Stop[]
  return <p aria-label={name}>{looked.loading ? 'loading' : rows.map((r) => r.name).join(' ')}</p>
}
const Stubborn = () => {
  const { stops: found, error, retry } = useLive(stops)
  return error.flag ? <button onClick={retry}>Again</button> : <p>{found[0]?.name}</p>
}

const start = (tree: Record<string, Record<string, object>>) => {
  const world = memoryWorld({ seed: tree as never })
  let opened = 0
  let open = 0
  const { live } = world.services.database
  world.services.database.live = (...asked) => {
    opened += 1
    open += 1
    const stop = live(...asked)
    return () => {
      open -= 1
      stop()
    }
  }
  const store = makeStore(world.services)
  return { world, store, opened: () => opened, open: () => open }
}
const rider = { id: 'rita', usertype: 'rider', approved: true } as never

test('two lists on one page share one subscription, and both change by themselves', async () => {
  const { world, store, opened } = start({ stops: { a: { name: 'Aduana' } } })
  render(
    <Provider store={store}>
      <List name="one" live={stops} />
      <List name="two" live={stops} />
    </Provider>,
  )
  await waitFor(() => expect(screen.getByLabelText('one')).toHaveProperty('textContent', 'Aduana'))
  act(() => world.change({ 'stops/b': { name: 'Buceo' } }))
  await waitFor(() =>
    expect(screen.getByLabelText('two')).toHaveProperty('textContent', 'Aduana Buceo'),
  )
  expect(opened()).toBe(1)
})

test('a row without its shape is left out, with one notice, and the others stay', async () => {
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

test('a record that goes part by part is no row without its shape', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const stop = { name: 'Aduana', zone: 'port' }
  const { world, store } = start({ stops: { a: stop, b: { name: 'Buceo' } } })
  render(
    <Provider store={store}>
      <List name="one" live={stops} />
    </Provider>,
  )
  const pass = () => act(() => vi.advanceTimersByTimeAsync(1000))
  await pass()
  expect(screen.getByLabelText('one').textContent).toBe('Aduana Buceo')
  act(() => {
    world.change({ 'stops/a/name': null })
    world.change({ 'stops/a/zone': null })
  })
  await pass()
  expect(screen.getByLabelText('one').textContent).toBe('Buceo')
  expect(store.getState().notices).toEqual([])
})

test('a subscription ends when nobody looks any more', async () => {
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

test('private rows leave the state at sign-out, open ones stay', async () => {
  const { store, open } = start({
    stops: { a: { name: 'Aduana' } },
    secrets: { rita: { s: { name: 'mine' } } } as never,
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

test('a question that was refused can be asked anew', async () => {
  const { world, store } = start({ stops: { a: { name: 'Aduana' } } })
  const { live } = world.services.database
  let refused = 0
  world.services.database.live = (query, onValue, onError) => {
    if (++refused > 1) return live(query, onValue, onError)
    queueMicrotask(() => onError(new ServiceError('unavailable', 'unavailable')))
    return () => undefined
  }
  render(
    <Provider store={store}>
      <Stubborn />
    </Provider>,
  )
  ;(await screen.findByRole('button', { name: 'Again' })).click()
  expect(await screen.findByText('Aduana')).toBeTruthy()
})
