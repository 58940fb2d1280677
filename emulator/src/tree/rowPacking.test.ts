import { beforeAll, expect, test } from 'vitest'
import { getIndex } from '../query/query'
import { buildNode } from './nodeBuilder'
import { hashNode } from './nodeHash'
import { nodeToJson, nodeToJsonText } from './nodeJson'
import {
  getChild,
  getNodeAt,
  PackedBranch,
  reuseUnchanged,
  replaceNodeAt,
  withPriority,
} from './node'
import type { LargeBranch, Node } from './node'
import { enableRowPacking } from './rowPacking'

const ROWS = 12_000
const key = (at: number) => `row-${String(at).padStart(6, '0')}`
const makeParts = (at: number) => ({
  ...Object.fromEntries(Array.from({ length: 14 }, (_, part) => [`part${part}`, at + part])),
  name: `Zoë ${at}`,
  place: { lat: at / 7, lng: -at / 7 },
})
const buildFrom = (json: unknown) => buildNode(json, { now: 0, existing: null, depth: 0 })

let rows: Node | null = null
beforeAll(() => {
  enableRowPacking()
  for (let at = 0; at < ROWS; at++) rows = replaceNodeAt(rows, [key(at)], buildFrom(makeParts(at)))
})
const isPackedAt = (at: number) => {
  const row = getChild(rows, key(at))
  return row instanceof PackedBranch ? row.getPackedText : null
}

test('packs rows written long ago, but not the latest ones', () => {
  expect(isPackedAt(6000)).toBe(nodeToJsonText(buildFrom(makeParts(6000)), 'export'))
  expect(isPackedAt(ROWS - 1)).toBeNull()
})

test('keeps the content of a packed row', () => {
  expect(nodeToJson(getChild(rows, key(6001)))).toEqual(makeParts(6001))
  expect(hashNode(getChild(rows, key(6002)))).toBe(hashNode(buildFrom(makeParts(6002))))
  for (const form of ['export', 'plain', 'arrays'] as const)
    expect(nodeToJsonText(getChild(rows, key(6003)), form)).toBe(
      nodeToJsonText(buildFrom(makeParts(6003)), form),
    )
})

test('a write to a packed row keeps its other values and the old row', () => {
  const before = getChild(rows, key(6004))
  const next = replaceNodeAt(rows, [key(6004), 'place', 'lat'], 5)
  expect(nodeToJson(getChild(next, key(6004)))).toEqual({
    ...makeParts(6004),
    place: { ...makeParts(6004).place, lat: 5 },
  })
  expect(nodeToJson(before)).toEqual(makeParts(6004))
})

test('treats equal content as no change', () => {
  const before = getChild(rows, key(6005))
  expect(reuseUnchanged(before, buildFrom(makeParts(6005)))).toBe(before)
  expect(replaceNodeAt(rows, [key(6006), 'part3'], 6009)).toBe(rows)
})

test('keeps a priority inside a packed row', () => {
  let some = replaceNodeAt(rows, [key(0)], withPriority(buildFrom(makeParts(0)), 7))
  some = replaceNodeAt(some, [key(1), 'place'], withPriority(buildFrom({ lat: 1 }), 'high'))
  for (let at = 0; at < 5000; at++) some = replaceNodeAt(some, [key(at + 5000), 'part0'], -1)
  expect(nodeToJsonText(getNodeAt(some, [key(0)]), 'export')).toContain('{".priority":7,')
  expect(nodeToJsonText(getNodeAt(some, [key(1)]), 'export')).toContain(
    '{".priority":"high","lat":1}',
  )
  expect(nodeToJsonText(getNodeAt(some, [key(1)]), 'plain')).not.toContain('.priority')
})

test('includes packed rows in an index built later', () => {
  const found = (rows as LargeBranch).getRows(getIndex('part0'))
  expect(found.size).toBe(ROWS)
  expect(found.minKey()).toEqual({ value: 0, key: key(0) })
})
