import { describe, expect, it } from 'vitest'
import { toJson } from '~/domain/data/databaseValue'
import {
  aBooking,
  aDriver,
  aRider,
  aSettings,
  driver,
  someBookingContacts,
} from '~/domain/testing/builders'
import { STOPS, toStopInput } from '~/domain/testing/stopInputs'
import { HOUR_MS } from '~/domain/language/timeUnits'
import { readConfig } from '../../config'
import { handleRequest, parseInput } from '../../http/requestHandler'
import {
  aProject,
  createUserContext,
  createRequestContext,
  createMemoryAccounts,
  createProjectPorts,
  getErrorKey,
  createTestPorts,
  TEST_NOW,
  nameDevices,
} from '../../testing/testPorts'
import type { Query } from '../../ports/database'
import { createTestDatabase } from '../../testing/testDatabase'
import { removeExpiredShares } from '../../services/jobs/maintenance'
import { export_bookings } from './exportBookings'
import { find_bookings } from './findBookings'
import { send_notification } from '../messages/sendNotification'
import { setup } from '../platform/setup'
import { share_booking } from './shareBooking'
import { track } from './track'
import type { Booking } from '~/domain/booking/types'
import type { Language } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const booking = aBooking({ status: 'STARTED', driver: 'driver', driver_name: 'Beto Silva' })
const { id } = booking
const point = { at: 5, status: 'STARTED', lat: -34.9, lng: -56.2 }
const shared = () =>
  createProjectPorts({ bookings: { [id]: booking }, tracking: { [id]: { a: point } } })
const openLink = (given: ReturnType<typeof shared>, token: string, now = TEST_NOW) =>
  track.handle({ token }, { ...createRequestContext(null, given), now })
const share = (given: ReturnType<typeof shared>, more: object = {}) =>
  share_booking.handle(
    parseInput(share_booking.input, { booking_id: id, ...more }),
    createUserContext('rider', 'rider', given),
  )

