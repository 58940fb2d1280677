import { describe, expect, it } from 'vitest'
import { dbPaths } from '~/domain/data/databasePaths'
import { type PanicAlert, toPanicAlertId } from '~/domain/messages/officeAlert'
import { createPushKey } from '~/domain/data/pushKeys'
import { aBooking, aSettings } from '~/domain/testing/builders'
import { DAY_MS, HOUR_MS } from '~/domain/language/timeUnits'
import { answer_panic } from './answerPanic'
import { raise_panic } from './raisePanic'
import { handleRequest } from '../../http/requestHandler'
import { eraseAccountData } from '../../services/users/accountErasure'
import {
  aProject,
  createTestPorts,
  createUserContext,
  getErrorKey,
  TEST_NOW,
  createCaller,
} from '../../testing/testPorts'
import { createTestDatabase } from '../../testing/testDatabase'
import { removeExpiredCalls } from '../../services/office/officeCalls'
import type { Booking } from '~/domain/booking/types'

const HERE = { lat: -34.90512, lng: -56.18234 }
const pressKey = (n: number) => createPushKey(TEST_NOW - 1_000, n)

const aTrip = (over: Partial<Booking> = {}, more: object = {}) => {
  const booking = aBooking({
    id: 'b1',
    status: 'STARTED',
    customer: 'rider',
    customer_name: 'Rita Rider',
    driver: 'driver',
    driver_name: 'Dario Driver',
    reference: 'K7M-4QX',
    ...over,
  })
  const db = createTestDatabase(aProject({ bookings: { b1: booking }, ...more }))
  const ports = createTestPorts({ db })
  const toCall = (uid: string, input: object) => ({
    input,
    caller: createCaller({ db }, uid),
    hasMapsBasicAuth: false,
    ip: '10.0.0.1',
    now: TEST_NOW,
  })
  const press = (uid: string, n = 1, more: object = { position: HERE }) =>
    handleRequest(
      raise_panic,
      toCall(uid, { panic_id: pressKey(n), booking_id: 'b1', ...more }),
      ports,
    )
  const answer = (how: 'take' | 'close', revision: number, uid = 'rider', by = 'admin') =>
    answer_panic.handle(
      { booking_id: 'b1', uid, how, revision },
      createUserContext(by, 'admin', ports),
    )
  const readAlert = (uid = 'rider') =>
    db.at(dbPaths.officeAlert(toPanicAlertId('b1', uid))) as PanicAlert | null
  const readAudit = () =>
    Object.values((db.at('audit') ?? {}) as Record<string, { action: string }>)
  const readOutbox = () => Object.keys(db.at('internal/outbox') ?? {})
  return { db, ports, toCall, press, answer, readAlert, readAudit, readOutbox }
}

