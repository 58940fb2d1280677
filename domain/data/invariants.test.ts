import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { referenceAt } from '../booking/search/reference'
import {
  CHECKED_COLLECTIONS,
  removeUncheckedFields,
  getChecksOfRecord,
  findViolations,
  runCheck,
} from './invariants'
import { createTotalsCheck } from './invariants/totals'
import type { DatabaseTree } from './databaseTree'
import type { PendingBonus } from '../bonuses/pendingBonus'
import { toDirectory } from '../accounts/directory'
import {
  aBooking,
  aDriver,
  aPaymentAttempt,
  aPromo,
  aRider,
  aSettings,
  NOON,
  someBookingContacts,
} from '../testing/builders'
import { toStatsSettings } from '../money/stats'
import { platformHistories, replayHistory } from '../testing/platformHistories'
import { createRandomPlatform } from '../testing/randomPlatform'
import { createSeededRandom } from './seededRandom'
import type { Booking } from '../booking/types'

const credit = (amount: number) => ({ type: 'Credit' as const, amount, date: NOON, txRef: 'x' })
const stats = {
  status: { NEW: 1 },
  cartypes: { '2026-11': { van: 1 } },
  days: { '2026-11-20': { created: 1 } },
  earnings: { '2026-11': { created: 1 } },
  total: { created: 1 },
}
const ANONYMIZED = aBooking({ id: 'b1', customer_name: '', pickupAddress: '' })
const sound = (): DatabaseTree => ({
  settings: aSettings(),
  users: {
    rider: aRider({ walletBalance: 5, walletHistory: { a: credit(5) } }),
    driver: aDriver(),
  },
  roles: { rider: 'rider', driver: 'driver' },
  people: toDirectory({ rider: aRider(), driver: aDriver() }) as never,
  bookings: { b1: aBooking({ id: 'b1', due_at: NOON, requestedDrivers: { driver: true } }) },
  booking_refs: { [referenceAt('b1', 0)]: 'b1' },
  booking_contacts: { b1: someBookingContacts() },
  promos: { spring: aPromo() },
  driver_tasks: { driver: { b1: true } },
  open_bookings: { rider: { open: 1 } },
  stats,
})

/** Returns the list of bonuses that wait with one for the booking b1. */
const withBonus = (over: Partial<PendingBonus>) => {
  const bonus: PendingBonus = {
    ...{ uid: 'rider', referred: 'rider', booking: 'b1', amount: 5, code: 'UYU' },
    ...{ at: NOON, due: NOON + 1, revision: 1 },
    ...over,
  }
  return { 'internal/pending_bonuses': { [`${bonus.uid}_${bonus.referred}`]: bonus } }
}

test('reports nothing for a consistent database', () => {
  expect(findViolations(sound())).toEqual([])
  expect(findViolations({})).toEqual([])
})

test.each([
  [5 + 1e-12, ['the balance is 5.000000000001, its history adds up to 5', 'too many digits']],
  [5.01, ['the balance is 5.01, its history adds up to 5']],
])('reports a balance of %d whose history adds up to 5', (walletBalance, wrong) => {
  const tree = sound()
  tree.users!.rider!.walletBalance = walletBalance
  const found = findViolations(tree)
  expect(found).toHaveLength(wrong.length)
  wrong.forEach((sentence, index) => expect(found[index]).toContain(sentence))
})

test('reports a balance of negative zero, but not of zero', () => {
  const tree = sound()
  tree.users!.driver!.walletBalance = -0
  expect(findViolations(tree)[0]).toBe('users/driver: the balance is -0, its history adds up to 0')
  tree.users!.driver!.walletBalance = 0
  expect(findViolations(tree)).toEqual([])
})

test('accepts history amounts in an earlier currency with its own decimals', () => {
  const tree = sound()
  const earlier = { code: 'KWD', decimal: 3, symbol: 'KD' }
  tree.currency = { ended: { [NOON + 1]: earlier } }
  const spent = { ...credit(1.005), type: 'Debit' as const }
  tree.users!.rider!.walletHistory = {
    a: { ...credit(5), date: NOON + 2 },
    b: credit(1.005),
    c: spent,
  }
  expect(findViolations(tree)).toEqual([])
  spent.date = NOON + 2
  expect(findViolations(tree)).toEqual(['users/rider: c is 1.005, too many digits'])
})

