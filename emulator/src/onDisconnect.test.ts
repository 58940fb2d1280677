import { expect, test } from 'vitest'
import { OnDisconnect } from './onDisconnect'

const set = (path: string, json: unknown) => ({ path: path.split('/'), merge: false, json })
const update = (path: string, json: unknown) => ({ path: path.split('/'), merge: true, json })

test('writes are done in the order they were asked for, once', () => {
  const left = new OnDisconnect()
  left.add(set('a', 1))
  left.add(update('b', { x: 1 }))
  expect(left.take()).toEqual([set('a', 1), update('b', { x: 1 })])
  expect(left.take()).toEqual([])
})

test('a later write supersedes what it overwrites', () => {
  const left = new OnDisconnect()
  left.add(set('a/b', 1))
  left.add(set('a', 2))
  expect(left.take()).toEqual([set('a', 2)])
})

test('cancelling takes back a place and all below it', () => {
  const left = new OnDisconnect()
  left.add(set('a/b', 1))
  left.add(set('a/b/c', 2))
  left.add(set('ab', 3))
  left.cancel(['a', 'b'])
  expect(left.take()).toEqual([set('ab', 3)])
})

test('cancelling takes its part out of writes above it', () => {
  const left = new OnDisconnect()
  left.add(set('a', { b: 1, c: { d: 2, e: 3 } }))
  left.add(update('x', { 'y/z': 1, y2: { z: 1, w: 2 } }))
  left.cancel(['a', 'c', 'd'])
  left.cancel(['x', 'y', 'z'])
  left.cancel(['x', 'y2', 'w'])
  expect(left.take()).toEqual([update('a', { b: 1, c: { e: 3 } }), update('x', { y2: { z: 1 } })])
})
