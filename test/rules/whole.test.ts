import { afterAll, beforeAll, expect, test } from 'vitest'
import { tree } from '~/rules/tree'
import { startTestDatabase, type TestDatabase } from '../support/database'
import { attempt } from './attempt'
import { readingRows } from './reading'
import { mayNot } from './row'
import { STORIES } from './stories'
import { PEOPLE } from './world'
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
