import { expect, test } from 'vitest'
import { clusters, isGrouped } from './clusters'

const at = (x: number, y: number) => ({ x, y, item: `${x},${y}` })

test('things on each other become one group in their middle', () => {
  expect(clusters([at(0, 0), at(10, 0), at(20, 0), at(500, 0)])).toEqual([
    { x: 10, y: 0, items: ['0,0', '10,0', '20,0'] },
    { x: 500, y: 0, items: ['500,0'] },
  ])
})

test('two that touch stay two', () => {
  expect(clusters([at(0, 0), at(10, 0)])).toHaveLength(2)
})

test('nothing is lost or doubled, whatever lies where', () => {
  const things = Array.from({ length: 500 }, (_, i) => at((i * 37) % 601, (i * 91) % 397))
  const members = clusters(things).flatMap(({ items }) => items)
  expect(members.toSorted()).toEqual(things.map(({ item }) => item).toSorted())
})

test('the ends of a way and the chosen car are never grouped', () => {
  const spec = { id: 'x', at: { lat: 0, lng: 0 } }
  expect(isGrouped({ ...spec, kind: 'vehicle' })).toBe(true)
  expect(isGrouped({ ...spec, kind: 'vehicle', active: true })).toBe(false)
  expect(isGrouped({ ...spec, kind: 'end' })).toBe(false)
})
