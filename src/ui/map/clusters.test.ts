import { expect, test } from 'vitest'
import { groupIntoClusters, isClusterable } from './clusters'

const at = (x: number, y: number) => ({ x, y, item: `${x},${y}` })

test('groups overlapping items into one at their center', () => {
  expect(groupIntoClusters([at(0, 0), at(10, 0), at(20, 0), at(500, 0)])).toEqual([
    { x: 10, y: 0, items: ['0,0', '10,0', '20,0'] },
    { x: 500, y: 0, items: ['500,0'] },
  ])
})

test('keeps two touching items separate', () => {
  expect(groupIntoClusters([at(0, 0), at(10, 0)])).toHaveLength(2)
})

test('loses and duplicates nothing in any arrangement', () => {
  const things = Array.from({ length: 500 }, (_, i) => at((i * 37) % 601, (i * 91) % 397))
  const members = groupIntoClusters(things).flatMap(({ items }) => items)
  expect(members.toSorted()).toEqual(things.map(({ item }) => item).toSorted())
})

test('never groups the ends of a route or the chosen vehicle', () => {
  const spec = { id: 'x', position: { lat: 0, lng: 0 } }
  expect(isClusterable({ ...spec, kind: 'vehicle' })).toBe(true)
  expect(isClusterable({ ...spec, kind: 'vehicle', isActive: true })).toBe(false)
  expect(isClusterable({ ...spec, kind: 'end' })).toBe(false)
})
