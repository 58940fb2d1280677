import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  buildAccountRemoval,
  anonymizeBooking,
  checkRemainingBalance,
  getFormerBenefits,
  planAccountDeletion,
  isAnonymized,
  anonymizeEarningRows,
  listUsedPromos,
  buildFormerUserUpdates,
} from './accountDeletion'
import { findViolations } from '../data/invariants'
import type { DatabaseTree } from '../data/databaseTree'
import { aBooking, aRider, aSettings, NOON, someBookingContacts } from '../testing/builders'
import {
  platformHistories,
  replayHistory,
  type PlatformHistory,
} from '../testing/platformHistories'
import { commitChange, checkRaceGuards, readValue } from '../data/memoryTree'
import { STATUSES, type Booking } from '../booking/types'
import type { User } from './types'
import type { Withdrawal } from '../money/types'

const SETTINGS = aSettings()
/** Deletes an account with an empty wallet. */
const leave = (id: string, bookings: readonly Booking[], withdraws: readonly Withdrawal[] = []) =>
  planAccountDeletion({ id, walletBalance: 0 }, bookings, withdraws, {
    balanceDecision: {},
    settings: SETTINGS,
    now: NOON,
  })

test.each(STATUSES)(
  'deletes an account with a booking that is %s only when nothing is owed',
  (status) => {
    const result = leave('rider', [aBooking({ status })])
    expect(result.ok).toBe(['PAID', 'COMPLETE', 'CANCELLED'].includes(status))
  },
)

test('keeps only money and times in the bookings of a deleted customer', () => {
  const booking = aBooking({
    status: 'COMPLETE',
    deliveryPerson: 'Carla',
    customer_image: 'https://pictures.example/ana.jpg',
  })
  const result = leave('rider', [booking])
  const tree = {
    bookings: { [booking.id]: JSON.parse(JSON.stringify(booking)) },
    booking_contacts: {
      [booking.id]: {
        ...someBookingContacts({
          deliveryPersonPhone: '099 123 456',
          pickUpInstructions: 'Third floor',
        }),
      },
    },
    users: { rider: { email: 'x' } },
  }
  for (const updates of result.ok ? result.value : []) commitChange(tree, { updates })
  const left = JSON.stringify(tree)
  for (const personal of [
    'Ana',
    'Lima',
    'rider@kerbside',
    '+15555550199',
    'Carla',
    '099',
    'Third',
    'Tres Cruces',
    'Plaza',
    '-34.9058',
    'ana.jpg',
  ])
    expect(left).not.toContain(personal)
  expect(readValue(tree, `bookings/${booking.id}`)).toMatchObject({
    trip_cost: 43.13,
    driver_name: 'Beto Silva',
    revision: 2,
  })
})

test('anonymizes a booking only once', () => {
  const booking = aBooking({ status: 'COMPLETE' })
  const tree = { bookings: { [booking.id]: JSON.parse(JSON.stringify(booking)) } }
  for (const uid of ['rider', 'driver']) {
    const now = () => readValue(tree, `bookings/${booking.id}`) as unknown as typeof booking
    expect(isAnonymized(now(), uid)).toBe(false)
    commitChange(tree, { updates: anonymizeBooking(now(), uid) })
    expect(isAnonymized(now(), uid)).toBe(true)
  }
  expect(isAnonymized(aBooking({ requestedDrivers: { d: true } }), 'd')).toBe(false)
})

test.each(['rider', 'driver'])(
  'removes what people wrote about a booking with the account of its %s',
  (uid) => {
    const words = { rate: 'Ana was kind', compensate_9: 'Sorry, Ana' }
    const booking = aBooking({ status: 'COMPLETE', words })
    const tree = { bookings: { [booking.id]: JSON.parse(JSON.stringify(booking)) } }
    const now = () => readValue(tree, `bookings/${booking.id}`) as unknown as typeof booking
    expect(isAnonymized(now(), uid)).toBe(false)
    expect(isAnonymized(now(), 'another')).toBe(true)
    commitChange(tree, { updates: anonymizeBooking(now(), uid) })
    expect(JSON.stringify(tree)).not.toContain('Ana was kind')
    expect(isAnonymized(now(), uid)).toBe(true)
    expect(isAnonymized({ ...now(), words }, uid)).toBe(false)
  },
)

