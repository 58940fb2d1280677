import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Value } from '~/domain/booking/change'
import { toJson } from '~/rules/build'
import {
  anything,
  bool,
  each,
  key,
  list,
  number,
  oneOf,
  onlyTrue,
  optional,
  parts,
  record,
  text,
  time,
  url,
  whole,
  writableBy,
  type Rule,
} from '~/rules/language'
import { isAllowed, startTestDatabase, type TestDatabase } from '../support/database'

/** The words of the language, each on a path of its own, judged by a real database. */
const place = record({ lat: number(-90, 90), name: optional(text(1, 3)) })
const words: Record<string, Rule> = {
  text: text(2, 4),
  number: number(-1, 1),
  whole: whole(1, 5),
  time: time(),
  bool: bool(),
  onlyTrue,
  oneOf: oneOf('red', 2, true),
  quoted: oneOf("it's"),
  url,
  key,
  anything,
  list: list(place),
  each: each('$key', place),
  record: place,
}
const open = (rule: Rule): Rule => ({ ...rule, write: 'true', read: 'true' })
const forms: Record<string, Rule> = {
  makeOnly: each('$id', record({ a: bool(), b: optional(bool()) }, { create: 'true' })),
  changeOnly: each('$id', record({ a: bool(), b: bool() }, { update: 'true' })),
  dropOnly: each('$id', record({ a: bool() }, { remove: 'true' })),
  byParts: parts(
    {
      fixed: bool(),
      needed: writableBy('true', bool()),
      spare: writableBy('true', optional(bool())),
    },
    { create: 'true' },
  ),
}
const rules = {
  rules: toJson({
    children: {
      ...Object.fromEntries(Object.entries(words).map(([name, rule]) => [name, open(rule)])),
      ...Object.fromEntries(
        Object.entries(forms).map(([name, rule]) => [name, { ...rule, read: 'true' }]),
      ),
    },
  }),
}

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase(JSON.stringify(rules))
})
afterAll(() => database.stop())

const takes = async (path: string, value: Value, before: Value = null): Promise<boolean> => {
  await database.put(before, path.split('/')[0])
  return isAllowed(database.as(null).ref(path).set(value))
}

const long = (length: number) => 'x'.repeat(length)
const tables: [string, Value[], Value[]][] = [
  ['text', ['ab', 'abcd'], ['a', 'abcde', 7, true, { ab: 'ab' }]],
  ['number', [-1, 0.5, 1], [-1.1, 1.1, '1', true, { a: 1 }]],
  ['whole', [1, 5], [0, 6, 1.5, '1']],
  ['time', [0, 1_700_000_000_000], [-1, 1e15, 'now', true]],
  ['bool', [true, false], ['true', 1, { a: true }]],
  ['onlyTrue', [true], [false, 'true', 1]],
  ['oneOf', ['red', 2, true], ['blue', '2', 'true', 3, false]],
  ['quoted', ["it's"], ['its']],
  [
    'url',
    ['https://a.example/b.png', 'http://127.0.0.1:9199/x?alt=media', '/images/van.svg'],
    ['javascript:alert(1)', 'data:text/html,x', 'https:', 'two words', `/${long(2000)}`, 7],
  ],
  ['key', ['-Oabc_9', long(128)], ['', 'a b', 'a/b', long(129), 7]],
  ['anything', ['x', 7, { deep: { er: true } }], []],
  [
    'record',
    [{ lat: 1 }, { lat: 1, name: 'abc' }],
    [{ name: 'abc' }, { lat: 91 }, { lat: 1, lng: 2 }, 7, 'x'],
  ],
  ['each', [{ a: { lat: 1 }, b: { lat: 2 } }], [{ a: { lat: 1 }, b: { lng: 2 } }, { a: 1 }]],
  ['list', [[{ lat: 1 }, { lat: 2 }]], [{ first: { lat: 1 } }, [{ lat: 1 }, { lat: 100 }], [1]]],
]

describe.each(tables)('%s', (word, accepted, refused) => {
  test('takes what it names', async () => {
    for (const value of accepted) expect([value, await takes(word, value)]).toEqual([value, true])
  })
  test('refuses what it does not', async () => {
    for (const value of refused) expect([value, await takes(word, value)]).toEqual([value, false])
  })
})

describe('a record is', () => {
  const whole = { a: true, b: true }
  const cases: [string, string, Value, Value, boolean][] = [
    ['made where that is allowed', 'makeOnly/x', { a: true }, null, true],
    ['not made without a required part', 'makeOnly/x', { b: true }, null, false],
    ['not begun by one of its parts', 'makeOnly/x/b', true, null, false],
    ['not changed where it is only made', 'makeOnly/x/a', false, { x: whole }, false],
    ['not removed where it is only made', 'makeOnly/x', null, { x: whole }, false],
    ['changed where that is allowed', 'changeOnly/x/a', false, { x: whole }, true],
    ['not made where it is only changed', 'changeOnly/x', whole, null, false],
    ['not stripped of a required part', 'changeOnly/x/a', null, { x: whole }, false],
    ['not removed where it is only changed', 'changeOnly/x', null, { x: whole }, false],
    ['removed where that is allowed', 'dropOnly/x', null, { x: { a: true } }, true],
    ['not made where it is only removed', 'dropOnly/x', { a: true }, null, false],
    ['not stripped where it is only removed', 'dropOnly/x/a', null, { x: whole }, false],
    ['made whole, if by parts', 'byParts', { fixed: true, needed: true }, null, true],
    ['not made without a needed part', 'byParts', { fixed: true, spare: true }, null, false],
  ]
  test.each(cases)('%s', async (_title, path, value, before, allowed) => {
    expect(await takes(path, value, before)).toBe(allowed)
  })

  const made = { fixed: true, needed: true, spare: true }
  const ofParts: [string, string, Value, boolean][] = [
    ['its needed part is changed', 'byParts/needed', false, true],
    ['its needed part is not removed', 'byParts/needed', null, false],
    ['its spare part is removed', 'byParts/spare', null, true],
    ['its fixed part is not changed', 'byParts/fixed', false, false],
    ['it takes no other part', 'byParts/other', true, false],
    ['it is not removed', 'byParts', null, false],
    ['it is not written over', 'byParts', made, false],
  ]
  test.each(ofParts)('written by parts: %s', async (_title, path, value, allowed) => {
    expect(await takes(path, value, made)).toBe(allowed)
  })
})
