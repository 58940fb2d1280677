import { describe, expect, test } from 'vitest'
import { build } from './build'
import { hashOf } from './hash'
import { jsonOf, jsonText } from './json'
import { nodeAt, priorityOf, reuse, withNodeAt, withPriority } from './node'
import type { Node, LargeBranch, SmallBranch } from './node'
import { compareKeys } from './order'

const from = (json: unknown, existing: Node | null = null): Node | null =>
  build(json, { now: 1000, existing, depth: 0 })

const rows = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, { n: i, on: i % 2 === 0 }]))

/** A repeatable stream of numbers in [0, 1). */
const random = (seed: number) => () => {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return seed / 2147483648
}

describe('keys', () => {
  test('sort as numbers while they are 32-bit integers, then by code unit', () => {
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
  test('nothing remains of nulls and empty objects', () => {
    expect(from({ a: null, b: {}, c: { d: [] } })).toBe(null)
    expect(jsonOf(from({ a: { b: null, c: 1 }, d: [null, 2] }))).toEqual({
      a: { c: 1 },
      d: { 1: 2 },
    })
  })

  test('rows of the same kind share their keys', () => {
    const node = from({ a: { x: 1, y: 2 }, b: { y: 3, x: 4 } })
    const [a, b] = [nodeAt(node, ['a']), nodeAt(node, ['b'])] as [SmallBranch, SmallBranch]
    expect(a.shape).toBe(b.shape)
    expect(jsonText(node, 'plain')).toBe('{"a":{"x":1,"y":2},"b":{"x":4,"y":3}}')
  })

  test('increments start from what is there, timestamps are the time of the write', () => {
    const existing = from({ a: 5, b: 'text' })
    const one = { '.sv': { increment: 1 } }
    expect(jsonOf(from({ a: one, b: one, c: one, d: { '.sv': 'timestamp' } }, existing))).toEqual({
      a: 6,
      b: 1,
      c: 1,
      d: 1000,
    })
  })
})

describe('writing', () => {
  test('below a leaf makes it a branch that keeps its priority', () => {
    const leaf = from({ a: { '.value': 1, '.priority': 'p' } })
    const node = withNodeAt(leaf, ['a', 'b'], 2)
    expect(jsonText(node, 'export')).toBe('{"a":{".priority":"p","b":2}}')
    expect(withNodeAt(leaf, ['a', 'b'], null)).toBe(leaf)
  })

  test('null takes empty ancestors with it', () => {
    expect(withNodeAt(from({ a: { b: { c: 1 } } }), ['a', 'b', 'c'], null)).toBe(null)
  })

  test('the old version stays as it was', () => {
    const before = from(rows(1000))
    const text = jsonText(before, 'plain')
    const after = withNodeAt(before, ['k5', 'n'], -1)
    expect(jsonText(before, 'plain')).toBe(text)
    expect(nodeAt(after, ['k5', 'n'])).toBe(-1)
    expect(nodeAt(after, ['k6'])).toBe(nodeAt(before, ['k6']))
  })

  test('a thousand random writes leave what plain objects would', () => {
    const next = random(7)
    const model: Record<string, number> = {}
    let node: Node | null = null
    for (let i = 0; i < 3000; i++) {
      const key = `k${Math.floor(next() * 150)}`
      // Growing and shrinking crosses the border between small and large branches.
      const remove = next() < (Math.floor(i / 500) % 2 === 0 ? 0.2 : 0.8)
      if (remove) delete model[key]
      else model[key] = i
      node = withNodeAt(node, [key], remove ? null : i)
    }
    const expected = Object.fromEntries(Object.entries(model).sort(([a], [b]) => compareKeys(a, b)))
    expect(node === null ? {} : jsonOf(node)).toEqual(expected)
  })

  test('an index follows every write', () => {
    const index = { name: 'n', path: ['n'] }
    const next = random(3)
    let node = from(rows(300)) as LargeBranch
    node.rowsBy(index)
    for (let i = 0; i < 500; i++) {
      const key = `k${Math.floor(next() * 300)}`
      const value = next() < 0.3 ? null : { n: Math.floor(next() * 50) }
      node = withNodeAt(node, [key], from(value)) as LargeBranch
    }
    const kept = node.rowsBy(index).keysArray()
    expect(kept).toEqual(node.buildRows(index).keysArray())
  })
})

describe('reusing', () => {
  test('equal values are the very same, changed ones share the rest', () => {
    for (const count of [3, 1000]) {
      const before = from(rows(count))
      expect(reuse(before, from(rows(count)))).toBe(before)
      const after = reuse(before, from({ ...rows(count), k1: { n: 1, on: true } }))
      expect(after).not.toBe(before)
      expect(nodeAt(after, ['k0'])).toBe(nodeAt(before, ['k0']))
      expect(nodeAt(after, ['k1', 'on'])).toBe(true)
    }
  })

  test('what is gone is gone, and priorities count', () => {
    const before = from(rows(1000))
    const fewer = reuse(before, from(rows(999)))
    expect(nodeAt(fewer, ['k999'])).toBe(null)
    expect(jsonOf(fewer)).toEqual(rows(999))
    const prioritized = reuse(before, withPriority(from(rows(1000)), 1))
    expect(priorityOf(prioritized)).toBe(1)
    expect(reuse(from({ '.value': 1, '.priority': 2 }), from(1))).toBe(1)
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
  ])('of %j are those of the SDK', (json, hash) => {
    expect(hashOf(from(json))).toBe(hash)
  })
})
