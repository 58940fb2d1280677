import { describe, expect, it } from 'vitest'
import type { Booking, Language } from '~/domain/entities'
import { aBooking, aRider, aSettings } from '~/domain/testing/builders'
import { parse } from '../guard'
import {
  aProject,
  as,
  memoryAccounts,
  projectPorts,
  refusedKey,
  somePorts,
  TEST_NOW,
} from '../testing'
import type { Query } from '../ports/database'
import { memoryDatabase } from '../ports/memoryDatabase'
import { export_bookings } from './exportBookings'
import { send_notification } from './sendNotification'
import { setup } from './setup'
import { share_booking } from './shareBooking'
import { track } from './track'

const booking = aBooking({ status: 'STARTED', driver: 'driver', driver_name: 'Beto Silva' })
const { id } = booking
const point = { at: 5, status: 'STARTED', lat: -34.9, lng: -56.2 }
const shared = () => projectPorts({ bookings: { [id]: booking }, tracking: { [id]: { a: point } } })
const look = (given: ReturnType<typeof shared>, token: string, now = TEST_NOW) =>
  track.handle({ token }, { ...given, now, caller: null })
const share = (given: ReturnType<typeof shared>, more: object = {}) =>
  share_booking.handle(
    parse(share_booking.input, { booking_id: id, ...more }),
    as('rider', 'rider', given),
  )

describe('a shared link', () => {
  it('shows where the booking stands and where the driver is, and no contact or price', async () => {
    const given = shared()
    const { token } = await share(given)
    const seen = await look(given, token)
    expect(seen).toMatchObject({ status: 'STARTED', driver: { name: 'Beto' }, location: { at: 5 } })
    expect(JSON.stringify(seen)).not.toMatch(/Silva|contact|email|otp|fare|cost|customer/)
  })
  it('of the level “status” does not show the place', async () => {
    const given = shared()
    const { token } = await share(given, { level: 'status' })
    expect(await look(given, token)).not.toHaveProperty('location')
  })
  it('ends at its time, when taken back, and is never guessed', async () => {
    const given = shared()
    const { token } = await share(given, { hours: 1 })
    expect(await refusedKey(look(given, token, TEST_NOW + 3_600_000))).toBe('not_found')
    expect(await share(given, { revoke: token })).toMatchObject({ revoked: true })
    expect(await refusedKey(look(given, token))).toBe('not_found')
    expect(await refusedKey(look(given, 'guess'))).toBe('not_found')
  })
  it('is made by the customer or an admin only', async () => {
    const input = parse(share_booking.input, { booking_id: id })
    const call = share_booking.handle(input, as('driver', 'driver', shared()))
    expect(await refusedKey(call)).toBe('not_allowed')
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
      parse(export_bookings.input, input),
      as(uid, role, projectPorts({ bookings: many, settings })),
    )
  it('goes page by page to the end', async () => {
    const first = await page('admin', 'admin', { limit: 2 })
    expect([first.rows.map((row) => row.id), first.next]).toEqual([['a', 'b'], 'b'])
    const last = await page('admin', 'admin', { limit: 2, cursor: first.next })
    expect([last.rows.map((row) => row.id), last.next]).toEqual([['c'], null])
  })
  it('a fleet admin sees his own drivers’ only', async () => {
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
  ])('%j is read by the index %s, in pages of whatever size', async (filter, index, expected) => {
    const given = projectPorts({
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
          parse(export_bookings.input, { ...filter, limit, ...(cursor !== null && { cursor }) }),
          as('admin', 'admin', { ...given, db: { ...given.db, list } }),
        )
        found.push(...page.rows.map(({ id }) => id))
        cursor = page.next
      } while (cursor !== null)
      expect(found).toEqual(expected)
    }
    expect(new Set(asked.map(({ by }) => by))).toEqual(new Set([index]))
    expect(asked.every(({ first }) => first !== undefined)).toBe(true)
  })
  it('a fleet admin who asks for somebody sees what his own drivers did for him', async () => {
    const rows = { a: aBooking({ id: 'a', fleetadmin: 'fleet' }), b: aBooking({ id: 'b' }) }
    const answer = await export_bookings.handle(
      parse(export_bookings.input, { customer: rows.a.customer }),
      as('fleet', 'fleetadmin', projectPorts({ bookings: rows, settings: aSettings() })),
    )
    expect(answer.rows.map(({ id }) => id)).toEqual(['a'])
  })
  it('demo mode refuses', async () => {
    const demo = aSettings({ AllowCriticalEditsAdmin: false })
    expect(await refusedKey(page('admin', 'admin', {}, demo))).toBe('demo_mode')
  })
})

