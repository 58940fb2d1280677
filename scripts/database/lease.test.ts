import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startDatabase } from '~/emulator/src/server'
import { readSchema, takeLease } from './lease'
import { openLocalDatabase } from '../local/localDatabase'
import { NoResponseError, type RestDatabase } from './restDatabase'

let server: Awaited<ReturnType<typeof startDatabase>>
let db: RestDatabase

beforeAll(async () => {
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
  db = openLocalDatabase(`http://127.0.0.1:${server.port}`, 'demo-lease')
})
beforeEach(() => db.put('', { schema: { version: 1 } }))
afterAll(() => server.close())

const MIGRATE = { what: 'migrate', job: 'to 2', closes: 'all', isHolderGone: () => false } as const

test('gives the lease to only one of fifty concurrent processes', async () => {
  const tried = await Promise.allSettled(
    Array.from({ length: 50 }, (_, n) => takeLease(db, { ...MIGRATE, holder: `host:${n}:x` })),
  )
  expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const one of tried)
    if (one.status === 'rejected') expect(String(one.reason)).toContain('Another process (host:')
})

test('takes over from a dead process immediately on the same host, and on another host after the lease ends', async () => {
  const first = await takeLease(db, { ...MIGRATE, holder: 'host:1:x' })
  await db.update(first.toProgressPaths(3, 'key'))
  const takeOver = () => takeLease(db, { ...MIGRATE, holder: 'host:2:x' })
  await expect(takeOver()).rejects.toThrow('Another process')
  const second = await takeLease(db, { ...MIGRATE, holder: 'host:2:x', isHolderGone: () => true })
  expect(second.job).toMatchObject({ step: 3, cursor: 'key', at: first.job.at })

  await db.put('schema/running/lease', 1)
  await db.put('schema/running/holder', 'elsewhere:1:x')
  expect((await takeOver()).job).toMatchObject({ step: 3, cursor: 'key' })
})

test('starts another job of the same kind from the beginning', async () => {
  const first = await takeLease(db, { ...MIGRATE, holder: 'host:1:x' })
  await db.update(first.toProgressPaths(3, 'key'))
  const other = { ...MIGRATE, job: 'to 3', holder: 'host:2:x', isHolderGone: () => true }
  const { job } = await takeLease(db, other)
  expect(job.step).toBe(0)
  expect(job.cursor).toBeUndefined()
})

test('refuses other jobs until an interrupted restore has finished', async () => {
  await takeLease(db, { ...MIGRATE, what: 'restore', holder: 'host:1:x' })
  const migrating = takeLease(db, { ...MIGRATE, holder: 'host:2:x', isHolderGone: () => true })
  await expect(migrating).rejects.toThrow('run the same restore again')
})

test('does not let a process that lost the lease renew or release it', async () => {
  const slow = await takeLease(db, { ...MIGRATE, holder: 'host:1:x' })
  await takeLease(db, { ...MIGRATE, holder: 'host:2:x', isHolderGone: () => true })
  await expect(slow.release({ version: 2 })).rejects.toThrow('Another process has taken over')
  expect((await readSchema(db)).schema.running?.holder).toBe('host:2:x')
})

test('closes the database for a job and opens it when the job is done', async () => {
  const closed = async () => (await readSchema(db)).schema.closed
  const migration = await takeLease(db, { ...MIGRATE })
  expect(await closed()).toMatchObject({ all: true, until: 9_999_999_999_999 })
  await migration.release({ version: 2, texts: 'x' })
  expect(await db.get('schema')).toEqual({ version: 2, texts: 'x' })

  const backup = await takeLease(db, {
    what: 'save',
    job: 'b',
    closes: 'functions',
    opensAgain: true,
  })
  const { at, schema } = await readSchema(db)
  expect(schema.closed?.all).toBeUndefined()
  expect(schema.closed?.until).toBeLessThanOrEqual(at + 60_000)
  await backup.release({ version: 2 })
  expect(await closed()).toBeUndefined()
})

test('survives a lost response', async () => {
  let lose = true
  const unresponsive: RestDatabase = {
    ...db,
    putIf: async (...written) => {
      const done = await db.putIf(...written)
      if ((lose = !lose)) return done
      throw new NoResponseError('lost')
    },
  }
  const lease = await takeLease(unresponsive, { ...MIGRATE })
  await lease.release({ version: 2 })
  expect(await db.get('schema')).toEqual({ version: 2 })
})
