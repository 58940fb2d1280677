import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Actor } from '~/domain/booking/eventTypes'
import { toJson } from '~/domain/data/databaseValue'
import { findViolations } from '~/domain/data/invariants'
import type { DatabaseTree } from '~/domain/data/databaseTree'
import { createPushKey } from '~/domain/data/pushKeys'
import { toDirectory } from '~/domain/accounts/directory'
import { roundAmount, sumAmounts } from '~/domain/money/money'
import { getRoles } from '~/domain/access/roles'
import {
  aVehicleType,
  aDriver,
  aPaymentAttempt,
  aBookingRequest,
  aRider,
  aSettings,
  ROUTE,
} from '~/domain/testing/builders'
import { SCHEMA_VERSION } from '~/domain/data/schemaVersion'
import { toSignedAmount } from '~/domain/money/wallet'
import { add_to_wallet } from '~/functions/src/endpoints/wallet/addToWallet'
import { change_currency } from '~/functions/src/endpoints/office/changeCurrency'
import { request_withdraw } from '~/functions/src/endpoints/wallet/requestWithdraw'
import { take_from_wallet } from '~/functions/src/endpoints/wallet/takeFromWallet'
import { ADAPTERS } from '~/functions/src/adapters/payments/adapters'
import { createPaymentService } from '~/functions/src/services/payments/paymentService'
import { createBookingService } from '~/functions/src/services/bookings/bookingService'
import { WriteConflictError } from '~/functions/src/ports/database'
import { createFirebaseDatabase } from '~/functions/src/adapters/firebase/firebaseDatabase'
import { noPush } from '~/functions/src/ports/push'
import { createTestPorts, straightLineMaps } from '~/functions/src/testing/testPorts'
import { startTestDatabase, type TestDatabase } from '../support/testDatabase'
import type { EventInput } from '~/domain/booking/eventInput'
import { systemClock } from '~/functions/src/adapters/node/systemClock'
import { cryptoRandom } from '~/functions/src/adapters/node/cryptoRandom'
import type { UserRequestContext } from '~/functions/src/ports/requestContext'
import type { User } from '~/domain/accounts/types'
import type { WalletEntry } from '~/domain/money/types'

/**
 * Moves money with fifty concurrent calls, through the functions' own code and the real rules:
 * every amount must arrive exactly once.
 */

const CONCURRENT_CALLS = 50
let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
  database.connectFunctions()
})
afterAll(() => database.stop())

const CAR_TYPE = aVehicleType({ cancelSlab: [{ minsDelayed: 0, amount: 5.55 }] })
const settings = aSettings({
  otp_secure: false,
  negativeBalance: true,
  RiderWithDraw: true,
  bonus: 3.3,
})
const createUserWithBalance = (user: User, amount: number): User => ({
  ...user,
  walletBalance: amount,
  walletHistory: { start: { type: 'Credit', amount, date: 1, txRef: 'AdminCredit' } },
})

const GROUP = 8
/** Time of a trip over `ROUTE`, ms. */
const DRIVE_MS = ROUTE.time_in_secs * 1000
const numbers = Array.from({ length: GROUP }, (_, n) => n)
const people = {
  ana: createUserWithBalance(aRider({ id: 'ana' }), 2000.1),
  ...Object.fromEntries(
    numbers.map((n) => [`r${n}`, aRider({ id: `r${n}`, signupViaReferral: 'ana' })]),
  ),
  davi: createUserWithBalance(aDriver({ id: 'davi' }), 900.7),
  ...Object.fromEntries(numbers.map((n) => [`e${n}`, aDriver({ id: `e${n}` })])),
  admin: aRider({ id: 'admin', usertype: 'admin' }),
}
const createWorld = () =>
  toJson({
    schema: { version: SCHEMA_VERSION },
    settings,
    cartypes: { van: CAR_TYPE },
    users: people,
    people: toDirectory(people),
    roles: getRoles(people),
    payments: Object.fromEntries(
      numbers.map((n) => [
        `topup${n}`,
        aPaymentAttempt({
          id: `topup${n}`,
          uid: 'ana',
          amount: roundAmount(10.01 + n, 2),
          createdAt: Date.now(),
        }),
      ]),
    ),
  })

