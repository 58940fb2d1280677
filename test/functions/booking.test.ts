import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Booking, InboxEntry, StatsTotals, User } from '~/domain/entities'
import type { Client } from '../support/clients'
import { advance, bookingId, openScene, refusalOf, type Answer, type Scene } from './scene'

let scene: Scene
let rider: Client
let admin: Client

beforeAll(async () => {
  scene = openScene()
  ;[rider, admin] = await Promise.all([scene.as('seed-rider'), scene.as('seed-admin')])
})
afterAll(() => scene.close())

const statusCount = async (status: Booking['status']) =>
  (await scene.read<number>(`stats/status/${status}`)) ?? 0

describe('making a booking', () => {
  it('asks the price the server worked out, and says it when the rider was shown another', async () => {
    const asked = await scene.request(rider, { estimateFare: 1 })
    const { code, details } = await refusalOf(rider.call('create_booking', asked))
    expect([code, details.key]).toEqual(['functions/failed-precondition', 'estimate_changed'])
    expect(details.estimate).toBeGreaterThan(0)
    expect(await scene.read(`bookings/${asked.booking_id}`)).toBeNull()
  })

  it('the same request twice at once makes one booking, and both get its answer', async () => {
    const asked = await scene.request(rider)
    const before = await scene.read<StatsTotals>('stats/total')
    const pending = await statusCount('PAYMENT_PENDING')
    const call = () => rider.call<Answer>('create_booking', asked)
    const [one, two] = await Promise.all([call(), call()])
    expect(one).toEqual({
      booking_id: asked.booking_id,
      status: 'PAYMENT_PENDING',
      revision: 1,
      estimate: asked.estimateFare,
    })
    expect(two).toEqual(one)
    expect(await call()).toEqual(one)
    expect((await scene.read<StatsTotals>('stats/total'))?.created).toBe((before?.created ?? 0) + 1)
    expect(await statusCount('PAYMENT_PENDING')).toBe(pending + 1)
  })

  it('a booking_id that is somebody else’s is refused, and his booking stays as it is', async () => {
    const [other = ''] = await scene.people(1, {})
    const asked = await scene.book(rider)
    const thief = await scene.as(other)
    expect((await refusalOf(thief.call('create_booking', asked))).code).toBe(
      'functions/failed-precondition',
    )
    expect((await scene.read<Booking>(`bookings/${asked.booking_id}`))?.customer).toBe('seed-rider')
  })

  it('an admin books for a rider, and only an admin', async () => {
    const asked = await scene.request(admin, { customer: 'seed-rider' })
    const made = await admin.call<Answer>('create_booking', asked)
    expect(made.status).toBe('NEW')
    const [other = ''] = await scene.people(1, {})
    const mine = await scene.request(rider)
    const refused = await refusalOf(
      rider.call('create_booking', { ...mine, booking_id: bookingId(), customer: other }),
    )
    expect(refused).toMatchObject({
      code: 'functions/permission-denied',
      details: { field: 'customer' },
    })
  })

  it.each([
    ['no pickup', { pickup: undefined }, 'select_proper', 'pickup'],
    [
      'a latitude off the earth',
      { drop: { lat: 91, lng: 0, add: 'x' } },
      'select_proper',
      'drop.lat',
    ],
    ['a booking_id of another form', { booking_id: 'mine' }, 'bad_input', 'booking_id'],
    ['a price in words', { estimateFare: 'ten' }, 'bad_input', 'estimateFare'],
  ])('%s is refused naming the field', async (_, wrong, key, field) => {
    const asked = await scene.request(rider, { estimateFare: 1 })
    expect(await refusalOf(rider.call('create_booking', { ...asked, ...wrong }))).toMatchObject({
      code: 'functions/invalid-argument',
      details: { key, field },
    })
  })

  it('drivers do not book', async () => {
    const driver = await scene.as('seed-driver')
    const asked = await scene.request(rider, { estimateFare: 1 })
    expect((await refusalOf(driver.call('create_booking', asked))).details.key).toBe(
      'user_issue_contact_admin',
    )
  })
})

