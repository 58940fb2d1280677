import { describe, expect, it } from 'vitest'
import { aBooking, aDriver, aRider } from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { removeFilesOverQuota, removeUnusedFiles } from './fileCleanup'
import {
  createDownloadLink,
  createMemoryFiles,
  createProjectPorts,
  TEST_NOW,
} from '../../testing/testPorts'

const OLD = TEST_NOW - 25 * HOUR_MS

const project = (more: object = {}) => ({
  users: {
    driver: aDriver({
      profile_image: createDownloadLink('users/driver/profile_image/now'),
      licenseImage: createDownloadLink('users/driver/licenseImage/now'),
    }),
    rider: aRider(),
    admin: { ...aRider({ id: 'admin' }), usertype: 'admin' },
  },
  cartypes: { van: { name: 'Van', image: createDownloadLink('users/gone/cartypes/van') } },
  bookings: {
    b1: aBooking({
      id: 'b1',
      driver: 'driver',
      driver_image: createDownloadLink('users/driver/profile_image/then'),
      pickup_image: createDownloadLink('bookings/b1/driver/pickup_image-1.jpg'),
    }),
  },
  ...more,
})
const runCleanup = async (names: string[], age = OLD, more = {}) => {
  const files = createMemoryFiles(Object.fromEntries(names.map((name) => [name, age])))
  const ports = createProjectPorts(project(more), { files })
  const result = await removeUnusedFiles(ports, TEST_NOW)
  return { result, left: files.names(), files, ports }
}

const USED = [
  'bookings/b1/driver/pickup_image-1.jpg',
  'users/driver/licenseImage/now',
  'users/driver/profile_image/now',
  'users/driver/profile_image/then',
  'users/admin/cartypes/old',
  'users/gone/cartypes/van',
  'somebody/elses/file',
]
const UNUSED = [
  'bookings/b1/driver/pickup_image-2.jpg',
  'bookings/b1/driver/deliver_image',
  'bookings/b1/other/pickup_image-1.jpg',
  'bookings/no-such/driver/pickup_image',
  'users/driver/licenseImage',
  'users/driver/licenseImage/before',
  'users/driver/profile_image/never',
  'users/driver/vehicle/a',
  'users/gone/profile_image/a',
  'users/rider/cartypes/a',
  'users/rider/profile_image/a',
]