const PACKET = {
  appcat: 'delivery' as const,
  payment_mode: 'cash' as const,
  customer_paid: 43.13,
  discount_amount: 0,
  usedWalletMoney: 0,
  cardPaymentAmount: 0,
  cashPaymentAmount: 43.13,
  payableAmount: 43.13,
  promo_applied: false,
  promo_details: null,
}
const withdraw = { id: 'w', uid: 'driver', name: 'Beto', amount: 5, date: NOON, processed: false }
const line = { carType: 'van', geohash: '6dptest00', lat: -34.905, lng: -56.185, at: NOON }
/**
 * Returns a database in which the driver is free, listed for the back office and shown to riders as
 * `seen`.
 */
const showing = (seen: object = {}) => ({
  users: { ...sound().users, driver: aDriver({ shift: 'key' }) },
  available_drivers: { driver: { ...line, fleetadmin: 'fleet' } },
  nearby_cars: { key: { ...line, ...seen } },
})
test('accepts a free driver at the same position for riders and the back office', () => {
  expect(findViolations({ ...sound(), ...showing() })).toEqual([])
})

const broken: [string, (tree: DatabaseTree) => void, RegExp][] = [
  [
    'an approved account has no role',
    (t) => void delete t.roles!.rider,
    /roles\/rider is missing, its record says rider/,
  ],
  [
    'a role does not match the record',
    (t) => void (t.roles!.rider = 'admin'),
    /roles\/rider is admin, its record says rider/,
  ],
  [
    'a suspended account keeps its role',
    (t) => void (t.users!.driver!.approved = false),
    /roles\/driver is driver, its record says none/,
  ],
  [
    'a deleted account keeps its role',
    (t) => void (t.roles!.gone = 'admin'),
    /roles\/gone is admin, its record says none/,
  ],
  [
    'a user is missing in the directory',
    (t) => void delete t.people!.rider,
    /people\/rider is missing, users\/rider rider/,
  ],
  [
    'the directory has another type for a user',
    (t) => void (t.people!.rider!.usertype = 'admin'),
    /people\/rider is admin, users\/rider rider/,
  ],
  [
    'a person has no place in the lists of the office',
    (t) => void delete t.people!.rider!.sortKey,
    /people\/rider has no place among the people of type rider/,
  ],
  [
    'the directory has a user without a record',
    (t) => void (t.people!.gone = t.people!.rider!),
    /people\/gone has no record/,
  ],
  [
    'a booking holds a contact that all of its readers could see',
    (t) => void Object.assign(t.bookings!.b1!, { customer_contact: '+15555550199' }),
    /bookings\/b1 still holds customer_contact/,
  ],
  [
    'a booking has no reference',
    (t) => void delete (t.bookings!.b1 as Partial<Booking>).reference,
    /bookings\/b1 has no reference/,
  ],
  [
    'the reference of a booking is not in the index',
    (t) => void delete t.booking_refs,
    /booking_refs\/[0-9A-Z-]{7} is not bookings\/b1/,
  ],
  [
    'the reference of a booking names another booking',
    (t) => void (t.booking_refs![referenceAt('b1', 0)] = 'b2'),
    /booking_refs\/[0-9A-Z-]{7} is not bookings\/b1/,
  ],
  [
    'the index has a second reference of a booking',
    (t) => void (t.booking_refs!['K7M-4QX'] = 'b1'),
    /booking_refs\/K7M-4QX is not the reference of bookings\/b1/,
  ],
  [
    'the contacts of a booking are missing',
    (t) => void delete t.booking_contacts,
    /booking_contacts\/b1 is missing/,
  ],
  [
    'riders see a free car where the back office sees none',
    (t) => void Object.assign(t, showing({ lat: -34.9 })),
    /users\/driver: riders and the office are shown different cars/,
  ],
  [
    'a driver’s key names no car',
    (t) => void Object.assign(t, { ...showing(), nearby_cars: {} }),
    /users\/driver: riders and the office are shown different cars/,
  ],
  [
    'a car without a driver stays on the riders’ map',
    (t) => void Object.assign(t, { ...showing(), users: sound().users }),
    /nearby_cars\/key is nobody's/,
  ],
  [
    'contacts remain without their booking',
    (t) => void (t.booking_contacts!.b2 = someBookingContacts()),
    /booking_contacts\/b2 has no booking/,
  ],
  [
    'a rider’s open bookings are not counted',
    (t) => void delete t.open_bookings,
    /open_bookings\/rider says 0 open, 0 unpaid; a recount 1 and 0/,
  ],
  [
    'a rider’s unpaid bookings are counted twice',
    (t) => void (t.open_bookings = { rider: { open: 1, unpaid: 1 } }),
    /open_bookings\/rider says 1 open, 1 unpaid; a recount 1 and 0/,
  ],
  [
    'open bookings are counted for a deleted user',
    (t) => void (t.open_bookings = { rider: { open: 1 }, gone: { open: 1 } }),
    /open_bookings\/gone says 1 open/,
  ],
  [
    'a booking without a driver has no due time',
    (t) => void delete t.bookings!.b1!.due_at,
    /bookings\/b1: it is NEW and has no due time/,
  ],
  [
    'a finished booking has a due time',
    (t) => void Object.assign(t.bookings!.b1!, { status: 'COMPLETE' }),
    /bookings\/b1: it is COMPLETE and has a due time/,
  ],
  [
    'an amount of a booking has more digits than the currency',
    (t) => void (t.bookings!.b1!.trip_cost = 43.129999999999995),
    /bookings\/b1: trip_cost is 43.129999999999995, too many digits/,
  ],
  [
    'a withdrawal has more digits than the currency',
    (t) => void (t.withdraws = { w: { ...withdraw, amount: 5.001 } }),
    /withdraws\/w: 5.001 has too many digits/,
  ],
  [
    'a refund has more digits than the currency',
    (t) => void (t.payments = { p: aPaymentAttempt({ id: 'p', refunded: 0.1 + 0.2 }) }),
    /payments\/p: 0.30000000000000004 has too many digits/,
  ],
  [
    'a total is off by a minor unit',
    (t) => void (t.stats = { ...stats, total: { created: 1, minor: { UYU2: { tripCost: 1 } } } }),
    /stats\/total\/minor\/UYU2\/tripCost says 1, a recount 0/,
  ],
  [
    'the record of the last wallet write names a missing entry',
    (t) =>
      void (t.users!.rider!.walletMove = {
        code: 'UYU',
        scale: 100,
        before: 0,
        after: 500,
        slots: { a: { entry: 'b', units: 500 } },
      }),
    /users\/rider: the last write to the wallet/,
  ],
  [
    'a withdrawal was not debited from its wallet',
    (t) => void (t.withdraws = { w: withdraw }),
    /withdraws\/w: 5 asked for, 0 left/,
  ],
  [
    'a wallet has a debit without its withdrawal',
    (t) =>
      void Object.assign(t.users!.driver!, {
        walletBalance: -5,
        walletHistory: { 'w-withdraw': { type: 'Withdraw', amount: 5, date: NOON, txRef: 'w' } },
      }),
    /w-withdraw left without a request/,
  ],
  [
    'a driver’s rating is not the mean of their ratings',
    (t) =>
      void (t.users!.driver!.ratings = {
        userrating: 5,
        count: 2,
        details: { a: { user: 'x', rate: 5 }, b: { user: 'y', rate: 4 } },
      }),
    /rated 5 of 2/,
  ],
  [
    'a driver is busy without a booking',
    (t) => void (t.users!.driver!.queue = true),
    /queue is true, active booking: none/,
  ],
  [
    'a driver with a booking is not marked as busy',
    (t) => void Object.assign(t.bookings!.b1!, aBooking({ id: 'b1', status: 'ACCEPTED' })),
    /queue is false, active booking: b1/,
  ],
  [
    'a driver is in two bookings',
    (t) => {
      t.bookings = {
        b1: aBooking({ id: 'b1', status: 'ACCEPTED' }),
        b2: aBooking({ id: 'b2', status: 'STARTED' }),
      }
    },
    /users\/driver is in 2 active bookings: b1, b2/,
  ],
  [
    'a promo counts a use that does not exist',
    (t) => void (t.promos!.spring!.user_avail = 1),
    /promos\/spring: counted 1, used 0/,
  ],
  [
    'a promo is used more often than its limit',
    (t) => void (t.promos!.spring = aPromo({ user_avail: 4 })),
    /over its limit/,
  ],
  [
    'a use belongs to no booking',
    (t) => void (t.promo_uses = { spring: { rider: 'b9' } }),
    /booking b9 does not hold it/,
  ],
  [
    'a driver has an offer that the booking does not list',
    (t) => void (t.driver_tasks!.driver!.b9 = true),
    /driver_tasks\/driver\/b9: not requested/,
  ],
  [
    'a booking lists an offer that its driver does not have',
    (t) => void (t.driver_tasks = {}),
    /driver_tasks\/driver\/b1 is missing/,
  ],
  [
    'a total differs from a recount',
    (t) => void (t.stats = { ...stats, total: { created: 2 } }),
    /stats\/total\/created says 2, a recount 1/,
  ],
  [
    'a total is missing',
    (t) => void (t.stats = { ...stats, days: {} }),
    /stats\/days\/2026-11-20\/created says 0, a recount 1/,
  ],
  [
    'a booking lacks a field that its status requires',
    (t) => void (t.bookings!.b1!.status = 'CANCELLED'),
    /is CANCELLED without reason/,
  ],
  [
    'a status is unknown',
    (t) => void Object.assign(t.bookings!.b1!, { status: 'LOST' }),
    /status LOST/,
  ],
  [
    'two events share a revision',
    (t) =>
      void (t.bookings!.b1!.event_log.again = {
        event: 'create',
        by: 'x',
        at: NOON,
        status: 'NEW',
        revision: 1,
      }),
    /two events of one revision|2 events/,
  ],
  [
    'a booking with a driver still has offers',
    (t) =>
      void (t.bookings!.b1 = aBooking({
        id: 'b1',
        status: 'ACCEPTED',
        requestedDrivers: { driver: true },
      })),
    /still asks drivers/,
  ],
  [
    'a payment packet does not add up',
    (t) => void (t.bookings!.b1!.paymentPacket = { ...PACKET, cashPaymentAmount: 40 }),
    /packet does not add up/,
  ],
  [
    'a flagged trip is missing from the fare reviews',
    (t) =>
      void (t.bookings!.b1!.distance_review = {
        verdict: 'flagged',
        dropped_points: 0,
        charged_time: 1,
      }),
    /b1 is flagged and not among the fare reviews/,
  ],
  [
    'the log of a booking has words',
    (t) =>
      void Object.assign(t.bookings!.b1!.event_log['create']!, { reason: 'Ana was in a hurry' }),
    /b1: the log has the words of create/,
  ],
  [
    'a booking has the name of a deleted customer',
    (t) => void (t.closed_accounts = { rider: { at: NOON, waived: 0 } }),
    /b1 has personal data of the deleted account rider/,
  ],
  [
    'a booking of a deleted customer has words',
    (t) =>
      void Object.assign(t, {
        closed_accounts: { rider: { at: NOON, waived: 0 } },
        bookings: { b1: { ...ANONYMIZED, words: { rate: 'Thank you' } } },
      }),
    /b1 has personal data of the deleted account rider/,
  ],
  [
    'a note outlives the account of the customer',
    (t) =>
      void Object.assign(t, {
        bookings: { b1: ANONYMIZED },
        booking_notes: { b1: { n1: { text: 'Called', by: 'admin', at: NOON } } },
      }),
    /booking_notes\/b1 outlives the account/,
  ],
  [
    'a question outlives the account of the customer',
    (t) =>
      void Object.assign(t, {
        bookings: { b1: ANONYMIZED },
        'internal/help_cases': { b1: { booking: 'b1' } },
      }),
    /internal\/help_cases\/b1 outlives the account/,
  ],
  [
    'a bonus that waits is in the wallet already',
    (t) => {
      const rider = aRider({
        referralRewarded: true,
        walletBalance: 5,
        walletHistory: { 'rider-referral': credit(5) },
      })
      Object.assign(t, { users: { ...t.users, rider } }, withBonus({}))
    },
    /pending_bonuses\/rider_rider: users\/rider has it already/,
  ],
  [
    'a bonus waits that the booking did not earn',
    (t) => void Object.assign(t, withBonus({ at: NOON - 1 })),
    /pending_bonuses\/rider_rider: bookings\/b1 did not earn it/,
  ],
  [
    'a bonus waits that the new user did not earn',
    (t) => void Object.assign(t, withBonus({})),
    /pending_bonuses\/rider_rider: users\/rider has not earned it/,
  ],
  [
    'a bonus waits for a person who did not invite the new user',
    (t) => {
      Object.assign(t.users!.rider!, { referralRewarded: true })
      Object.assign(t, withBonus({ uid: 'driver' }))
    },
    /pending_bonuses\/driver_rider: users\/rider was not invited by users\/driver/,
  ],
  [
    'a bonus that waits has too many digits',
    (t) => void Object.assign(t, withBonus({ amount: 5.001 })),
    /pending_bonuses\/rider_rider: 5.001 is no amount/,
  ],
  [
    'the fare reviews name a trip that is already decided',
    (t) => void (t.fare_reviews = { b1: { at: NOON, driver: 'driver' } }),
    /fare_reviews\/b1 waits for nothing/,
  ],
  [
    'a fare correction says more than the driver got',
    (t) =>
      void Object.assign(t.bookings!.b1!, {
        driver: 'driver',
        distance_review: {
          verdict: 'flagged',
          dropped_points: 0,
          charged_time: 1,
          decision: 'driven',
          credited: 9,
        },
      }),
    /b1-review moved 0, the booking says 9/,
  ],
  [
    'a wallet payment has no entry',
    (t) =>
      void (t.bookings!.b1!.paymentPacket = {
        ...PACKET,
        usedWalletMoney: 43.13,
        cashPaymentAmount: 0,
      }),
    /b1-wallet moved 0, the booking says -43.13/,
  ],
]
test.each(broken)('reports when %s', (_, breakIt, sentence) => {
  const tree = sound()
  breakIt(tree)
  expect(findViolations(tree).join('\n')).toMatch(sentence)
  expect(inParts(tree)).toEqual(new Set(findViolations(tree)))
})

