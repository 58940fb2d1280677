import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Keeper } from './keeper'
import type { Kept } from './keeper'
import { jsonText } from './tree/json'
import { planWrite } from './write'
import type { WriteRequest } from './write'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keeper-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A server's databases without the server. */
const openState = async (snapshotAfter?: number) => {
  const state = new Map<string, Kept>()
  const put = (kept: ReadonlyMap<string, Kept>) => {
    state.clear()
    kept.forEach((each, name) => state.set(name, each))
  }
  const keeper = await Keeper.open(folder, {
    restore: put,
    takeBack: put,
    current: () => state,
    ...(snapshotAfter !== undefined && { snapshotAfter }),
  })
  const write = (name: string, request: WriteRequest) => {
    const kept = state.get(name) ?? { root: null, rules: null }
    const plan = planWrite(kept.root, request, 1234)
    keeper.record(name, plan)
    state.set(name, { ...kept, root: plan.root })
  }
  const texts = () =>
    [...state].map(([name, { root, rules }]) => [name, rules, jsonText(root, 'export')])
  return { state, keeper, write, texts }
}

const put = (path: string, json: unknown, text?: string): WriteRequest => ({
  path: path.split('/').filter((key) => key !== ''),
  merge: false,
  json,
  ...(text === undefined ? {} : { text }),
})

const rows = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`k${i}`, { n: i, text: 'x'.repeat(50) }]),
  )

test('writes, priorities, server values and rules come back from the journal', async () => {
  const first = await openState()
  first.write(
    'one',
    put('a', { x: [1, 2], at: { '.sv': 'timestamp' }, n: { '.sv': { increment: 2 } } }),
  )
  first.write('one', put('a/n', { '.sv': { increment: 3 } }))
  first.write('one', put('a/.priority', 7))
  first.write('one', { path: [], merge: true, json: { 'a/x/0': null, 'b/c': 'ñandú 🚕' } })
  first.write('two', put('', rows(200), JSON.stringify(rows(200))))
  first.write('two', put('k7', null))
  first.keeper.recordRules('two', '{"rules": {}}')
  first.state.set('two', { root: first.state.get('two')?.root ?? null, rules: '{"rules": {}}' })
  const expected = first.texts()
  await first.keeper.close()

  const second = await openState()
  expect(second.texts()).toEqual(expected)
  await second.keeper.close()
})

test('a snapshot holds all of it, and what is written meanwhile comes after it', async () => {
  const first = await openState(10_000)
  first.write('big', put('list', rows(3000)))
  first.write('big', put('list/.priority', 1))
  first.write('big', put('deep/list', rows(500)))
  first.write('big', put('deep/list/k3', { '.value': 1, '.priority': 'p' }))
  for (let i = 0; i < 300; i++) {
    first.write('big', put(`list/k${i}`, { n: -i, text: 'y'.repeat(100) }))
    await first.keeper.flushed()
  }
  const expected = first.texts()
  await first.keeper.close()

  const second = await openState()
  expect(second.keeper.recovery.chunks).toBeGreaterThan(0)
  expect(second.texts()).toEqual(expected)
  await second.keeper.close()
})