test.each(['rider', 'driver'])(
  'removes the notes about a booking with the account of its %s',
  (uid) => {
    const booking = aBooking({ status: 'COMPLETE' })
    expect(anonymizeBooking(booking, uid)).toMatchObject({ [`booking_notes/${booking.id}`]: null })
    expect(anonymizeBooking(booking, 'another')).not.toHaveProperty([`booking_notes/${booking.id}`])
  },
)

test('marks the open offer of a deleted driver as withdrawn', () => {
  const booking = aBooking({ requestedDrivers: { d: true } })
  expect(anonymizeBooking(booking, 'd', { offer: '3', at: 7 })).toMatchObject({
    [`bookings/${booking.id}/requestedDrivers/d`]: null,
    [`offers/${booking.id}/3/answer`]: 'withdrawn',
    [`offers/${booking.id}/3/answeredAt`]: 7,
  })
})

test('keeps only the earnings in the bookings of a deleted driver', () => {
  const booking = aBooking({ status: 'PAID' })
  const tree = {
    bookings: { [booking.id]: JSON.parse(JSON.stringify(booking)) },
    booking_contacts: { [booking.id]: { ...someBookingContacts() } },
  }
  const result = leave(
    'driver',
    [booking],
    [
      {
        id: 'w',
        uid: 'driver',
        name: 'Beto Silva',
        amount: 5,
        date: 1,
        bankAccount: '123-456',
        processed: true,
      },
    ],
  )
  for (const updates of result.ok ? result.value : []) commitChange(tree, { updates })
  const left = JSON.stringify([result, tree])
  for (const personal of ['Beto', '+15555550102', '123-456', 'SBA'])
    expect(left).not.toContain(personal)
  expect(readValue(tree, `booking_contacts/${booking.id}/customer_contact`)).toBe('+15555550199')
  // The reference names no person, and the other party still uses it.
  expect(readValue(tree, `bookings/${booking.id}/reference`)).toBe(booking.reference)
})

test('requires pending withdrawals to be paid before the account is deleted', () => {
  const asked = { id: 'w', uid: 'driver', name: 'Beto Silva', amount: 5, date: 1 }
  expect(leave('driver', [], [{ ...asked, processed: false }])).toMatchObject({
    ok: false,
    error: { key: 'event_not_possible', params: { withdraws: 1 } },
  })
  expect(leave('driver', [], [{ ...asked, processed: true }]).ok).toBe(true)
})

test.each([
  [0, {}, undefined, undefined],
  // Ignores floating-point noise.
  [1e-9, {}, undefined, undefined],
  [-1e-9, {}, undefined, undefined],
  [-11, {}, 'balance_owed', 11],
  [-11, { waive_balance: true }, 'balance_owed', 11],
  [-0.01, {}, 'balance_owed', 0.01],
  [200, {}, 'balance_left', 200],
  [200, { waive_balance: false }, 'balance_left', 200],
  [200, { waive_balance: true }, undefined, undefined],
  [200, { waive_balance: true, balance: 200 }, undefined, undefined],
  // The balance grew after the owner saw it, so they did not give up the new amount.
  [700, { waive_balance: true, balance: 200 }, 'balance_left', 700],
  [0.01, {}, 'balance_left', 0.01],
] as const)(
  'checks a wallet with %s against the deletion request %j: %s',
  (walletBalance, balanceDecision, key, amount) => {
    const refused = checkRemainingBalance(aRider({ walletBalance }), balanceDecision, SETTINGS)
    expect([refused?.key, refused?.params?.amount]).toEqual([key, amount])
  },
)

