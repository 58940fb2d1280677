import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subtractAmount } from '~/domain/money/money'
import type { TestClient } from '../support/testClients'
import {
  advanceBooking,
  createBookingId,
  openTestPlatform,
  expectRefusal,
  type TestPlatform,
} from './testPlatform'
import type { Booking } from '~/domain/booking/types'
import type { ClosedAccount, User } from '~/domain/accounts/types'
import type { Promo } from '~/domain/catalog/types'

const CONCURRENT_CALLS = 50
let platform: TestPlatform
let rider: TestClient
let admin: TestClient
/** A rider for these tests only, for whom an admin opens more bookings than a rider could. */
let customer: string

beforeAll(async () => {
  platform = openTestPlatform()
  ;[customer = ''] = await platform.createUsers(1, {})
  ;[rider, admin] = await Promise.all([
    platform.signInAs('seed-rider'),
    platform.signInAs('seed-admin'),
  ])
})
afterAll(() => platform.close())

/** Creates a booking with status NEW through the office; returns its id. */
const createNewBooking = async () => (await platform.createBooking(admin, { customer })).booking_id
const signAllIn = (uids: readonly string[]) =>
  Promise.all(uids.map((uid) => platform.signInAs(uid)))
const getFulfilled = <T>(settled: readonly PromiseSettledResult<T>[]): T[] =>
  settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
const collectErrorKeys = async (calls: readonly Promise<unknown>[]) =>
  await Promise.all(
    calls.map((call) =>
      expectRefusal(call).then(
        ({ code, details }) => details?.key ?? code,
        () => 'done',
      ),
    ),
  )

