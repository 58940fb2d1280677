import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subtractAmount } from '~/domain/money/money'
import type { TestClient } from '../support/testClients'
import {
  advanceBooking,
  createBookingId,
  openTestPlatform,
  expectRefusal,
  type TestPlatform,
  toPosition,
} from './testPlatform'
import type { Booking } from '~/domain/booking/types'
import type { InboxEntry } from '~/domain/messages/types'
import type { StatsRow } from '~/domain/money/types'
import type { User } from '~/domain/accounts/types'

let platform: TestPlatform
/** A rider for these tests only, because one rider has at most five open bookings. */
let rider: TestClient
let admin: TestClient

beforeAll(async () => {
  platform = openTestPlatform()
  const [uid = ''] = await platform.createUsers(1, {})
  ;[rider, admin] = await Promise.all([platform.signInAs(uid), platform.signInAs('seed-admin')])
})
afterAll(() => platform.close())

const countByStatus = async (status: Booking['status']) =>
  (await platform.read<number>(`stats/status/${status}`)) ?? 0

describe('creating a booking', () => {
  it('charges the server’s price, and returns it when the rider saw another', async () => {
    const input = await platform.request(rider, { estimateFare: 1 })
    const { code, details } = await expectRefusal(rider.call('create_booking', input))
    expect([code, details.key]).toEqual(['functions/failed-precondition', 'estimate_changed'])
    expect(details.estimate).toBeGreaterThan(0)
    expect(await platform.read(`bookings/${input.booking_id}`)).toBeNull()
  })

  it('creates one booking for two identical concurrent requests, and both get its response', async () => {
    const input = await platform.request(rider)
    const before = await platform.read<StatsRow>('stats/total')
    const pending = await countByStatus('PAYMENT_PENDING')
    const call = () => rider.call('create_booking', input)
    const [one, two] = await Promise.all([call(), call()])
    expect(one).toEqual({
      booking_id: input.booking_id,
      status: 'PAYMENT_PENDING',
      revision: 1,
      estimate: input.estimateFare,
      reference: await platform.read(`bookings/${input.booking_id}/reference`),
    })
    expect(two).toEqual(one)
    expect(await call()).toEqual(one)
    expect((await platform.read<StatsRow>('stats/total'))?.created).toBe((before?.created ?? 0) + 1)
    expect(await countByStatus('PAYMENT_PENDING')).toBe(pending + 1)
  })

  it('refuses a booking_id that belongs to another rider, and keeps that booking unchanged', async () => {
    const [other = ''] = await platform.createUsers(1, {})
    const input = await platform.createBooking(rider)
    const stranger = await platform.signInAs(other)
    expect((await expectRefusal(stranger.call('create_booking', input))).code).toBe(
      'functions/failed-precondition',
    )
    expect((await platform.read<Booking>(`bookings/${input.booking_id}`))?.customer).toBe(rider.uid)
  })

  it('lets only an admin book for a rider', async () => {
    const input = await platform.request(admin, { customer: rider.uid })
    const made = await admin.call('create_booking', input)
    expect(made.status).toBe('NEW')
    const [other = ''] = await platform.createUsers(1, {})
    const mine = await platform.request(rider)
    const refused = await expectRefusal(
      rider.call('create_booking', { ...mine, booking_id: createBookingId(), customer: other }),
    )
    expect(refused).toMatchObject({
      code: 'functions/permission-denied',
      details: { field: 'customer' },
    })
  })

  it.each([
    ['a missing pickup', { pickup: undefined }, 'select_proper', 'pickup'],
    [
      'a latitude out of range',
      { drop: { lat: 91, lng: 0, add: 'x' } },
      'select_proper',
      'drop.lat',
    ],
    ['a malformed booking_id', { booking_id: 'mine' }, 'bad_input', 'booking_id'],
    ['a price in words', { estimateFare: 'ten' }, 'bad_input', 'estimateFare'],
  ])('refuses %s and names the field', async (_, wrong, key, field) => {
    const input = await platform.request(rider, { estimateFare: 1 })
    expect(await expectRefusal(rider.call('create_booking', { ...input, ...wrong }))).toMatchObject(
      {
        code: 'functions/invalid-argument',
        details: { key, field },
      },
    )
  })

  it('refuses bookings by drivers', async () => {
    const driver = await platform.signInAs('seed-driver')
    const input = await platform.request(rider, { estimateFare: 1 })
    expect((await expectRefusal(driver.call('create_booking', input))).details.key).toBe(
      'user_issue_contact_admin',
    )
  })
})

