import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { toRulesJson } from '~/rules/build'
import {
  anyJsonRule,
  booleanRule,
  collectionRule,
  keyRule,
  arrayRule,
  numberRule,
  choiceRule,
  trueRule,
  makeOptional,
  editablePartsRule,
  recordRule,
  textRule,
  timestampRule,
  urlRule,
  integerRule,
  withWriteCondition,
  type Rule,
} from '~/rules/ruleBuilders'
import { isAllowed, startTestDatabase, type TestDatabase } from '../support/testDatabase'

/** The functions of the rule language, each at its own path, tested with a real database. */
const rulesAt = recordRule({ lat: numberRule(-90, 90), name: makeOptional(textRule(1, 3)) })
const fieldRules: Record<string, Rule> = {
  text: textRule(2, 4),
  number: numberRule(-1, 1),
  whole: integerRule(1, 5),
  time: timestampRule(),
  bool: booleanRule(),
  onlyTrue: trueRule,
  oneOf: choiceRule('red', 2, true),
  quoted: choiceRule("it's"),
  url: urlRule,
  key: keyRule,
  anything: anyJsonRule,
  list: arrayRule(rulesAt),
  each: collectionRule('$key', rulesAt),
  record: rulesAt,
}
const createOpenRule = (rule: Rule): Rule => ({ ...rule, write: 'true', read: 'true' })
const writeModeRules: Record<string, Rule> = {
  makeOnly: collectionRule(
    '$id',
    recordRule({ a: booleanRule(), b: makeOptional(booleanRule()) }, { create: 'true' }),
  ),
  changeOnly: collectionRule(
    '$id',
    recordRule({ a: booleanRule(), b: booleanRule() }, { update: 'true' }),
  ),
  dropOnly: collectionRule('$id', recordRule({ a: booleanRule() }, { remove: 'true' })),
  byParts: editablePartsRule(
    {
      fixed: booleanRule(),
      needed: withWriteCondition('true', booleanRule()),
      spare: withWriteCondition('true', makeOptional(booleanRule())),
    },
    { create: 'true' },
  ),
}
const rules = {
  rules: toRulesJson({
    children: {
      ...Object.fromEntries(
        Object.entries(fieldRules).map(([name, rule]) => [name, createOpenRule(rule)]),
      ),
      ...Object.fromEntries(
        Object.entries(writeModeRules).map(([name, rule]) => [name, { ...rule, read: 'true' }]),
      ),
    },
  }),
}

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase(JSON.stringify(rules))
})
afterAll(() => database.stop())

const isAccepted = async (
  path: string,
  value: DatabaseValue,
  before: DatabaseValue = null,
): Promise<boolean> => {
  await database.put(before, path.split('/')[0])
  return isAllowed(database.getClient(null).ref(path).set(value))
}

const createLongText = (length: number) => 'x'.repeat(length)
const tables: [string, DatabaseValue[], DatabaseValue[]][] = [
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
    [
      'javascript:alert(1)',
      'data:text/html,x',
      'https:',
      'two words',
      `/${createLongText(2000)}`,
      7,
    ],
  ],
  ['key', ['-Oabc_9', createLongText(128)], ['', 'a b', 'a/b', createLongText(129), 7]],
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
  test('accepts valid values', async () => {
    for (const value of accepted)
      expect([value, await isAccepted(word, value)]).toEqual([value, true])
  })
  test('refuses invalid values', async () => {
    for (const value of refused)
      expect([value, await isAccepted(word, value)]).toEqual([value, false])
  })
})

describe('a record is', () => {
  const whole = { a: true, b: true }
  const cases: [string, string, DatabaseValue, DatabaseValue, boolean][] = [
    ['created where creation is allowed', 'makeOnly/x', { a: true }, null, true],
    ['not created without a required field', 'makeOnly/x', { b: true }, null, false],
    ['not created by one of its fields', 'makeOnly/x/b', true, null, false],
    ['not changed where only creation is allowed', 'makeOnly/x/a', false, { x: whole }, false],
    ['not removed where only creation is allowed', 'makeOnly/x', null, { x: whole }, false],
    ['changed where a change is allowed', 'changeOnly/x/a', false, { x: whole }, true],
    ['not created where only a change is allowed', 'changeOnly/x', whole, null, false],
    ['not changed by the removal of a required field', 'changeOnly/x/a', null, { x: whole }, false],
    ['not removed where only a change is allowed', 'changeOnly/x', null, { x: whole }, false],
    ['removed where removal is allowed', 'dropOnly/x', null, { x: { a: true } }, true],
    ['not created where only removal is allowed', 'dropOnly/x', { a: true }, null, false],
    ['not changed where only removal is allowed', 'dropOnly/x/a', null, { x: whole }, false],
    [
      'created as a whole, even if it is written field by field',
      'byParts',
      { fixed: true, needed: true },
      null,
      true,
    ],
    [
      'not created without a required field, even if it is written field by field',
      'byParts',
      { fixed: true, spare: true },
      null,
      false,
    ],
  ]
  test.each(cases)('%s', async (_title, path, value, before, allowed) => {
    expect(await isAccepted(path, value, before)).toBe(allowed)
  })

  const made = { fixed: true, needed: true, spare: true }
  const ofParts: [string, string, DatabaseValue, boolean][] = [
    ['changes a required field', 'byParts/needed', false, true],
    ['does not remove a required field', 'byParts/needed', null, false],
    ['removes an optional field', 'byParts/spare', null, true],
    ['does not change a fixed field', 'byParts/fixed', false, false],
    ['adds no unknown field', 'byParts/other', true, false],
    ['cannot be removed as a whole', 'byParts', null, false],
    ['cannot be overwritten as a whole', 'byParts', made, false],
  ]
  test.each(ofParts)(
    'written field by field, a record %s',
    async (_title, path, value, allowed) => {
      expect(await isAccepted(path, value, made)).toBe(allowed)
    },
  )
})