describe('the file cleanup', () => {
  it('removes only files that no record shows', async () => {
    const { result, left } = await runCleanup([...USED, ...UNUSED])
    expect(left).toEqual(USED.toSorted())
    expect(result).toEqual({ checkedCount: 18, removedCount: 11, isDone: true })
  })

  it('keeps files younger than a day', async () => {
    const { left } = await runCleanup(UNUSED, TEST_NOW - 24 * HOUR_MS + 1)
    expect(left).toEqual(UNUSED.toSorted())
  })

  it('keeps a file whose link has an unusual form', async () => {
    const name = 'users/rider/profile_image/a'
    const old = `https://storage.googleapis.com/bucket/${name}`
    const { left } = await runCleanup([name], OLD, {
      users: { rider: aRider({ profile_image: old }) },
    })
    expect(left).toEqual([name])
  })

  it('removes a file although a link names it outside its path', async () => {
    const name = 'users/rider/profile_image/b'
    const link = `${createDownloadLink('users/rider/profile_image/a')}&x=/${encodeURIComponent(name)}`
    const { left } = await runCleanup([name], OLD, {
      users: { rider: aRider({ profile_image: link }) },
    })
    expect(left).toEqual([])
  })

  it('makes one round per day', async () => {
    const { files, ports } = await runCleanup([])
    const more = createMemoryFiles({ 'users/x/profile_image/a': OLD })
    expect(files.names()).toEqual([])
    const again = (now: number) => removeUnusedFiles({ ...ports, files: more }, now)
    expect(await again(TEST_NOW + 23 * HOUR_MS)).toMatchObject({ checkedCount: 0, removedCount: 0 })
    expect(await again(TEST_NOW + 24 * HOUR_MS)).toMatchObject({ checkedCount: 1, removedCount: 1 })
  })

  it('stops after 50 pages and resumes there, also after an interruption', async () => {
    const names = Array.from(
      { length: 12_000 },
      (_, i) => `users/u${String(i).padStart(5, '0')}/x/y`,
    )
    const files = createMemoryFiles(Object.fromEntries(names.map((name) => [name, OLD])))
    const ports = createProjectPorts(project(), { files })
    expect(await removeUnusedFiles(ports, TEST_NOW)).toEqual({
      checkedCount: 10_000,
      removedCount: 10_000,
      isDone: false,
    })
    const broken = { ...files, remove: () => Promise.reject(new Error('no connection')) }
    await expect(
      removeUnusedFiles({ ...ports, files: broken }, TEST_NOW + HOUR_MS),
    ).rejects.toThrow()
    expect(await removeUnusedFiles(ports, TEST_NOW + 2 * HOUR_MS)).toEqual({
      checkedCount: 2000,
      removedCount: 2000,
      isDone: true,
    })
    expect(files.names()).toEqual([])
  })

  it('starts over when its cursor has expired', async () => {
    const files = createMemoryFiles({ 'users/x/profile_image/a': OLD })
    const list: typeof files.listPage = (cursor, most) =>
      cursor === null ? files.listPage(null, most) : Promise.reject(new Error('Invalid page token'))
    const old = TEST_NOW - 90 * HOUR_MS
    const round = { cursor: 'old', began_at: old, at: old, revision: 3 }
    const ports = createProjectPorts(project({ internal: { jobs: { sweep_files: round } } }), {
      files,
    })
    expect(
      await removeUnusedFiles({ ...ports, files: { ...files, listPage: list } }, TEST_NOW),
    ).toMatchObject({
      removedCount: 1,
      isDone: true,
    })
  })
})