describe('concurrent requests', () => {
  it('create five of one rider’s fifty bookings and refuse the rest as too many', async () => {
    const [uid = ''] = await platform.createUsers(1, {})
    const client = await platform.signInAs(uid)
    const honest = await platform.request(client)
    const create = () => {
      const booking_id = honest.booking_id.slice(0, 15) + createSuffix()
      return client.call('create_booking', { ...honest, booking_id })
    }
    const keys = await collectErrorKeys(Array.from({ length: CONCURRENT_CALLS }, create))
    expect(keys.filter((key) => key === 'done')).toHaveLength(5)
    expect(keys.filter((key) => key === 'too_many_bookings')).toHaveLength(CONCURRENT_CALLS - 5)
    expect(await platform.read(`open_bookings/${uid}/open`)).toBe(5)
    const ids = await platform.listBookingIds(uid)
    expect(ids).toHaveLength(5)

    // Bookings end and start concurrently; the counter must match the open ones.
    const ended = ids.map((id) => advanceBooking(client, id, 'cancel', { reason: 'Test' }))
    await Promise.allSettled([...ended, ...Array.from({ length: 20 }, create)])
    const open = await Promise.all(
      (await platform.listBookingIds(uid)).map((id) =>
        platform.read<string>(`bookings/${id}/status`),
      ),
    )
    const left = open.filter((status) => status !== 'CANCELLED').length
    expect(left).toBeLessThanOrEqual(5)
    expect(await platform.read(`open_bookings/${uid}/open`)).toBe(left)
  })

  it('let one of fifty drivers accept a booking, and the other 49 see it as taken', async () => {
    const uids = await platform.createUsers(CONCURRENT_CALLS, { usertype: 'driver' })
    const booking_id = await createNewBooking()
    await platform.write(
      Object.fromEntries(
        uids.flatMap((uid) => [
          [`bookings/${booking_id}/requestedDrivers/${uid}`, true],
          [`driver_tasks/${uid}/${booking_id}`, true],
        ]),
      ),
    )
    const drivers = await signAllIn(uids)
    const keys = await collectErrorKeys(
      drivers.map((driver) => advanceBooking(driver, booking_id, 'accept')),
    )
    expect(keys.filter((key) => key === 'done')).toHaveLength(1)
    expect(keys.filter((key) => key === 'booking_taken')).toHaveLength(CONCURRENT_CALLS - 1)

    const booking = await platform.read<Booking>(`bookings/${booking_id}`)
    expect(booking).toMatchObject({ status: 'ACCEPTED', revision: 2 })
    expect(booking?.requestedDrivers).toBeUndefined()
    const users = await Promise.all(uids.map((uid) => platform.read<User>(`users/${uid}`)))
    expect(users.filter((user) => user?.queue).map((user) => user?.id)).toEqual([booking?.driver])
    const tasks = await Promise.all(
      uids.map((uid) => platform.read(`driver_tasks/${uid}/${booking_id}`)),
    )
    expect(tasks.filter((task) => task !== null)).toEqual([])
  })

  it('let one driver accept only one of ten bookings', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'driver' })
    const ids = await Promise.all(Array.from({ length: 10 }, createNewBooking))
    await platform.write(
      Object.fromEntries(
        ids.flatMap((id) => [
          [`bookings/${id}/requestedDrivers/${uid}`, true],
          [`driver_tasks/${uid}/${id}`, true],
        ]),
      ),
    )
    const driver = await platform.signInAs(uid)
    const keys = await collectErrorKeys(
      ids.map((booking_id) => advanceBooking(driver, booking_id, 'accept')),
    )
    expect(keys.filter((key) => key === 'done')).toHaveLength(1)
    expect(keys.filter((key) => key === 'driver_busy')).toHaveLength(9)
    const bookings = await Promise.all(ids.map((id) => platform.read<Booking>(`bookings/${id}`)))
    expect(bookings.filter((booking) => booking?.driver === uid)).toHaveLength(1)
  })

  it('give a driver one of two bookings accepted at once, and leave none of the fifty requests open', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'driver' })
    const riders = await signAllIn(await platform.createUsers(CONCURRENT_CALLS / 5, {}))
    const honest = await platform.request(rider)
    const ids = await Promise.all(
      riders.flatMap((client) =>
        Array.from({ length: 5 }, async () => {
          const booking_id = honest.booking_id.slice(0, 15) + createSuffix()
          await client.call('create_booking', { ...honest, booking_id })
          await advanceBooking(client, booking_id, 'pay', { payment_mode: 'cash' })
          return booking_id
        }),
      ),
    )
    await platform.write(
      Object.fromEntries(
        ids.flatMap((id) => [
          [`bookings/${id}/requestedDrivers/${uid}`, true],
          [`driver_tasks/${uid}/${id}`, true],
        ]),
      ),
    )
    const driver = await platform.signInAs(uid)
    const others = await platform.createUsers(3, { usertype: 'driver' })
    // Meanwhile the office offers some of the same bookings to other drivers.
    const asks = ids
      .slice(10, 13)
      .map((id, i) => advanceBooking(admin, id, 'assign', { driver: others[i] ?? '' }))
    const accepts = ids.slice(0, 2).map((id) => advanceBooking(driver, id, 'accept'))
    const [keys] = await Promise.all([collectErrorKeys(accepts), Promise.all(asks)])
    expect(keys.sort()).toEqual(['done', 'driver_busy'])

    const bookings = await Promise.all(ids.map((id) => platform.read<Booking>(`bookings/${id}`)))
    expect(bookings.filter((booking) => booking?.driver === uid)).toHaveLength(1)
    expect(bookings.filter((booking) => booking?.requestedDrivers?.[uid])).toEqual([])
    expect(await platform.read(`driver_tasks/${uid}`)).toBeNull()
    const withdrawn = bookings.filter((booking) =>
      Object.values(booking?.event_log ?? {}).some(({ event }) => event === 'withdraw'),
    )
    expect(withdrawn).toHaveLength(CONCURRENT_CALLS - 1)
    expect(new Set(withdrawn.map((booking) => booking?.status))).toEqual(new Set(['NEW']))
    const driverTasks = await Promise.all(
      others.map((other, i) => platform.read(`driver_tasks/${other}/${ids[10 + i] ?? ''}`)),
    )
    expect(driverTasks).toEqual([true, true, true])
    const late = ids.find((_, i) => bookings[i]?.status === 'NEW') ?? ''
    expect(
      await collectErrorKeys([advanceBooking(admin, late, 'assign', { driver: uid })]),
    ).toEqual(['driver_busy'])
  })

  it('with fifty wrong codes count at most five attempts, and the rest hit the lock', async () => {
    const [uid = ''] = await platform.createUsers(1, { usertype: 'driver' })
    const booking_id = await createNewBooking()
    await platform.write({ [`bookings/${booking_id}/requestedDrivers/${uid}`]: true })
    const driver = await platform.signInAs(uid)
    await advanceBooking(driver, booking_id, 'accept')
    await advanceBooking(driver, booking_id, 'arrive', { lat: -34.9, lng: -56.18 })
    const right = (await platform.read<number>(`booking_otps/${booking_id}`)) ?? 0
    const wrong = right === 99_999 ? 10_000 : right + 1
    const keys = await collectErrorKeys(
      Array.from({ length: CONCURRENT_CALLS }, () =>
        advanceBooking(driver, booking_id, 'start', { otp: wrong }),
      ),
    )
    expect(new Set(keys)).toEqual(new Set(['code_wrong', 'code_locked']))
    expect(keys.filter((key) => key === 'code_wrong').length).toBeLessThanOrEqual(5)
    // Even the right code is refused until the minute has passed.
    const call = advanceBooking(driver, booking_id, 'start', { otp: right })
    expect((await expectRefusal(call)).details.key).toBe('code_locked')
    expect((await platform.read<Booking>(`bookings/${booking_id}`))?.status).toBe('ARRIVED')
  })

  it('let ten of fifty riders use a promo with ten uses', async () => {
    const uids = await platform.createUsers(CONCURRENT_CALLS, {})
    const promo = `test-promo-${Date.now()}`
    await platform.write({
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
    const honest = await platform.request(rider)
    const bookings = await Promise.allSettled(
      riders.map(async (client) => {
        const input = { ...honest, booking_id: honest.booking_id.slice(0, 15) + createSuffix() }
        return { client, ...(await client.call('create_booking', input)) }
      }),
    )
    const made = getFulfilled(bookings)
    expect(made).toHaveLength(CONCURRENT_CALLS)
    const pay = { payment_mode: 'cash', promo }
    const keys = await collectErrorKeys(
      made.map(({ client, booking_id }) => advanceBooking(client, booking_id, 'pay', pay)),
    )
    expect(keys.filter((key) => key === 'done')).toHaveLength(10)
    expect(keys.filter((key) => key === 'promo_used_up')).toHaveLength(CONCURRENT_CALLS - 10)
    expect(await platform.read(`promos/${promo}/user_avail`)).toBe(10)
    expect(Object.keys((await platform.read<object>(`promo_uses/${promo}`)) ?? {})).toHaveLength(10)
  })

  it('debit the wallet once when a rider clicks ten times to pay', async () => {
    const [uid = ''] = await platform.createUsers(1, { walletBalance: 500 })
    const client = await platform.signInAs(uid)
    const { booking_id, estimateFare } = await platform.createBooking(client)
    const tap = () => advanceBooking(client, booking_id, 'pay', { payment_mode: 'wallet' })
    const answers = await Promise.all(Array.from({ length: 10 }, tap))
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(await platform.read(`users/${uid}/walletBalance`)).toBe(
      subtractAmount(500, estimateFare, 2),
    )
  })
})

