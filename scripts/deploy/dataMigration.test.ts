import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hashTexts, SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { aSettings } from '~/domain/testing/builders'
import { toJson } from '~/domain/data/databaseValue'
import { startDatabase } from '~/emulator/src/server'
import { readInterfaceTexts } from '../database/interfaceTexts'
import { openRestDatabase, type RestDatabase } from '../database/restDatabase'
import type { FirebaseProject } from '../firebaseTools'
import { findDueMigration, isDataOlder } from './dataMigration'

const CURRENT = { version: SCHEMA_VERSION, texts: hashTexts(readInterfaceTexts()) }
/** A job of a process on another machine, whose lease has expired. */
const INTERRUPTED = { holder: 'elsewhere:1:0', lease: 1, at: 1, step: 0 }

let server: Awaited<ReturnType<typeof startDatabase>>
let db: RestDatabase
let project: FirebaseProject
let folder: string

beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
  const databaseURL = `http://127.0.0.1:${server.port}`
  const readAccessToken = () => Promise.resolve('owner')
  db = openRestDatabase({ url: databaseURL, readAccessToken })
  project = {
    sdk: null,
    databaseURL,
    readAccessToken,
    hasSite: () => Promise.resolve(true),
    readValue: (path, { shallow = false } = {}) =>
      db.get(path.slice(1), shallow ? { shallow: 'true' } : {}),
  }
  folder = mkdtempSync(join(tmpdir(), 'kerbside-due-'))
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})
beforeEach(() => db.put('', { settings: toJson(aSettings()) }))

/** Applies what is due into a backup folder of its own; returns the lines it prints. */
const apply = async (name: string): Promise<string[]> => {
  const due = await findDueMigration(project)
  const lines: string[] = []
  await due?.apply(join(folder, name), (line) => lines.push(line))
  return lines
}

test('nothing is due in a project without settings', async () => {
  await db.put('', null)
  expect(await findDueMigration(project)).toBeUndefined()
  expect(await isDataOlder(project)).toBe(false)
})

test('nothing is due in data of this release, also after an interrupted backup', async () => {
  await db.put('schema', CURRENT)
  expect(await findDueMigration(project)).toBeUndefined()
  await db.put('schema', { ...CURRENT, running: { ...INTERRUPTED, what: 'save', job: 'x' } })
  expect(await findDueMigration(project)).toBeUndefined()
})

test('older data is reported without a change, then saved and migrated', async () => {
  const due = await findDueMigration(project)
  expect(due?.report).toMatchObject({ from: 0, to: SCHEMA_VERSION })
  expect(due?.announcement).toContain('The data has schema 0')
  expect(await isDataOlder(project)).toBe(true)
  expect(await db.get('schema')).toBeNull()
  expect(await apply('older')).toEqual([
    `Saved a backup in ${join(folder, 'older')}.`,
    expect.stringContaining(`Migrated the data to schema ${SCHEMA_VERSION}`),
  ])
  expect(existsSync(join(folder, 'older', 'manifest.json'))).toBe(true)
  expect(await db.get('schema')).toEqual(CURRENT)
  expect(await findDueMigration(project)).toBeUndefined()
})

test('copies of new texts are removed without a backup', async () => {
  await db.put('schema', { ...CURRENT, texts: 'other' })
  const keyValuePairs = readInterfaceTexts().en ?? {}
  await db.put('languages', { en: { langLocale: 'en', keyValuePairs } })
  expect((await findDueMigration(project))?.announcement).toContain('new texts')
  expect(await isDataOlder(project)).toBe(false)
  expect(await apply('texts')).toEqual([expect.stringContaining('changed in languages')])
  expect(existsSync(join(folder, 'texts'))).toBe(false)
  expect(await db.get('schema')).toEqual(CURRENT)
})

test('an interrupted migration is finished without another backup', async () => {
  const running = { ...INTERRUPTED, what: 'migrate', job: `${SCHEMA_VERSION}; other` }
  await db.put('schema', { version: SCHEMA_VERSION - 1, running, closed: { until: 9e12 } })
  expect((await findDueMigration(project))?.announcement).toContain('was interrupted')
  expect(await isDataOlder(project)).toBe(true)
  expect(await apply('resumed')).toEqual([expect.stringContaining('Migrated the data')])
  expect(existsSync(join(folder, 'resumed'))).toBe(false)
  expect(await db.get('schema')).toEqual(CURRENT)
})

test('newer data is refused', async () => {
  await db.put('schema', { ...CURRENT, version: SCHEMA_VERSION + 1 })
  await expect(findDueMigration(project)).rejects.toThrow(
    `The data has schema ${SCHEMA_VERSION + 1}, this release knows ${SCHEMA_VERSION}.`,
  )
})

test('an interrupted restore is refused', async () => {
  const running = { ...INTERRUPTED, what: 'restore', job: 'x' }
  await db.put('schema', { ...CURRENT, running })
  await expect(findDueMigration(project)).rejects.toThrow(
    'A restore of this project was interrupted',
  )
})