const PARTS = 7
const getPart = (key: string) => [...key].reduce((sum, char) => sum + char.charCodeAt(0), 0) % PARTS

/**
 * Returns the violations found when a database is checked in parts, as when it exceeds the memory.
 */
const inParts = (tree: DatabaseTree): Set<string> => {
  const parts = new Map<string, Record<string, Record<string, unknown>>>()
  const totals = createTotalsCheck(toStatsSettings(tree))
  for (const booking of Object.values(tree.bookings ?? {})) totals.addBooking(booking)
  const keep = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return totals.kept(path, value)
    for (const [key, child] of Object.entries(value)) keep(child, `${path}/${key}`)
  }
  keep(tree.stats ?? {}, 'stats')
  for (const collection of CHECKED_COLLECTIONS) {
    const records = (tree as Record<string, Record<string, object> | undefined>)[collection]
    const internal = tree.internal?.[collection.replace('internal/', '')] as typeof records
    for (const [key, record] of Object.entries(records ?? internal ?? {}))
      for (const [of, checks] of getChecksOfRecord(collection, record, key))
        for (const check of checks) {
          const name = `${getPart(of)} ${check}`
          const part = parts.get(name) ?? {}
          parts.set(name, part)
          part[collection] = {
            ...part[collection],
            [key]: removeUncheckedFields(collection, record),
          }
        }
  }
  const { settings } = tree
  const found = [...parts].flatMap(([name, part]) => {
    const [at, check = ''] = name.split(' ')
    const whole = { ...part, ...(settings && { settings }) } as DatabaseTree
    return runCheck(check, whole, (key) => getPart(key) === Number(at))
  })
  return new Set([...found, ...totals.listMismatches()])
}

