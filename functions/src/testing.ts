// Stand-in ports for tests of handlers. Never imported by what is deployed.
import { geohash } from '~/domain/geo'
import { aCarType, aDriver, aRider, aSettings, PICKUP, ROUTE } from '~/domain/testing/builders'
import type { ActorContext, Ports } from './definition'
import type { AccountsPort } from './ports/accounts'
import { bookingsIn } from './ports/bookings'
import { memoryDatabase } from './ports/memoryDatabase'
import { noProviders } from './ports/payments'
import { Refused } from './refused'
import { metresBetween } from './maps/geo'
import type { MapsPort } from './maps/port'
import type { RandomPort } from './ports/random'

/** A maps service that knows straight lines only, at 36 km/h. */
export const straightMaps: MapsPort = {
  id: 'bundled',
  autocomplete: (text) =>
    Promise.resolve([
      { description: text, place_id: `p-${text}`, mainText: text, secondaryText: '', kind: '' },
    ]),
  coords: (placeId) => Promise.resolve(placeId === 'nowhere' ? null : { lat: -34.9, lng: -56.2 }),
  address: ({ lat, lng }) => Promise.resolve(`Near ${lat},${lng}`),
  directions: (start, dest, waypoints = []) => {
    const coords = [start, ...waypoints, dest]
    const metres = coords
      .slice(1)
      .reduce((sum, to, i) => sum + metresBetween(coords[i] ?? to, to), 0)
    return Promise.resolve({
      distance_in_km: Math.round(metres) / 1000,
      time_in_secs: Math.round(metres / 10),
      polylinePoints: '',
      coords,
      steps: [],
      approximate: true,
    })
  },
  distanceMatrix: (from, to) =>
    Promise.resolve(
      from.map((a) =>
        to.map((b) => ({
          found: true,
          distance_in_km: Math.round(metresBetween(a, b)) / 1000,
          time_in_secs: 0,
          approximate: true,
        })),
      ),
    ),
}

/** Dice that fall in order, so that tests can say what they will see. */
export const countingRandom = (): RandomPort => {
  let n = 0
  return {
    between: (min, max) => min + (n++ % (max - min + 1)),
    token: () => `token-${n++}`,
  }
}

/** Accounts in memory; `taken` are phone numbers that have one already, `gone` uids that have none any more. */
export const memoryAccounts = (
  taken: Record<string, string> = {},
  gone: readonly string[] = [],
): AccountsPort => {
  const byPhone = new Map(Object.entries(taken))
  let made = 0
  return {
    verify: (token) => Promise.resolve(token === '' ? null : { uid: token }),
    isOpen: (uid) => Promise.resolve(!gone.includes(uid)),
    create: ({ phone, uid }) => {
      if (byPhone.has(phone)) return Promise.resolve(null)
      const created = uid ?? `made-${++made}`
      byPhone.set(phone, created)
      return Promise.resolve(created)
    },
    byPhone: (phone) => Promise.resolve(byPhone.get(phone) ?? null),
    changePhone: (uid, phone) => {
      if (byPhone.has(phone)) return Promise.resolve(false)
      for (const [old, owner] of byPhone) if (owner === uid) byPhone.delete(old)
      byPhone.set(phone, uid)
      return Promise.resolve(true)
    },
    remove: (uid) => {
      for (const [phone, owner] of byPhone) if (owner === uid) byPhone.delete(phone)
      return Promise.resolve()
    },
  }
}

/** Ports in memory; hand in those the test looks at. */
export const somePorts = (given: Partial<Ports> = {}): Ports => {
  const db = given.db ?? memoryDatabase()
  const random = given.random ?? countingRandom()
  const maps = given.maps ?? (() => Promise.resolve(straightMaps))
  const push = given.push ?? { send: () => Promise.resolve() }
  const clock = { now: () => TEST_NOW, wait: () => Promise.resolve() }
  return {
    config: {
      local: true,
      origins: [],
      mapsBasicAuth: 'user:secret',
      setupSecret: null,
      salt: 'salt',
    },
    db,
    random,
    maps,
    push,
    accounts: memoryAccounts(),
    files: { removeFolder: () => Promise.resolve() },
    payments: noProviders,
    texts: () => Promise.resolve({ en: { book_now: 'Now' }, es: { book_now: 'Ahora' } }),
    bookings: bookingsIn({ db, maps, push, clock, random }),
    ...given,
  }
}

export const TEST_NOW = Date.UTC(2026, 10, 20, 15)

/** What a handler is given when this user calls. */
export const as = (
  uid: string,
  role: ActorContext['actor']['role'],
  given: Partial<Ports> = {},
): ActorContext => ({ ...somePorts(given), now: TEST_NOW, caller: { uid }, actor: { uid, role } })

/** The key a promise was refused with; fails when it was not. */
export const refusedKey = async (promise: Promise<unknown>): Promise<string> => {
  try {
    await promise
  } catch (error) {
    if (error instanceof Refused) return error.refusal.key
    throw error
  }
  throw new Error('It was not refused.')
}

/** A set-up project with one car type, rider `rider`, free driver `driver` at the pickup, admin `admin`. */
export const aProject = (more: object = {}) => ({
  settings: aSettings(),
  cartypes: { van: aCarType() },
  users: {
    rider: aRider(),
    driver: aDriver(),
    admin: { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' },
  },
  available_drivers: {
    driver: { carType: 'van', geohash: geohash(PICKUP), lat: PICKUP.lat, lng: PICKUP.lng, at: 1 },
  },
  ...more,
})

/** Ports over `aProject`, on a maps service that gives the route the builders price. */
export const projectPorts = (more: object = {}, given: Partial<Ports> = {}) => {
  const db = memoryDatabase(aProject(more))
  const maps = () =>
    Promise.resolve({
      ...straightMaps,
      directions: () => Promise.resolve({ ...ROUTE, coords: [], steps: [], approximate: false }),
    })
  const pushed: { token: string; title: string }[] = []
  const push = {
    send: (token: string, { title }: { title: string }) => {
      pushed.push({ token, title })
      return Promise.resolve()
    },
  }
  return { ...somePorts({ db, maps, push, ...given }), db, pushed }
}