/** Returns an admin and riders with empty wallets. */
const createEmptyWallets = () =>
  Object.fromEntries(
    [
      aRider({ id: 'admin', usertype: 'admin' }),
      ...numbers.map((n) => aRider({ id: `r${n}` })),
    ].map((one) => [one.id, one]),
  )

const createPorts = (clock = systemClock) => {
  const maps = () =>
    Promise.resolve({
      ...straightLineMaps,
      getDirections: () => Promise.resolve({ ...ROUTE, coords: [], steps: [], approximate: false }),
    })
  const parts = { db: createFirebaseDatabase(), maps, push: noPush, clock }
  const bookings = createBookingService({ ...parts, random: cryptoRandom })
  const payments = createPaymentService({
    adapters: ADAPTERS,
    env: {},
    ...parts,
    random: cryptoRandom,
    bookings,
  })
  return createTestPorts({ ...parts, random: cryptoRandom, bookings, payments })
}

let keys = 0
const nextKey = () => createPushKey(Date.now(), keys++)
const readUser = async (uid: string) => (await database.read(`users/${uid}`)) as User
const sumHistory = (history: Record<string, WalletEntry> = {}) =>
  sumAmounts(Object.values(history).map(toSignedAmount), 4)

describe('fifty concurrent calls', () => {
  const opened = async (clock = systemClock) => {
    await database.put(createWorld())
    const ports = createPorts(clock)
    const as = (uid: string, role: UserRequestContext['actor']['role']): UserRequestContext => ({
      ...ports,
      now: Date.now(),
      caller: { uid },
      rateLimitKey: uid,
      actor: { uid, role },
    })
    return {
      ...ports,
      as,
      credit: (uid: string, amount: number, credit_id = nextKey()) =>
        add_to_wallet.handle({ credit_id, uid, amount }, as('admin', 'admin')),
    }
  }

  test('credit a wallet with every amount once, although each call is sent twice', async () => {
    const { credit } = await opened()
    const amounts = Array.from({ length: CONCURRENT_CALLS / 2 }, (_, n) => 0.01 + n * 1.11)
    const ids = amounts.map(nextKey)
    await Promise.all(
      [0, 1].flatMap(() => amounts.map((amount, n) => credit('r0', amount, ids[n]))),
    )
    const { walletBalance, walletHistory } = await readUser('r0')
    expect(Object.keys(walletHistory ?? {}).sort()).toEqual(ids.map((id) => `${id}-admin`).sort())
    expect(walletBalance).toBe(sumAmounts(amounts, 2))
    expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
  })

  test('correct one wallet by no more than it holds, although each call is sent twice', async () => {
    const { as } = await opened()
    const ids = Array.from({ length: CONCURRENT_CALLS / 2 }, nextKey)
    const take = (debit_id: string) =>
      take_from_wallet.handle(
        { debit_id, uid: 'davi', amount: 90.07, note: 'Credited twice' },
        as('admin', 'admin'),
      )
    const settled = await Promise.allSettled([...ids, ...ids].map(take))
    const taken = settled.filter(({ status }) => status === 'fulfilled')
    expect(taken.length).toBeGreaterThanOrEqual(10)
    const { walletBalance, walletHistory } = await readUser('davi')
    expect(Object.is(walletBalance, 0)).toBe(true)
    const corrections = Object.keys(walletHistory ?? {}).filter((key) =>
      key.endsWith('-correction'),
    )
    expect(corrections).toHaveLength(10)
    const { audit = {} } = (await database.read('')) as { audit?: Record<string, unknown> }
    expect(Object.keys(audit)).toHaveLength(10)
    expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
  })

  test('never withdraw more than the wallet holds', async () => {
    const { as } = await opened()
    const ask = () =>
      request_withdraw.handle({ withdraw_id: nextKey(), amount: 90.07 }, as('davi', 'driver'))
    const settled = await Promise.allSettled(Array.from({ length: CONCURRENT_CALLS }, ask))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    const { walletBalance } = await readUser('davi')
    expect(Object.is(walletBalance, 0)).toBe(true)
    expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
  })

  test('apply every credit, withdrawal, payment, cancellation, share, bonus and top-up once', async () => {
    // The clock is slow by the time of the trips that are still to be driven.
    let slowMs = GROUP * DRIVE_MS
    const clock = { ...systemClock, now: () => Date.now() - slowMs }
    const { as, bookings, credit, payments } = await opened(clock)
    const does = (id: string, input: EventInput, uid: string, role: Actor['role']) =>
      bookings.applyEvent(id, input, { uid, role })
    const drop = { lat: -34.9035, lng: -56.1883, add: 'Ciudad Vieja' }
    const here = { lat: drop.lat, lng: drop.lng }
    const book = async (customer: string) => {
      const id = nextKey()
      const input = aBookingRequest({
        booking_id: id,
        drop,
        bookLater: true,
        tripdate: Date.now() + 3_600_000,
      })
      await does(id, { event: 'create', input }, customer, 'rider')
      return id
    }
    const begin = async (id: string, driver: string) => {
      await does(id, { event: 'assign', driver }, 'admin', 'admin')
      await does(id, { event: 'accept' }, driver, 'driver')
    }
    // The test resets the counter, so that a rider can exceed the limit of open bookings.
    const count = (open: number) =>
      database.put({ open, unpaid: 0, revision: 1 }, 'open_bookings/ana')
    const unpaid: string[] = []
    const accepted: string[] = []
    const driven: string[] = []
    for (const n of numbers) {
      unpaid.push(await book('ana'))
      const prepaid = await book('ana')
      await does(prepaid, { event: 'pay', payment_mode: 'wallet' }, 'ana', 'rider')
      await begin(prepaid, `e${n}`)
      accepted.push(prepaid)
      const carried = await book(`r${n}`)
      await does(carried, { event: 'pay', payment_mode: 'cash' }, `r${n}`, 'rider')
      await begin(carried, 'davi')
      await does(carried, { event: 'arrive', ...here }, 'davi', 'driver')
      await does(carried, { event: 'start' }, 'davi', 'driver')
      slowMs -= DRIVE_MS
      await does(carried, { event: 'reach', ...here }, 'davi', 'driver')
      await does(carried, { event: 'finish' }, 'davi', 'driver')
      driven.push(carried)
      await count(0)
    }
    await count(unpaid.length + accepted.length)
    const before = { ana: await readUser('ana'), davi: await readUser('davi') }

    const withdraws = numbers.map((n) => ({ withdraw_id: nextKey(), amount: 1.01 * (n + 1) }))
    const calls = [
      ...numbers.map((n) => credit('ana', 7.77 + n)),
      ...withdraws.map((asked) => request_withdraw.handle(asked, as('davi', 'driver'))),
      request_withdraw.handle({ withdraw_id: nextKey(), amount: 1.1 }, as('ana', 'rider')),
      request_withdraw.handle({ withdraw_id: nextKey(), amount: 2.2 }, as('ana', 'rider')),
      ...unpaid.map((id) => does(id, { event: 'pay', payment_mode: 'wallet' }, 'ana', 'rider')),
      ...accepted.map((id) => does(id, { event: 'cancel', reason: 'Late' }, 'ana', 'rider')),
      ...driven.map((id) => does(id, { event: 'collect' }, 'davi', 'driver')),
      ...numbers.map((n) =>
        payments.applyEvent({
          payment: `topup${n}`,
          gateway: 'test',
          ref: `ch_${n}`,
          status: 'paid',
          minor: 1001 + n * 100,
          currency: 'UYU',
        }),
      ),
    ]
    expect(calls).toHaveLength(CONCURRENT_CALLS)
    await Promise.all(calls)

    const after = { ana: await readUser('ana'), davi: await readUser('davi') }
    const added = (uid: 'ana' | 'davi', ending: RegExp) =>
      Object.keys(after[uid].walletHistory ?? {}).filter(
        (key) => ending.test(key) && before[uid].walletHistory?.[key] === undefined,
      )
    for (const ending of [
      /-admin$/,
      /-wallet$/,
      /-refund$/,
      /-cancel-fee$/,
      /-topup$/,
      /-referral$/,
    ])
      expect([ending, added('ana', ending)]).toEqual([
        ending,
        expect.objectContaining({ length: GROUP }),
      ])
    expect(added('ana', /-withdraw$/)).toHaveLength(2)
    for (const ending of [/-share$/, /-cash$/, /-withdraw$/])
      expect([ending, added('davi', ending)]).toEqual([
        ending,
        expect.objectContaining({ length: GROUP }),
      ])
    for (const uid of ['ana', 'davi'] as const)
      expect(after[uid].walletBalance).toBe(sumHistory(after[uid].walletHistory))
    for (const n of numbers) expect((await readUser(`r${n}`)).walletBalance).toBe(3.3)
    expect(findViolations((await database.read('')) as DatabaseTree)).toEqual([])
  })
})

