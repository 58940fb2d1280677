import { describe, expect, test } from 'vitest'
import { getExcludedDrivers } from '../dispatch/dispatch'
import {
  aBooking,
  aCardPacket,
  aDriver,
  admin,
  aRider,
  aSettings,
  anEventContext,
  driver,
  NOON,
  system,
} from '../testing/builders'
import { commitChange, checkRaceGuards, readValue, type Tree } from '../data/memoryTree'
import { applyBookingEvent } from './applyBookingEvent'
import { toJson } from '../data/databaseValue'
import type { Actor } from './eventTypes'
import type { EventInput } from './eventInput'
import type { EventContext } from './eventContext'
import { DISPATCH_MODES, type Settings } from '../catalog/types'
import type { User } from '../accounts/types'
import type { Booking, EventLogEntry } from './types'
import type { Offer } from '../dispatch/types'

const ID = aBooking().id
const auto = aSettings({ autoDispatch: true })
const city = (over: Partial<Booking> = {}) => {
  const tree: Tree = { bookings: { [ID]: JSON.parse(JSON.stringify(aBooking(over))) } }
  const booking = () => readValue(tree, `bookings/${ID}`) as unknown as Booking
  const ask = (actor: Actor, input: EventInput, context: Partial<EventContext> = {}) =>
    applyBookingEvent(booking(), input, { actor, context: anEventContext(context), now: NOON })
  const does = (actor: Actor, input: EventInput, context: Partial<EventContext> = {}) => {
    const result = ask(actor, input, context)
    if (result.ok) commitChange(tree, result.value)
    return result.ok ? result.value.response.status : result.error.key
  }
  const asked = () => ({
    booking: Object.keys(booking().requestedDrivers ?? {}),
    tasks: Object.keys(readValue(tree, 'driver_tasks') ?? {}),
  })
  return { tree, booking, ask, does, asked }
}
const other: Actor = { uid: 'driver2', role: 'driver' }
const as = (uid: string) => ({ driver: aDriver({ id: uid }) })

describe('the back office', () => {
  test('sends an offer to a driver, with a task and a push that opens the tasks', () => {
    const { ask, does, asked } = city()
    const asking = ask(admin, { event: 'assign', driver: 'driver' })
    expect(asking.ok && asking.value.pushes).toMatchObject([
      { to: 'driver', screen: 'DriverTrips' },
    ])
    expect(does(admin, { event: 'assign', driver: 'driver' })).toBe('NEW')
    expect(asked()).toEqual({ booking: ['driver'], tasks: ['driver'] })
  })

  test.each([
    ['that does not exist', null, 'driver_not_available'],
    ['that is not a driver', aRider({ id: 'driver' }), 'driver_not_available'],
    ['that is not approved', aDriver({ approved: false }), 'driver_not_available'],
    ['of another vehicle type', aDriver({ carType: 'bike' }), 'driver_not_available'],
    ['that is off duty', aDriver({ driverActiveStatus: false }), 'driver_not_available'],
    ['that is busy', aDriver({ queue: true }), 'driver_busy'],
  ])('cannot send an offer to an account %s', (_, chosen, key) => {
    expect(city().does(admin, { event: 'assign', driver: 'driver' }, { driver: chosen })).toBe(key)
  })

  test('asks a driver of another vehicle type when the office insists, and no busy one', () => {
    const insist = { event: 'assign', driver: 'driver', override: true } as const
    const other = aDriver({ carType: 'bike' })
    expect(city().does(admin, insist, { driver: other })).toBe('NEW')
    expect(city().does(admin, insist, { driver: { ...other, queue: true } })).toBe('driver_busy')
    expect(city().does(admin, insist, { driver: { ...other, approved: false } })).toBe(
      'driver_not_available',
    )
  })

  test('cannot assign drivers while autoDispatch is on', () => {
    expect(city().does(admin, { event: 'assign', driver: 'driver' }, { settings: auto })).toBe(
      'auto_dispatch_on',
    )
  })

  test.each([
    ['all asked drivers have declined', { event: 'decline', by: 'driver2', revision: 1 }],
    ['its driver has released', { event: 'release', by: 'driver2', ref: 'driver2', revision: 1 }],
    [
      'lost the driver whose request it withdrew',
      { event: 'withdraw', by: 'admin', ref: 'driver2' },
    ],
  ])('assigns a booking that %s although autoDispatch is on', (_, entry) => {
    const log = { at: NOON, status: 'NEW', revision: 1, ...entry } as EventLogEntry
    const given = { event_log: { [entry.event]: log } }
    // The search goes on at once after the event.
    expect(
      city({ ...given, due_at: NOON }).does(
        admin,
        { event: 'assign', driver: 'driver' },
        { settings: auto },
      ),
    ).toBe('auto_dispatch_on')
    const { does, asked } = city({ ...given, due_at: NOON + 1 })
    expect(does(admin, { event: 'assign', driver: 'driver' }, { settings: auto })).toBe('NEW')
    expect(asked()).toEqual({ booking: ['driver'], tasks: ['driver'] })
    // A repeated request gets the same answer, and another driver has to wait.
    expect(does(admin, { event: 'assign', driver: 'driver' }, { settings: auto })).toBe('NEW')
    expect(does(admin, { event: 'assign', driver: 'driver3' }, { settings: auto })).toBe(
      'auto_dispatch_on',
    )
  })

  test('keeps a booking first in the queue when the driver it chose declines with autoDispatch on', () => {
    const { does, booking } = city({ requeued_at: NOON - 1, due_at: NOON + 1 })
    does(admin, { event: 'assign', driver: 'driver' }, { settings: auto })
    expect(does(driver, { event: 'decline' }, { settings: auto })).toBe('NEW')
    expect(booking().requeued_at).toBe(NOON)
  })

  test('changes nothing when the same driver gets a second offer', () => {
    const { ask, does } = city()
    does(admin, { event: 'assign', driver: 'driver' })
    const again = ask(admin, { event: 'assign', driver: 'driver' })
    expect(again.ok && again.value).toMatchObject({ updates: {}, response: { revision: 2 } })
  })
})