describe('a shared link', () => {
  it('shows the booking’s status and the driver’s position, but no contact or price', async () => {
    const given = shared()
    const { token } = await share(given)
    const seen = await openLink(given, token)
    expect(seen).toMatchObject({ status: 'STARTED', driver: { name: 'Beto' }, location: { at: 5 } })
    expect(JSON.stringify(seen)).not.toMatch(/Silva|contact|email|otp|fare|cost|customer/)
  })
  it('shows which stops the driver has passed, without their times and reasons', async () => {
    const given = shared()
    const { token } = await share(given)
    expect(await openLink(given, token)).not.toHaveProperty('stops')
    given.db.put({ [`bookings/${id}/waypoints`]: toJson(STOPS) })
    const skip = { ...toStopInput({ ...booking, waypoints: STOPS }, 'skip_stop'), reason: 'Closed' }
    await given.bookings.applyEvent(id, skip, driver)
    const seen = await openLink(given, token)
    expect(seen.stops?.map(({ add, state }) => [add, state])).toEqual([
      [STOPS[0]?.add, 'skipped'],
      [STOPS[1]?.add, 'next'],
    ])
    expect(JSON.stringify(seen)).not.toMatch(/Closed|skippedAt/)
    given.db.put({ [`bookings/${id}/endTime`]: TEST_NOW })
    expect(await openLink(given, token)).not.toHaveProperty('stops')
  })
  it('has the names of the vehicle type in all languages', async () => {
    const given = shared()
    const { token } = await share(given)
    expect(await openLink(given, token)).not.toHaveProperty('carTypeNames')
    given.db.put({ [`cartypes/${booking.carTypeId}/names`]: { es: 'Furgoneta' } })
    expect(await openLink(given, token)).toMatchObject({ carTypeNames: { es: 'Furgoneta' } })
  })
  it('does not show the position at the level “status”', async () => {
    const given = shared()
    const { token } = await share(given, { level: 'status' })
    expect(await openLink(given, token)).not.toHaveProperty('location')
  })
  it.each([
    ['STARTED', 'live', {}, true],
    ['STARTED', 'status', {}, false],
    ['REACHED', 'live', { endTime: TEST_NOW }, false],
    ['PENDING', 'live', { endTime: TEST_NOW }, false],
    ['PAID', 'live', { endTime: TEST_NOW }, false],
    ['CANCELLED', 'live', { cancelled_at: TEST_NOW }, false],
  ] as const)(
    'of a booking that is %s, at the level %s, with %o, shows the route: %s',
    async (status, level, ended, shows) => {
      const given = createProjectPorts({
        bookings: { [id]: aBooking({ route: '~k_tE~s{uIfc@reA' }) },
      })
      const { token } = await share(given, { level })
      given.db.put({
        [`bookings/${id}/status`]: status,
        ...Object.fromEntries(
          Object.entries(ended).map(([field, time]) => [`bookings/${id}/${field}`, time]),
        ),
      })
      const seen = await openLink(given, token)
      expect('route' in seen).toBe(shows)
    },
  )
  it('ends when it expires or is revoked, and refuses a guessed token', async () => {
    const given = shared()
    const { token } = await share(given, { hours: 1 })
    expect(await getErrorKey(openLink(given, token, TEST_NOW + HOUR_MS))).toBe('not_found')
    expect(await share(given, { revoke: token })).toMatchObject({ revoked: true })
    expect(await getErrorKey(openLink(given, token))).toBe('not_found')
    expect(await getErrorKey(openLink(given, 'guess'))).toBe('not_found')
  })
  it('keeps its token and gets a new expiry when requested again; another level gets a separate link', async () => {
    const given = shared()
    const first = await share(given, { hours: 1 })
    const again = await share(given, { hours: 5 })
    expect(again).toEqual({ token: first.token, expires: TEST_NOW + 5 * HOUR_MS })
    expect((await share(given, { level: 'status' })).token).not.toBe(first.token)
    expect(Object.keys(given.db.at('shares') as object)).toHaveLength(2)
  })
  it('is replaced by a new one after it is revoked, and the old one is deleted', async () => {
    const given = shared()
    const { token } = await share(given)
    await share(given, { revoke: token })
    const next = await share(given)
    expect(next.token).not.toBe(token)
    expect(Object.keys(given.db.at('shares') as object)).toEqual([next.token])
  })
  it.each([
    ['finished', { status: 'REACHED', endTime: TEST_NOW }],
    ['paid', { status: 'PAID', endTime: TEST_NOW }],
    ['cancelled', { status: 'CANCELLED', cancelled_at: TEST_NOW }],
  ] as [string, Partial<Booking>][])(
    'hides the places of a booking that is %s, and stops working one hour later',
    async (_, end) => {
      const given = shared()
      const { token } = await share(given, { hours: 72 })
      for (const [field, value] of Object.entries(end))
        given.db.put({ [`bookings/${id}/${field}`]: value as string | number })
      const seen = await openLink(given, token, TEST_NOW + HOUR_MS - 1)
      expect(seen).toMatchObject({ status: end.status, expires: TEST_NOW + HOUR_MS })
      expect(JSON.stringify(seen)).not.toMatch(/pickup|drop|lat|Plaza|Tres Cruces/)
      expect(await getErrorKey(openLink(given, token, TEST_NOW + HOUR_MS))).toBe('not_found')
      expect(await getErrorKey(share(given))).toBe('event_not_possible')
    },
  )
  it('is removed with its link entry after it expires, one page at a time', async () => {
    const given = shared()
    const { token } = await share(given, { hours: 1 })
    const { token: other } = await share(given, { level: 'status', hours: 2 })
    expect(await removeExpiredShares(given, TEST_NOW + HOUR_MS - 1)).toBe(0)
    expect(await removeExpiredShares(given, TEST_NOW + HOUR_MS)).toBe(1)
    expect(given.db.at(`shares/${token}`)).toBeNull()
    expect(given.db.at(`share_links/${id}/rider`)).toEqual({ status: other })
  })
  it('can be created only by the customer or an admin', async () => {
    const input = parseInput(share_booking.input, { booking_id: id })
    const call = share_booking.handle(input, createUserContext('driver', 'driver', shared()))
    expect(await getErrorKey(call)).toBe('not_allowed')
  })
})