describe('an account that is being deleted', () => {
  const credits = (uid: string) =>
    Array.from({ length: CONCURRENT_CALLS }, (_, at) =>
      admin.call('add_to_wallet', { credit_id: createBookingId(), uid, amount: at + 1 }).then(
        () => at + 1,
        () => 0,
      ),
    )

  it('loses no money to fifty concurrent credits while its owner waives the balance', async () => {
    const [uid = ''] = await platform.createUsers(1, {})
    const client = await platform.signInAs(uid)
    const before = (await platform.read<number>('stats/total/minor/UYU2/waived')) ?? 0
    const leaving = client
      .call('delete_user', { id: uid, waive_balance: true })
      .then(() => undefined)
      .catch((error: unknown) => error)
    const paid = (await Promise.all(credits(uid))).reduce((sum, amount) => sum + amount, 0)
    await leaving
    const user = await platform.read<User>(`users/${uid}`)
    const closed = await platform.read<ClosedAccount>(`closed_accounts/${uid}`)
    const waived = ((await platform.read<number>('stats/total/minor/UYU2/waived')) ?? 0) - before
    // Every successful credit is in the wallet, or was waived and counted.
    expect((user?.walletBalance ?? 0) + (closed?.waived ?? 0)).toBeCloseTo(paid, 6)
    expect(waived).toBe(Math.round(100 * (closed?.waived ?? 0)))
    expect(user === null).toBe(closed !== null)
    if (user) expect(user.approved).toBe(true)
  })

  it('is deleted empty or stays with every credit when fifty credits arrive', async () => {
    const [uid = ''] = await platform.createUsers(1, {})
    const client = await platform.signInAs(uid)
    const leaving = client.call('delete_user', { id: uid }).then(
      () => 'gone',
      (error: { details: { key: string } }) => error.details.key,
    )
    const paid = (await Promise.all(credits(uid))).reduce((sum, amount) => sum + amount, 0)
    const answer = await leaving
    const user = await platform.read<User>(`users/${uid}`)
    if (answer === 'gone') expect([user, paid]).toEqual([null, 0])
    else {
      expect(answer).toBe('balance_left')
      expect(user).toMatchObject({ approved: true, walletBalance: paid })
    }
  })

  it('is deleted once by fifty requests, with its money counted once', async () => {
    const [uid = ''] = await platform.createUsers(1, {
      walletBalance: 70,
      walletHistory: { start: { type: 'Credit', amount: 70, date: 1, txRef: 'start' } },
    })
    const before = (await platform.read<number>('stats/total/minor/UYU2/waived')) ?? 0
    // Two admins are needed, because one can delete at most 30 accounts a minute.
    const offices = await signAllIn(await platform.createUsers(2, { usertype: 'admin' }))
    const keys = await collectErrorKeys(
      offices.flatMap((office) =>
        Array.from({ length: CONCURRENT_CALLS / 2 }, () =>
          office.call('delete_user', { id: uid, waive_balance: true, balance: 70 }),
        ),
      ),
    )
    expect(keys).toContain('done')
    expect(keys).not.toContain('too_many_requests')
    expect(await platform.read(`users/${uid}`)).toBeNull()
    expect(await platform.read(`closed_accounts/${uid}`)).toMatchObject({ waived: 70 })
    expect(await platform.read('stats/total/minor/UYU2/waived')).toBe(before + 7_000)
  })
})

describe('thirty concurrent requests for a share link', () => {
  it('create one link of each level', async () => {
    const booking_id = await createNewBooking()
    const owner = await platform.signInAs(customer)
    const share = (level: string) => owner.call('share_booking', { booking_id, level })
    const made = await Promise.all(Array.from({ length: 30 }, () => share('live')))
    expect(new Set(made.map(({ token }) => token)).size).toBe(1)
    const { token } = await share('status')
    expect(await platform.read(`share_links/${booking_id}/${customer}`)).toEqual({
      live: made[0]?.token,
      status: token,
    })
  })
})

let suffixes = 0
const createSuffix = () => String((suffixes += 1)).padStart(5, '0')