describe('a driver with several requests', () => {
  const OTHER = '-OAbcdefghijklmnopqs'
  const two = { driver: true, driver2: true } as const
  const withOther = () => {
    const given = city({ requestedDrivers: { driver: true } })
    commitChange(given.tree, {
      updates: {
        [`bookings/${OTHER}`]: toJson(aBooking({ id: OTHER, revision: 4, requestedDrivers: two })),
        [`driver_tasks/driver`]: { [ID]: true, [OTHER]: true },
        [`driver_tasks/driver2`]: { [OTHER]: true },
      },
    })
    return given
  }

  test('accepts one booking, and the same write withdraws the others', () => {
    const { tree, does } = withOther()
    const openRequests = [{ booking: OTHER, revision: 4 }]
    expect(does(driver, { event: 'accept' }, { openRequests })).toBe('ACCEPTED')
    expect(readValue(tree, 'driver_tasks')).toEqual({ driver2: { [OTHER]: true } })
    expect(readValue(tree, `bookings/${OTHER}`)).toMatchObject({
      status: 'NEW',
      revision: 5,
      requestedDrivers: { driver2: true },
      event_log: { withdraw_5: { event: 'withdraw', status: 'NEW', revision: 5, at: NOON } },
    })
  })

  test('loses, in the same write, a task that has no request', () => {
    const { tree, does } = withOther()
    commitChange(tree, { updates: { [`driver_tasks/driver/gone`]: true } })
    const openRequests = [
      { booking: OTHER, revision: 4 },
      { booking: 'gone', revision: null },
    ]
    expect(does(driver, { event: 'accept' }, { openRequests })).toBe('ACCEPTED')
    expect(readValue(tree, 'driver_tasks/driver')).toBeNull()
    expect(readValue(tree, 'bookings/gone')).toBeNull()
  })

  test('can’t accept while a request made in the meantime is open', () => {
    const { tree, ask } = withOther()
    const accepted = ask(driver, { event: 'accept' })
    expect(accepted.ok && checkRaceGuards(tree, accepted.value)).toBe('open requests')
  })

  test('keeps a manually assigned booking NEW when its only request is withdrawn', () => {
    const { does, asked, ask } = city({ requestedDrivers: { driver: true } })
    expect(does(system, { event: 'withdraw', driver: 'driver' })).toBe('NEW')
    expect(asked()).toEqual({ booking: [], tasks: [] })
    const again = ask(system, { event: 'withdraw', driver: 'driver' })
    expect(!again.ok && again.error.key).toBe('not_requested')
  })

  test('a driver who takes another booking after the wave was chosen gets no offer', () => {
    const { does, asked } = city({ requestedDrivers: { driver: true } })
    const wave = { event: 'dispatch', drivers: ['driver', 'driver2', 'driver3'] } as const
    const context = { settings: auto, notFree: ['driver2'] }
    const drivers = [...wave.drivers]
    expect(does(system, { ...wave, drivers }, context)).toBe('NEW')
    expect(asked().booking).toEqual(['driver', 'driver3'])
    const none = { event: 'dispatch' as const, drivers: ['driver', 'driver2'] }
    expect(does(system, none, context)).toBe('no_driver_found_alert_messege')
  })
})