describe('sending a notification', () => {
  const told = { token: 'rider-phone', title: 'Hello', msg: 'I am at the door' }
  const withTokens = aBooking({
    ...booking,
    customer_token: 'rider-phone',
    driver_token: 'd-phone',
  })
  const given = () =>
    projectPorts({
      bookings: { [id]: withTokens },
      users: { ...aProject().users, rider: aRider({ pushToken: 'rider-phone' }) },
    })
  it('the driver tells his customer, in the inbox and on the phone', async () => {
    const ports = given()
    await send_notification.handle({ ...told, booking_id: id }, as('driver', 'driver', ports))
    expect(Object.values(ports.db.at('inbox/rider') as object)).toMatchObject([{ title: 'Hello' }])
    expect(ports.pushed).toEqual([{ token: 'rider-phone', title: 'Hello' }])
  })
  it('an admin tells anybody; nobody else tells a stranger', async () => {
    expect(await send_notification.handle(told, as('admin', 'admin', given()))).toEqual({
      success: true,
    })
    const strangers = [
      send_notification.handle(told, as('driver', 'driver', given())),
      send_notification.handle({ ...told, booking_id: id }, as('other', 'rider', given())),
      send_notification.handle(
        { ...told, token: 'third', booking_id: id },
        as('driver', 'driver', given()),
      ),
    ]
    for (const call of strangers) expect(await refusedKey(call)).toBe('not_allowed')
  })
  it('a token nobody has matches no user', async () => {
    const call = send_notification.handle({ ...told, token: 'none' }, as('admin', 'admin', given()))
    expect(await refusedKey(call)).toBe('no_user_match')
  })
})

describe('setting an empty project up', () => {
  const input = parse(setup.input, {
    mobile: '+15555550100',
    country: 'Uruguay',
    restrictCountry: 'UY',
  })
  const run = (given: ReturnType<typeof somePorts>, more: object = {}) =>
    setup.handle({ ...input, ...more }, { ...given, now: TEST_NOW, caller: null })
  it('makes settings, the first admin, the languages and car types, exactly once', async () => {
    const db = memoryDatabase()
    const given = somePorts({ db, accounts: memoryAccounts() })
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
    expect(languages.es?.keyValuePairs).toEqual({ book_now: 'Ahora' })
    expect(Object.keys(db.at('cartypes') as object)).toHaveLength(2)
    expect(await refusedKey(run(given))).toBe('already_set_up')
  })
  it('says whose number is known already, not that it is done', async () => {
    const db = memoryDatabase({ users: { early: aRider({ id: 'early', mobile: input.mobile }) } })
    const given = somePorts({ db, accounts: memoryAccounts({ [input.mobile]: 'early' }) })
    expect(await refusedKey(run(given))).toBe('user_exists')
    expect(db.at('settings')).toBeNull()
  })
  it('takes no time zone that no clock knows', () => {
    expect(() => parse(setup.input, { ...input, timezone: 'Mars/Olympus' })).toThrow('bad_input')
    expect(parse(setup.input, { ...input, timezone: 'Asia/Kolkata' })).toHaveProperty('timezone')
  })
  it('needs the secret where one is configured', async () => {
    const { config, ...rest } = somePorts({ db: memoryDatabase() })
    const given = { ...rest, config: { ...config, setupSecret: 'sesame' } }
    expect(await refusedKey(run(given))).toBe('not_allowed')
    expect(await run(given, { secret: 'sesame' })).toMatchObject({ success: true })
  })
})
