import { describe, expect, test } from 'vitest'
import { ANONYMOUS_ACTOR } from './auth'
import { ListenerRegistry } from './listeners'
import type { DataUpdate } from './dataUpdate'
import { isFiltered, parseWireQuery, selectEntries } from './query/query'
import type { Query } from './query/query'
import { createBranch, getNodeAt, replaceNodeAt } from './tree/node'
import { buildNode } from './tree/nodeBuilder'
import { nodeToJsonText } from './tree/nodeJson'
import type { Node } from './tree/node'
import { compareKeys } from './tree/order'
import { splitPath } from './tree/path'
import type { Path } from './tree/path'
import { planWrite } from './writePlan'

const createRandom = (seed: number) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed / 2147483648
}

const buildFrom = (json: unknown): Node | null =>
  buildNode(json, { now: 0, existing: null, depth: 0 })

/** Returns the rows that a query selects, as a tree. */
const selectShown = (root: Node | null, path: Path, query: Query): Node | null => {
  const node = getNodeAt(root, path)
  if (!isFiltered(query)) return node
  const entries = selectEntries(node, query, false).toSorted(([a], [b]) => compareKeys(a, b))
  return createBranch(
    entries.map(([key]) => key),
    entries.map(([, child]) => child),
    null,
  )
}

/** A client that has only the data it received. */
class Mirror {
  root: Node | null = null
  pushes = 0

  constructor(
    readonly path: Path,
    readonly query: Query,
    listens: ListenerRegistry,
    root: Node | null,
  ) {
    this.root = replaceNodeAt(null, path, selectShown(root, path, query))
    const push = (sent: DataUpdate) => this.apply(sent)
    listens.add(
      {
        path,
        query,
        getActor: () => ANONYMOUS_ACTOR,
        sendUpdate: push,
        onRevoked: () => undefined,
      },
      getNodeAt(root, path),
    )
  }

  private apply({ kind, path, body }: DataUpdate): void {
    this.pushes++
    const json = JSON.parse(body) as Record<string, unknown>
    if (kind === 'put') this.root = replaceNodeAt(this.root, path, buildFrom(json))
    else {
      for (const key of Object.keys(json)) {
        this.root = replaceNodeAt(this.root, [...path, ...splitPath(key)], buildFrom(json[key]))
      }
    }
  }
}

const QUERIES = [
  undefined,
  { i: 'n', sp: 2, ep: 5 },
  { i: 'n', sp: 3, ep: 3 },
  { i: 'n', l: 3, vf: 'l' },
  { i: 'n', l: 3, vf: 'r', ep: 6 },
  { i: '.key', sp: 'k3', ep: 'k6' },
  { i: '.key', l: 2, vf: 'r' },
  { l: 4, vf: 'l' },
  { i: '.value', sp: 1 },
  { i: 'deep/x', sp: true },
]

