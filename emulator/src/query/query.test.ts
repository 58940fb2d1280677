import { describe, expect, test } from 'vitest'
import { buildNode } from '../tree/nodeBuilder'
import { toQueryFacts, parseWireQuery, selectEntries } from './query'

const buildFrom = (json: unknown) => buildNode(json, { now: 0, existing: null, depth: 0 })
const selectKeys = (json: unknown, wire: object): string[] =>
  selectEntries(buildFrom(json), parseWireQuery(wire), true).map(([key]) => key)

const people = { ana: { n: 3 }, bo: { n: 1 }, cy: { n: 2 }, di: { n: 2 }, ed: {}, flo: 'leaf' }

describe('a query', () => {
  test.each([
    [{ i: 'n' }, ['flo', 'bo', 'cy', 'di', 'ana']],
    [{ i: 'n', sp: 2 }, ['cy', 'di', 'ana']],
    [{ i: 'n', sp: 2, sn: 'di' }, ['di', 'ana']],
    [{ i: 'n', sp: 2, sn: '[MAX_NAME]', sin: false }, ['ana']],
    [{ i: 'n', ep: 2, ein: false }, ['flo', 'bo', 'cy', 'di']],
    [{ i: 'n', ep: 2, en: '[MIN_NAME]', ein: false }, ['flo', 'bo']],
    [{ i: 'n', sp: null, ep: null }, ['flo']],
    [{ i: 'n', l: 2, vf: 'l' }, ['flo', 'bo']],
    [{ i: 'n', l: 2, vf: 'r' }, ['di', 'ana']],
    [{ i: 'n', l: 1, vf: 'r', ep: 2 }, ['di']],
    [{ i: '.key', sp: 'bo', ep: 'cy' }, ['bo', 'cy']],
    [{ i: '.key', sp: 'bo', sin: false, l: 1, vf: 'l' }, ['cy']],
    [{ i: '.value', sp: 'leaf', ep: 'leaf' }, ['flo']],
    [{ l: 1, vf: 'l' }, ['ana']],
  ])('with %j selects rows in order from small and large collections', (wire, expected) => {
    expect(selectKeys(people, wire)).toEqual(expected)
    // Above 64 children a branch is a tree with indexes. The extra rows sort apart from the people.
    const filling = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`z${i}`, { n: 2.5 + i / 1000 }]),
    )
    const few = (found: string[]) => found.filter((key) => !key.startsWith('z'))
    const many = { ...people, ...filling }
    const intoFilling = JSON.stringify(wire) === '{"i":"n","l":2,"vf":"r"}'
    if (!intoFilling) expect(few(selectKeys(many, wire))).toEqual(expected)
    const query = parseWireQuery(wire)
    expect(selectEntries(buildFrom(many), query, true)).toEqual(
      selectEntries(buildFrom(many), query, false),
    )
  })

  test('orders by priority when any child has one', () => {
    const many = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [`k${i}`, { '.value': i, '.priority': 100 - i }]),
    )
    expect(selectKeys(many, { l: 2, vf: 'l' })).toEqual(['k99', 'k98'])
    expect(selectKeys(many, { sp: 50, ep: 51 })).toEqual(['k50', 'k49'])
  })

  test('exposes its parameters to the rules', () => {
    expect(toQueryFacts(parseWireQuery(undefined))).toMatchObject({
      orderByKey: true,
      equalTo: null,
    })
    expect(toQueryFacts(parseWireQuery({ i: 'n', sp: 2, ep: 2 }))).toMatchObject({
      orderByKey: false,
      orderByChild: 'n',
      startAt: 2,
      endAt: 2,
      equalTo: 2,
    })
    expect(toQueryFacts(parseWireQuery({ i: '.key', l: 3, vf: 'r' }))).toMatchObject({
      orderByKey: true,
      limitToFirst: null,
      limitToLast: 3,
      startAt: null,
    })
    expect(toQueryFacts(parseWireQuery({ i: 'n', sp: 2, sin: false, ep: 2 })).equalTo).toBe(null)
  })

  test.each([
    { i: 5 },
    { i: '' },
    { l: 0 },
    { l: 1.5 },
    { sp: {} },
    { sp: 1, sn: 2 },
    { i: '.foo' },
  ])('is refused for %j', (wire) => {
    expect(() => parseWireQuery(wire)).toThrow()
  })
})
