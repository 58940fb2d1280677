import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { distanceKm } from '~/domain/geo'
import { startDatabase } from '~/emulator/src/server'
import { demoCity } from '~/seed/demoCity'
import { restore, save, storeAt, type Store } from './backups'

const NS = 'demo-backup'
let server: Awaited<ReturnType<typeof startDatabase>>
let store: Store
let folder: string
let city: Record<string, unknown>

beforeAll(async () => {
  city = (await demoCity({
    now: Date.UTC(2026, 10, 20),
    texts: {},
    routeBetween: (from, to) =>
      Promise.resolve({
        distance_in_km: distanceKm(from, to),
        time_in_secs: Math.round(distanceKm(from, to) * 130),
        polylinePoints: '',
      }),
  })) as Record<string, unknown>
  server = await startDatabase({ host: '127.0.0.1', port: 0 })
  store = storeAt(`http://127.0.0.1:${server.port}`, { Authorization: 'Bearer owner' }, { ns: NS })
  folder = mkdtempSync(join(tmpdir(), 'kerbside-backup-'))
})
beforeEach(() => store.replace(null))
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

it('a city that was saved and lost comes back, every record of it', async () => {
  await store.replace(city)
  const before = await store.read()
  const file = join(folder, 'city.json.gz')
  const saved = await save(store, file)
  expect(saved.bookings).toBe(Object.keys(city['bookings'] as object).length)
  await store.replace(null)
  expect(await store.read()).toBeNull()
  expect(await restore(store, file)).toEqual(saved)
  expect(await store.read()).toEqual(before)
})

it('a database with something in it is not overwritten by mistake', async () => {
  await store.replace(city)
  const file = join(folder, 'full.json')
  await save(store, file)
  await expect(restore(store, file)).rejects.toThrow('The database is not empty')
  await restore(store, file, { replace: true })
})

it('a backup whose money does not add up, or which is none, is refused before anything is written', async () => {
  const file = join(folder, 'bad.json')
  const users = city['users'] as Record<string, object>
  const wrong = { ...users['seed-rider'], walletBalance: 1_000_000 }
  writeFileSync(file, JSON.stringify({ ...city, users: { ...users, 'seed-rider': wrong } }))
  await expect(restore(store, file)).rejects.toThrow('users/seed-rider: the balance is 1000000')
  writeFileSync(file, '[1]')
  await expect(restore(store, file)).rejects.toThrow('is no backup of Kerbside')
  expect(await store.read()).toBeNull()
})
