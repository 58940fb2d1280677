// Fake ports for handler tests. Deployed code never imports this file.
import { encodeGeohash } from '~/domain/geo/geohash'
import { aVehicleType, aDriver, aRider, aSettings, PICKUP, ROUTE } from '~/domain/testing/builders'
import type { AccountsPort, Caller } from '../ports/accounts'
import type { FilesPort } from '../ports/files'
import type { OwnSignIn } from '~/domain/access/ownSignIn'
import { createBookingService } from '../services/bookings/bookingService'
import { createTestDatabase } from './testDatabase'
import { noMessages } from '../ports/messages'
import { outbox } from '../ports/outbox'
import { noProviders } from '../ports/payments'
import { noPush } from '../ports/push'
import { DomainException } from '../domainException'
import { getDistanceMeters } from '../ports/positions'
import type { MapsPort } from '../ports/mapsPort'
import type { RandomPort } from '../ports/random'
import { noTasks } from '../ports/tasks'
import type { Ports } from '../ports/ports'
import { noRefusalCounter } from '../ports/refusals'
import type { RequestContext } from '../ports/requestContext'
import type { UserHandlerContext } from '../ports/handlerContext'
import type { NamedDevice } from '~/domain/accounts/types'

/** A maps service with straight lines only, at 36 km/h. */
export const straightLineMaps: MapsPort = {
  id: 'bundled',
  autocomplete: (text) =>
    Promise.resolve([
      { description: text, place_id: `p-${text}`, mainText: text, secondaryText: '', kind: '' },
    ]),
  getCoords: (placeId) =>
    Promise.resolve(placeId === 'nowhere' ? null : { lat: -34.9, lng: -56.2 }),
  getAddress: ({ lat, lng }) => Promise.resolve(`Near ${lat},${lng}`),
  getDirections: (start, dest, waypoints = []) => {
    const coords = [start, ...waypoints, dest]
    const metres = coords
      .slice(1)
      .reduce((sum, to, i) => sum + getDistanceMeters(coords[i] ?? to, to), 0)
    return Promise.resolve({
      distance_in_km: Math.round(metres) / 1000,
      time_in_secs: Math.round(metres / 10),
      polylinePoints: '',
      coords,
      steps: [],
      approximate: true,
    })
  },
  getDistanceMatrix: (from, to) =>
    Promise.resolve(
      from.map((a) =>
        to.map((b) => ({
          found: true,
          distance_in_km: Math.round(getDistanceMeters(a, b)) / 1000,
          time_in_secs: Math.round(getDistanceMeters(a, b) / 10),
          approximate: true,
        })),
      ),
    ),
}

/** Creates a random source with a fixed order, so that tests can predict its values. */
const createCountingRandom = (): RandomPort => {
  let n = 0
  return {
    integerBetween: (min, max) => min + (n++ % (max - min + 1)),
    createToken: () => `token-${n++}`,
  }
}

/**
 * Creates in-memory accounts. `taken` are phone numbers that already have an account; `gone` are
 * uids whose account was removed.
 */
export const createMemoryAccounts = (
  taken: Record<string, string> = {},
  gone: readonly string[] = [],
): AccountsPort & {
  roles: Map<string, string | null>
  ended: string[]
  own: Map<string, OwnSignIn>
} => {
  const roles = new Map<string, string | null>()
  const ended: string[] = []
  const own = new Map<string, OwnSignIn>()
  const byPhone = new Map(Object.entries(taken))
  let made = 0
  const moveNumber = (uid: string, phone: string | undefined) => {
    for (const [old, owner] of byPhone) if (owner === uid) byPhone.delete(old)
    if (phone !== undefined && !byPhone.has(phone)) byPhone.set(phone, uid)
  }
  return {
    roles,
    ended,
    own,
    endSessions: (uid, signIn) => {
      own.set(uid, signIn)
      ended.push(uid)
      const hasOther = [...byPhone].some(([phone, id]) => id === uid && phone !== signIn.phone)
      if (hasOther) moveNumber(uid, signIn.phone)
      return Promise.resolve(hasOther)
    },
    setRole: (uid, role) => Promise.resolve(void roles.set(uid, role)),
    verifyToken: (token) => Promise.resolve(token === '' ? null : { uid: token }),
    readToken: ({ uid }) => ({ uid }),
    isActive: (uid) => Promise.resolve(!gone.includes(uid)),
    create: ({ phone, uid }) => {
      if (byPhone.has(phone)) return Promise.resolve(null)
      const created = uid ?? `made-${++made}`
      byPhone.set(phone, created)
      return Promise.resolve(created)
    },
    findByPhone: (phone) => Promise.resolve(byPhone.get(phone) ?? null),
    changePhone: (uid, phone) => {
      if ((byPhone.get(phone) ?? uid) !== uid) return Promise.resolve(false)
      moveNumber(uid, phone)
      return Promise.resolve(true)
    },
    remove: (uid) => {
      for (const [phone, owner] of byPhone) if (owner === uid) byPhone.delete(phone)
      return Promise.resolve()
    },
  }
}

/**
 * Creates an in-memory file store. `created` maps file names to creation times (milliseconds since
 * 1970); each file has `size` bytes.
 */
