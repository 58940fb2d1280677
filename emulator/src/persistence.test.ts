import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Persistence } from './persistence'
import type { StoredDatabase } from './persistence'
import { nodeToJsonText } from './tree/nodeJson'
import { planWrite } from './writePlan'
import type { WriteRequest } from './writePlan'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'openedStore-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Opens the databases of a server without the server. */
const openPersistentState = async (snapshotAfter?: number) => {
  const state = new Map<string, StoredDatabase>()
  const put = (kept: ReadonlyMap<string, StoredDatabase>) => {
    state.clear()
    kept.forEach((each, name) => state.set(name, each))
  }
  const openedStore = await Persistence.open(folder, {
    restore: put,
    rollback: put,
    currentDatabases: () => state,
    ...(snapshotAfter !== undefined && { snapshotAfterBytes: snapshotAfter }),
  })
  const write = (name: string, request: WriteRequest) => {
    const kept = state.get(name) ?? { root: null, rules: null }
    const plan = planWrite(kept.root, request, 1234)
    openedStore.record(name, plan)
    state.set(name, { ...kept, root: plan.root })
  }
  const texts = () =>
    [...state].map(([name, { root, rules }]) => [name, rules, nodeToJsonText(root, 'export')])
  return { state, openedStore, write, texts }
}

const toPut = (path: string, json: unknown, text?: string): WriteRequest => ({
  path: path.split('/').filter((key) => key !== ''),
  isMerge: false,
  json,
  ...(text === undefined ? {} : { text }),
})

const makeRows = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`k${i}`, { n: i, text: 'x'.repeat(50) }]),
  )

test('the journal restores writes, priorities, server values and rules', async () => {
  const first = await openPersistentState()
  first.write(
    'one',
    toPut('a', { x: [1, 2], at: { '.sv': 'timestamp' }, n: { '.sv': { increment: 2 } } }),
  )
  first.write('one', toPut('a/n', { '.sv': { increment: 3 } }))
  first.write('one', toPut('a/.priority', 7))
  first.write('one', { path: [], isMerge: true, json: { 'a/x/0': null, 'b/c': 'ñandú 🚕' } })
  first.write('two', toPut('', makeRows(200), JSON.stringify(makeRows(200))))
  first.write('two', toPut('k7', null))
  first.openedStore.recordRules('two', '{"rules": {}}')
  first.state.set('two', { root: first.state.get('two')?.root ?? null, rules: '{"rules": {}}' })
  const expected = first.texts()
  await first.openedStore.close()

  const second = await openPersistentState()
  expect(second.texts()).toEqual(expected)
  await second.openedStore.close()
})

test('a snapshot contains all data, and later writes follow it', async () => {
  const first = await openPersistentState(10_000)
  first.write('big', toPut('list', makeRows(3000)))
  first.write('big', toPut('list/.priority', 1))
  first.write('big', toPut('deep/list', makeRows(500)))
  first.write('big', toPut('deep/list/k3', { '.value': 1, '.priority': 'p' }))
  for (let i = 0; i < 300; i++) {
    first.write('big', toPut(`list/k${i}`, { n: -i, text: 'y'.repeat(100) }))
    await first.openedStore.whenFlushed()
  }
  const expected = first.texts()
  await first.openedStore.close()

  const second = await openPersistentState()
  expect(second.openedStore.recovery.chunks).toBeGreaterThan(0)
  expect(second.texts()).toEqual(expected)
  await second.openedStore.close()
})
