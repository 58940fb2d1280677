import { describe, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { compileRules, DEFAULT_QUERY } from '~/emulator/src/rules/compiler'
import { createJsonView } from '~/emulator/src/rules/testing/jsonView'
import { toRulesJson } from '~/rules/build'
import { compressRules } from '~/rules/ruleCompression'
import type { Rule } from '~/rules/ruleBuilders'
import { rulesTree } from '~/rules/tree'
import { getUid, createWorld, type TestPerson } from './rulesFixtures'

/**
 * Compares the original rules with the compressed rules of the file: both must decide each write
 * alike.
 */
const originalRules = compileRules(JSON.stringify({ rules: toRulesJson(rulesTree) }))
const foldedRules = compileRules(JSON.stringify({ rules: toRulesJson(compressRules(rulesTree)) }))

type Json = DatabaseValue | undefined
const isBranch = (value: Json): value is Record<string, DatabaseValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const getValueAt = (value: Json, [key, ...rest]: readonly string[]): Json =>
  key === undefined ? value : isBranch(value) ? getValueAt(value[key], rest) : undefined
const setValueAt = (
  whole: Json,
  [key, ...rest]: readonly string[],
  value: DatabaseValue,
): DatabaseValue => {
  if (key === undefined) return value
  const { [key]: child, ...others } = isBranch(whole) ? whole : {}
  const next = setValueAt(child, rest, value)
  const left = next === null ? others : { ...others, [key]: next }
  return Object.keys(left).length === 0 ? null : left
}
const toBranches = (value: Json): DatabaseValue =>
  Array.isArray(value)
    ? toBranches(Object.fromEntries(value.map((one, i) => [`${i}`, one])))
    : isBranch(value)
      ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, toBranches(child)]))
      : (value ?? null)

const SAMPLE_VALUES: readonly DatabaseValue[] = [
  ...[null, true, false, 0, 4, -1, 0.5, 1e10, 1e16],
  ...['', 'x', 'admin', 'ARRIVED', 'https://images.example/a.png', 'ria@example.com'],
  ...['x'.repeat(41), 'x'.repeat(301), 'x'.repeat(2001), 'x'.repeat(5001)],
  ...[{ deep: true }, { length: 1 }],
]
const NOW = 1_800_000_000_000

