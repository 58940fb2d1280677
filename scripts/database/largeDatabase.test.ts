import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startDatabase } from '~/emulator/src/server'
import { fillLargeDatabase } from './largeDatabase'
import { openLocalDatabase } from '../local/localDatabase'
import { migrate } from './migrationRunner'
import { DEFAULT_LIMITS } from './databasePages'
import type { RestDatabase } from './restDatabase'
import { restore } from './backupRestore'
import { saveBackup } from './backupSave'
import { createCity } from './testing/dyingDatabase'
import { createDatabaseSource, verifyData } from './dataVerification'

const MIN_BOOKINGS = 1000
/** Characters that make the bookings larger than the fixed limits of size. */
const INSTRUCTIONS_LENGTH = 4000
/** Maximum bytes per request. Google allows 256 MB at once and 1,000 paths in one update. */
const MAX_TRANSFER_BYTES = 4.5 * 1024 * 1024
const MAX_PATHS = 1000
const FILE_BYTES = 8 * 1024 * 1024

let server: Awaited<ReturnType<typeof startDatabase>>
let folder: string
const largest = { read: 0, written: 0, paths: 0 }

/** Returns a database that records its largest response and its largest update. */
const observeDatabase = (namespace: string): RestDatabase => {
  const db = openLocalDatabase(`http://127.0.0.1:${server.port}`, namespace)
  return {
    ...db,
    get: async (path, query) => {
      const answer = await db.get(path, query)
      largest.read = Math.max(largest.read, JSON.stringify(answer).length)
      return answer
    },
    getUpTo: async (path, query, bytes) => {
      const answer = await db.getUpTo(path, query, bytes)
      largest.read = Math.max(largest.read, 'bytes' in answer ? answer.bytes : 0)
      return answer
    },
    update: (updates) => {
      largest.written = Math.max(largest.written, JSON.stringify(updates).length)
      largest.paths = Math.max(largest.paths, Object.keys(updates).length)
      return db.update(updates)
    },
  }
}

beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
  folder = mkdtempSync(join(tmpdir(), 'kerbside-large-'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

test('migrates, saves, restores and verifies a thousand bookings in small pieces', async () => {
  const [full, empty] = [observeDatabase('demo-full'), observeDatabase('demo-empty')]
  const bookingCount = await fillLargeDatabase(
    openLocalDatabase(`http://127.0.0.1:${server.port}`, 'demo-full'),
    await createCity(),
    { minBookings: MIN_BOOKINGS, instructionsLength: INSTRUCTIONS_LENGTH },
  )
  expect(bookingCount).toBeGreaterThanOrEqual(MIN_BOOKINGS)
  const backup = join(folder, 'backup')

  await migrate(full, { texts: {} })
  const { files } = await saveBackup(full, backup)
  await restore(empty, backup, { texts: {} })
  const verdict = await verifyData(createDatabaseSource(empty))

  expect(verdict.sentences).toEqual([])
  const bookings = files.filter(({ collection }) => collection === 'bookings')
  expect(bookings.reduce((sum, { entries }) => sum + entries, 0)).toBe(bookingCount)
  const total = JSON.stringify(
    await openLocalDatabase(`http://127.0.0.1:${server.port}`, 'demo-empty').get(''),
  ).length
  expect(total).toBeGreaterThan(8 * 1024 * 1024)
  expect(largest.read).toBeLessThanOrEqual(DEFAULT_LIMITS.maxBytes)
  expect(largest.read).toBeLessThan(total / 2)
  expect(largest.written).toBeLessThanOrEqual(MAX_TRANSFER_BYTES)
  expect(largest.paths).toBeLessThanOrEqual(MAX_PATHS)
  expect(verdict.maxPartLength).toBeLessThan(total / 10)
  for (const name of readdirSync(backup).filter((one) => one.endsWith('.gz')))
    expect(gunzipSync(readFileSync(join(backup, name))).length).toBeLessThanOrEqual(FILE_BYTES)
})