describe('exporting bookings', () => {
  const many = Object.fromEntries(
    ['a', 'b', 'c'].map((key) => [
      key,
      aBooking({ id: key, ...(key !== 'b' && { fleetadmin: 'fleet' }) }),
    ]),
  )
  const page = (uid: string, role: 'admin' | 'fleetadmin', input: object, settings = aSettings()) =>
    export_bookings.handle(
      parseInput(export_bookings.input, input),
      createUserContext(uid, role, createProjectPorts({ bookings: many, settings })),
    )
  it('returns every page until the end', async () => {
    const first = await page('admin', 'admin', { limit: 2 })
    expect([first.rows.map((row) => row.id), first.next]).toEqual([['a', 'b'], 'b'])
    const last = await page('admin', 'admin', { limit: 2, cursor: first.next })
    expect([last.rows.map((row) => row.id), last.next]).toEqual([['c'], null])
  })
  it('returns only their own drivers’ bookings to a fleet admin', async () => {
    const first = await page('fleet', 'fleetadmin', { limit: 1 })
    const rest = await page('fleet', 'fleetadmin', { cursor: first.next })
    expect([...first.rows, ...rest.rows].map((row) => row.id)).toEqual(['a', 'c'])
  })
  it.each([
    [{ status: 'NEW' }, 'status', ['n1', 'n2', 'n3']],
    [{ customer: 'ana' }, 'customer', ['n3', 'o1']],
    [{ driver: 'beto', status: 'COMPLETE' }, 'driver', ['o1']],
    [{ carTypeId: 'bike' }, 'carTypeId', ['n2']],
    [{ from: 20, to: 30 }, 'bookingDate', ['o1', 'n1', 'n2']],
    [{ from: 20, to: 30, status: 'COMPLETE' }, 'bookingDate', ['o1']],
    [{ from: 20, status: 'NEW' }, 'status', ['n1', 'n2', 'n3']],
    [{}, '$key', ['n1', 'n2', 'n3', 'o1', 'o2']],
  ])('reads %j by the index %s, with any page size', async (filter, index, expected) => {
    const given = createProjectPorts({
      settings: aSettings(),
      bookings: {
        n1: aBooking({ id: 'n1', status: 'NEW', bookingDate: 30 }),
        n2: aBooking({ id: 'n2', status: 'NEW', bookingDate: 30, carTypeId: 'bike' }),
        n3: aBooking({ id: 'n3', status: 'NEW', bookingDate: 40, customer: 'ana' }),
        o1: aBooking({
          id: 'o1',
          status: 'COMPLETE',
          bookingDate: 20,
          customer: 'ana',
          driver: 'beto',
        }),
        o2: aBooking({ id: 'o2', status: 'CANCELLED', bookingDate: 10, driver: 'beto' }),
      },
    })
    const asked: Query[] = []
    const list: typeof given.db.list = (path, query) => {
      asked.push(query)
      return given.db.list(path, query)
    }
    for (const limit of [1, 2, 500]) {
      const found: string[] = []
      let cursor: string | null = null
      do {
        const page: { rows: Booking[]; next: string | null } = await export_bookings.handle(
          parseInput(export_bookings.input, {
            ...filter,
            limit,
            ...(cursor !== null && { cursor }),
          }),
          createUserContext('admin', 'admin', { ...given, db: { ...given.db, list } }),
        )
        found.push(...page.rows.map(({ id }) => id))
        cursor = page.next
      } while (cursor !== null)
      expect(found).toEqual(expected)
    }
    expect(new Set(asked.map(({ by }) => by))).toEqual(new Set([index]))
    expect(asked.every(({ first }) => first !== undefined)).toBe(true)
  })
  it('returns only a customer’s bookings with their own drivers to a fleet admin', async () => {
    const rows = { a: aBooking({ id: 'a', fleetadmin: 'fleet' }), b: aBooking({ id: 'b' }) }
    const answer = await export_bookings.handle(
      parseInput(export_bookings.input, { customer: rows.a.customer }),
      createUserContext(
        'fleet',
        'fleetadmin',
        createProjectPorts({ bookings: rows, settings: aSettings() }),
      ),
    )
    expect(answer.rows.map(({ id }) => id)).toEqual(['a'])
  })
  it.each(['customer', 'driver'] as const)(
    'names no booking of another fleet to a fleet admin who filters by a %s',
    async (field) => {
      const driven = { driver: 'driver', status: 'COMPLETE' } as const
      const rows = {
        a: aBooking({ id: 'a', ...driven, fleetadmin: 'fleet' }),
        b: aBooking({ id: 'b', ...driven, fleetadmin: 'other' }),
        c: aBooking({ id: 'c', ...driven, fleetadmin: 'fleet' }),
      }
      const given = createProjectPorts({ bookings: rows, settings: aSettings() })
      const read = (cursor?: string) =>
        export_bookings.handle(
          parseInput(export_bookings.input, { [field]: rows.a[field], limit: 1, cursor }),
          createUserContext('fleet', 'fleetadmin', given),
        )
      const first = await read()
      const second = await read(first.next ?? '')
      expect([first, second].map(({ next }) => next)).toEqual(['a', 'c'])
      expect((await read('c')).next).toBeNull()
    },
  )
  it.each([{}, { status: 'NEW' as const }])(
    'includes the contacts in each row (%j)',
    async (filter) => {
      const rows = Object.fromEntries(['a', 'b', 'c'].map((key) => [key, aBooking({ id: key })]))
      const contacts = {
        a: someBookingContacts(),
        c: someBookingContacts({ customer_contact: '+15555550142' }),
      }
      const answer = await export_bookings.handle(
        parseInput(export_bookings.input, filter),
        createUserContext(
          'admin',
          'admin',
          createProjectPorts({ bookings: rows, booking_contacts: contacts }),
        ),
      )
      expect(answer.rows.map((row) => row.customer_contact)).toEqual([
        '+15555550199',
        undefined,
        '+15555550142',
      ])
    },
  )
  it('riders and drivers get their own bookings, with the contacts they may read', async () => {
    const ended = { status: 'COMPLETE', driver: 'driver', endTime: TEST_NOW - 2 * HOUR_MS } as const
    const given = createProjectPorts({
      settings: aSettings(),
      bookings: {
        a: aBooking({ id: 'a', customer: 'rider', ...ended }),
        b: aBooking({ id: 'b', customer: 'another', ...ended }),
        c: aBooking({ id: 'c', customer: 'another' }),
      },
      booking_contacts: { a: someBookingContacts({ driver_contact: '+15555550111' }) },
    })
    const of = (uid: string, role: 'rider' | 'driver') =>
      export_bookings.handle(
        parseInput(export_bookings.input, { customer: 'another' }),
        createUserContext(uid, role, given),
      )
    const all = (uid: string, role: 'rider' | 'driver') =>
      export_bookings.handle(
        parseInput(export_bookings.input, {}),
        createUserContext(uid, role, given),
      )
    const own = await all('rider', 'rider')
    expect(own.rows.map(({ id }) => id)).toEqual(['a'])
    expect(own.rows[0]?.customer_contact).toBe('+15555550199')
    expect(own.rows[0]?.driver_contact).toBeUndefined()
    expect((await of('rider', 'rider')).rows).toEqual([])
    const driven = await all('driver', 'driver')
    expect(driven.rows.map(({ id }) => id)).toEqual(['a', 'b'])
    expect(driven.rows[0]?.customer_contact).toBeUndefined()
  })
  it('is refused for a rider in demo mode too', async () => {
    const demo = createProjectPorts({ settings: aSettings({ AllowCriticalEditsAdmin: false }) })
    const call = export_bookings.handle(
      parseInput(export_bookings.input, {}),
      createUserContext('r', 'rider', demo),
    )
    expect(await getErrorKey(call)).toBe('demo_mode')
  })
  it('is refused in demo mode', async () => {
    const demo = aSettings({ AllowCriticalEditsAdmin: false })
    expect(await getErrorKey(page('admin', 'admin', {}, demo))).toBe('demo_mode')
  })
})

