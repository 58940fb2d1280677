import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Booking, Promo, User } from '~/domain/entities'
import type { Client } from '../support/clients'
import { advance, openScene, refusalOf, type Answer, type Scene } from './scene'

const MANY = 50
let scene: Scene
let rider: Client
let admin: Client

beforeAll(async () => {
  scene = openScene()
  ;[rider, admin] = await Promise.all([scene.as('seed-rider'), scene.as('seed-admin')])
})
afterAll(() => scene.close())

/** A NEW booking, made by the office for the seeded rider. */
const aNewBooking = async () => (await scene.book(admin, { customer: 'seed-rider' })).booking_id
const signAllIn = (uids: readonly string[]) => Promise.all(uids.map((uid) => scene.as(uid)))
const fulfilled = <T>(settled: readonly PromiseSettledResult<T>[]): T[] =>
  settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
const keysOf = async (calls: readonly Promise<unknown>[]) =>
  await Promise.all(
    calls.map((call) =>
      refusalOf(call).then(
        ({ code, details }) => details?.key ?? code,
        () => 'done',
      ),
    ),
  )

describe('fifty at once', () => {
  it('fifty drivers accept one booking: one has it, 49 are told it is taken', async () => {
    const uids = await scene.people(MANY, { usertype: 'driver' })
    const booking_id = await aNewBooking()
    await scene.write(
      Object.fromEntries(
        uids.flatMap((uid) => [
          [`bookings/${booking_id}/requestedDrivers/${uid}`, true],
          [`driver_tasks/${uid}/${booking_id}`, true],
        ]),
      ),
    )
    const drivers = await signAllIn(uids)
    const keys = await keysOf(drivers.map((driver) => advance(driver, booking_id, 'accept')))
    expect(keys.filter((key) => key === 'done')).toHaveLength(1)
    expect(keys.filter((key) => key === 'booking_taken')).toHaveLength(MANY - 1)

    const booking = await scene.read<Booking>(`bookings/${booking_id}`)
    expect(booking).toMatchObject({ status: 'ACCEPTED', revision: 2 })
    expect(booking?.requestedDrivers).toBeUndefined()
    const users = await Promise.all(uids.map((uid) => scene.read<User>(`users/${uid}`)))
    expect(users.filter((user) => user?.queue).map((user) => user?.id)).toEqual([booking?.driver])
    const tasks = await Promise.all(
      uids.map((uid) => scene.read(`driver_tasks/${uid}/${booking_id}`)),
    )
    expect(tasks.filter((task) => task !== null)).toEqual([])
  })

  it('one driver accepts ten bookings: he has one of them', async () => {
    const [uid = ''] = await scene.people(1, { usertype: 'driver' })
    const ids = await Promise.all(Array.from({ length: 10 }, aNewBooking))
    await scene.write(
      Object.fromEntries(
        ids.flatMap((id) => [
          [`bookings/${id}/requestedDrivers/${uid}`, true],
          [`driver_tasks/${uid}/${id}`, true],
        ]),
      ),
    )
    const driver = await scene.as(uid)
    const keys = await keysOf(ids.map((booking_id) => advance(driver, booking_id, 'accept')))
    expect(keys.filter((key) => key === 'done')).toHaveLength(1)
    expect(keys.filter((key) => key === 'driver_busy')).toHaveLength(9)
    const bookings = await Promise.all(ids.map((id) => scene.read<Booking>(`bookings/${id}`)))
    expect(bookings.filter((booking) => booking?.driver === uid)).toHaveLength(1)
  })

  it('fifty wrong codes: five are looked at, the rest find the lock', async () => {
    const [uid = ''] = await scene.people(1, { usertype: 'driver' })
    const booking_id = await aNewBooking()
    await scene.write({ [`bookings/${booking_id}/requestedDrivers/${uid}`]: true })
    const driver = await scene.as(uid)
    await advance(driver, booking_id, 'accept')
    await advance(driver, booking_id, 'arrive', { lat: -34.9, lng: -56.18 })
    const right = (await scene.read<number>(`booking_otps/${booking_id}`)) ?? 0
    const wrong = right === 99_999 ? 10_000 : right + 1
    const keys = await keysOf(
      Array.from({ length: MANY }, () => advance(driver, booking_id, 'start', { otp: wrong })),
    )
    expect(new Set(keys)).toEqual(new Set(['code_wrong', 'code_locked']))
    expect(keys.filter((key) => key === 'code_wrong').length).toBeLessThanOrEqual(5)
    // Even the right one waits for the minute to pass.
    const call = advance(driver, booking_id, 'start', { otp: right })
    expect((await refusalOf(call)).details.key).toBe('code_locked')
    expect((await scene.read<Booking>(`bookings/${booking_id}`))?.status).toBe('ARRIVED')
  })

  it('fifty riders use a promo with ten uses: ten get it', async () => {
    const uids = await scene.people(MANY, {})
    const promo = `test-promo-${Date.now()}`
    await scene.write({
      [`promos/${promo}`]: {
        id: promo,
        promo_name: 'Ten uses',
        promo_description: '',
        promo_discount_type: 'flat',
        promo_discount_value: 1,
        max_promo_discount_value: 0,
        min_order: 0,
        promo_validity: Date.now() + 3_600_000,
        promo_usage_limit: 10,
        user_avail: 0,
      } satisfies Promo,
    })
    const riders = await signAllIn(uids)
    const honest = await scene.request(rider)
    const bookings = await Promise.allSettled(
      riders.map(async (client) => {
        const asked = { ...honest, booking_id: honest.booking_id.slice(0, 15) + suffix() }
        return { client, ...(await client.call<Answer>('create_booking', asked)) }
      }),
    )
    const made = fulfilled(bookings)
    expect(made).toHaveLength(MANY)
    const pay = { payment_mode: 'cash', promo }
    const keys = await keysOf(
      made.map(({ client, booking_id }) => advance(client, booking_id, 'pay', pay)),
    )
    expect(keys.filter((key) => key === 'done')).toHaveLength(10)
    expect(keys.filter((key) => key === 'promo_used_up')).toHaveLength(MANY - 10)
    expect(await scene.read(`promos/${promo}/user_avail`)).toBe(10)
    expect(Object.keys((await scene.read<object>(`promo_uses/${promo}`)) ?? {})).toHaveLength(10)
  })

  it('a rider pays from his wallet by ten taps: it is debited once', async () => {
    const [uid = ''] = await scene.people(1, { walletBalance: 500 })
    await scene.write({
      [`users/${uid}/walletHistory/start`]: {
        type: 'Credit',
        amount: 500,
        date: 1,
        txRef: 'start',
      },
    })
    const client = await scene.as(uid)
    const { booking_id, estimateFare } = await scene.book(client)
    const tap = () => advance(client, booking_id, 'pay', { payment_mode: 'wallet' })
    const answers = await Promise.all(Array.from({ length: 10 }, tap))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await scene.read(`users/${uid}/walletBalance`)).toBeCloseTo(500 - estimateFare, 2)
  })
})

let suffixes = 0
const suffix = () => String((suffixes += 1)).padStart(5, '0')