describe('the system', () => {
  test('sends a wave of offers and withdraws those of the previous wave', () => {
    const { does, asked } = city()
    does(system, { event: 'dispatch', drivers: ['driver', 'driver2'] }, { settings: auto })
    does(system, { event: 'dispatch', drivers: ['driver2', 'driver3'] }, { settings: auto })
    expect(asked()).toEqual({ booking: ['driver2', 'driver3'], tasks: ['driver2', 'driver3'] })
  })

  test('does nothing while the back office assigns drivers, or without drivers', () => {
    expect(city().does(system, { event: 'dispatch', drivers: ['driver'] })).toBe(
      'event_not_possible',
    )
    expect(city().does(system, { event: 'dispatch', drivers: [] }, { settings: auto })).toBe(
      'no_driver_found_alert_messege',
    )
  })
})

describe('a driver', () => {
  const requested = { requestedDrivers: { driver: true, driver2: true } } as const

  test.each([
    ['the bank account of the rider', { bankAccount: 'UY 12-34' }, { bankAccount: 'uy1234' }],
    ['an invitation by the rider', {}, { signupViaReferral: 'rider' }],
    [
      'the bank account of who invited the rider',
      { signupViaReferral: 'friend' },
      { bankAccount: 'de1' },
    ],
  ])('with %s does not drive a delivery that a promo pays for', (_, rider, own) => {
    const referrer = aRider({ id: 'friend', bankAccount: 'DE 1' })
    const context = { customer: aRider(rider), driver: aDriver(own), referrer }
    const withPromo = { ...requested, paymentPacket: aCardPacket({ promo_applied: true }) }
    expect(city(withPromo).does(driver, { event: 'accept' }, context)).toBe('driver_not_available')
    expect(city(requested).does(driver, { event: 'accept' }, context)).toBe('ACCEPTED')
  })

  test('a driver who accepts gets the booking, and all other offers are withdrawn', () => {
    const { tree, does, asked, booking } = city(requested)
    expect(
      does(
        driver,
        { event: 'accept' },
        { driver: aDriver({ fleetadmin: 'fleet', ratings: { userrating: 4.8, details: {} } }) },
      ),
    ).toBe('ACCEPTED')
    expect(asked()).toEqual({ booking: [], tasks: [] })
    expect(booking()).toMatchObject({
      driver: 'driver',
      driver_name: 'Beto Silva',
      vehicle_number: 'SBA 1234',
      driverRating: 4.8,
      fleetadmin: 'fleet',
      accepted_at: NOON,
    })
    expect(readValue(tree, `booking_contacts/${booking().id}/driver_contact`)).toBe('+15555550199')
    expect(readValue(tree, 'users/driver/queue')).toBe(true)
  })

  test.each([
    [
      'a driver without an offer',
      { uid: 'driver3', role: 'driver' as const },
      as('driver3'),
      'not_requested',
    ],
    ['a busy driver', driver, { driver: aDriver({ queue: true }) }, 'driver_busy'],
    [
      'a driver whose approval was withdrawn',
      driver,
      { driver: aDriver({ approved: false }) },
      'driver_not_available',
    ],
    [
      'a driver with a debt',
      driver,
      { driver: aDriver({ walletBalance: -0.01 }) },
      'driver_wallet_negative',
    ],
  ])('%s cannot accept', (_, actor, context, key) => {
    expect(city(requested).does(actor, { event: 'accept' }, context)).toBe(key)
  })

  test('a driver who owes money can accept when the settings allow it', () => {
    const settings = aSettings({ negativeBalance: true })
    expect(
      city(requested).does(
        driver,
        { event: 'accept' },
        { settings, driver: aDriver({ walletBalance: -50 }) },
      ),
    ).toBe('ACCEPTED')
  })

  test('a driver who accepts second gets a refusal that the booking is taken', () => {
    const { does } = city(requested)
    does(driver, { event: 'accept' })
    expect(does(other, { event: 'accept' }, as('driver2'))).toBe('booking_taken')
  })

  test('is the only one to get the booking when fifty accept at the same moment', () => {
    const fifty = Array.from({ length: 50 }, (_, n) => `driver${n}`)
    const { tree, ask } = city({
      requestedDrivers: Object.fromEntries(fifty.map((uid) => [uid, true as const])),
    })
    const accepts = fifty.map((uid) => ask({ uid, role: 'driver' }, { event: 'accept' }, as(uid)))
    const through = accepts.filter((accept) => {
      if (!accept.ok || checkRaceGuards(tree, accept.value)) return false
      commitChange(tree, accept.value)
      return true
    })
    expect(accepts.every(({ ok }) => ok)).toBe(true)
    expect(through).toHaveLength(1)
  })

  test('a driver who declines gets no more offers, and a repeated tap gets the same response', () => {
    const { ask, does, asked } = city({ ...requested })
    expect(does(driver, { event: 'decline' })).toBe('NEW')
    expect(asked().booking).toEqual(['driver2'])
    const again = ask(driver, { event: 'decline' })
    expect(again.ok && again.value).toMatchObject({
      updates: {},
      response: { status: 'NEW', revision: 2 },
    })
  })

  test('a driver who declines the only manual offer ends the booking, and the customer gets a push', () => {
    const { ask, does } = city()
    does(admin, { event: 'assign', driver: 'driver' })
    const declined = ask(driver, { event: 'decline' })
    expect(declined.ok && declined.value).toMatchObject({
      response: { status: 'CANCELLED' },
      pushes: [{ to: 'rider', title: 'push_no_driver_title' }],
    })
  })

  test('a driver who declines the only offer by the system does not end the booking, and another wave follows', () => {
    const { does } = city()
    does(system, { event: 'dispatch', drivers: ['driver'] }, { settings: auto })
    expect(does(driver, { event: 'decline' }, { settings: auto })).toBe('NEW')
  })
})

