import { describe, expect, test } from 'vitest'
import { buildNode } from './nodeBuilder'
import { hashNode } from './nodeHash'
import { nodeToJson, nodeToJsonText } from './nodeJson'
import { getNodeAt, getPriority, reuseUnchanged, replaceNodeAt, withPriority } from './node'
import type { Node, LargeBranch, SmallBranch } from './node'
import { compareKeys } from './order'

const buildFrom = (json: unknown, existing: Node | null = null): Node | null =>
  buildNode(json, { now: 1000, existing, depth: 0 })

const makeRows = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, { n: i, on: i % 2 === 0 }]))

/** Returns a repeatable sequence of numbers in [0, 1). */
const createRandom = (seed: number) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed / 2147483648
}

describe('keys', () => {
  test('sort as numbers if they are 32-bit integers, otherwise by code unit', () => {
    const sorted = [
      '-1',
      '0',
      '1',
      '01',
      '001',
      '2',
      '10',
      '2147483647',
      '-a',
      '2147483648',
      'A',
      'a',
    ]
    expect(sorted.toReversed().toSorted(compareKeys)).toEqual(sorted)
    expect(['b', '[MAX_NAME]', '1', '[MIN_NAME]'].toSorted(compareKeys)).toEqual([
      '[MIN_NAME]',
      '1',
      'b',
      '[MAX_NAME]',
    ])
  })
})

describe('building', () => {
  test('omits nulls and empty objects', () => {
    expect(buildFrom({ a: null, b: {}, c: { d: [] } })).toBe(null)
    expect(nodeToJson(buildFrom({ a: { b: null, c: 1 }, d: [null, 2] }))).toEqual({
      a: { c: 1 },
      d: { 1: 2 },
    })
  })

  test('shares the keys of rows with the same shape', () => {
    const node = buildFrom({ a: { x: 1, y: 2 }, b: { y: 3, x: 4 } })
    const [a, b] = [getNodeAt(node, ['a']), getNodeAt(node, ['b'])] as [SmallBranch, SmallBranch]
    expect(a.shape).toBe(b.shape)
    expect(nodeToJsonText(node, 'plain')).toBe('{"a":{"x":1,"y":2},"b":{"x":4,"y":3}}')
  })

  test('increments from the existing value and sets timestamps to the time of the write', () => {
    const existing = buildFrom({ a: 5, b: 'text' })
    const one = { '.sv': { increment: 1 } }
    expect(
      nodeToJson(buildFrom({ a: one, b: one, c: one, d: { '.sv': 'timestamp' } }, existing)),
    ).toEqual({
      a: 6,
      b: 1,
      c: 1,
      d: 1000,
    })
  })
})

describe('writing', () => {
  test('below a leaf turns it into a branch that keeps its priority', () => {
    const leaf = buildFrom({ a: { '.value': 1, '.priority': 'p' } })
    const node = replaceNodeAt(leaf, ['a', 'b'], 2)
    expect(nodeToJsonText(node, 'export')).toBe('{"a":{".priority":"p","b":2}}')
    expect(replaceNodeAt(leaf, ['a', 'b'], null)).toBe(leaf)
  })

  test('null removes empty ancestors', () => {
    expect(replaceNodeAt(buildFrom({ a: { b: { c: 1 } } }), ['a', 'b', 'c'], null)).toBe(null)
  })

  test('leaves the old version unchanged', () => {
    const before = buildFrom(makeRows(1000))
    const text = nodeToJsonText(before, 'plain')
    const after = replaceNodeAt(before, ['k5', 'n'], -1)
    expect(nodeToJsonText(before, 'plain')).toBe(text)
    expect(getNodeAt(after, ['k5', 'n'])).toBe(-1)
    expect(getNodeAt(after, ['k6'])).toBe(getNodeAt(before, ['k6']))
  })

  test('thousands of random values has the same result as plain objects', () => {
    const next = createRandom(7)
    const model: Record<string, number> = {}
    let node: Node | null = null
    for (let i = 0; i < 3000; i++) {
      const key = `k${Math.floor(next() * 150)}`
      // Growing and shrinking crosses the limit between small and large branches.
      const remove = next() < (Math.floor(i / 500) % 2 === 0 ? 0.2 : 0.8)
      if (remove) delete model[key]
      else model[key] = i
      node = replaceNodeAt(node, [key], remove ? null : i)
    }
    const expected = Object.fromEntries(Object.entries(model).sort(([a], [b]) => compareKeys(a, b)))
    expect(node === null ? {} : nodeToJson(node)).toEqual(expected)
  })

  test('updates an index each time', () => {
    const index = { name: 'n', path: ['n'] }
    const next = createRandom(3)
    let node = buildFrom(makeRows(300)) as LargeBranch
    node.getRows(index)
    for (let i = 0; i < 500; i++) {
      const key = `k${Math.floor(next() * 300)}`
      const value = next() < 0.3 ? null : { n: Math.floor(next() * 50) }
      node = replaceNodeAt(node, [key], buildFrom(value)) as LargeBranch
    }
    const kept = node.getRows(index).keysArray()
    expect(kept).toEqual(node.buildRows(index).keysArray())
  })
})

describe('reusing unchanged nodes', () => {
  test('returns the same object for equal values, and shares the unchanged rest', () => {
    for (const count of [3, 1000]) {
      const before = buildFrom(makeRows(count))
      expect(reuseUnchanged(before, buildFrom(makeRows(count)))).toBe(before)
      const after = reuseUnchanged(
        before,
        buildFrom({ ...makeRows(count), k1: { n: 1, on: true } }),
      )
      expect(after).not.toBe(before)
      expect(getNodeAt(after, ['k0'])).toBe(getNodeAt(before, ['k0']))
      expect(getNodeAt(after, ['k1', 'on'])).toBe(true)
    }
  })

  test('drops removed children and compares priorities', () => {
    const before = buildFrom(makeRows(1000))
    const fewer = reuseUnchanged(before, buildFrom(makeRows(999)))
    expect(getNodeAt(fewer, ['k999'])).toBe(null)
    expect(nodeToJson(fewer)).toEqual(makeRows(999))
    const prioritized = reuseUnchanged(before, withPriority(buildFrom(makeRows(1000)), 1))
    expect(getPriority(prioritized)).toBe(1)
    expect(reuseUnchanged(buildFrom({ '.value': 1, '.priority': 2 }), buildFrom(1))).toBe(1)
  })
})

describe('hashes', () => {
  test.each([
    [true, 'E5z61QM0lN/U2WsOnusszCTkR8M='],
    [500, 'Ajg9bohDwTVmqR14o1bVJnneryM='],
    ['Hello World', 'B8HWXc7zXMjrsnJxPRj7wrNGqt4='],
    [{ z: 1, a: '2', b: 'true', c: false }, '8qk5vmuZGXWJx+77SGwjYRM0yPA='],
    [{ '.priority': 'high', '.value': 42 }, 'd/2FMFWchvDsa06RLXZhzvM9aQc='],
    [{ '.priority': 128.256, someKey: 'value' }, 'WYR8kBGna+a7E5x75zvhPhzACOQ='],
    [null, ''],
  ])('of %j match those of the SDK', (json, hash) => {
    expect(hashNode(buildFrom(json))).toBe(hash)
  })
})