describe('a client that has only the data it received', () => {
  test.each([1, 2, 3, 4])('always has the result of its query (random sequence %i)', (seed) => {
    const next = createRandom(seed)
    const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T
    const key = () => `k${Math.floor(next() * (seed % 2 === 0 ? 10 : 120))}`
    const row = (): unknown =>
      pick([
        () => null,
        () => Math.floor(next() * 4),
        () => ({ n: Math.floor(next() * 8), deep: { x: next() < 0.5 } }),
        () => ({ n: Math.floor(next() * 8), '.priority': Math.floor(next() * 3) }),
      ])()
    const write = () =>
      pick([
        () => ({ path: ['a', key()], isMerge: false, json: row() }),
        () => ({ path: ['a', key(), 'n'], isMerge: false, json: Math.floor(next() * 8) }),
        () => ({ path: ['a', key(), 'deep', 'x'], isMerge: false, json: next() < 0.5 }),
        () => ({ path: ['a', key(), '.priority'], isMerge: false, json: Math.floor(next() * 4) }),
        () => ({ path: ['a'], isMerge: true, json: { [key()]: row(), [`${key()}x/n`]: 3 } }),
        () => ({
          path: [],
          isMerge: true,
          json: { [`a/${key()}/n`]: 4, [`b/${key()}`]: 1, [`c/${key()}`]: row() },
        }),
        () => ({
          path: ['a'],
          isMerge: false,
          json:
            next() < 0.1 ? 5 : Object.fromEntries(Array.from({ length: 9 }, () => [key(), row()])),
        }),
      ])()

    const listens = new ListenerRegistry()
    let root: Node | null = null
    const mirrors: Mirror[] = []
    for (let step = 0; step < 1500; step++) {
      if (step % 50 === 0 && mirrors.length < 30) {
        const query = parseWireQuery(QUERIES[(step / 50) % QUERIES.length])
        mirrors.push(new Mirror(pick([['a'], ['a'], [], ['a', key()]]), query, listens, root))
      }
      const plan = planWrite(root, write(), step)
      listens.notify(root, plan.root, plan, (listen, push) => listen.sendUpdate(push))
      root = plan.root
      for (const { path, query, root: mine } of mirrors) {
        // A leaf yields no rows in a filtered query, whose result excludes the priority of its
        // place.
        const expected = nodeToJsonText(selectShown(root, path, query), 'export')
        const seen = nodeToJsonText(selectShown(mine, path, query), 'export')
        if (seen !== expected)
          expect([step, path, query, seen]).toEqual([step, path, query, expected])
      }
    }
    expect(mirrors.reduce((sum, { pushes }) => sum + pushes, 0)).toBeGreaterThan(1000)
  })

  test.each([
    { i: 'n', l: 2, vf: 'l' },
    { i: '.key', l: 1, vf: 'r' },
    { i: 'n', sp: 2 },
  ])(
    'with the query %j gets no message when its location is overwritten with the same rows',
    (wire) => {
      const rows = { k1: { n: 1 }, k2: { n: 2 }, k3: { n: 3 } }
      const { root } = planWrite(null, { path: ['a'], isMerge: false, json: rows }, 0)
      const listens = new ListenerRegistry()
      const sent: DataUpdate[] = []
      listens.add(
        {
          path: ['a'],
          query: parseWireQuery(wire),
          getActor: () => ANONYMOUS_ACTOR,
          sendUpdate: (push) => sent.push(push),
          onRevoked: () => undefined,
        },
        getNodeAt(root, ['a']),
      )
      const replace = (before: Node | null, json: object) => {
        const plan = planWrite(before, { path: [], isMerge: false, json: { a: json } }, 0)
        listens.notify(before, plan.root, plan, (listen, push) => listen.sendUpdate(push))
        return plan.root
      }
      const same = replace(root, rows)
      expect(sent).toHaveLength(0)
      replace(same, { ...rows, k1: { n: 9 }, k3: { n: 4 } })
      expect(sent).toHaveLength(1)
    },
  )

  test('shares one message with other listeners of the same place', () => {
    const listens = new ListenerRegistry()
    const sent: DataUpdate[] = []
    const add = (path: Path) =>
      listens.add(
        {
          path,
          query: parseWireQuery(undefined),
          getActor: () => ANONYMOUS_ACTOR,
          sendUpdate: (push) => sent.push(push),
          onRevoked: () => undefined,
        },
        null,
      )
    add(['a'])
    add(['a'])
    add([])
    const plan = planWrite(null, { path: ['a'], isMerge: true, json: { x: 1, y: 2 } }, 0)
    listens.notify(null, plan.root, plan, (listen, push) => listen.sendUpdate(push))
    expect(sent).toHaveLength(3)
    expect(new Set(sent).size).toBe(1)
  })

  test('gets no messages after it stops listening, and leaves no state behind', () => {
    const listens = new ListenerRegistry()
    const listen = {
      path: ['a', 'b'],
      query: parseWireQuery(undefined),
      getActor: () => ANONYMOUS_ACTOR,
      sendUpdate: () => expect.fail('notified'),
      onRevoked: () => undefined,
    }
    listens.add(listen, null)
    listens.remove(listen)
    listens.remove(listen)
    const plan = planWrite(null, { path: ['a'], isMerge: false, json: { b: 1 } }, 0)
    listens.notify(null, plan.root, plan, (listener, push) => listener.sendUpdate(push))
    expect(listens.size).toBe(0)
  })
})
