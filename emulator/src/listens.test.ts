import { describe, expect, test } from 'vitest'
import { NOBODY } from './auth'
import { Listens } from './listens'
import type { Push } from './push'
import { isFiltered, queryFromWire, select } from './query/query'
import type { Query } from './query/query'
import { branchOf, nodeAt, withNodeAt } from './tree/node'
import { build } from './tree/build'
import { jsonText } from './tree/json'
import type { Node } from './tree/node'
import { compareKeys } from './tree/order'
import { splitPath } from './tree/path'
import type { Path } from './tree/path'
import { planWrite } from './write'

const random = (seed: number) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed / 2147483648
}

const from = (json: unknown): Node | null => build(json, { now: 0, existing: null, depth: 0 })

/** What a query shows, as a tree. */
const shown = (root: Node | null, path: Path, query: Query): Node | null => {
  const node = nodeAt(root, path)
  if (!isFiltered(query)) return node
  const entries = select(node, query, false).toSorted(([a], [b]) => compareKeys(a, b))
  return branchOf(
    entries.map(([key]) => key),
    entries.map(([, child]) => child),
    null,
  )
}

/** A client that has only what it was sent. */
class Mirror {
  root: Node | null = null
  pushes = 0

  constructor(
    readonly path: Path,
    readonly query: Query,
    listens: Listens,
    root: Node | null,
  ) {
    this.root = withNodeAt(null, path, shown(root, path, query))
    const push = (sent: Push) => this.apply(sent)
    listens.add(
      { path, query, actor: () => NOBODY, push, revoke: () => undefined },
      nodeAt(root, path),
    )
  }

  private apply({ kind, path, body }: Push): void {
    this.pushes++
    const json = JSON.parse(body) as Record<string, unknown>
    if (kind === 'put') this.root = withNodeAt(this.root, path, from(json))
    else {
      for (const key of Object.keys(json)) {
        this.root = withNodeAt(this.root, [...path, ...splitPath(key)], from(json[key]))
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

describe('a client that has only what it was sent', () => {
  test.each([1, 2, 3, 4])('always has what its query shows (random story %i)', (seed) => {
    const next = random(seed)
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
        () => ({ path: ['a', key()], merge: false, json: row() }),
        () => ({ path: ['a', key(), 'n'], merge: false, json: Math.floor(next() * 8) }),
        () => ({ path: ['a', key(), 'deep', 'x'], merge: false, json: next() < 0.5 }),
        () => ({ path: ['a', key(), '.priority'], merge: false, json: Math.floor(next() * 4) }),
        () => ({ path: ['a'], merge: true, json: { [key()]: row(), [`${key()}x/n`]: 3 } }),
        () => ({
          path: [],
          merge: true,
          json: { [`a/${key()}/n`]: 4, [`b/${key()}`]: 1, [`c/${key()}`]: row() },
        }),
        () => ({
          path: ['a'],
          merge: false,
          json:
            next() < 0.1 ? 5 : Object.fromEntries(Array.from({ length: 9 }, () => [key(), row()])),
        }),
      ])()

    const listens = new Listens()
    let root: Node | null = null
    const mirrors: Mirror[] = []
    for (let step = 0; step < 1500; step++) {
      if (step % 50 === 0 && mirrors.length < 30) {
        const query = queryFromWire(QUERIES[(step / 50) % QUERIES.length])
        mirrors.push(new Mirror(pick([['a'], ['a'], [], ['a', key()]]), query, listens, root))
      }
      const plan = planWrite(root, write(), step)
      listens.notify(root, plan.root, plan, (listen, push) => listen.push(push))
      root = plan.root
      for (const { path, query, root: mine } of mirrors) {
        // A leaf under a filtered query shows nothing, and priorities of its place are not part of it.
        const expected = jsonText(shown(root, path, query), 'export')
        const seen = jsonText(shown(mine, path, query), 'export')
        if (seen !== expected)
          expect([step, path, query, seen]).toEqual([step, path, query, expected])
      }
    }
    expect(mirrors.reduce((sum, { pushes }) => sum + pushes, 0)).toBeGreaterThan(1000)
  })

  test('listeners of one place share one message', () => {
    const listens = new Listens()
    const sent: Push[] = []
    const add = (path: Path) =>
      listens.add(
        {
          path,
          query: queryFromWire(undefined),
          actor: () => NOBODY,
          push: (push) => sent.push(push),
          revoke: () => undefined,
        },
        null,
      )
    add(['a'])
    add(['a'])
    add([])
    const plan = planWrite(null, { path: ['a'], merge: true, json: { x: 1, y: 2 } }, 0)
    listens.notify(null, plan.root, plan, (listen, push) => listen.push(push))
    expect(sent).toHaveLength(3)
    expect(new Set(sent).size).toBe(1)
  })

  test('a removed listen hears nothing and leaves nothing behind', () => {
    const listens = new Listens()
    const listen = {
      path: ['a', 'b'],
      query: queryFromWire(undefined),
      actor: () => NOBODY,
      push: () => expect.fail('told'),
      revoke: () => undefined,
    }
    listens.add(listen, null)
    listens.remove(listen)
    listens.remove(listen)
    const plan = planWrite(null, { path: ['a'], merge: false, json: { b: 1 } }, 0)
    listens.notify(null, plan.root, plan, (told, push) => told.push(push))
    expect(listens.size).toBe(0)
  })
})