describe('finding bookings', () => {
  const key = (index: number) => `b${String(index).padStart(4, '0')}`
  const find = (uid: string, role: 'rider' | 'driver', bookings: object, input: object) =>
    find_bookings.handle(
      parseInput(find_bookings.input, input),
      createUserContext(
        uid,
        role,
        createProjectPorts({ settings: aSettings({ AllowCriticalEditsAdmin: false }), bookings }),
      ),
    )

  it('searches a rider’s bookings page by page, in demo mode too', async () => {
    const bookings = Object.fromEntries(
      Array.from({ length: 450 }, (_, index) => [
        key(index),
        aBooking({
          id: key(index),
          customer: index % 2 ? 'ana' : 'another',
          ...(index > 400 && { dropAddress: 'Harbor gate' }),
        }),
      ]),
    )
    const first = await find('ana', 'rider', bookings, { words: 'gate HARBOR' })
    expect([first.rows, first.looked, first.next]).toEqual([[], 200, key(399)])
    const rest = await find('ana', 'rider', bookings, { words: 'gate HARBOR', cursor: first.next })
    expect([rest.looked, rest.next]).toEqual([25, null])
    expect(rest.rows).toHaveLength(25)
    expect(new Set(rest.rows.map(({ customer }) => customer))).toEqual(new Set(['ana']))
  })
  it('returns only the bookings they drove to a driver', async () => {
    const bookings = {
      a: aBooking({ id: 'a', driver: 'beto' }),
      b: aBooking({ id: 'b', driver: 'carla', customer: 'beto' }),
    }
    const { rows } = await find('beto', 'driver', bookings, { words: 'plaza' })
    expect(rows.map(({ id }) => id)).toEqual(['a'])
  })
})

