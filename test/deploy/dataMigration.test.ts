import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DatabaseValue } from '~/domain/data/databaseValue'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { startDatabase } from '~/emulator/src/server'
import { openRestDatabase, type RestDatabase } from '~/scripts/database/restDatabase'
import { createDeployment, type Deployment } from './deployment'

const FIRST_RELEASE = join(import.meta.dirname, '../migrations/data/schema-0-november-20.json.gz')

let database: Awaited<ReturnType<typeof startDatabase>>
let db: RestDatabase
let deployment: Deployment

beforeAll(async () => {
  database = await startDatabase({ host: '127.0.0.1', port: 0 })
  const databaseURL = `http://127.0.0.1:${database.port}`
  db = openRestDatabase({ url: databaseURL, readAccessToken: () => Promise.resolve('owner') })
  const data = JSON.parse(gunzipSync(readFileSync(FIRST_RELEASE)).toString()) as DatabaseValue
  await db.put('', data)
  deployment = await createDeployment({ databaseURL })
})
afterAll(async () => {
  await deployment.remove()
  await database.close()
})

/** Runs a script with `--project` and the account of firebase-tools; returns its output. */
const runOnProject = async (script: string, ...args: string[]): Promise<string> => {
  const { code, output } = await deployment.runScript(script, ...args)
  expect({ code, output }).toEqual({ code: 0, output })
  return output
}

test('a deployment saves and migrates the data of an older release before it deploys the site', async () => {
  expect(await runOnProject('scripts/migrate.ts')).toContain(
    `From schema 0 to ${SCHEMA_VERSION} (nothing is written without --apply)`,
  )
  expect(await db.get('schema')).toBeNull()

  const { code, output } = await deployment.deploy('--only', 'rules,data,hosting')
  expect({ code, output }).toEqual({ code: 0, output })
  const steps = [
    `The data has schema 0, this release needs ${SCHEMA_VERSION}.`,
    'deploying database',
    'Saved a backup in',
    `Migrated the data to schema ${SCHEMA_VERSION}`,
    'deploying hosting',
  ]
  const positions = steps.map((step) => output.indexOf(step))
  expect(positions).toEqual([...positions].sort((a, b) => a - b))
  expect(positions[0]).toBeGreaterThan(-1)
  const backups = readdirSync(join(deployment.root, 'backups'))
  expect(backups).toEqual([expect.stringMatching(/^city-cabs-\d{4}-/)])

  expect(await runOnProject('scripts/verifyData.ts')).toContain('The data is sound.')
  const backup = join(deployment.root, 'backups', backups[0] ?? '')
  await runOnProject('scripts/backup.ts', 'restore', backup, '--replace')
  expect(await db.get('schema/version')).toBe(SCHEMA_VERSION)
})

test('a deployment is refused before its first upload when the data is newer', async () => {
  await db.put('schema/version', SCHEMA_VERSION + 1)
  expect(await deployment.refuse('--only', 'rules,data')).toContain(
    `The data has schema ${SCHEMA_VERSION + 1}, this release knows`,
  )
})