describe('a press of the emergency button', () => {
  it.each([
    ['rider', 'Rita Rider'],
    ['driver', 'Dario Driver'],
  ])('by the %s alerts the office with the position', async (uid, name) => {
    const { press, readAlert, readAudit, readOutbox } = aTrip()
    expect(await press(uid)).toEqual({ at: TEST_NOW })
    expect(readAlert(uid)).toEqual({
      event: 'panic',
      booking_id: 'b1',
      by: uid,
      role: uid,
      name,
      reference: 'K7M-4QX',
      position: HERE,
      presses: 1,
      at: TEST_NOW,
      expires: expect.any(Number) as number,
      revision: 1,
    })
    expect(readOutbox().sort()).toEqual([
      `b1-${pressKey(1)}-panic-office-email`,
      `b1-${pressKey(1)}-panic-office-sms`,
    ])
    expect(readAudit()).toEqual([
      {
        by: uid,
        at: TEST_NOW,
        action: 'booking_panic',
        path: 'bookings/b1',
        to: { role: uid, position: '-34.91000, -56.18000' },
      },
    ])
  })

  it('has the position of the car when the device has none', async () => {
    const { press, readAlert } = aTrip(
      {},
      { tracking: { b1: { '-a': { lat: -34.8, lng: -56.1, at: 1, status: 'STARTED' } } } },
    )
    await press('rider', 1, {})
    expect(readAlert()?.position).toEqual({ lat: -34.8, lng: -56.1 })
  })

  it('alerts the office without any position', async () => {
    const { press, readAlert } = aTrip()
    await press('rider', 1, {})
    expect(readAlert()).not.toHaveProperty('position')
  })

  it('counts once although it arrives fifty times', async () => {
    const { ports, readAlert, readAudit, readOutbox } = aTrip()
    const context = createUserContext('rider', 'rider', ports)
    const input = { panic_id: pressKey(1), booking_id: 'b1', position: HERE }
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => raise_panic.handle(input, context)),
    )
    expect(new Set(answers.map(({ at }) => at))).toEqual(new Set([TEST_NOW]))
    expect(readAlert()).toMatchObject({ presses: 1, revision: 1 })
    expect(readAudit()).toHaveLength(1)
    expect(readOutbox()).toHaveLength(2)
  })

  it('renews an open alert without a second message, and fifty of them count', async () => {
    const { ports, answer, press, readAlert, readAudit, readOutbox } = aTrip()
    await press('rider')
    await answer('take', 1)
    const context = createUserContext('rider', 'rider', ports)
    await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        raise_panic.handle({ panic_id: pressKey(n + 2), booking_id: 'b1' }, context),
      ),
    )
    expect(readAlert()).toMatchObject({ presses: 51, position: HERE })
    expect(readAlert()).not.toHaveProperty('taken_by')
    expect(readAudit().filter(({ action }) => action === 'booking_panic')).toHaveLength(51)
    expect(readOutbox()).toHaveLength(2)
  })

  it('sends new messages after the office closed the alert, and a late repeat does not', async () => {
    const { answer, press, readAlert, readOutbox } = aTrip()
    await press('rider')
    expect(await answer('close', 1)).toEqual({ first: true })
    expect(await press('rider')).toEqual({ at: TEST_NOW })
    expect(readAlert()).toBeNull()
    await press('rider', 2)
    expect(readAlert()).toMatchObject({ presses: 1 })
    expect(readOutbox()).toHaveLength(4)
  })

  it.each(['admin', 'fleetadmin'])('is refused to a signed-in %s', async (uid) => {
    const { db, press } = aTrip({ customer: uid }, { roles: { [uid]: uid } })
    const before = db.at('internal')
    expect(await getErrorKey(press(uid))).toBe('not_allowed')
    expect(db.at('internal')).toEqual(before)
  })

  it.each<[string, Partial<Booking>, string]>([
    ['another rider', { customer: 'other' }, 'not_allowed'],
    ['the rider before the acceptance', { status: 'NEW', driver: undefined }, 'event_not_possible'],
    [
      'the rider an hour after the end',
      { status: 'COMPLETE', endTime: TEST_NOW - HOUR_MS },
      'event_not_possible',
    ],
  ])('is refused to %s', async (_, over, key) => {
    const { db, press } = aTrip(over)
    const before = db.at('internal')
    expect(await getErrorKey(press('rider'))).toBe(key)
    expect(db.at('internal')).toEqual(before)
  })

  it.each([
    ['panic_id', { panic_id: 'x' }],
    ['position.lat', { position: { lat: 91, lng: 0 } }],
    ['booking_id', { booking_id: '../users' }],
  ])('is refused with an invalid %s', async (field, wrong) => {
    const { press, readAlert } = aTrip()
    await expect(press('rider', 1, wrong)).rejects.toMatchObject({
      error: { key: 'bad_input', field },
    })
    expect(readAlert()).toBeNull()
  })

  it('is refused for a booking that does not exist', async () => {
    const { press } = aTrip()
    expect(await getErrorKey(press('rider', 1, { booking_id: 'gone' }))).toBe('not_found')
  })

  it('is limited to ten in a minute', async () => {
    const { press } = aTrip()
    for (let n = 1; n <= 10; n++) await press('rider', n)
    expect(await getErrorKey(press('rider', 11))).toBe('too_many_requests')
  })
})

describe('the alert of an emergency', () => {
  it('is taken by one of fifty admins, and the audit names them', async () => {
    const { press, answer, readAlert, readAudit } = aTrip()
    await press('rider')
    const answers = await Promise.all(Array.from({ length: 50 }, () => answer('take', 1)))
    expect(answers.filter(({ first }) => first)).toHaveLength(1)
    expect(readAlert()).toMatchObject({ taken_by: 'admin', revision: 2 })
    expect(readAudit().map(({ action }) => action)).toEqual(['booking_panic', 'booking_panic_take'])
  })

  it('is not closed by an admin who has not seen the last press', async () => {
    const { press, answer, readAlert } = aTrip()
    await press('rider')
    await press('rider', 2)
    expect(await answer('close', 1)).toEqual({ first: false })
    expect(readAlert()).toMatchObject({ presses: 2 })
    expect(await answer('close', 2)).toEqual({ first: true })
    expect(await answer('close', 2)).toEqual({ first: false })
  })

  it.each(['take', 'close'] as const)('is not answered in demo mode: %s', async (how) => {
    const settings = aSettings({ AllowCriticalEditsAdmin: false })
    const { press, answer, readAlert } = aTrip({}, { settings })
    await press('rider')
    expect(await getErrorKey(answer(how, 1))).toBe('demo_mode')
    expect(readAlert()).toMatchObject({ revision: 1 })
  })

  it.each(['rider', 'driver', 'fleetadmin'])('is not answered by a %s', async (uid) => {
    const { ports, toCall, press, readAlert } = aTrip({}, { roles: { [uid]: uid, rider: 'rider' } })
    await press('rider')
    const input = { booking_id: 'b1', uid: 'rider', how: 'close', revision: 1 }
    expect(await getErrorKey(handleRequest(answer_panic, toCall(uid, input), ports))).toBe(
      'not_allowed',
    )
    expect(readAlert()).not.toBeNull()
  })

  it('is removed after 30 days, and with the account of the person', async () => {
    const { db, ports, press, readAlert } = aTrip()
    await press('rider')
    await removeExpiredCalls({ db }, TEST_NOW + 29 * DAY_MS)
    expect(readAlert()).not.toBeNull()
    await removeExpiredCalls({ db }, TEST_NOW + 30 * DAY_MS)
    expect(readAlert()).toBeNull()
    await press('rider', 2)
    db.put({ 'bookings/b1/status': 'COMPLETE' })
    await eraseAccountData(createUserContext('rider', 'rider', ports), 'rider')
    expect(readAlert()).toBeNull()
  })
})
