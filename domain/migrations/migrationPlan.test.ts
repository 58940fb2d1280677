import { expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../data/schemaVersion'
import type { RowChange, MigrationContext, Migration, Naming } from './migration'
import { applyChangesToRow, planMigrations } from './migrationPlan'
import { MIGRATIONS } from './registry'

const context: MigrationContext = { settings: {}, texts: {}, now: 0 }
const adds =
  (mark: string): RowChange['apply'] =>
  (row) => ({ users: { ...(row.users as object), [mark]: true } })
const migration = (version: number, ...changes: RowChange[]): Migration => ({
  version,
  name: `m${version}`,
  description: `Does ${version}`,
  changes,
  rebuilds: [],
})

test('leads to the version of this release, one migration at a time', () => {
  expect(MIGRATIONS.map(({ version }) => version)).toEqual(MIGRATIONS.map((_, at) => at + 1))
  expect(MIGRATIONS.at(-1)?.version).toBe(SCHEMA_VERSION)
})

test('plans nothing for data of the current version', () => {
  expect(planMigrations(SCHEMA_VERSION)).toMatchObject({ to: SCHEMA_VERSION, passes: [] })
})

test('makes changes with shared collections in one pass, in order', () => {
  const a: RowChange = { collections: ['users'], apply: adds('a') }
  const b: RowChange = { collections: ['bookings'], apply: (row) => row }
  const c: RowChange = { collections: ['users', 'people'], apply: adds('c') }
  const migrations = [migration(1, a, b), migration(2, c)]
  const { passes, from, to } = planMigrations(0, { migrations })
  expect([from, to]).toEqual([0, 2])
  expect(passes).toEqual([
    { kind: 'rows', collections: ['users', 'people'], changes: [a, c] },
    { kind: 'rows', collections: ['bookings'], changes: [b] },
  ])
  expect(planMigrations(1, { migrations }).passes).toHaveLength(1)
})

test('keeps the order of all three changes when one joins two groups', () => {
  const a: RowChange = { collections: ['users'], apply: adds('a') }
  const b: RowChange = { collections: ['roles'], apply: (row) => row }
  const c: RowChange = { collections: ['roles', 'users'], apply: adds('c') }
  const { passes } = planMigrations(0, { migrations: [migration(1, a, b, c)] })
  expect(passes).toEqual([{ kind: 'rows', collections: ['users', 'roles'], changes: [a, b, c] }])
})

test('rebuilds derived data once after all changes, totals last', () => {
  const change: RowChange = { collections: ['users'], apply: adds('a') }
  const migrations: Migration[] = [
    { ...migration(1), rebuilds: ['totals'] },
    { ...migration(2, change), rebuilds: ['people', 'totals'] },
  ]
  const { passes, rebuilds } = planMigrations(0, { migrations })
  expect(rebuilds).toEqual(['people', 'totals'])
  expect(
    passes.map((pass) =>
      'counter' in pass ? pass.counter.path : 'collections' in pass && pass.collections,
    ),
  ).toEqual([['users', 'people'], 'stats'])
})

test('leaves a collection unchanged that a change does not return', () => {
  const change: RowChange = {
    collections: ['users', 'people'],
    apply: () => ({ people: 'listed' }),
  }
  expect(
    applyChangesToRow([change], { row: { users: 1, people: null, roles: 2 }, key: 'u' }, context),
  ).toEqual({
    users: 1,
    people: 'listed',
    roles: 2,
  })
})

test('throws when a change writes to a collection that it does not name', () => {
  const change: RowChange = { collections: ['users'], apply: () => ({ wallets: 1 }) }
  expect(() => applyChangesToRow([change], { row: { users: 1 }, key: 'u' }, context)).toThrow(
    'returned wallets',
  )
})

test('names records after all changes and before totals', () => {
  const naming: Naming = {
    over: 'bookings',
    field: 'reference',
    into: 'booking_refs',
    choose: (key) => Promise.resolve(key),
  }
  const migrations: Migration[] = [
    { ...migration(1), namings: [naming], rebuilds: ['totals'] },
    migration(2, { collections: ['bookings'], apply: (row) => row }),
  ]
  const { passes } = planMigrations(0, { migrations })
  expect(passes.map(({ kind }) => kind)).toEqual(['rows', 'names', 'tally'])
  expect(planMigrations(1, { migrations }).passes.map(({ kind }) => kind)).toEqual(['rows'])
})
