import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useOptimistic } from './optimistic'
import { useSteady } from './steady'

interface Row {
  id: string
  paid?: boolean
}
const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id }))
const ids = (all: Row[]) => all.map(({ id }) => id).join('')

test('rows under the pointer stay where they are; new ones wait until it leaves or they are asked for', () => {
  const { result, rerender } = renderHook(({ now, view }) => useSteady(now, view), {
    initialProps: { now: rows('a', 'b'), view: 'all' },
  })
  rerender({ now: rows('n', 'a', 'b'), view: 'all' })
  expect(ids(result.current.rows)).toBe('nab')
  act(() => result.current.holding.onPointerEnter())
  rerender({ now: [{ id: 'm' }, { id: 'a', paid: true }, { id: 'b' }], view: 'all' })
  expect(ids(result.current.rows)).toBe('nab')
  expect(result.current.rows[1]).toEqual({ id: 'a', paid: true })
  expect([...result.current.left]).toEqual(['n'])
  expect(result.current.waiting).toBe(1)
  act(() => result.current.release())
  expect(ids(result.current.rows)).toBe('mab')
  act(() => result.current.holding.onPointerEnter())
  rerender({ now: rows('x'), view: 'another question' })
  expect(ids(result.current.rows)).toBe('x')
  // A dialog closed, and the pointer is among the rows without having come from elsewhere.
  act(() => result.current.holding.onPointerMove())
  rerender({ now: rows('y', 'x'), view: 'another question' })
  expect(ids(result.current.rows)).toBe('x')
})

test('what was asked for is shown at once, given up when it is refused, and never stands against what came later', async () => {
  const first: Row[] = [{ id: 'a', paid: false }]
  const { result, rerender } = renderHook(({ now }) => useOptimistic(now), {
    initialProps: { now: first },
  })
  const paid = () => result.current[0][0]?.paid
  let refuse = (_: Error) => {}
  let done = Promise.resolve()
  act(() => {
    done = result.current[1]('a', { paid: true }, () => new Promise((_, no) => (refuse = no)))
  })
  expect(paid()).toBe(true)
  await act(async () => {
    refuse(new Error('no'))
    await done.catch(() => undefined)
  })
  expect(paid()).toBe(false)
  await act(() => result.current[1]('a', { paid: true }, async () => undefined))
  expect(paid()).toBe(true)
  rerender({ now: [{ id: 'a', paid: true }] })
  expect(paid()).toBe(true)
  rerender({ now: [{ id: 'a', paid: false }] })
  expect(paid()).toBe(false)
})
