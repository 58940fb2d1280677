import { beforeAll, expect, test } from 'vitest'
import { indexOf } from '../query/query'
import { build } from './build'
import { hashOf } from './hash'
import { jsonOf, jsonText } from './json'
import { childOf, nodeAt, PackedBranch, reuse, withNodeAt, withPriority } from './node'
import type { LargeBranch, Node } from './node'
import { packRows } from './packing'

const ROWS = 12_000
const key = (at: number) => `row-${String(at).padStart(6, '0')}`
const parts = (at: number) => ({
  ...Object.fromEntries(Array.from({ length: 14 }, (_, part) => [`part${part}`, at + part])),
  name: `Zoë ${at}`,
  place: { lat: at / 7, lng: -at / 7 },
})
const from = (json: unknown) => build(json, { now: 0, existing: null, depth: 0 })

let rows: Node | null = null
beforeAll(() => {
  packRows()
  for (let at = 0; at < ROWS; at++) rows = withNodeAt(rows, [key(at)], from(parts(at)))
})
const packedAt = (at: number) => {
  const row = childOf(rows, key(at))
  return row instanceof PackedBranch ? row.packed : null
}

test('rows written long ago are text, those written last are not yet', () => {
  expect(packedAt(6000)).toBe(jsonText(from(parts(6000)), 'export'))
  expect(packedAt(ROWS - 1)).toBeNull()
})

test('a packed row says what it said', () => {
  expect(jsonOf(childOf(rows, key(6001)))).toEqual(parts(6001))
  expect(hashOf(childOf(rows, key(6002)))).toBe(hashOf(from(parts(6002))))
  for (const form of ['export', 'plain', 'arrays'] as const)
    expect(jsonText(childOf(rows, key(6003)), form)).toBe(jsonText(from(parts(6003)), form))
})

test('a write into a packed row keeps the rest of it, and the row as it was', () => {
  const before = childOf(rows, key(6004))
  const next = withNodeAt(rows, [key(6004), 'place', 'lat'], 5)
  expect(jsonOf(childOf(next, key(6004)))).toEqual({
    ...parts(6004),
    place: { ...parts(6004).place, lat: 5 },
  })
  expect(jsonOf(before)).toEqual(parts(6004))
})

test('the same content again is no change', () => {
  const before = childOf(rows, key(6005))
  expect(reuse(before, from(parts(6005)))).toBe(before)
  expect(withNodeAt(rows, [key(6006), 'part3'], 6009)).toBe(rows)
})

test('a priority inside a row outlives its packing', () => {
  let some = withNodeAt(rows, [key(0)], withPriority(from(parts(0)), 7))
  some = withNodeAt(some, [key(1), 'place'], withPriority(from({ lat: 1 }), 'high'))
  for (let at = 0; at < 5000; at++) some = withNodeAt(some, [key(at + 5000), 'part0'], -1)
  expect(jsonText(nodeAt(some, [key(0)]), 'export')).toContain('{".priority":7,')
  expect(jsonText(nodeAt(some, [key(1)]), 'export')).toContain('{".priority":"high","lat":1}')
  expect(jsonText(nodeAt(some, [key(1)]), 'plain')).not.toContain('.priority')
})

test('an index made late finds packed rows', () => {
  const found = (rows as LargeBranch).rowsBy(indexOf('part0'))
  expect(found.size).toBe(ROWS)
  expect(found.minKey()).toEqual({ value: 0, key: key(0) })
})
