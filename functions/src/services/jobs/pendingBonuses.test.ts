import { describe, expect, it } from 'vitest'
import { buildPendingBonus } from '~/domain/bonuses/pendingBonus'
import { toJson } from '~/domain/data/databaseValue'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { aBooking, aRider, aSettings } from '~/domain/testing/builders'
import { DAY_MS, HOUR_MS } from '~/domain/language/timeUnits'
import { createProjectPorts, TEST_NOW } from '../../testing/testPorts'
import { runMaintenance } from './maintenance'
import { payDueBonuses } from './pendingBonuses'
import type { Booking } from '~/domain/booking/types'
import type { AuditEntry } from '~/domain/office/types'
import type { User } from '~/domain/accounts/types'

const ID = aBooking().id
const DUE = TEST_NOW + 14 * DAY_MS
const settings = aSettings({ bonusDelayDays: 14 })
const price = 43.13
const paid: Partial<Booking> = {
  status: 'PAID',
  customer_paid: price,
  cashPaymentAmount: price,
  paid_at: TEST_NOW,
}

/** A platform on which `friend` invited the rider, whose first booking has been paid. */
const aReferral = (booking: Partial<Booking> = {}) => {
  const bonus = { referred: 'rider', booking: ID, amount: 10, at: TEST_NOW }
  const given = createProjectPorts({
    settings,
    bookings: { [ID]: aBooking({ ...paid, ...booking }) },
  })
  given.db.put({
    'users/friend': toJson(aRider({ id: 'friend' })),
    'users/rider/signupViaReferral': 'friend',
    'users/rider/referralRewarded': true,
    ...buildPendingBonus({ uid: 'rider', ...bonus }, settings),
    ...buildPendingBonus({ uid: 'friend', ...bonus }, settings),
  })
  const getWaiting = () => Object.keys(given.db.at('internal/pending_bonuses') ?? {})
  const getHistory = (uid: string) => (given.db.at(`users/${uid}`) as User).walletHistory
  return { given, getWaiting, getHistory }
}
const createGate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { open: () => open(), opened }
}
const CREDIT = { 'rider-referral': { type: 'Credit', amount: 10, date: DUE, txRef: 'Referral' } }

