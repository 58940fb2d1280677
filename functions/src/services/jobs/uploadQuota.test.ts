import { describe, expect, it } from 'vitest'
import { aBooking, aDriver, aRider } from '~/domain/testing/builders'
import { HOUR_MS } from '~/domain/language/timeUnits'
import {
  createDownloadLink,
  createMemoryFiles,
  createProjectPorts,
  TEST_NOW,
} from '../../testing/testPorts'
import { removeUploadOverQuota } from './uploadQuota'

const MEGABYTE = 1024 * 1024
const nameFiles = (folder: string, count: number) =>
  Array.from({ length: count }, (_, i) => `${folder}/${String(i).padStart(5, '0')}`)

const createStore = (
  names: readonly string[],
  { size = 1, createdAt = (at: number) => TEST_NOW + at, shown = {} } = {},
) => {
  const files = createMemoryFiles(
    Object.fromEntries(names.map((name, at) => [name, createdAt(at)])),
    size,
  )
  const listed: string[] = []
  const listPage: typeof files.listPage = (cursor, most, folder) => {
    listed.push(folder ?? '')
    return files.listPage(cursor, most, folder)
  }
  const ports = createProjectPorts(
    {
      users: { driver: aDriver(), rider: aRider() },
      bookings: { b1: aBooking({ id: 'b1', driver: 'driver', ...shown }) },
    },
    { files: { ...files, listPage } },
  )
  const toUpload = (name: string) => ({ name, createdAt: createdAt(names.indexOf(name)), size })
  return { files, ports, listed, toUpload }
}
type Store = ReturnType<typeof createStore>
const check = ({ ports, toUpload }: Store, name: string) =>
  removeUploadOverQuota(ports, toUpload(name), TEST_NOW)
/** Checks 50 files at a time, each twice: at once, and again by a redelivered event. */
const checkAll = async (store: Store, names: readonly string[]) => {
  for (let at = 0; at < names.length; at += 50) {
    const part = names.slice(at, at + 50)
    await Promise.all([...part, ...part].map((name) => check(store, name)))
  }
}

