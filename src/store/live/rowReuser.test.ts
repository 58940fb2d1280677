import { expect, test } from 'vitest'
import { makeRowReuser } from './rowReuser'

interface Row {
  id: string
  name: string
  at: { lat: number }
}
const read = (id: string, value: unknown): Row | undefined =>
  (value as Row).name === 'broken' ? undefined : { ...(value as Row), id }

const answer = () => ({ a: { name: 'Ana', at: { lat: 1 } }, b: { name: 'Beto', at: { lat: 2 } } })

test('reuses an unchanged row however often the list arrives', () => {
  const rows = makeRowReuser<Row>()
  const first = rows(answer(), read)
  const moved = { ...answer(), b: { name: 'Beto', at: { lat: 3 } } }
  const second = rows(moved, read)
  expect(second[0]).toBe(first[0])
  expect(second[1]).not.toBe(first[1])
  expect(second[1]?.at.lat).toBe(3)
  expect(rows(moved, read)[1]).toBe(second[1])
})

test('does not reuse a row that lost a field, was removed or became invalid', () => {
  const rows = makeRowReuser<Row>()
  rows(answer(), read)
  expect(rows({ a: { name: 'Ana', at: {} } }, read)).toEqual([{ id: 'a', name: 'Ana', at: {} }])
  expect(rows({ a: { name: 'broken' } }, read)).toEqual([])
  expect(rows(null, read)).toEqual([])
})

test('reads a list with number keys that arrives as a sparse array', () => {
  const rows = makeRowReuser<Row>()
  expect(rows([null, { name: 'One' }], read)).toEqual([{ id: '1', name: 'One' }])
})