describe('a referral bonus that waits', () => {
  it('is paid to both when it is due, with a message, and not before', async () => {
    const { given, getWaiting, getHistory } = aReferral()
    await runMaintenance(given, DUE - 1)
    expect(getWaiting()).toEqual(['friend_rider', 'rider_rider'])
    await runMaintenance(given, DUE)
    expect(getWaiting()).toEqual([])
    for (const uid of ['rider', 'friend']) {
      expect(getHistory(uid)).toEqual(CREDIT)
      expect(given.db.at(`users/${uid}/walletBalance`)).toBe(10)
      const inbox = Object.values(given.db.at(`inbox/${uid}`) as object)
      expect(inbox).toMatchObject([{ title: 'push_referral_title', params: { amount: 10 } }])
    }
  })

  it('is paid once by ten runs at the same time', async () => {
    const { given, getWaiting, getHistory } = aReferral()
    const counts = await Promise.all(Array.from({ length: 10 }, () => payDueBonuses(given, DUE)))
    expect(counts.reduce((sum, count) => sum + count)).toBe(2)
    expect(getWaiting()).toEqual([])
    for (const uid of ['rider', 'friend']) {
      expect(getHistory(uid)).toEqual(CREDIT)
      expect(Object.keys(given.db.at(`inbox/${uid}`) as object)).toHaveLength(1)
    }
  })

  it.each([1, 2, 3])('is paid once when the process dies around write %i', async (deadline) => {
    const { given, getHistory, getWaiting } = aReferral()
    let writes = 0
    /** The process dies before its next write, or after it before the answer came. */
    const dying = (diesAfter: boolean) => ({
      ...given.db,
      update: async (updates: Parameters<typeof given.db.update>[0]) => {
        writes += 1
        if (writes >= deadline && !diesAfter) throw new Error('died')
        await given.db.update(updates)
        if (writes >= deadline) throw new Error('died')
      },
    })
    for (const diesAfter of [false, true])
      await payDueBonuses({ ...given, db: dying(diesAfter) }, DUE)
    await payDueBonuses(given, DUE + DAY_MS)
    expect(getWaiting()).toEqual([])
    for (const uid of ['rider', 'friend']) {
      expect(Object.keys(getHistory(uid) ?? {})).toEqual(['rider-referral'])
      expect(given.db.at(`users/${uid}/walletBalance`)).toBe(10)
    }
  })

  it('continues in the next run when time is over', async () => {
    const { given, getWaiting } = aReferral()
    let checks = 0
    expect(await payDueBonuses(given, DUE, () => ++checks <= 1)).toBe(1)
    expect(getWaiting()).toHaveLength(1)
    expect(await payDueBonuses(given, DUE)).toBe(1)
    expect(getWaiting()).toEqual([])
  })

  it('is dropped for both when a complaint gave back the whole price', async () => {
    const adjustments = {
      a: { at: TEST_NOW, reason: 'wrong_fare' as const, rider: price },
    }
    const { given, getWaiting, getHistory } = aReferral({ adjustments })
    expect(await payDueBonuses(given, DUE)).toBe(0)
    expect(getWaiting()).toEqual([])
    for (const uid of ['rider', 'friend']) expect(getHistory(uid)).toBeUndefined()
    expect(given.db.at('inbox')).toBeNull()
  })

  it('is dropped when the card payment has gone back to the bank', async () => {
    const { given, getWaiting, getHistory } = aReferral({
      cashPaymentAmount: 0,
      refunded: price,
      fare_history: {
        c: {
          kind: 'charge',
          cause: 'card',
          at: 1,
          total: price,
          lines: [{ label: 'payment_card', amount: price }],
        },
        r: {
          kind: 'refund',
          cause: 'chargeback',
          at: 2,
          total: 0,
          lines: [{ label: 'payment_card', amount: -price }],
        },
      },
    })
    expect(await payDueBonuses(given, DUE)).toBe(0)
    expect(getWaiting()).toEqual([])
    expect(getHistory('friend')).toBeUndefined()
  })

  it.each<[string, Parameters<ReturnType<typeof aReferral>['given']['db']['put']>[0]]>([
    ['the referrer’s account was deleted', { 'users/friend': null }],
    ['the new user’s account was deleted', { 'users/rider': null }],
    ['the driver’s account was deleted', { 'users/driver': null }],
    [
      'the driver, who shared the referrer’s bank account, was deleted',
      { 'users/friend/bankAccount': 'DE1', 'users/driver': null },
    ],
    ['the referrer was blocked', { 'users/friend/approved': false }],
    [
      'the referrer and the driver have one bank account',
      { 'users/friend/bankAccount': 'DE1', 'users/driver/bankAccount': 'DE1' },
    ],
  ])('is dropped for both when %s, and the office reads why', async (_, changes) => {
    const { given, getWaiting, getHistory } = aReferral()
    given.db.put(changes)
    expect(await payDueBonuses(given, DUE)).toBe(0)
    expect(getWaiting()).toEqual([])
    for (const uid of ['rider', 'friend'])
      if (given.db.at(`users/${uid}`)) expect(getHistory(uid)).toBeUndefined()
    const audits = Object.values(given.db.at('audit') as object)
    expect(audits).toHaveLength(2)
    for (const audit of audits)
      expect(audit).toMatchObject({ action: 'bonus_drop', path: `bookings/${ID}` })
  })

  it.each([0, 14])(
    'is paid to neither side with a delay of %i days when the referrer is deleted',
    async (days) => {
      const given = createProjectPorts({
        settings: aSettings({ bonusDelayDays: days }),
        bookings: { [ID]: aBooking({ status: 'PENDING' }) },
      })
      given.db.put({ 'users/rider/signupViaReferral': 'friend' })
      await given.bookings.applyEvent(ID, { event: 'collect' }, { uid: 'driver', role: 'driver' })
      expect(await payDueBonuses(given, DUE)).toBe(0)
      expect(given.db.at('internal/pending_bonuses')).toBeNull()
      expect(given.db.at('users/rider/walletHistory')).toBeNull()
      const audits = Object.values(given.db.at('audit') as Record<string, AuditEntry>)
      expect(audits.find(({ action }) => action === 'bonus_drop')).toMatchObject({
        to: { drop_reason: 'account_deleted' },
      })
    },
  )

  it('is not earned again after it was dropped', async () => {
    const next = aBooking({ id: 'next', status: 'PENDING' })
    const { given, getWaiting, getHistory } = aReferral()
    given.db.put({ 'users/friend/bankAccount': 'DE1', 'users/driver/bankAccount': 'DE1' })
    await payDueBonuses(given, DUE)
    given.db.put({
      'users/driver/bankAccount': null,
      [`bookings/${next.id}`]: toJson(next),
    })
    await given.bookings.applyEvent(
      next.id,
      { event: 'collect' },
      { uid: 'driver', role: 'driver' },
    )
    expect(given.db.at(`bookings/${next.id}/status`)).toBe('PAID')
    expect(getWaiting()).toEqual([])
    for (const uid of ['rider', 'friend']) expect(getHistory(uid)).toBeUndefined()
  })

  it('is dropped with one entry by ten runs at the same time', async () => {
    const { given } = aReferral()
    given.db.put({ 'users/friend/approved': false })
    await Promise.all(Array.from({ length: 10 }, (_, n) => payDueBonuses(given, DUE + n)))
    expect(Object.keys(given.db.at('audit') as object)).toHaveLength(2)
  })

  it('of a flagged trip waits for the review of the office, and is then paid once', async () => {
    const review = { verdict: 'flagged' as const, dropped_points: 0, charged_time: 600 }
    const { given, getWaiting, getHistory } = aReferral({ distance_review: review })
    expect(await payDueBonuses(given, DUE)).toBe(0)
    expect(await payDueBonuses(given, DUE)).toBe(0)
    expect(given.db.at('internal/pending_bonuses/friend_rider')).toMatchObject({
      due: DUE + HOUR_MS,
      revision: 2,
    })
    await given.bookings.applyEvent(
      ID,
      { event: 'review', decision: 'keep' },
      { uid: 'admin', role: 'admin' },
    )
    expect(await payDueBonuses(given, DUE + HOUR_MS)).toBe(2)
    expect(getWaiting()).toEqual([])
    for (const uid of ['rider', 'friend'])
      expect(Object.keys(getHistory(uid) ?? {})).toEqual(['rider-referral'])
  })

  it('is paid once when 25 of 50 runs decided before the review and write after the others', async () => {
    const review = { verdict: 'flagged' as const, dropped_points: 0, charged_time: 600 }
    const { given, getWaiting, getHistory } = aReferral({ distance_review: review })
    const others = createGate()
    const allDecided = createGate()
    let held = 0
    const late = {
      ...given.db,
      update: async (updates: Parameters<typeof given.db.update>[0]) => {
        held += 1
        if (held === 25) allDecided.open()
        await others.opened
        await given.db.update(updates)
      },
    }
    const runs = Array.from({ length: 25 }, () => payDueBonuses({ ...given, db: late }, DUE))
    await allDecided.opened
    given.db.put({ [`bookings/${ID}/distance_review/decision`]: 'keep' })
    const paidByOthers = await Promise.all(
      Array.from({ length: 25 }, () => payDueBonuses(given, DUE)),
    )
    others.open()
    const paidLate = await Promise.all(runs)
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count)
    expect([sum(paidByOthers), sum(paidLate)]).toEqual([2, 0])
    expect(getWaiting()).toEqual([])
    for (const uid of ['rider', 'friend']) {
      expect(getHistory(uid)).toEqual(CREDIT)
      expect(given.db.at(`users/${uid}/walletBalance`)).toBe(10)
    }
  })

  it('does not delay another one when it fails', async () => {
    const { given, getWaiting } = aReferral()
    const db = {
      ...given.db,
      read: async <T>(path: string) => {
        if (path === 'users/friend/walletHistory/rider-referral') throw new Error('unreachable')
        return given.db.read<T>(path)
      },
    }
    expect(await payDueBonuses({ ...given, db }, DUE)).toBe(1)
    expect(getWaiting()).toEqual(['friend_rider'])
  })
})

describe('the payment of a booking with a bonus that waits', () => {
  it('writes the bonus once, and the books agree before and after its payment', async () => {
    const given = createProjectPorts({
      settings,
      bookings: { [ID]: aBooking({ status: 'PENDING' }) },
    })
    given.db.put({
      'users/friend': toJson(aRider({ id: 'friend' })),
      'users/rider/signupViaReferral': 'friend',
    })
    const collect = () =>
      given.bookings.applyEvent(ID, { event: 'collect' }, { uid: 'driver', role: 'driver' })
    await Promise.allSettled([collect(), collect()])
    const findFaults = () =>
      findViolations(given.db.at('') as DatabaseTree).filter((fault) => /bonus|wallet/.test(fault))
    const waiting = given.db.at('internal/pending_bonuses') as object
    expect(Object.keys(waiting)).toEqual(['friend_rider', 'rider_rider'])
    expect(findFaults()).toEqual([])
    expect(await payDueBonuses(given, DUE)).toBe(2)
    expect(findFaults()).toEqual([])
  })
})
