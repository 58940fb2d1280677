import { expect, test } from 'vitest'
import { DisconnectWrites } from './disconnectWrites'

const setRequest = (path: string, json: unknown) => ({
  path: path.split('/'),
  isMerge: false,
  json,
})
const updateRequest = (path: string, json: unknown) => ({
  path: path.split('/'),
  isMerge: true,
  json,
})

test('performs writes once, in the order of their registration', () => {
  const left = new DisconnectWrites()
  left.add(setRequest('a', 1))
  left.add(updateRequest('b', { x: 1 }))
  expect(left.takeAll()).toEqual([setRequest('a', 1), updateRequest('b', { x: 1 })])
  expect(left.takeAll()).toEqual([])
})

test('a later write replaces an earlier write that it overwrites', () => {
  const left = new DisconnectWrites()
  left.add(setRequest('a/b', 1))
  left.add(setRequest('a', 2))
  expect(left.takeAll()).toEqual([setRequest('a', 2)])
})

test('canceling removes the writes at a path and below it', () => {
  const left = new DisconnectWrites()
  left.add(setRequest('a/b', 1))
  left.add(setRequest('a/b/c', 2))
  left.add(setRequest('ab', 3))
  left.cancel(['a', 'b'])
  expect(left.takeAll()).toEqual([setRequest('ab', 3)])
})

test('canceling removes the part at its path from writes above it', () => {
  const left = new DisconnectWrites()
  left.add(setRequest('a', { b: 1, c: { d: 2, e: 3 } }))
  left.add(updateRequest('x', { 'y/z': 1, y2: { z: 1, w: 2 } }))
  left.cancel(['a', 'c', 'd'])
  left.cancel(['x', 'y', 'z'])
  left.cancel(['x', 'y2', 'w'])
  expect(left.takeAll()).toEqual([
    updateRequest('a', { b: 1, c: { e: 3 } }),
    updateRequest('x', { y2: { z: 1 } }),
  ])
})