test('a booking created during a currency change stops the change or is refused', async () => {
  let changes = 0
  for (let round = 0; round < 6; round++) {
    const schema = { version: SCHEMA_VERSION }
    await database.put(
      toJson({ schema, settings, cartypes: { van: CAR_TYPE }, users: createEmptyWallets() }),
    )
    const ports = createPorts()
    const office = { ...ports, now: Date.now(), caller: { uid: 'admin' }, rateLimitKey: 'admin' }
    const changing = change_currency.handle(
      { code: 'JPY', symbol: '¥', dry_run: false },
      { ...office, actor: { uid: 'admin', role: 'admin' } },
    )
    const book = async (n: number) => {
      const id = nextKey()
      const input = aBookingRequest({
        booking_id: id,
        bookLater: true,
        tripdate: Date.now() + 3_600_000,
      })
      const rider: Actor = { uid: `r${n % GROUP}`, role: 'rider' }
      if (round === 5) await changing
      // In the first round all start at once; later rounds delay more and more bookings into the
      // change,
      // and the last round waits until after it.
      for (let reads = 0; reads < (n % 7) * round; reads++) await ports.db.read('settings/appName')
      return ports.bookings.applyEvent(id, { event: 'create', input }, rider)
    }
    const bookings = Array.from({ length: CONCURRENT_CALLS - 1 }, (_, n) => n)
    const [changed] = await Promise.allSettled([changing, ...bookings.map(book)])
    const {
      settings: after,
      currency,
      bookings: made = {},
    } = (await database.read('')) as DatabaseTree
    if (changed.status === 'fulfilled') changes += 1
    expect(after?.code).toBe(changed.status === 'fulfilled' ? 'JPY' : 'UYU')
    expect(currency?.hold).toBeUndefined()
    const currencies = new Set(Object.values(made).map(({ currency }) => currency))
    expect([...currencies].filter((code) => code !== after?.code)).toEqual([])
  }
  expect(changes).toBeGreaterThan(0)
})

test('a read never returns a write that the rules refuse', async () => {
  await database.put(createWorld())
  const db = createFirebaseDatabase()
  const entry = { type: 'Credit', amount: 5, date: 1, txRef: 'x' }
  const refused = db.update({ 'users/ana/walletHistory/gift': entry, 'users/ana/walletBalance': 5 })
  const read = Promise.all([
    db.read('users/ana/walletHistory/gift'),
    db.read('users/ana/walletHistory/gift/amount'),
    db.read('users/ana/walletBalance'),
  ])
  await expect(refused).rejects.toThrow(WriteConflictError)
  expect(await read).toEqual([null, null, 2000.1])
})