test('finds the same violations in parts as in the whole database', () => {
  const agrees = fc.property(platformHistories(500), fc.noShrink(fc.integer()), (history, harm) => {
    const { tree, steps } = replayHistory(history)
    const live = tree as DatabaseTree
    for (const { wrong } of steps()) expect(wrong).toBeUndefined()
    expect(inParts(live)).toEqual(new Set())
    const draw = createSeededRandom(harm)
    for (const collection of [...CHECKED_COLLECTIONS, 'stats']) {
      const records = (live as Record<string, Record<string, Record<string, unknown>>>)[collection]
      const keys = Object.keys(records ?? {})
      if (!records || keys.length === 0) continue
      // Removes one record, and a field of another.
      delete records[draw.pick(keys)]
      const rest = Object.values(records)
      const picked: unknown = rest.length > 0 ? draw.pick(rest) : {}
      const harmed = (typeof picked === 'object' ? picked : {}) as Record<string, unknown>
      const fields = Object.keys(harmed).filter((field) => !['id', 'event_log'].includes(field))
      if (fields.length > 0) delete harmed[draw.pick(fields)]
    }
    const found = findViolations(live)
    expect(found.length).toBeGreaterThan(0)
    expect([...inParts(live)].sort()).toEqual([...found].sort())
  })
  fc.assert(agrees, { seed: 1, numRuns: 12 })
})

test('reports a driver who was paid twice even when balance and history agree', () => {
  const { tree, step } = createRandomPlatform(createSeededRandom(3))
  const live = tree as DatabaseTree
  const findPaid = () =>
    Object.values(live.bookings ?? {}).find(
      ({ status, driver = '' }) =>
        (status === 'PAID' || status === 'COMPLETE') && live.users?.[driver]?.walletHistory,
    )
  for (let n = 0; n < 3000 && !findPaid(); n++) step()
  const paid = findPaid()
  const driver = live.users?.[paid?.driver ?? '']
  if (!paid || !driver?.walletHistory) throw new Error('nobody was paid in this history')
  const share = driver.walletHistory[`${paid.id}-share`]
  if (!share) throw new Error('no share')
  share.amount += 1
  driver.walletBalance += 1
  expect(findViolations(live).join('\n')).toContain(`${paid.id}-share moved`)
})