describe('sending a notification', () => {
  const ended = TEST_NOW - 59 * 60_000
  const withDriver = aBooking({ ...booking, customer_name: 'Ana Lima', endTime: ended })
  const given = (more: Partial<Booking> = {}) =>
    createProjectPorts({
      bookings: { [id]: { ...withDriver, ...more } },
      users: { ...aProject().users, rider: aRider(), driver: aDriver() },
      ...nameDevices({ rider: { token: 'rider-phone' }, driver: { token: 'driver-phone' } }),
    })
  const here = { title: 'push_here_title', msg: 'push_here_msg', booking_id: id }
  const send = (input: object, uid: string, role: User['usertype'], ports = given()) =>
    send_notification.handle(
      parseInput(send_notification.input, input),
      createUserContext(uid, role, ports),
    )

  it('delivers a fixed text from one party to the other, with a sender name that only the server sets', async () => {
    const ports = given()
    await send({ ...here, params: { sender: 'Kerbside: card refused' } }, 'driver', 'driver', ports)
    expect(Object.values(ports.db.at('inbox/rider') as object)).toMatchObject([
      { title: 'push_here_title', params: { sender: 'Beto' }, booking_id: id },
    ])
    expect(ports.pushed).toEqual([{ token: 'rider-phone', title: 'push_here_title' }])
    await send({ ...here, token: 'driver-phone' }, 'rider', 'rider', ports)
    expect(Object.values(ports.db.at('inbox/driver') as object)).toMatchObject([
      { params: { sender: 'Ana' } },
    ])
  })
  it.each([
    ['a text of their own', { ...here, title: 'Kerbside: card refused' }],
    ['a payment text of the platform', { ...here, title: 'push_paid_title', msg: 'push_paid_msg' }],
    ['a title with the message of another text', { ...here, msg: 'push_message_msg' }],
  ])('refuses %s from a party', async (_, input) => {
    const ports = given()
    expect(await getErrorKey(send(input, 'driver', 'driver', ports))).toBe('not_allowed')
    expect(ports.db.at('inbox')).toBeNull()
  })
  it('delivers the same text at most once a minute', async () => {
    const ports = given()
    for (let i = 0; i < 20; i++) await send(here, 'driver', 'driver', ports)
    expect(Object.keys(ports.db.at('inbox/rider') as object)).toHaveLength(1)
    expect(ports.pushed).toHaveLength(1)
  })
  it.each([
    ['before a driver has accepted', { status: 'NEW', requestedDrivers: { driver: true } }],
    ['an hour after the end, unpaid', { status: 'PENDING', endTime: TEST_NOW - HOUR_MS }],
    ['an hour after the end, unrated', { status: 'PAID', endTime: TEST_NOW - HOUR_MS }],
    ['an hour after the end, complete', { status: 'COMPLETE', endTime: TEST_NOW - HOUR_MS }],
    ['an hour after the cancellation', { status: 'CANCELLED', cancelled_at: TEST_NOW - HOUR_MS }],
  ] as [string, Partial<Booking>][])('refuses a party %s', async (_, more) => {
    const found: Booking = { ...withDriver, ...more }
    if (found.status === 'NEW') delete found.driver
    const ports = createProjectPorts({ bookings: { [id]: found } })
    const refused = await getErrorKey(send(here, 'rider', 'rider', ports))
    expect(refused).toBe('event_not_possible')
  })
  it('lets an admin send any text to a phone, and refuses messages from other users to strangers', async () => {
    const notification = { token: 'rider-phone', title: 'Hello', msg: 'I am at the door' }
    expect(await send(notification, 'admin', 'admin')).toEqual({ success: true })
    const strangers = [
      send({ ...here, booking_id: undefined }, 'driver', 'driver'),
      send(here, 'other', 'rider'),
      send({ ...here, token: 'third' }, 'driver', 'driver'),
    ]
    for (const call of strangers) expect(await getErrorKey(call)).toBe('not_allowed')
    expect(await getErrorKey(send({ ...notification, token: undefined }, 'admin', 'admin'))).toBe(
      'bad_input',
    )
  })
  it('finds no user for an unknown token', async () => {
    const call = send({ title: 'Hello', msg: 'x', token: 'none' }, 'admin', 'admin')
    expect(await getErrorKey(call)).toBe('no_user_match')
  })
  it('accepts ten short parameters, but not eleven and not a long one', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, 1]))
    const parsed = (params: object) => () =>
      parseInput(send_notification.input, { ...here, params })
    expect(parsed(many(10))).not.toThrow()
    expect(parsed(many(11))).toThrow('bad_input')
    expect(parsed({ p: 'x'.repeat(201) })).toThrow('bad_input')
  })
})

