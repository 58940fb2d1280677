import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { chooseLength } from '~/domain/testing/endurance'
import { startDatabase } from '~/emulator/src/server'
import { ROOT } from '~/scripts/local/build'
import { openRestDatabase, type RestDatabase } from '~/scripts/database/restDatabase'
import { startLimitedServer, type LimitedServer } from '~/scripts/database/testing/limitedServer'

/**
 * Requests between two kills of a command. A migration sends more than the others, and each command
 * is killed at least twice.
 */
const LIFETIMES = {
  migrate: chooseLength(30, 12),
  save: 12,
  restore: chooseLength(20, 12),
}
const FIRST_RELEASE = join(import.meta.dirname, 'data', 'schema-0-november-20.json.gz')

let database: Awaited<ReturnType<typeof startDatabase>>
let server: LimitedServer
let db: RestDatabase
let folder: string
/** Called before each request of a command. */
let beforeRequest: () => Promise<void> | void = () => undefined

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kerbside-killed-'))
  database = await startDatabase({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${database.port}`
  db = openRestDatabase({ url, readAccessToken: () => Promise.resolve('owner') })
  server = await startLimitedServer(url, {
    responseBytes: 256e6,
    writtenBytes: 256e6,
    unqueryable: [],
    beforeRequest: () => beforeRequest(),
  })
})
afterAll(async () => {
  await server.close()
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Ended {
  /** Null when the process was killed. */
  code: number | null
  output: string
}

/** Runs a command against the server as against a project, and kills it before a request. */
const runCommand = (args: readonly string[], killedAt = Infinity): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--import', 'tsx', ...args], {
      cwd: ROOT,
      env: { ...process.env, KERBSIDE_DATABASE_URL: server.url, KERBSIDE_ACCESS_TOKEN: 'owner' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let requests = 0
    beforeRequest = () => {
      requests += 1
      if (requests < killedAt) return
      child.kill('SIGKILL')
      return new Promise<never>(() => undefined)
    }
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (bytes: Buffer) => (output += bytes.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

const runSuccessfully = async (...args: string[]): Promise<string> => {
  const { code, output } = await runCommand(args)
  expect({ code, output }).toEqual({ code: 0, output })
  return output
}

/** Runs a command again and again, each time killed later; returns how often it was killed. */
const runUntilDone = async (lifetime: number, ...args: string[]): Promise<number> => {
  for (let killCount = 0; ; killCount++) {
    const { code, output } = await runCommand(args, (killCount + 1) * lifetime)
    if (code === 0) return killCount
    expect({ code, output }).toEqual({ code: null, output })
  }
}

test('data of the first release is migrated, saved and restored by commands that are killed on the way', async () => {
  const old = JSON.parse(gunzipSync(readFileSync(FIRST_RELEASE)).toString()) as DatabaseValue
  await db.put('', old)
  expect(await runSuccessfully('scripts/migrate.ts')).toContain('nothing is written')
  expect(await db.get('schema')).toBeNull()
  expect(await runUntilDone(LIFETIMES.migrate, 'scripts/migrate.ts', '--apply')).toBeGreaterThan(1)
  expect(await db.get('schema/version')).toBe(SCHEMA_VERSION)
  expect(await runSuccessfully('scripts/verifyData.ts')).toContain('The data is sound.')

  const before = await db.get('')
  const backup = join(folder, 'backup')
  expect(await runUntilDone(LIFETIMES.save, 'scripts/backup.ts', 'save', backup)).toBeGreaterThan(1)
  expect(readdirSync(backup)).toContain('manifest.json')
  expect(await db.get('')).toEqual(before)

  await db.put('', null)
  expect(await runSuccessfully('scripts/verifyData.ts', backup)).toContain('The data is sound.')
  expect(
    await runUntilDone(LIFETIMES.restore, 'scripts/backup.ts', 'restore', backup),
  ).toBeGreaterThan(1)
  expect(await db.get('')).toEqual(before)
}, 480_000)