describe('a booking from task to rating', () => {
  it('goes through every hand once, and each repeat answers as the first time', async () => {
    const [uid = ''] = await scene.people(1, { usertype: 'driver', carType: await carTypeOfSeed() })
    const driver = await scene.as(uid)
    const asked = await scene.book(rider)
    const { booking_id } = asked
    const twice = async (client: Client, event: string, more: object = {}) => {
      const first = await advance(client, booking_id, event, more)
      expect(await advance(client, booking_id, event, more)).toEqual(first)
      return first.status
    }
    expect(await twice(rider, 'pay', { payment_mode: 'cash' })).toBe('NEW')
    expect(await twice(admin, 'assign', { driver: uid })).toBe('NEW')
    expect(await scene.read(`driver_tasks/${uid}/${booking_id}`)).toBe(true)
    expect(await twice(driver, 'accept')).toBe('ACCEPTED')
    expect(await scene.read(`users/${uid}/queue`)).toBe(true)
    expect(await twice(driver, 'arrive', asked.pickup)).toBe('ARRIVED')
    const start = (more?: object) => refusalOf(advance(driver, booking_id, 'start', more))
    expect((await start()).details.key).toBe('code_required')
    expect((await start({ otp: 1 })).details.key).toBe('code_wrong')
    const otp = await scene.read<number>(`booking_otps/${booking_id}`)
    expect(await twice(driver, 'start', { otp })).toBe('STARTED')
    expect(await twice(driver, 'reach', asked.drop)).toBe('REACHED')
    expect(await twice(driver, 'finish')).toBe('PENDING')
    expect(await twice(driver, 'collect')).toBe('PAID')
    expect(await twice(rider, 'rate', { rating: 4 })).toBe('COMPLETE')

    const booking = await scene.read<Booking>(`bookings/${booking_id}`)
    const paid = await scene.read<User>(`users/${uid}`)
    const share = booking?.driver_share ?? 0
    const cash = booking?.cashPaymentAmount ?? 0
    expect(booking).toMatchObject({ status: 'COMPLETE', rating: 4, payment_mode: 'cash' })
    expect(paid?.walletBalance).toBeCloseTo(share - cash, 2)
    expect(Object.keys(paid?.walletHistory ?? {})).toHaveLength(2)
    expect(paid?.ratings?.userrating).toBe(4)
    expect(paid?.queue).not.toBe(true)
    const told = Object.values(
      (await scene.read<Record<string, InboxEntry>>('inbox/seed-rider')) ?? {},
    )
    const titles = told.filter((entry) => entry.booking_id === booking_id).map(({ title }) => title)
    expect(titles.filter((title) => title === 'push_accepted_title')).toHaveLength(1)
  })

  it('a stranger can do nothing to it', async () => {
    const { booking_id } = await scene.book(rider)
    const [uid = ''] = await scene.people(1, {})
    const stranger = await scene.as(uid)
    for (const [event, more] of [
      ['pay', { payment_mode: 'wallet' }],
      ['cancel', { reason: 'Because' }],
      ['rate', { rating: 1 }],
    ] as const) {
      const call = advance(stranger, booking_id, event, more)
      expect((await refusalOf(call)).code).toBe('functions/permission-denied')
    }
    expect((await scene.read<Booking>(`bookings/${booking_id}`))?.revision).toBe(1)
  })

  it('an unknown booking is not found', async () => {
    const call = advance(rider, bookingId(), 'cancel', { reason: 'Because' })
    expect(await refusalOf(call)).toMatchObject({
      code: 'functions/not-found',
      details: { key: 'not_found', field: 'booking_id' },
    })
  })
})

const carTypeOfSeed = async () => (await scene.read<string>('users/seed-driver/carType')) ?? ''