describe('setting up an empty project', () => {
  const input = parseInput(setup.input, {
    mobile: '+15555550100',
    country: 'Uruguay',
    restrictCountry: 'UY',
  })
  const run = (given: ReturnType<typeof createTestPorts>, more: object = {}) =>
    setup.handle({ ...input, ...more }, createRequestContext(null, given))
  it('creates the settings, the first admin, the languages and the vehicle types exactly once', async () => {
    const db = createTestDatabase()
    const given = createTestPorts({ db, accounts: createMemoryAccounts() })
    const both = await Promise.allSettled([run(given), run(given)])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(db.at('settings/country')).toBe('Uruguay')
    expect(Object.values(db.at('users') as object)).toMatchObject([
      { usertype: 'admin', approved: true },
    ])
    const languages = db.at('languages') as Record<string, Language>
    expect(Object.keys(languages).sort()).toEqual(['ar', 'de', 'en', 'es', 'fr', 'he', 'hi', 'pt'])
    const defaults = Object.values(languages).filter((language) => language.default)
    expect(defaults.map(({ langLocale }) => langLocale)).toEqual(['en'])
    // Their texts ship with the product.
    expect(languages.es).not.toHaveProperty('keyValuePairs')
    expect(Object.keys(db.at('cartypes') as object)).toHaveLength(5)
    expect(await getErrorKey(run(given))).toBe('already_set_up')
  })
  it('starts a company with its name, its language and prices in its currency', async () => {
    const db = createTestDatabase()
    const company = {
      companyName: 'Taxi Bonn',
      business: 'rides',
      restrictCountry: 'DE',
      country: 'Germany',
      code: 'EUR',
      symbol: '€',
      timezone: 'Europe/Berlin',
      language: 'de',
    }
    await run(createTestPorts({ db, accounts: createMemoryAccounts() }), company)
    expect(db.at('settings')).toMatchObject({
      appName: 'Taxi Bonn',
      CompanyName: 'Taxi Bonn',
      CompanyWebsite: '',
      CompanyTerms: '',
      appcat: 'taxi',
      code: 'EUR',
      swipe_symbol: true,
      setupChecklist: 'open',
    })
    expect(db.at('languages/de')).toMatchObject({ default: true, dateLocale: 'de-DE' })
    expect(db.at('languages/en/default')).toBe(false)
    expect(db.at('cartypes/economy')).toMatchObject({ name: 'Economy', min_fare: 5 })
    expect(db.at('cartypes/courier')).toBeNull()
    expect(db.at('cancel_reason/0')).toMatchObject({
      label: 'Es dauert zu lange',
      names: { en: 'It is taking too long' },
      value: 0,
    })
  })
  it('refuses an unknown language and an unknown kind of business', () => {
    for (const wrong of [{ language: 'xx' }, { business: 'boats' }, { appcat: 'taxi' }])
      expect(() => parseInput(setup.input, { ...input, ...wrong })).toThrow('bad_input')
  })
  it('reports that the phone number is already registered, not that setup is complete', async () => {
    const db = createTestDatabase({
      users: { early: aRider({ id: 'early', mobile: input.mobile }) },
    })
    const given = createTestPorts({
      db,
      accounts: createMemoryAccounts({ [input.mobile]: 'early' }),
    })
    expect(await getErrorKey(run(given))).toBe('user_exists')
    expect(db.at('settings')).toBeNull()
  })
  it('refuses an unknown time zone', () => {
    expect(() => parseInput(setup.input, { ...input, timezone: 'Mars/Olympus' })).toThrow(
      'bad_input',
    )
    expect(parseInput(setup.input, { ...input, timezone: 'Asia/Kolkata' })).toHaveProperty(
      'timezone',
    )
  })
  it.each([
    ['a secret', { KERBSIDE_SALT: 'salt' }, 'KERBSIDE_SETUP_SECRET'],
    ['a salt', { KERBSIDE_SETUP_SECRET: 'sesame' }, 'KERBSIDE_SALT'],
    ['either', {}, 'KERBSIDE_SALT'],
  ])(
    'refuses to run in production without %s, and names the missing setting',
    async (_, env, setting) => {
      const config = readConfig({ GCLOUD_PROJECT: 'acme-taxis', ...env })
      const db = createTestDatabase()
      const call = {
        input,
        caller: null,
        hasMapsBasicAuth: false,
        ip: '203.0.113.7',
        now: TEST_NOW,
      }
      await expect(
        handleRequest(setup, call, createTestPorts({ db, config })),
      ).rejects.toMatchObject({
        error: { key: 'not_configured', params: { setting } },
      })
      await expect(run(createTestPorts({ db, config }))).rejects.toThrow('not_configured')
      expect(db.at('users')).toBeNull()
      expect(db.at('settings')).toBeNull()
    },
  )
  it('requires the secret when one is configured', async () => {
    const { config, ...rest } = createTestPorts({ db: createTestDatabase() })
    const given = { ...rest, config: { ...config, setupSecret: 'sesame' } }
    expect(await getErrorKey(run(given))).toBe('not_allowed')
    expect(await run(given, { secret: 'sesame' })).toMatchObject({ success: true })
  })
})