describe('an upload', () => {
  const portraits = nameFiles('users/rider/profile_image', 301)

  it('stays while its owner is within the quota', async () => {
    const store = createStore(portraits)
    expect(await check(store, portraits[299] ?? '')).toBe(false)
    expect(store.files.names()).toHaveLength(301)
  })

  it('is removed beyond it, also when its check comes twice', async () => {
    const store = createStore(portraits)
    const last = portraits[300] ?? ''
    expect(await check(store, last)).toBe(true)
    await check(store, last)
    expect(store.files.names()).toEqual(portraits.slice(0, 300))
  })

  it('counts with all kinds of files of its owner', async () => {
    const names = [
      ...nameFiles('users/driver/licenseImage', 150),
      ...nameFiles('users/driver/profile_image', 151),
    ]
    expect(await check(createStore(names), names[300] ?? '')).toBe(true)
  })

  it('is judged by its own time when many are checked at once', async () => {
    const names = nameFiles('users/rider/profile_image', 310)
    // The first names are the latest uploads.
    const store = createStore(names, { createdAt: (at) => TEST_NOW - at })
    await Promise.all(names.map((name) => check(store, name)))
    expect(store.files.names()).toEqual(names.slice(10))
  })

  it.each([
    ['of one moment', () => TEST_NOW],
    ['in order', (at: number) => TEST_NOW + at],
  ])('%s stays up to the quota, whatever the order of 400 checks', async (_, createdAt) => {
    const names = nameFiles('users/rider/profile_image', 400)
    for (const order of [names, names.toReversed()]) {
      const store = createStore(names, { createdAt })
      await checkAll(store, order)
      expect(store.files.names()).toEqual(names.slice(0, 300))
    }
  })

  it('within the quota stays when its event comes again after 400 files', async () => {
    const names = nameFiles('users/rider/profile_image', 400)
    const store = createStore(names)
    expect(await check(store, names[299] ?? '')).toBe(false)
    expect(await check(store, names[300] ?? '')).toBe(true)
  })

  it('is no longer judged when it is gone', async () => {
    const store = createStore(portraits)
    await store.files.remove(portraits[300] ?? '')
    expect(await check(store, portraits[300] ?? '')).toBe(false)
    expect(store.files.names()).toEqual(portraits.slice(0, 300))
  })

  it('is bounded in size', async () => {
    const names = nameFiles('users/rider/profile_image', 103)
    const store = createStore(names, { size: 10 * MEGABYTE })
    expect(await check(store, names[101] ?? '')).toBe(false)
    expect(await check(store, names[102] ?? '')).toBe(true)
  })

  it('does not count the files of earlier days', async () => {
    const names = nameFiles('users/rider/profile_image', 301)
    const createdAt = (at: number) => (at === 300 ? TEST_NOW : TEST_NOW - 25 * HOUR_MS)
    expect(await check(createStore(names, { createdAt }), names[300] ?? '')).toBe(false)
  })

  it('reads only the folder of its owner, and a bounded part of that', async () => {
    const names = nameFiles('users/rider/profile_image', 3500)
    const store = createStore([...nameFiles('users/driver/profile_image', 5000), ...names])
    expect(await check(store, names[3499] ?? '')).toBe(true)
    expect(store.listed).toEqual(Array.from({ length: 3 }, () => 'users/rider/'))
  })

  it('within the quota stays among more files than a check reads', async () => {
    const names = nameFiles('users/rider/profile_image', 3500)
    // The first names are the latest uploads.
    const store = createStore(names, { createdAt: (at) => TEST_NOW - at })
    expect(await check(store, names[3499] ?? '')).toBe(false)
    expect(await check(store, names[0] ?? '')).toBe(true)
    expect(store.files.names()).toEqual(names.slice(1))
  })

  it('stays when a record shows it', async () => {
    const last = portraits[300] ?? ''
    const store = createStore(portraits)
    store.ports.db.put({ 'users/rider/profile_image': createDownloadLink(last) })
    expect(await check(store, last)).toBe(false)
    expect(store.files.names()).toHaveLength(301)
  })

  it('outside the folders of people stays', async () => {
    expect(await check(createStore(['somebody/elses/file']), 'somebody/elses/file')).toBe(false)
  })
})

describe('evidence', () => {
  it('of the driver’s own booking stays, up to the quota of its folder', async () => {
    const names = nameFiles('bookings/b1/driver', 51)
    expect(await check(createStore(names.slice(0, 50)), names[49] ?? '')).toBe(false)
    expect(await check(createStore(names), names[50] ?? '')).toBe(true)
  })

  it.each([
    ['of one moment', () => TEST_NOW],
    ['in order', (at: number) => TEST_NOW + at],
  ])('%s stays up to the quota, whatever the order of 100 checks', async (_, createdAt) => {
    const names = nameFiles('bookings/b1/driver', 100)
    for (const order of [names, names.toReversed()]) {
      const store = createStore(names, { createdAt })
      await checkAll(store, order)
      expect(store.files.names()).toEqual(names.slice(0, 50))
    }
  })

  it('at the limit keeps one of two files that arrive at once', async () => {
    const names = nameFiles('bookings/b1/driver', 51)
    const store = createStore(names, { createdAt: () => TEST_NOW })
    await Promise.all([check(store, names[49] ?? ''), check(store, names[50] ?? '')])
    expect(store.files.names()).toEqual(names.slice(0, 50))
  })

  it('over the quota stays when the booking shows it', async () => {
    const names = nameFiles('bookings/b1/driver', 51)
    const pickup_image = createDownloadLink(names[50] ?? '')
    const store = createStore(names, { shown: { pickup_image } })
    expect(await check(store, names[50] ?? '')).toBe(false)
    expect(store.files.names()).toEqual(names)
  })

  it.each(['bookings/invented/driver/pickup_image', 'bookings/b1/rider/pickup_image'])(
    'in %s is removed, because no record can show it',
    async (name) => {
      const store = createStore([name])
      expect(await check(store, name)).toBe(true)
      expect(store.files.names()).toEqual([])
    },
  )
})
