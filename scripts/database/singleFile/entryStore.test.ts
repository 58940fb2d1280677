import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareKeys } from '~/emulator/src/tree/order'
import type { BackupEntry } from '../backupFormat'
import { openEntryStore, type EntryRun } from './entryStore'

/** Adds keys of one collection to a store with small runs; returns what it reads back. */
const sortKeys = async (
  keys: readonly string[],
  runBytes = 40,
): Promise<{ runs: EntryRun[]; entries: BackupEntry[] }> => {
  const store = openEntryStore('city.json', runBytes)
  try {
    for (const key of keys) await store.add([['users', ...key.split('/')], `of ${key}`])
    const runs = await store.finishCollection()
    const entries: BackupEntry[] = []
    for (const run of runs) for await (const entry of store.read(run)) entries.push(entry)
    return { runs, entries }
  } finally {
    store.close()
  }
}

it('sorts keys in the order of the database, in any number of runs', async () => {
  const key = fc.oneof(
    fc.integer({ min: -20, max: 200 }).map(String),
    fc
      .string({ minLength: 1, maxLength: 4, unit: 'grapheme' })
      .filter((text) => !text.includes('/')),
  )
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(key, { maxLength: 120 }), async (keys) => {
      const { runs, entries } = await sortKeys(keys)
      expect(entries).toEqual(
        [...keys].sort(compareKeys).map((one) => [`users/${one}`, `of ${one}`]),
      )
      expect(runs.reduce((sum, run) => sum + run.entries, 0)).toBe(keys.length)
    }),
    { seed: 32, numRuns: 60 },
  )
})

it('merges more runs than it holds at once, and leaves sorted ones as they are', async () => {
  const keys = Array.from({ length: 400 }, (_, at) => `-O${String(at).padStart(4, '0')}`)
  const sorted = await sortKeys(keys)
  expect(sorted.runs.length).toBeGreaterThan(16 * 16)
  expect(sorted.runs[0]?.position).toBe(0)
  const { entries } = await sortKeys(keys.toReversed())
  expect(entries).toEqual(sorted.entries)
})

it('keeps the parts of a record together', async () => {
  const { entries } = await sortKeys(['b/y', 'c', 'b/x/2', 'a', 'b/x/10'], 30)
  expect(entries.map(([path]) => path)).toEqual([
    ...['users/a', 'users/b/x/2', 'users/b/x/10', 'users/b/y', 'users/c'],
  ])
})

it.each([
  ['within a run', ['a', 'b', 'a'], 1000],
  ['in different runs', ['a', 'b', 'c', 'd', 'a'], 30],
  ['in neighboring runs', ['a', 'a'], 10],
  ['whole and in parts', ['a/x', 'b', 'a'], 30],
])('refuses a record that is there twice: %s', async (_, keys, runBytes) => {
  await expect(sortKeys(keys, runBytes)).rejects.toThrow(
    /^city\.json has \/users\/a(\/x)? twice\. Use another backup\.$/,
  )
})
