import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import type { Rule } from '~/rules/ruleBuilders'
import { rulesTree } from '~/rules/tree'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import { isAttemptAllowed } from './accessAttempt'
import { readCases } from './readCases'
import { deny, type AccessCase } from './accessCase'
import { SCENARIOS } from './scenarioCases'
import { TEST_PEOPLE, createWorld } from './rulesFixtures'
import { writeCases } from './writeCases'

/** Checks the completeness of the tables, which no single row can prove. */

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const allCases = [...readCases, ...writeCases, ...Object.values(SCENARIOS).flat()]
const listNamedChildren = (rule = rulesTree) =>
  Object.keys(rule.children ?? {}).filter((key) => !key.startsWith('$'))
const listTouchedPaths = (operations: readonly string[], allowed: boolean) =>
  new Set(
    allCases
      .filter((row) => operations.includes(row.does) && row.allowed === allowed)
      .flatMap((row) => [
        row.at,
        ...Object.keys(row.at === '' ? ((row.value ?? {}) as object) : {}),
      ])
      .map((path) => path.split('/')[0]),
  )

test('every path is readable by someone, and refused to someone unless it is public', () => {
  const [read, refused] = [listTouchedPaths(['read'], true), listTouchedPaths(['read'], false)]
  expect(listNamedChildren().filter((path) => !read.has(path))).toEqual([])
  expect(listNamedChildren().filter((path) => !refused.has(path))).toEqual([
    'cartypes',
    'languages',
    'settings',
  ])
})

test('every path is writable by someone and refused to someone', () => {
  const operations = ['set', 'update', 'remove']
  const [written, refused] = [
    listTouchedPaths(operations, true),
    listTouchedPaths(operations, false),
  ]
  expect(listNamedChildren().filter((path) => !written.has(path) || !refused.has(path))).toEqual([])
})

test('the tables try every field of a user as every person', () => {
  const tried = new Set(
    writeCases
      .map(({ at }) => at.split('/'))
      .filter(([path]) => path === 'users')
      .map(([, , part]) => part),
  )
  const parts = listNamedChildren(rulesTree.children?.['users']?.children?.['$uid'])
  expect(parts.filter((part) => !tried.has(part))).toEqual([])
})

const CLIENTS = TEST_PEOPLE.filter((who) => who !== 'server')
const functionsOwn: [string, string, string][] = [
  ['bookings', '$booking', 'bookings/riding'],
  ['withdraws', '$withdraw', 'withdraws/asked'],
  ['payments', '$payment', 'payments/checkout'],
  ['shares', '$token', 'shares/token'],
]
test.each(functionsOwn)('clients cannot write any field of %s', async (path, key, place) => {
  const parts = listNamedChildren(rulesTree.children?.[path]?.children?.[key])
  expect(parts.length).toBeGreaterThan(5)
  for (const who of CLIENTS)
    for (const part of parts) {
      const at = `${place}/${part}`
      const row = deny(who, { does: 'set', at, value: 1 }, 'only functions write it')
      const written = await isAttemptAllowed(database, row)
      expect([who, at, written]).toEqual([who, at, false])
    }
})

const isPublic = ({ at }: AccessCase) => /^(settings|languages|cartypes)\b/.test(at)
const isOwnProfile = ({ at, who }: AccessCase) =>
  at.split('/').slice(0, 2).join('/') === `users/${who}`
const clients = allCases.filter(
  ({ who, allowed }) => allowed && who !== 'server' && who !== 'visitor',
)

test.each([
  ['suspended', 'approved', false],
  ['of an unknown user type', 'usertype', 'superuser'],
])('a person who is %s can only read their own profile', async (_what, field, value) => {
  const lost = clients.filter(
    (row) =>
      !(row.does === 'read' && (isPublic(row) || isOwnProfile(row))) && row.who !== 'stranger',
  )
  expect(lost.length).toBeGreaterThan(150)
  for (const row of lost) {
    // The role is removed in the same write, as always.
    const without = { [`users/${row.who}/${field}`]: value, [`roles/${row.who}`]: null }
    const given = { ...row.given, ...without }
    const done = await isAttemptAllowed(database, { ...row, given })
    expect([row.who, row.does, row.at, row.because, done]).toEqual([
      ...[row.who, row.does, row.at, row.because],
      false,
    ])
  }
})

interface RecordPart {
  path: string
  required: boolean
}
/** Returns the fields of every record in the initial data, with their rules. */
const listParts = (rule: Rule, value: DatabaseValue, path: string): RecordPart[] =>
  typeof value !== 'object' || value === null || !rule.children
    ? []
    : Object.entries(value).flatMap(([key, child]) => {
        const children = rule.children ?? {}
        const captured = Object.keys(children).find((name) => /^\$(?!other)/.test(name)) ?? ''
        const below = children[key] ?? children[captured]
        const here = path === '' ? key : `${path}/${key}`
        if (!below) throw new Error(`/${here} has no rule`)
        const isPart = children[key] !== undefined && children['$other']?.validate === 'false'
        const required = isPart && below.isOptional !== true
        return [{ path: here, required }, ...listParts(below, child, here)]
      })

test('even a function cannot remove a required field of a record', async () => {
  const required = listParts(rulesTree, createWorld(), '').filter(
    ({ path, required }) => required && path.includes('/') && !path.startsWith('stats/'),
  )
  expect(required.length).toBeGreaterThan(200)
  for (const { path } of required) {
    const revision = path.startsWith('bookings/') && path.split('/').slice(0, 2).join('/')
    const row = deny(
      'server',
      revision && !path.endsWith('/revision')
        ? { does: 'update', at: '', value: { [`${revision}/revision`]: 4, [path]: null } }
        : { does: 'remove', at: path },
      'the field is required',
    )
    expect([path, await isAttemptAllowed(database, row)]).toEqual([path, false])
  }
})

test('no record of the initial data accepts an unknown field', async () => {
  const records = listParts(rulesTree, createWorld(), '')
    .filter(({ required }) => required)
    .map(({ path }) => path.split('/').slice(0, -1).join('/'))
  for (const path of new Set(records.filter((path) => path !== ''))) {
    const row = deny(
      'server',
      { does: 'set', at: `${path}/unheardOf`, value: true },
      'a record has no unknown fields',
    )
    expect([path, await isAttemptAllowed(database, row)]).toEqual([path, false])
  }
})