describe('the quota of new files', () => {
  const MEGABYTE = 1024 * 1024
  const nameFiles = (folder: string, count: number) =>
    Array.from({ length: count }, (_, i) => `${folder}/${String(i).padStart(4, '0')}`)
  const runQuota = async (
    names: readonly string[],
    { size = 1, age = TEST_NOW, more = {} } = {},
  ) => {
    const files = createMemoryFiles(Object.fromEntries(names.map((name) => [name, age])), size)
    const ports = createProjectPorts(project(more), { files })
    const result = await removeFilesOverQuota(ports, TEST_NOW)
    return { result, left: files.names(), ports }
  }

  it('keeps the new files of a person within it', async () => {
    const names = nameFiles('users/rider/profile_image', 300)
    const { result, left } = await runQuota(names)
    expect(left).toEqual(names)
    expect(result).toEqual({ checkedCount: 300, removedCount: 0, isDone: true })
  })

  it('removes further ones at once, and no files of other people', async () => {
    const other = nameFiles('users/driver/profile_image', 10)
    const names = nameFiles('users/rider/profile_image', 305)
    const { left } = await runQuota([...other, ...names])
    expect(left).toEqual([...other, ...names.slice(0, 300)])
  })

  const nameEvidence = (count: number) =>
    Array.from(
      { length: count },
      (_, i) => `bookings/b-${String(i).padStart(3, '0')}/driver/pickup_image`,
    )
  const driveEach = (names: readonly string[], driver = 'driver') => ({
    bookings: Object.fromEntries(
      names.map((name) => name.split('/')[1] ?? '').map((id) => [id, aBooking({ id, driver })]),
    ),
  })

  it('removes the evidence of bookings that never were, or that another driver has', async () => {
    const names = nameEvidence(60)
    expect((await runQuota(names)).left).toEqual([])
    expect((await runQuota(names, { more: driveEach(names, 'other') })).left).toEqual([])
    expect((await runQuota(names, { more: driveEach(names) })).left).toEqual(names)
  })

  it('counts the evidence of all bookings of a driver', async () => {
    const names = nameEvidence(400)
    const { left } = await runQuota(names, { more: driveEach(names) })
    expect(left).toEqual(names.slice(0, 300))
  })

  it('keeps the evidence of an earlier driver that the booking shows', async () => {
    const [name = ''] = nameEvidence(1)
    const shown = aBooking({ driver: 'other', pickup_image: createDownloadLink(name) })
    expect((await runQuota([name], { more: { bookings: { 'b-000': shown } } })).left).toEqual([
      name,
    ])
  })

  it('bounds the evidence of one booking', async () => {
    const names = nameFiles('bookings/b1/driver', 60)
    expect((await runQuota(names)).left).toEqual(names.slice(0, 50))
  })

  it.each([
    ['of 50 runs at once', 320, 50],
    ['of a run through three pages', 2500, 1],
  ])('keeps the earliest uploads, although their names come last: %s', async (_, count, runs) => {
    const names = nameFiles('users/rider/profile_image', count)
    const files = createMemoryFiles(
      Object.fromEntries(names.map((name, i) => [name, TEST_NOW - i])),
    )
    const ports = createProjectPorts(project(), { files })
    const run = () => removeFilesOverQuota(ports, TEST_NOW)
    const results = await Promise.allSettled(Array.from({ length: runs }, run))
    // Of concurrent runs, the one that saves second stops.
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(files.names()).toEqual(names.slice(-300))
  })

  it('bounds the size', async () => {
    const names = nameFiles('users/rider/profile_image', 200)
    expect((await runQuota(names, { size: 10 * MEGABYTE })).left).toHaveLength(102)
  })

  it('keeps a file that a record shows, and leaves old ones to the daily round', async () => {
    const names = nameFiles('users/rider/profile_image', 301)
    const shown = names.at(-1) ?? ''
    const more = { users: { rider: aRider({ profile_image: createDownloadLink(shown) }) } }
    expect((await runQuota(names, { more })).left).toEqual(names)
    expect((await runQuota(names, { age: OLD })).left).toEqual(names)
  })

  it('reaches a person behind 20,000 files of others in one run', async () => {
    const others = Array.from(
      { length: 20_000 },
      (_, i) => `users/a${String(i).padStart(5, '0')}/profile_image/a`,
    )
    const names = nameFiles('users/rider/profile_image', 305)
    const { result, left } = await runQuota([...others, ...names])
    expect(result).toEqual({ checkedCount: 20_305, removedCount: 5, isDone: true })
    expect(left).toEqual([...others, ...names.slice(0, 300)])
  })

  it('removes the same files again after an interruption, and no others', async () => {
    const names = nameFiles('users/rider/profile_image', 340)
    const files = createMemoryFiles(Object.fromEntries(names.map((name) => [name, TEST_NOW])))
    const ports = createProjectPorts(project(), { files })
    let removals = 0
    const remove = (name: string) =>
      (removals += 1) > 10 ? Promise.reject(new Error('no connection')) : files.remove(name)
    const broken = { ...ports, files: { ...files, remove } }
    await expect(removeFilesOverQuota(broken, TEST_NOW)).rejects.toThrow('no connection')
    expect(files.names()).toHaveLength(330)
    await removeFilesOverQuota(ports, TEST_NOW)
    expect(files.names()).toHaveLength(300)
  })

  it('is asked again in each run', async () => {
    const { ports } = await runQuota([])
    const names = nameFiles('users/rider/profile_image', 301)
    const files = createMemoryFiles(Object.fromEntries(names.map((name) => [name, TEST_NOW])))
    await removeFilesOverQuota({ ...ports, files }, TEST_NOW + HOUR_MS)
    expect(files.names()).toHaveLength(300)
  })
})
