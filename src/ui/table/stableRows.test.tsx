import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useOptimisticRows } from './optimisticRows'
import { useStableRows } from './stableRows'

interface Row {
  id: string
  paid?: boolean
}
const rows = (...ids: string[]): Row[] => ids.map((id) => ({ id }))
const ids = (all: Row[]) => all.map(({ id }) => id).join('')

test('keeps rows under the pointer in place, and holds new ones until the pointer leaves or the view changes', () => {
  const { result, rerender } = renderHook(({ now, view }) => useStableRows(now, view), {
    initialProps: { now: rows('a', 'b'), view: 'all' },
  })
  rerender({ now: rows('n', 'a', 'b'), view: 'all' })
  expect(ids(result.current.rows)).toBe('nab')
  act(() => result.current.pointerHandlers.onPointerEnter())
  rerender({ now: [{ id: 'm' }, { id: 'a', paid: true }, { id: 'b' }], view: 'all' })
  expect(ids(result.current.rows)).toBe('nab')
  expect(result.current.rows[1]).toEqual({ id: 'a', paid: true })
  expect([...result.current.removedIds]).toEqual(['n'])
  expect(result.current.waiting).toBe(1)
  act(() => result.current.release())
  expect(ids(result.current.rows)).toBe('mab')
  act(() => result.current.pointerHandlers.onPointerEnter())
  rerender({ now: rows('x'), view: 'another question' })
  expect(ids(result.current.rows)).toBe('x')
  // Simulates a closed dialog: the pointer is over the rows without having entered them.
  act(() => result.current.pointerHandlers.onPointerMove())
  rerender({ now: rows('y', 'x'), view: 'another question' })
  expect(ids(result.current.rows)).toBe('x')
})

test('shows a change at once, rolls it back when refused, and never overrides later data', async () => {
  const first: Row[] = [{ id: 'a', paid: false }]
  const { result, rerender } = renderHook(({ now }) => useOptimisticRows(now), {
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