describe('a booking from request to rating', () => {
  it('takes each step once, and a repeated request gets the first response', async () => {
    const [uid = ''] = await platform.createUsers(1, {
      usertype: 'driver',
      carType: await readSeededVehicleType(),
    })
    const driver = await platform.signInAs(uid)
    const input = await platform.createBooking(rider)
    const { booking_id } = input
    const twice = async (client: TestClient, event: string, more: object = {}) => {
      const first = await advanceBooking(client, booking_id, event, more)
      expect(await advanceBooking(client, booking_id, event, more)).toEqual(first)
      return first.status
    }
    expect(await twice(rider, 'pay', { payment_mode: 'cash' })).toBe('NEW')
    expect(await twice(admin, 'assign', { driver: uid })).toBe('NEW')
    expect(await platform.read(`driver_tasks/${uid}/${booking_id}`)).toBe(true)
    expect(await twice(driver, 'accept')).toBe('ACCEPTED')
    expect(await platform.read(`users/${uid}/queue`)).toBe(true)
    expect(await twice(driver, 'arrive', toPosition(input.pickup))).toBe('ARRIVED')
    const start = (more?: object) =>
      expectRefusal(advanceBooking(driver, booking_id, 'start', more))
    expect((await start()).details.key).toBe('code_required')
    expect((await start({ otp: 1 })).details.key).toBe('code_wrong')
    const otp = await platform.read<number>(`booking_otps/${booking_id}`)
    expect(await twice(driver, 'start', { otp })).toBe('STARTED')
    expect(await twice(driver, 'reach', toPosition(input.drop))).toBe('REACHED')
    expect(await twice(driver, 'finish')).toBe('PENDING')
    expect(await twice(driver, 'collect')).toBe('PAID')
    expect(await twice(rider, 'rate', { rating: 4 })).toBe('COMPLETE')

    const booking = await platform.read<Booking>(`bookings/${booking_id}`)
    const paid = await platform.read<User>(`users/${uid}`)
    const share = booking?.driver_share ?? 0
    const cash = booking?.cashPaymentAmount ?? 0
    expect(booking).toMatchObject({ status: 'COMPLETE', rating: 4, payment_mode: 'cash' })
    expect(paid?.walletBalance).toBe(subtractAmount(share, cash, 2))
    expect(Object.keys(paid?.walletHistory ?? {})).toHaveLength(2)
    expect(paid?.ratings?.userrating).toBe(4)
    expect(paid?.queue).not.toBe(true)
    const entries = Object.values(
      (await platform.read<Record<string, InboxEntry>>(`inbox/${rider.uid}`)) ?? {},
    )
    const titles = entries
      .filter((entry) => entry.booking_id === booking_id)
      .map(({ title }) => title)
    expect(titles.filter((title) => title === 'push_accepted_title')).toHaveLength(1)
  })

  it('refuses every event from a stranger', async () => {
    const { booking_id } = await platform.createBooking(rider)
    const [uid = ''] = await platform.createUsers(1, {})
    const stranger = await platform.signInAs(uid)
    for (const [event, more] of [
      ['pay', { payment_mode: 'wallet' }],
      ['cancel', { reason: 'Because' }],
      ['rate', { rating: 1 }],
    ] as const) {
      const call = advanceBooking(stranger, booking_id, event, more)
      expect((await expectRefusal(call)).code).toBe('functions/permission-denied')
    }
    expect((await platform.read<Booking>(`bookings/${booking_id}`))?.revision).toBe(1)
  })

  it('reports an unknown booking as not found', async () => {
    const call = advanceBooking(rider, createBookingId(), 'cancel', { reason: 'Because' })
    expect(await expectRefusal(call)).toMatchObject({
      code: 'functions/not-found',
      details: { key: 'not_found', field: 'booking_id' },
    })
  })
})

const readSeededVehicleType = async () =>
  (await platform.read<string>('users/seed-driver/carType')) ?? ''