describe('an offer', () => {
  const getOffers = ({ tree }: ReturnType<typeof city>) =>
    Object.values(readValue(tree, `offers/${ID}`) ?? {})
  const at = NOON
  const withOffer = (over: Partial<Booking> = {}, context: Partial<EventContext> = {}) => {
    const given = city(over)
    given.does(
      system,
      { event: 'dispatch', drivers: ['driver', 'driver2'], etas: { driver: 60, driver2: 90 } },
      { settings: auto, ...context },
    )
    const offers = {
      open: { 0: { driver: 'driver', at: NOON }, 1: { driver: 'driver2', at: NOON } },
      next: 2,
    }
    return { ...given, offers }
  }

  test('records the driver, the deadline, the distance and the sender', () => {
    const settings = aSettings({ autoDispatch: true, dispatchSeconds: 20 })
    const given = withOffer({}, { settings })
    const expires = NOON + 20_000
    expect(getOffers(given)).toEqual([
      { driver: 'driver', at, expires, eta_s: 60, by: 'system', rank: 1 },
      { driver: 'driver2', at, expires, eta_s: 90, by: 'system', rank: 2 },
    ])
  })

  test('from the back office is marked as such, and estimates the time by distance', () => {
    const given = city()
    const location = { lat: aBooking().pickup.lat + 0.01, lng: aBooking().pickup.lng }
    given.does(
      admin,
      { event: 'assign', driver: 'driver' },
      { driver: aDriver({ location }), offers: { open: {}, next: 3 } },
    )
    expect(readValue(given.tree, `offers/${ID}/3`)).toEqual({
      ...{ driver: 'driver', at, expires: NOON + 30_000, eta_s: 200, by: 'admin' },
    })
  })

  test.each([
    ['accept', driver, { event: 'accept' }, ['accepted', 'withdrawn']],
    ['decline', driver, { event: 'decline' }, ['declined', undefined]],
    ['cancellation', admin, { event: 'cancel', reason: 'Late' }, ['withdrawn', 'withdrawn']],
    ['withdrawal', admin, { event: 'withdraw', driver: 'driver' }, ['withdrawn', undefined]],
    [
      'release',
      system,
      { event: 'withdraw', driver: 'driver', isExpired: true },
      ['expired', undefined],
    ],
    ['next wave', system, { event: 'dispatch', drivers: ['driver2'] }, ['expired', undefined]],
  ] as const)('records its answer after the %s', (_, actor, input, answers) => {
    const given = withOffer()
    const changed = input.event === 'dispatch' ? { ...input, drivers: [...input.drivers] } : input
    given.does(actor, changed, { ...as('driver'), settings: auto, offers: given.offers })
    expect(getOffers(given).map((offer) => (offer as Partial<Offer>).answer)).toEqual(answers)
    expect(getOffers(given)[0]).toMatchObject({ driver: 'driver', answeredAt: NOON })
  })

  test('gets its answer in the same update that accepts another booking', () => {
    const given = city({ requestedDrivers: { driver: true } })
    const openRequests = [{ booking: 'other', revision: 4, offer: '2' }]
    given.does(driver, { event: 'accept' }, { openRequests })
    expect(readValue(given.tree, 'offers/other/2')).toEqual({
      answer: 'withdrawn',
      answeredAt: NOON,
    })
  })

  test('is not sent after another process changed the booking', () => {
    const given = city()
    const wave = { event: 'dispatch', drivers: ['driver'], revision: 1 } as const
    const input = { ...wave, drivers: [...wave.drivers] }
    expect(given.does(system, input, { settings: auto })).toBe('NEW')
    expect(given.does(system, input, { settings: auto })).toBe('event_not_possible')
  })

  test('goes to one booking at a time, except in broadcast mode', () => {
    const openRequests = [{ booking: 'other', revision: 4 }]
    const assign = (dispatchMode: Settings['dispatchMode']) =>
      city().does(
        admin,
        { event: 'assign', driver: 'driver' },
        { openRequests, settings: aSettings({ dispatchMode }) },
      )
    expect([...DISPATCH_MODES, undefined].map(assign)).toEqual([
      'driver_asked',
      'driver_asked',
      'NEW',
      'driver_asked',
    ])
  })

  test('of a booking with a promo goes to no driver whom the customer knows', () => {
    const promo = { paymentPacket: aCardPacket({ promo_applied: true }) }
    const assign = (over: Partial<Booking>, customer: User) =>
      city(over).does(admin, { event: 'assign', driver: 'driver' }, { customer })
    const invited = aRider({ signupViaReferral: 'driver' })
    expect(assign(promo, invited)).toBe('driver_promo_tied')
    expect(assign(promo, aRider())).toBe('NEW')
    expect(assign({}, invited)).toBe('NEW')
  })

  test('cannot be withdrawn by the office in demo mode', () => {
    const settings = aSettings({ AllowCriticalEditsAdmin: false })
    const given = city({ requestedDrivers: { driver: true } })
    expect(given.does(admin, { event: 'withdraw', driver: 'driver' }, { settings })).toBe(
      'demo_mode',
    )
  })

  test('is not repeated by the system after the office withdrew it', () => {
    const given = city({ requestedDrivers: { driver: true } })
    given.does(admin, { event: 'withdraw', driver: 'driver' })
    expect(getExcludedDrivers(given.booking())).toEqual(new Set(['driver']))
    const other = city({ requestedDrivers: { driver: true } })
    other.does(system, { event: 'withdraw', driver: 'driver' })
    expect(getExcludedDrivers(other.booking())).toEqual(new Set())
  })
})
