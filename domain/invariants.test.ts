import { expect, test } from 'vitest'
import { violations, type DatabaseTree } from './invariants'
import { aBooking, aDriver, aPromo, aRider, aSettings, NOON } from './testing/builders'
import { platform } from './testing/platform'
import { randomFrom } from './testing/random'

const credit = (amount: number) => ({ type: 'Credit' as const, amount, date: NOON, txRef: 'x' })
const stats = {
  status: { NEW: 1 },
  cartypes: { '2026-11': { van: 1 } },
  days: { '2026-11-20': { created: 1 } },
  earnings: { '2026-11': { created: 1 } },
  total: { created: 1 },
}
const sound = (): DatabaseTree => ({
  settings: aSettings(),
  users: {
    rider: aRider({ walletBalance: 5, walletHistory: { a: credit(5) } }),
    driver: aDriver(),
  },
  bookings: { b1: aBooking({ id: 'b1', requestedDrivers: { driver: true } }) },
  promos: { spring: aPromo() },
  driver_tasks: { driver: { b1: true } },
  stats,
})

test('a sound database has nothing to say', () => {
  expect(violations(sound())).toEqual([])
  expect(violations({})).toEqual([])
})

test('the last bits of a float are no violation, a cent is', () => {
  const tree = sound()
  tree.users!.rider!.walletBalance = 5 + 1e-12
  expect(violations(tree)).toEqual([])
  tree.users!.rider!.walletBalance = 5.01
  expect(violations(tree)).toEqual(['users/rider: the balance is 5.01, its history adds up to 5'])
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
const broken: [string, (tree: DatabaseTree) => void, RegExp][] = [
  [
    'a withdraw did not leave its wallet',
    (t) => void (t.withdraws = { w: withdraw }),
    /withdraws\/w: 5 asked for, 0 left/,
  ],
  [
    'money left a wallet that nobody asked for',
    (t) =>
      void Object.assign(t.users!.driver!, {
        walletBalance: -5,
        walletHistory: { 'w-withdraw': { type: 'Withdraw', amount: 5, date: NOON, txRef: 'w' } },
      }),
    /w-withdraw left without a request/,
  ],
  [
    'a driver’s rating is not the mean of his ratings',
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
    'a driver’s flag forgot his booking',
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
    'a promo counts a use nobody made',
    (t) => void (t.promos!.spring!.user_avail = 1),
    /promos\/spring: counted 1, used 0/,
  ],
  [
    'a promo is used more often than it may',
    (t) => void (t.promos!.spring = aPromo({ user_avail: 4 })),
    /over its limit/,
  ],
  [
    'a use belongs to no booking',
    (t) => void (t.promo_uses = { spring: { rider: 'b9' } }),
    /booking b9 does not hold it/,
  ],
  [
    'a task was never asked for',
    (t) => void (t.driver_tasks!.driver!.b9 = true),
    /driver_tasks\/driver\/b9: not requested/,
  ],
  [
    'a request has no task',
    (t) => void (t.driver_tasks = {}),
    /driver_tasks\/driver\/b1 is missing/,
  ],
  [
    'a total is not what a recount says',
    (t) => void (t.stats = { ...stats, total: { created: 2 } }),
    /stats\/total\/created says 2, a recount 1/,
  ],
  [
    'a total is missing',
    (t) => void (t.stats = { ...stats, days: {} }),
    /stats\/days\/2026-11-20\/created says 0, a recount 1/,
  ],
  [
    'a status lacks what it requires',
    (t) => void (t.bookings!.b1!.status = 'CANCELLED'),
    /is CANCELLED without reason/,
  ],
  [
    'a status is none',
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
    'a driver is still asked about a booking that is taken',
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
    'a wallet paid and no entry says so',
    (t) =>
      void (t.bookings!.b1!.paymentPacket = {
        ...PACKET,
        usedWalletMoney: 43.13,
        cashPaymentAmount: 0,
      }),
    /b1-wallet moved 0, the booking says -43.13/,
  ],
]
test.each(broken)('it is noticed when %s', (_, breakIt, sentence) => {
  const tree = sound()
  breakIt(tree)
  expect(violations(tree).join('\n')).toMatch(sentence)
})

test('a driver paid twice is noticed even when balance and history agree', () => {
  const { tree, step } = platform(randomFrom(2))
  const live = tree as DatabaseTree
  for (let n = 0; n < 300; n++) step()
  const paid = Object.values(live.bookings ?? {}).find(
    ({ status }) => status === 'PAID' || status === 'COMPLETE',
  )
  const driver = live.users?.[paid?.driver ?? '']
  if (!paid || !driver?.walletHistory) throw new Error('nobody was paid in this history')
  const share = driver.walletHistory[`${paid.id}-share`]
  if (!share) throw new Error('no share')
  share.amount += 1
  driver.walletBalance += 1
  expect(violations(live).join('\n')).toContain(`${paid.id}-share moved`)
})
