import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  aBooking,
  aDriver,
  aRider,
  aSettings,
  someBookingContacts,
} from '~/domain/testing/builders'
import { addDerivedData } from '~/domain/testing/derivedData'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { createDatabase, type InProcessDatabase, RequestError } from '~/emulator/src/inProcess'
import { PRODUCT_RULES } from '../support/testDatabase'

const NOW = 1_800_000_000_000
const HOURS = 8
const rules = readFileSync(PRODUCT_RULES, 'utf8')

const createWorld = (officeSessionHours?: number): InProcessDatabase => {
  const people = [
    aRider({ id: 'admin', usertype: 'admin' }),
    aRider({ id: 'fleet', usertype: 'fleetadmin' }),
    aDriver({ id: 'driver', fleetadmin: 'fleet' }),
    aRider({ id: 'rider' }),
  ]
  const start: object = {
    settings: { ...aSettings(), ...(officeSessionHours && { officeSessionHours }) },
    users: Object.fromEntries(people.map((person) => [person.id, person])),
    bookings: { b1: aBooking({ id: 'b1' }) },
    booking_contacts: { b1: someBookingContacts() },
  }
  return createDatabase({ rules, now: () => NOW, data: addDerivedData(start) })
}

const isAllowed = (access: () => unknown): boolean => {
  try {
    access()
    return true
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 'permission_denied') throw error
    return false
  }
}

/** Returns the client of a person who signed in `age` milliseconds ago. */
const signIn = (database: InProcessDatabase, uid: string, age: number) =>
  database.asUser(uid, { auth_time: Math.floor((NOW - age) / 1000) })
type Client = ReturnType<typeof signIn>

const page = { orderBy: '$key', limitToFirst: 10 } as const
const ownDrivers = { orderBy: 'fleetadmin', equalTo: 'fleet', limitToFirst: 10 } as const
const ADMIN_ACCESS: [string, (client: Client) => unknown][] = [
  ['changes a setting', (client) => client.set('settings/appName', 'Other')],
  ['lists people', (client) => client.list('users', page)],
  ['reads a person', (client) => client.get('users/rider')],
  ['lists the directory', (client) => client.list('people', page)],
  ['lists contacts', (client) => client.list('booking_contacts', page)],
  ['reads the contacts of a booking', (client) => client.get('booking_contacts/b1')],
]
const FLEET_ACCESS: [string, (client: Client) => unknown][] = [
  [
    'chooses a language',
    (client) => client.set('users/fleet/lang', { langLocale: 'es', dateLocale: 'es' }),
  ],
  ['lists their drivers', (client) => client.list('users', ownDrivers)],
  ['reads their driver', (client) => client.get('users/driver')],
]
const ROWS = [
  ...ADMIN_ACCESS.map(([title, access]) => ['admin', title, access] as const),
  ...FLEET_ACCESS.map(([title, access]) => ['fleet', title, access] as const),
]

describe('with a limit of hours for sign-ins to the office', () => {
  let database: InProcessDatabase
  beforeEach(() => {
    database = createWorld(HOURS)
  })

  it.each(ROWS)('%s %s until the limit, and no longer', (uid, _, access) => {
    expect(isAllowed(() => access(signIn(database, uid, HOURS * HOUR_MS - 1000)))).toBe(true)
    expect(isAllowed(() => access(signIn(database, uid, HOURS * HOUR_MS)))).toBe(false)
  })

  it.each(['admin', 'fleet'])('refuses a token of %s without the time of its sign-in', (uid) => {
    expect(isAllowed(() => database.asUser(uid).get('users/driver'))).toBe(false)
    expect(isAllowed(() => database.asUser(uid).set(`users/${uid}/lang/langLocale`, 'es'))).toBe(
      false,
    )
  })

  it('leaves riders, drivers and the functions alone', () => {
    const old = 1000 * HOUR_MS
    const place = { lat: -34.9, lng: -56.1 }
    const lang = { langLocale: 'es', dateLocale: 'es' }
    expect(
      isAllowed(() => signIn(database, 'driver', old).set('users/driver/location', place)),
    ).toBe(true)
    expect(isAllowed(() => signIn(database, 'rider', old).set('users/rider/lang', lang))).toBe(true)
    expect(isAllowed(() => signIn(database, 'admin', old).get('users/admin'))).toBe(true)
    const { schema } = database.asAdmin().get('') as { schema?: { version: number } }
    const server = database.as({ uid: 'server', schema: schema?.version ?? null })
    expect(isAllowed(() => server.set('users/rider/firstName', 'Ria'))).toBe(true)
  })
})

describe('without a limit', () => {
  it.each(ROWS)('%s %s however old the sign-in is', (uid, _, access) => {
    expect(isAllowed(() => access(signIn(createWorld(), uid, 1000 * HOUR_MS)))).toBe(true)
  })
})
