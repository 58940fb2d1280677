import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Value } from '~/domain/booking/change'
import type { Rule } from '~/rules/language'
import { tree } from '~/rules/tree'
import { startTestDatabase, type TestDatabase } from '../support/database'
import { attempt } from './attempt'
import { readingRows } from './reading'
import { mayNot, type Row } from './row'
import { STORIES } from './stories'
import { PEOPLE, world } from './world'
import { writingRows } from './writing'

/** What a table of rows cannot say by itself: that nothing was left out of it. */

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const rows = [...readingRows, ...writingRows, ...Object.values(STORIES).flat()]
const named = (rule = tree) =>
  Object.keys(rule.children ?? {}).filter((key) => !key.startsWith('$'))
const touched = (deeds: readonly string[], allowed: boolean) =>
  new Set(
    rows
      .filter((row) => deeds.includes(row.does) && row.allowed === allowed)
      .flatMap((row) => [
        row.at,
        ...Object.keys(row.at === '' ? ((row.value ?? {}) as object) : {}),
      ])
      .map((path) => path.split('/')[0]),
  )

test('every path is read by somebody, and refused to somebody unless the public site shows it', () => {
  const [read, refused] = [touched(['read'], true), touched(['read'], false)]
  expect(named().filter((path) => !read.has(path))).toEqual([])
  expect(named().filter((path) => !refused.has(path))).toEqual([
    'cartypes',
    'languages',
    'settings',
  ])
})

test('every path is written by somebody and refused to somebody', () => {
  const deeds = ['set', 'update', 'remove']
  const [written, refused] = [touched(deeds, true), touched(deeds, false)]
  expect(named().filter((path) => !written.has(path) || !refused.has(path))).toEqual([])
})

test('every part of a user is tried by everybody', () => {
  const tried = new Set(
    writingRows
      .map(({ at }) => at.split('/'))
      .filter(([path]) => path === 'users')
      .map(([, , part]) => part),
  )
  const parts = named(tree.children?.['users']?.children?.['$uid'])
  expect(parts.filter((part) => !tried.has(part))).toEqual([])
})

const CLIENTS = PEOPLE.filter((who) => who !== 'server')
const functionsOwn: [string, string, string][] = [
  ['bookings', '$booking', 'bookings/riding'],
  ['withdraws', '$withdraw', 'withdraws/asked'],
  ['payments', '$payment', 'payments/checkout'],
  ['shares', '$token', 'shares/token'],
]
test.each(functionsOwn)('no part of %s is written by a client', async (path, key, place) => {
  const parts = named(tree.children?.[path]?.children?.[key])
  expect(parts.length).toBeGreaterThan(5)
  for (const who of CLIENTS)
    for (const part of parts) {
      const at = `${place}/${part}`
      const row = mayNot(who, { does: 'set', at, value: 1 }, 'it moves by functions')
      const written = await attempt(database, row)
      expect([who, at, written]).toEqual([who, at, false])
    }
})

const isPublic = ({ at }: Row) => /^(settings|languages|cartypes)\b/.test(at)
const isOwnProfile = ({ at, who }: Row) => at.split('/').slice(0, 2).join('/') === `users/${who}`
const clients = rows.filter(({ who, allowed }) => allowed && who !== 'server' && who !== 'visitor')

test.each([
  ['suspended', 'approved', false],
  ['of an unknown user type', 'usertype', 'superuser'],
])('whoever is %s has nothing left but to read his own profile', async (_what, field, value) => {
  const lost = clients.filter(
    (row) =>
      !(row.does === 'read' && (isPublic(row) || isOwnProfile(row))) && row.who !== 'stranger',
  )
  expect(lost.length).toBeGreaterThan(150)
  for (const row of lost) {
    const given = { ...row.given, [`users/${row.who}/${field}`]: value }
    const done = await attempt(database, { ...row, given })
    expect([row.who, row.does, row.at, row.because, done]).toEqual([
      ...[row.who, row.does, row.at, row.because],
      false,
    ])
  }
})

interface Part {
  path: string
  required: boolean
}
/** The parts of every record of the world, with what the rules say of each. */
const partsOf = (rule: Rule, value: Value, path: string): Part[] =>
  typeof value !== 'object' || value === null || !rule.children
    ? []
    : Object.entries(value).flatMap(([key, child]) => {
        const children = rule.children ?? {}
        const captured = Object.keys(children).find((name) => /^\$(?!other)/.test(name)) ?? ''
        const below = children[key] ?? children[captured]
        const here = path === '' ? key : `${path}/${key}`
        if (!below) throw new Error(`/${here} has no rule`)
        const isPart = children[key] !== undefined && children['$other']?.validate === 'false'
        const required = isPart && below.optional !== true
        return [{ path: here, required }, ...partsOf(below, child as Value, here)]
      })

test('not even a function removes a required part of a record', async () => {
  const required = partsOf(tree, world(), '').filter(
    ({ path, required }) => required && path.includes('/') && !path.startsWith('stats/'),
  )
  expect(required.length).toBeGreaterThan(200)
  for (const { path } of required) {
    const revision = path.startsWith('bookings/') && path.split('/').slice(0, 2).join('/')
    const row = mayNot(
      'server',
      revision && !path.endsWith('/revision')
        ? { does: 'update', at: '', value: { [`${revision}/revision`]: 4, [path]: null } }
        : { does: 'remove', at: path },
      'it is needed',
    )
    expect([path, await attempt(database, row)]).toEqual([path, false])
  }
})

test('no record of the world takes a part it has not', async () => {
  const records = partsOf(tree, world(), '')
    .filter(({ required }) => required)
    .map(({ path }) => path.split('/').slice(0, -1).join('/'))
  for (const path of new Set(records.filter((path) => path !== ''))) {
    const row = mayNot('server', { does: 'set', at: `${path}/unheardOf`, value: true }, 'closed')
    expect([path, await attempt(database, row)]).toEqual([path, false])
  }
})