type Captured = readonly (readonly [name: string, key: string])[]
/** Returns a value that a path's own rule accepts, with such values for all of its fields. */
const createSample = (rule: Rule, captured: Captured): DatabaseValue => {
  if (rule.children) return addMissingParts(rule, {}, captured)
  const words = rule.validate?.match(/(?<=\^\()\w+|(?<==== ')\w+/g) ?? []
  const alone = captured.reduceRight<Rule>((inner, [name]) => ({ children: { [name]: inner } }), {
    ...rule,
    write: 'true',
  })
  const { canWrite } = compileRules(JSON.stringify({ rules: toRulesJson(alone) }))
  const path = captured.map(([, key]) => key)
  const takes = (value: DatabaseValue) => {
    const [root, newRoot] = [createJsonView(null), createJsonView(setValueAt(null, path, value))]
    return canWrite({ paths: [path], auth: null, now: NOW, root, newRoot })
  }
  return [...words, 'xyz', 2010, ...SAMPLE_VALUES].find((one) => one !== null && takes(one)) ?? 'x'
}
const KEYS: Record<string, string> = { $index: '0', $date: '2026-11-22', $month: '2026-11' }
/** Returns the value with every field that its rule names. */
const addMissingParts = (
  rule: Rule,
  value: Record<string, DatabaseValue>,
  captured: Captured = [],
): Record<string, DatabaseValue> =>
  Object.entries(rule.children ?? {})
    .filter(([name]) => name !== '$other')
    .reduce<Record<string, DatabaseValue>>((whole, [name, child]) => {
      const isNamed = !name.startsWith('$')
      const there = Object.keys(whole)
      const keys = isNamed ? [name] : there.length > 0 ? there : [KEYS[name] ?? 'x']
      return keys.reduce((so, key) => {
        const part = so[key] ?? null
        const below: Captured = isNamed ? captured : [...captured, [name, key]]
        const filled = isBranch(part)
          ? addMissingParts(child, part, below)
          : (part ?? createSample(child, below))
        return { ...so, [key]: filled }
      }, whole)
    }, value)

const currentData = toBranches(createWorld())
const completeData = toBranches(
  isBranch(currentData) ? addMissingParts(rulesTree, currentData) : null,
)
// These clients send no schema version; schemaVersion.test.ts covers the version rules.
const testData = setValueAt(completeData, ['schema'], null)

const listPaths = (value: Json, path: readonly string[] = []): (readonly string[])[] => [
  path,
  ...(isBranch(value)
    ? [
        [...path, 'unheardOf'],
        ...Object.entries(value).flatMap(([key, child]) => listPaths(child, [...path, key])),
      ]
    : []),
]
/** Returns paths below each field of a record that exist only below another of its fields. */
const listMisplacedPaths = (branch: string): (readonly string[])[] => {
  const [first = ''] = Object.keys(getValueAt(completeData, [branch]) ?? {})
  const paths = listPaths(getValueAt(completeData, [branch, first]), [branch, first])
  const namesAt = (depth: number) => new Set(paths.flatMap((path) => path[depth] ?? []))
  return paths.flatMap((path) =>
    [...namesAt(path.length)]
      .filter((name) => getValueAt(completeData, [...path, name]) === undefined)
      .map((name) => [...path, name]),
  )
}

/**
 * Returns the values to try at a path: samples, the current value, and that value without one field
 * or with one more.
 */
const createValues = (before: DatabaseValue, path: readonly string[]): readonly DatabaseValue[] => {
  const here = getValueAt(before, path) ?? getValueAt(completeData, path)
  if (!isBranch(here)) return here === undefined ? SAMPLE_VALUES : [...SAMPLE_VALUES, here]
  const without = Object.keys(here).map((key) => setValueAt(here, [key], null))
  return [...SAMPLE_VALUES, here, { ...here, unheardOf: true }, ...without]
}

const PEOPLE: readonly TestPerson[] = [
  'visitor',
  'rider',
  'driver',
  'otherDriver',
  'fleet',
  'admin',
  'server',
]

const createAuth = (who: TestPerson) => {
  const uid = getUid(who)
  return uid === null ? null : { uid, provider: 'phone', token: {} }
}
const QUERIES = [DEFAULT_QUERY, { ...DEFAULT_QUERY, limitToFirst: 10 }]

/**
 * Compares both rule sets for one write by everyone; returns the number of people who may make it.
 */
const countAllowedWrites = (
  before: DatabaseValue,
  path: readonly string[],
  value: DatabaseValue,
): number => {
  const [top = '', id = '', field] = path
  const revision = getValueAt(before, [top, id, 'revision'])
  const moved =
    typeof revision === 'number' && field !== undefined && field !== 'revision'
      ? [[top, id, 'revision']]
      : []
  const steps = moved.reduce<DatabaseValue>(
    (whole, step) => setValueAt(whole, step, Number(revision) + 1),
    setValueAt(before, path, value),
  )
  const [root, newRoot] = [createJsonView(before), createJsonView(steps)]
  const allowed = PEOPLE.filter((who) => {
    const request = { paths: [path, ...moved], auth: createAuth(who), now: NOW, root, newRoot }
    const asWritten = originalRules.canWrite(request)
    const isWritable = foldedRules.canWrite(request)
    // Removing what is not there changes nothing, so it may be allowed.
    if (isWritable && value === null && getValueAt(before, path) === undefined) return asWritten
    if (isWritable !== asWritten)
      expect([who, path.join('/'), value, isWritable]).toEqual([
        ...[who, path.join('/'), value],
        asWritten,
      ])
    return asWritten
  })
  return allowed.length
}

describe.each(Object.keys(completeData ?? {}))('%s', (branch) => {
  test.each([
    ['with the current data', currentData],
    ['with every field', testData],
  ])('decides every write like the original, %s', (_, before) => {
    for (const path of listPaths(getValueAt(completeData, [branch]), [branch]))
      for (const value of createValues(before, path)) countAllowedWrites(before, path, value)
  })

  test('decides every read like the original', () => {
    for (const path of [
      ...listPaths(getValueAt(completeData, [branch]), [branch]),
      ...listMisplacedPaths(branch),
    ])
      for (const [query, who] of QUERIES.flatMap((query) =>
        PEOPLE.map((who) => [query, who] as const),
      )) {
        const request = {
          path,
          auth: createAuth(who),
          now: NOW,
          root: createJsonView(testData),
          query,
        }
        const mayRead = foldedRules.canRead(request)
        // A place that can have no data reveals nothing, so reading it may be allowed.
        if (mayRead && getValueAt(completeData, path) === undefined) continue
        expect([who, path.join('/'), query, mayRead]).toEqual([
          ...[who, path.join('/'), query],
          originalRules.canRead(request),
        ])
      }
  })

  test('decides writes of misplaced fields like the original', () => {
    for (const path of listMisplacedPaths(branch))
      for (const value of [null, true, 4, 'x']) countAllowedWrites(testData, path, value)
  })
})

test('both rule sets allow a write of each editable field', () => {
  const allowed = (record: string) =>
    Object.keys(getValueAt(testData, record.split('/')) ?? {}).filter((part) => {
      const path = [...record.split('/'), part]
      return countAllowedWrites(testData, path, getValueAt(testData, path) ?? null) > 0
    })
  expect(allowed('bookings/riding')).toEqual(
    expect.arrayContaining(['pickup', 'waypoints', 'coords', 'paymentPacket', 'distance_review']),
  )
  expect(allowed('users/driver')).toEqual(
    expect.arrayContaining(['lang', 'location', 'formerPromos', 'savedAddresses']),
  )
})

test('the file has the same indexes and data dependencies as the original rules', () => {
  expect(foldedRules.isReadDataDependent).toBe(originalRules.isReadDataDependent)
  for (const path of listPaths(completeData))
    expect(foldedRules.findIndexes(path)).toEqual(originalRules.findIndexes(path))
})
