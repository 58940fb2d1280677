import type { User } from '~/domain/accounts/types'
import type { toDirectoryEntry } from '~/domain/accounts/directory'
import { createPushKey } from '~/domain/data/pushKeys'
import type { AvailableDriver } from '~/domain/dispatch/types'
import { encodeGeohash } from '~/domain/geo/geohash'
import { DAY_MS } from '~/domain/language/timeUnits'
import { createSeededRandom } from '../mapsBench'

export const YEAR_MS = 365 * DAY_MS
const USERS_SHARE = 0.1
/** Number of users of each type per 100,000. */
export const USER_COUNTS = [
  ['rider', 85_000],
  ['driver', 14_400],
  ['fleetadmin', 500],
  ['admin', 100],
] as const
const FIRST_NAMES = ['Ana', 'Bruno', 'Carla', 'Diego', 'Elena', 'Facundo', 'Gabriela', 'Hugo', 'Inés', 'Joaquín', 'Lucía', 'María', 'Nicolás', 'Olga', 'Pablo', 'Rosa', 'Sofía', 'Tomás', 'Valentina', 'Zoe'] // prettier-ignore
const LAST_NAMES = ['Acosta', 'Benítez', 'Castro', 'Díaz', 'Estévez', 'Fernández', 'García', 'Hernández', 'Ibarra', 'Juárez', 'López', 'Martínez', 'Núñez', 'Olivera', 'Pérez', 'Ramírez', 'Silva', 'Torres', 'Vidal', 'Zapata'] // prettier-ignore
const CENTER = { lat: -34.89, lng: -56.16 }

/** Length of the uids that Firebase creates. */
const UID_LENGTH = 28
export const padNumber = (at: number) => String(at).padStart(6, '0')
/** Returns a uid that sorts after those of the demo city, so that a page shows it first. */
export const getUid = (kind: string, at: number) =>
  `user-${kind}-${String(at).padStart(UID_LENGTH - 'user--'.length - kind.length, '0')}`
/** Returns the number of users of a type on a platform with this number of bookings. */
export const countUsers = (kind: (typeof USER_COUNTS)[number][0], bookings: number): number => {
  const share = (USER_COUNTS.find(([name]) => name === kind)?.[1] ?? 0) / 100_000
  return Math.max(1, Math.round(bookings * USERS_SHARE * share))
}

/**
 * Returns a driver's fleet admin. The seeded fleet admin has a large fleet: every hundredth driver.
 */
export const getFleetAdmin = (driver: number): string | undefined => {
  if (driver % 100 === 0) return 'seed-fleetadmin'
  return driver % 2 === 0 ? getUid('fleetadmin', driver % 500) : undefined
}

export const createName = (at: number) => ({
  firstName: FIRST_NAMES[at % FIRST_NAMES.length] ?? '',
  lastName: LAST_NAMES[Math.floor(at / FIRST_NAMES.length) % LAST_NAMES.length] ?? '',
})

const createEntries = (count: number, make: (at: number) => object) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [createPushKey(YEAR_MS + at * DAY_MS, at), make(at)]),
  )

/**
 * Returns a year of data for a driver with seventy bookings: two wallet entries for each, and
 * ratings for most.
 */
const createDriverHistory = (at: number) => ({
  walletHistory: Object.fromEntries(
    Array.from({ length: 120 }, (_, entry) => {
      const booking = createPushKey(YEAR_MS + entry * DAY_MS, at)
      const kind = entry % 2 === 0 ? 'share' : 'cash'
      const type = entry % 2 === 0 ? 'Credit' : 'Debit'
      return [`${booking}-${kind}`, { type, amount: 207.23, date: YEAR_MS + entry, txRef: booking }]
    }),
  ),
  ratings: {
    userrating: 4.6,
    count: 40,
    details: createEntries(40, () => ({ user: getUid('rider', at), rate: 5 })),
  },
})

type Listable = NonNullable<Parameters<typeof toDirectoryEntry>[0]> & Record<string, unknown>
/** Returns the function that makes the person with a number. */
export const createUserFactory =
  (kind: User['usertype'], now: number) =>
  (at: number): [string, Listable] => {
    const id = getUid(kind, at)
    const { firstName, lastName } = createName(at * 31)
    const place = createPosition(at)
    return [
      id,
      {
        id,
        usertype: kind,
        firstName,
        lastName,
        email: `${kind}${at}@bench.example`,
        mobile: `+5989${{ rider: 1, driver: 2, fleetadmin: 3, admin: 4 }[kind]}${padNumber(at)}`,
        createdAt: new Date(now - YEAR_MS + at * 1000).toISOString(),
        approved: true,
        walletBalance: 0,
        referralId: `bench${at}`,
        lang: { langLocale: 'en', dateLocale: 'en-GB' },
        ...(kind === 'rider' && {
          savedAddresses: { home: { description: 'Gobernador Viana 2265', ...place, count: 3 } },
          walletHistory: createEntries(4, () => ({
            type: 'Credit',
            amount: 5,
            date: now,
            txRef: 'x',
          })),
        }),
        ...(kind === 'driver' && {
          carType: 'economy',
          vehicleMake: 'Chevrolet',
          vehicleModel: 'Onix',
          vehicleNumber: `SBA ${at}`,
          driverActiveStatus: at % 3 !== 0,
          queue: false,
          location: place,
          ...(getFleetAdmin(at) !== undefined && { fleetadmin: getFleetAdmin(at) }),
          ...createDriverHistory(at),
        }),
      },
    ]
  }

const nextRandom = createSeededRandom(20_261_120)
const createPosition = (at: number) => ({
  lat: Number((CENTER.lat + Math.sin(at * 12.9898) * 0.06 + nextRandom() * 1e-4).toFixed(5)),
  lng: Number((CENTER.lng + Math.cos(at * 78.233) * 0.08).toFixed(5)),
})

/** Returns an available driver at a random position in the city. */
export const createAvailableDriver = (at: number, now: number): AvailableDriver => {
  const place = createPosition(at)
  const fleetadmin = getFleetAdmin(at)
  const free = { carType: 'economy', geohash: encodeGeohash(place), ...place, at: now }
  return fleetadmin === undefined ? free : { ...free, fleetadmin }
}