test('counts waived money in the same update that removes the account', () => {
  const user = aRider({ walletBalance: 200 })
  expect(buildAccountRemoval(user, [], SETTINGS, NOON)).toMatchObject({
    'users/rider': null,
    'closed_accounts/rider': { at: NOON, open: true, waived: 200 },
    'stats/total/minor/UYU2/waived': { '.sv': { increment: 20_000 } },
    'stats/days/2026-11-20/minor/UYU2/waived': { '.sv': { increment: 20_000 } },
    'stats/earnings/2026-11/minor/UYU2/waived': { '.sv': { increment: 20_000 } },
  })
  const empty = buildAccountRemoval(aRider(), [], SETTINGS, NOON)
  expect(empty['closed_accounts/rider']).toEqual({ at: NOON, open: true, waived: 0 })
  expect(Object.keys(empty).filter((path) => path.startsWith('stats'))).toEqual([])
})

test('remembers used benefits under each phone number and applies them to a new account with any of them', () => {
  const promo = { promo_details: { id: 'spring', promo_name: 'SPRING' } }
  const bookings = [
    aBooking({ status: 'COMPLETE', ...promo }),
    aBooking({ status: 'CANCELLED', promo_details: { id: 'given', promo_name: 'BACK' } }),
    aBooking({
      status: 'COMPLETE',
      customer: 'other',
      promo_details: { id: 'theirs', promo_name: '' },
    }),
  ]
  const promos = listUsedPromos(aRider({ formerPromos: { older: true } }), bookings)
  expect(promos).toEqual(['older', 'spring'])
  expect(
    buildFormerUserUpdates(['one', 'two'], promos, { referralRewarded: true }, NOON),
  ).toMatchObject({
    'former_users/one/promos/spring': true,
    'former_users/two/promos/older': true,
    'former_users/two/referred': true,
    'former_users/two/at': NOON,
  })
  expect(buildFormerUserUpdates(['one'], [], {}, NOON)).toEqual({})
  expect(
    getFormerBenefits([
      { at: 1, promos: { spring: true } },
      { at: 2, referred: true },
    ]),
  ).toEqual({
    formerPromos: { spring: true },
    referralRewarded: true,
  })
  expect(getFormerBenefits([])).toEqual({})
})

test('keeps earnings without the driver’s name', () => {
  expect(
    anonymizeEarningRows('d', ['2026-01'], [{ fleetadmin: 'f', months: ['2026-01'] }]),
  ).toEqual({
    'stats/driver_earnings/d/2026-01/driverName': '',
    'stats/driver_earnings/d/2026-01/driverVehicleNo': '',
    'stats/fleet_driver_earnings/f/d/2026-01/driverName': '',
    'stats/fleet_driver_earnings/f/d/2026-01/driverVehicleNo': '',
  })
})

test('keeps the data consistent after accounts are deleted', () => {
  let gone = 0
  const staysConsistent = fc.property(platformHistories(300), (history) => {
    gone += simulateDeletions(history)
  })
  fc.assert(staysConsistent, { seed: 1, numRuns: 8 })
  expect(gone).toBeGreaterThan(4)
})

const simulateDeletions = (history: PlatformHistory): number => {
  const { tree, steps } = replayHistory(history)
  for (const { wrong } of steps()) expect(wrong).toBeUndefined()
  const all = Object.values((tree as DatabaseTree).bookings ?? {})
  let gone = 0
  for (const uid of ['ana', 'bea', 'caio', 'davi', 'edu', 'fabi']) {
    const own = all
      .map(({ id }) => readValue(tree, `bookings/${id}`) as unknown as Booking)
      .filter(
        ({ customer, driver, requestedDrivers }) =>
          customer === uid || driver === uid || requestedDrivers?.[uid],
      )
    const user = { ...(readValue(tree, `users/${uid}`) as unknown as User), id: uid }
    const settings = (tree as DatabaseTree).settings ?? SETTINGS
    const given = { balanceDecision: { waive_balance: true }, settings, now: NOON }
    const result = planAccountDeletion(user, own, [], given)
    if (!result.ok) continue
    gone++
    for (const updates of result.value) {
      expect(checkRaceGuards(tree, { updates })).toBeUndefined()
      commitChange(tree, { updates })
    }
    expect(findViolations(tree as DatabaseTree)).toEqual([])
  }
  return gone
}