export const createMemoryFiles = (
  created: Record<string, number> = {},
  size = 1000,
): FilesPort & { names(): string[] } => {
  const files = new Map(Object.entries(created))
  const sorted = () => [...files.keys()].sort()
  return {
    names: sorted,
    removeFolder: (prefix) => {
      for (const name of sorted()) if (name.startsWith(prefix)) files.delete(name)
      return Promise.resolve()
    },
    listPage: (cursor, most, folder = '') => {
      const left = sorted().filter(
        (name) => name.startsWith(folder) && (cursor === null || name > cursor),
      )
      const page = left
        .slice(0, most)
        .map((name) => ({ name, createdAt: files.get(name) ?? 0, size }))
      return Promise.resolve({
        page,
        next: left.length > most ? (page.at(-1)?.name ?? null) : null,
      })
    },
    measureFolder: (prefix) => {
      const count = sorted().filter((name) => name.startsWith(prefix)).length
      return Promise.resolve({ count, bytes: count * size })
    },
    copy: (from, to) => {
      const at = files.get(from)
      if (at !== undefined) files.set(to, at)
      return Promise.resolve(at !== undefined)
    },
    find: (name) => Promise.resolve(files.has(name) ? { contentType: 'image/jpeg', size } : null),
    remove: (name) => Promise.resolve(void files.delete(name)),
  }
}

/** Creates in-memory ports. Pass in those that the test inspects. */
export const createTestPorts = (given: Partial<Ports> = {}): Ports => {
  const db = given.db ?? createTestDatabase()
  const random = given.random ?? createCountingRandom()
  const maps = given.maps ?? (() => Promise.resolve(straightLineMaps))
  const push = given.push ?? noPush
  const clock = given.clock ?? { now: () => TEST_NOW, wait: () => Promise.resolve() }
  return {
    config: {
      isLocal: true,
      allowedOrigins: [],
      mapsBasicAuth: 'user:secret',
      callerKey: null,
      setupSecret: null,
      salt: 'salt',
      bucket: TEST_BUCKET,
    },
    db,
    random,
    maps,
    push,
    clock,
    accounts: createMemoryAccounts(),
    files: createMemoryFiles(),
    payments: noProviders,
    tasks: noTasks,
    refusals: noRefusalCounter,
    messages: noMessages,
    outbox,
    texts: () => Promise.resolve({ en: { book_now: 'Now' }, es: { book_now: 'Ahora' } }),
    bookings: createBookingService({ db, maps, push, clock, random }),
    ...given,
  }
}

const TEST_BUCKET = 'demo-kerbside.firebasestorage.app'
/** Returns the download link of a file in the test bucket. */
export const createDownloadLink = (name: string): string =>
  `http://127.0.0.1:9199/v0/b/${TEST_BUCKET}/o/${encodeURIComponent(name)}?alt=media&token=t`

export const TEST_NOW = Date.UTC(2026, 10, 20, 15)

/** Returns the context of a handler when this user calls. */
export const createUserContext = (
  uid: string,
  role: UserHandlerContext['actor']['role'],
  given: Partial<Ports> = {},
): UserHandlerContext => ({
  ...createRequestContext({ uid }, createTestPorts(given)),
  caller: { uid, signedInAt: TEST_NOW },
  actor: { uid, role },
})

/** Returns the context of a call to an open endpoint, by this caller or by a visitor. */
export const createRequestContext = <P extends Ports>(
  caller: Caller | null,
  given: P,
): P & RequestContext => ({
  ...given,
  now: TEST_NOW,
  caller,
  rateLimitKey: caller?.uid ?? 'ip-of-a-visitor',
})

/** Returns the key with which a promise was refused. Throws when it was not refused. */
export const getErrorKey = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof DomainException) return error.error.key
    throw error
  }
  throw new Error('The request was not refused.')
}

/** Returns the part of a project in which people have these devices, by uid. */
export const nameDevices = (devices: Readonly<Record<string, Omit<NamedDevice, 'revision'>>>) => ({
  internal: {
    named_devices: Object.fromEntries(
      Object.entries(devices).map(([uid, device]) => [uid, { ...device, revision: 1 }]),
    ),
  },
})

/**
 * Returns a set-up project with one vehicle type, rider `rider`, free driver `driver` at the
 * pickup, and admin `admin`.
 */
export const aProject = (more: object = {}) => ({
  settings: aSettings(),
  cartypes: { van: aVehicleType() },
  users: {
    rider: aRider(),
    driver: aDriver(),
    admin: { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' },
  },
  available_drivers: {
    driver: {
      carType: 'van',
      geohash: encodeGeohash(PICKUP),
      lat: PICKUP.lat,
      lng: PICKUP.lng,
      at: 1,
    },
  },
  ...more,
})

/**
 * Creates ports over `aProject` with a maps service that returns the route on which the builders
 * base their prices.
 */
export const createProjectPorts = (more: object = {}, given: Partial<Ports> = {}) => {
  const db = createTestDatabase(aProject(more))
  const maps = () =>
    Promise.resolve({
      ...straightLineMaps,
      getDirections: () => Promise.resolve({ ...ROUTE, coords: [], steps: [], approximate: false }),
    })
  const pushed: { token: string; title: string }[] = []
  const push = {
    send: (token: string, { title }: { title: string }) => {
      pushed.push({ token, title })
      return Promise.resolve('sent' as const)
    },
  }
  return { ...createTestPorts({ db, maps, push, ...given }), db, pushed }
}

/** Returns the caller of a sign-in by this person with the number of their record. */
export const createCaller = (
  { db }: { db: { at(path: string): unknown } },
  uid: string,
): Caller => {
  const mobile = db.at(`users/${uid}/mobile`)
  return { uid, ...(typeof mobile === 'string' && { phone: mobile }) }
}
