// Random histories of payments, many at once, over the functions' own code. Deployed code never
// imports this file.
import { getCompensationLimits } from '~/domain/booking/events/compensate/compensationLimits'
import type { Actor } from '~/domain/booking/eventTypes'
import { getAmountDue } from '~/domain/booking/payment/paymentPacket'
import { toJson } from '~/domain/data/databaseValue'
import { encodeGeohash } from '~/domain/geo/geohash'
import { readValue, type Tree } from '~/domain/data/memoryTree'
import { subtractAmount, toMinorUnits } from '~/domain/money/money'
import { isPaidStatus, type PaymentAttempt } from '~/domain/payments/paymentAttempt'
import type { PaymentOutcome } from '~/domain/payments/paymentChange'
import { beginRefund } from '~/domain/payments/refunds/openRefund'
import { resolveUnmatched } from '~/domain/payments/unmatchedPayment'
import { createPushKey } from '~/domain/data/pushKeys'
import { ok } from '~/domain/api/result'
import type { Random } from '~/domain/data/seededRandom'
import {
  aBookingRequest,
  admin,
  aDriver,
  aPaymentAttempt,
  aRider,
  aSettings,
  aVehicleType,
  DROP,
  MINUTE,
  NOON,
  PICKUP,
  ROUTE,
} from '~/domain/testing/builders'
import { addDerivedData } from '~/domain/testing/derivedData'
import { DomainException } from '../domainException'
import { createPaymentService } from '../services/payments/paymentService'
import { ProviderRejectedError, type Adapter } from '../ports/paymentAdapter'
import { applyProviderRefunds, resumeRefund, sendRefund } from '../services/payments/refunds'
import { createBank, type Bank } from './bankDouble'
import { connect, createScheduler, ProcessDied } from './interleavedDatabase'
import { createTestPorts, straightLineMaps } from './testPorts'
import type { EventInput } from '~/domain/booking/eventInput'
import { COMPLAINT_REASONS } from '~/domain/money/types'
import type { Booking } from '~/domain/booking/types'
import type { LatLng } from '~/domain/geo/types'
import type { User } from '~/domain/accounts/types'

const DECIMAL = 2
const RIDERS = Array.from({ length: 10 }, (_, n) => `rider${n}`)
const BOOKINGS_PER_RIDER = 2
const SETTINGS = aSettings({
  otp_secure: false,
  AllowDeliveryPickupImageCapture: false,
  AllowFinalDeliveryImageCapture: false,
  negativeBalance: true,
  noShowFee: 12,
  noShowDriverPart: 50,
})
const WALLET = 100

/** A group of histories: the data that they share, and their bank. */
export interface Group {
  tree: Tree
  bank: Bank
  random: Random
  clock: { now: number; made: number }
  steps: Map<string, number>
}
type Process = ReturnType<typeof createProcess>

const maps = () =>
  Promise.resolve({
    ...straightLineMaps,
    getDirections: (_: LatLng, { lat }: LatLng) =>
      Promise.resolve({
        ...ROUTE,
        distance_in_km: ROUTE.distance_in_km * (1 + (DROP.lat - lat) * 20),
        coords: [],
        steps: [],
        approximate: false,
      }),
  })

const read = <T>(tree: Tree, path: string): T | null => readValue(tree, path) as T | null
const listRecords = <T>(tree: Tree, path: string): T[] =>
  Object.values(read<Record<string, T>>(tree, path) ?? {})

const createProcess = (
  { tree, bank, random, clock }: Group,
  scheduler: Pick<ReturnType<typeof createScheduler>, 'pause'>,
  death: { write?: number; call?: 'before' | 'after' } = {},
) => {
  const db = connect(tree, scheduler, random, death.write)
  const ticking = { now: () => clock.now, wait: () => scheduler.pause() }
  const tokens = {
    integerBetween: (least: number, most: number) => random.integer(least, most),
    createToken: () => `t${clock.made++}`,
  }
  const base = createTestPorts({ db, maps, clock: ticking, random: tokens })
  const adapter = {
    ...bank.adapter,
    async refund(...args: Parameters<NonNullable<Adapter['refund']>>) {
      await scheduler.pause()
      if (death.call === 'before') db.die()
      if (db.isDead()) throw new ProcessDied()
      const answer = await bank.adapter.refund?.(...args)
      if (death.call === 'after') db.die()
      await scheduler.pause()
      return answer
    },
  } as Adapter
  const payments = {
    ...createPaymentService({ ...base, adapters: {}, env: {} }),
    getAdapter: () => adapter,
  }
  return { ...base, payments, db }
}

/** Ignores the refusals that a person or a provider may get. */
const attemptTo = async (group: Group, name: string, act: () => Promise<unknown>) => {
  let outcome = 'done'
  try {
    const result = await act()
    if (typeof result === 'string') outcome = result
  } catch (error) {
    if (error instanceof DomainException) outcome = error.error.key
    else if (error instanceof ProviderRejectedError) outcome = 'rejected'
    else throw error
  }
  const step = `${name}: ${outcome}`
  group.steps.set(step, (group.steps.get(step) ?? 0) + 1)
}

/** Amends a booking at the price that the server names. */
const amend = async ({ bookings }: Process, { random }: Group, booking: Booking) => {
  const drop = { ...DROP, lat: DROP.lat + random.pick([0.03, 0.02, 0.01, 0, -0.01]) }
  const input = { event: 'amend', drop: { ...drop, add: String(drop.lat) } } as const
  const actor: Actor = { uid: booking.customer, role: 'rider' }
  try {
    await bookings.applyEvent(booking.id, input, actor)
  } catch (error) {
    const estimate = error instanceof DomainException ? error.error.params?.['estimate'] : undefined
    if (typeof estimate !== 'number') throw error
    await bookings.applyEvent(booking.id, { ...input, estimateFare: estimate }, actor)
  }
}

const compensate = (
  { bookings }: Process,
  { random, clock, tree }: Group,
  { id, customer, status }: Booking,
) => {
  const booking = read<Booking>(tree, `bookings/${id}`)
  if (!booking) return Promise.resolve()
  const request_id = createPushKey(clock.now, clock.made++)
  if (status !== 'CANCELLED' && random.chance(0.2))
    return bookings.applyEvent(
      id,
      { event: 'tip', request_id, amount: 1 },
      { uid: customer, role: 'rider' },
    )
  const reason = random.pick(COMPLAINT_REASONS)
  const { rider } = getCompensationLimits(booking, SETTINGS, reason)
  const input: EventInput = { event: 'compensate', request_id, reason, rider }
  return bookings.applyEvent(id, input, admin)
}

/** Moves a booking on, or ends it. */
const moveBooking = (process: Process, group: Group, booking: Booking): Promise<unknown> => {
  const { bookings } = process
  const { random } = group
  const { id, customer, driver = '', status } = booking
  const rider: Actor = { uid: customer, role: 'rider' }
  const byDriver: Actor = { uid: driver, role: 'driver' }
  const at = { lat: DROP.lat, lng: DROP.lng }
  switch (status) {
    case 'PAYMENT_PENDING':
    case 'NEW':
    case 'ACCEPTED':
      return random.chance(0.6)
        ? amend(process, group, booking)
        : bookings.applyEvent(id, { event: 'cancel', reason: 'changed' }, rider)
    case 'ARRIVED':
      if (random.chance(0.6)) return bookings.applyEvent(id, { event: 'no_show' }, byDriver)
      return bookings.applyEvent(id, { event: 'start' }, byDriver)
    case 'STARTED':
      return random.chance(0.6)
        ? amend(process, group, booking)
        : bookings.applyEvent(id, { event: 'reach', ...at }, byDriver)
    case 'REACHED':
      return bookings.applyEvent(id, { event: 'finish' }, byDriver)
    case 'PENDING':
      return random.chance(0.5)
        ? bookings.applyEvent(id, { event: 'pay', payment_mode: 'wallet' }, rider)
        : bookings.applyEvent(id, { event: 'collect' }, byDriver)
    default:
      return compensate(process, group, booking)
  }
}

/** Starts a payment by card for a booking, or of a top-up. */
const startPayment = async ({ db }: Process, { random, bank, clock, tree }: Group) => {
  const payable = listRecords<Booking>(tree, 'bookings').filter(
    ({ status }) => status === 'PAYMENT_PENDING' || status === 'PENDING',
  )
  const booking = payable.length > 0 && random.chance(0.9) ? random.pick(payable) : undefined
  const due = booking ? getAmountDue(booking, DECIMAL).due : random.integer(5, 40)
  if (due <= 0) return
  const used = booking && random.chance(0.2) ? Math.floor(due / 4) : 0
  const attempt = aPaymentAttempt({
    id: `pay${clock.made++}`,
    uid: booking?.customer ?? random.pick(RIDERS),
    amount: subtractAmount(due, used, DECIMAL),
    createdAt: clock.now,
    ...(booking && { kind: 'booking', booking: booking.id }),
    ...(used > 0 && { details: { usedWalletMoney: used } }),
  })
  await db.update({ [`payments/${attempt.id}`]: toJson(attempt) })
  bank.charge(attempt.id, toMinorUnits(attempt.amount, DECIMAL))
}

const refund = async (process: Process, group: Group, { id, amount }: PaymentAttempt) => {
  const { random } = group
  let refundId = ''
  const part = random.pick([undefined, undefined, Math.max(1, Math.floor(amount / 3))])
  const begun = await process.payments.commitDecision(id, (facts, now) => {
    const decided = beginRefund(facts.attempt, { amount: part, by: 'admin' }, facts, now)
    if (!decided.ok) return decided
    const { refund: begunId, ...change } = decided.value
    refundId = begunId
    return ok(change)
  })
  if (!begun.ok) return begun.error.key
  await sendRefund(process, id, refundId)
  return 'sent'
}

const settleProblem = async ({ payments }: Process, { random }: Group, id: string) => {
  const how = random.chance(0.7) ? 'credit' : 'dismiss'
  const settled = await payments.commitDecision(id, ({ attempt, payer, eventContext }, now) => {
    const { settings } = eventContext
    const resolved = resolveUnmatched(attempt, how, { settings, payer }, now)
    return resolved.ok ? ok({ outcome: 'applied', ...resolved.value }) : resolved
  })
  return settled.ok ? how : settled.error.key
}

const deliver = async ({ payments }: Process, { bank }: Group): Promise<string> => {
  const message = bank.takeMessage()
  if (!message) return 'none'
  // Without an answer the provider repeats its message.
  let outcome: PaymentOutcome = 'too_early'
  try {
    outcome = await payments.applyEvent(message)
  } finally {
    if (outcome === 'too_early') bank.messages.push(message)
  }
  return `${message.status} ${outcome}`
}

const moveMoney = async (process: Process, group: Group, attempt: PaymentAttempt) => {
  const { random, clock } = group
  if (attempt.problem && random.chance(0.5))
    return attemptTo(group, 'office', () => settleProblem(process, group, attempt.id))
  if (attempt.refund) {
    clock.now += 3 * MINUTE
    return attemptTo(group, 'resume', () => resumeRefund(process, attempt))
  }
  return attemptTo(group, 'refund', () => refund(process, group, attempt))
}

/** Takes one step of a history. */
const takeStep = async (process: Process, group: Group) => {
  const { random, tree, bank, clock } = group
  clock.now += 1000
  const draw = random.next()
  if (draw < 0.35 && bank.messages.length > 0)
    return attemptTo(group, 'message', () => deliver(process, group))
  if (draw < 0.5 && bank.charges.length > 0) return bank.act()
  if (draw < 0.65) return attemptTo(group, 'start', () => startPayment(process, group))
  const paid = listRecords<PaymentAttempt>(tree, 'payments').filter(
    ({ status, problem }) => isPaidStatus(status) || problem,
  )
  if (draw < 0.8 && paid.length > 0)
    return moveMoney(process, group, structuredClone(random.pick(paid)))
  const booking = structuredClone(random.pick(listRecords<Booking>(tree, 'bookings')))
  return attemptTo(group, booking.status, () => moveBooking(process, group, booking))
}

/** Returns the data of a platform whose riders have bookings in all stages. */
export const createStart = async (random: Random): Promise<Tree> => {
  const users: Record<string, User> = {}
  const start = { type: 'Credit', amount: WALLET, date: NOON, txRef: 'AdminCredit' } as const
  for (const [n, uid] of RIDERS.entries()) {
    users[uid] = aRider({
      id: uid,
      mobile: `+5989900000${n}`,
      walletBalance: WALLET,
      walletHistory: { start },
    })
    users[`driver${n}`] = aDriver({ id: `driver${n}`, mobile: `+5989910000${n}` })
  }
  users['admin'] = { ...aRider({ id: 'admin', mobile: '+15555550100' }), usertype: 'admin' }
  const tree = toJson(
    addDerivedData({ settings: SETTINGS, cartypes: { van: aVehicleType() }, users } as object),
  ) as Tree
  // A booking needs a free driver nearby.
  const free = { carType: 'van', geohash: encodeGeohash(PICKUP), lat: PICKUP.lat, lng: PICKUP.lng }
  tree['available_drivers'] = { free: { ...free, at: NOON } }
  const group = createGroup(tree, random)
  const process = createProcess(group, { pause: () => Promise.resolve() })
  for (const [n, uid] of RIDERS.entries())
    for (let made = 0; made < BOOKINGS_PER_RIDER; made++) {
      const id = createPushKey(NOON, group.clock.made++)
      const driver: Actor = { uid: `driver${n}`, role: 'driver' }
      const { bookings } = process
      const input = aBookingRequest({ booking_id: id }, { settings: SETTINGS })
      await bookings.applyEvent(id, { event: 'create', input }, { uid, role: 'rider' })
      if (made > 0) continue
      // Paid by card, and on the way.
      const amount = read<number>(tree, `bookings/${id}/trip_cost`) ?? 0
      const attempt = aPaymentAttempt({
        id: `first${n}`,
        uid,
        kind: 'booking',
        booking: id,
        amount,
      })
      await process.db.update({ [`payments/${attempt.id}`]: toJson(attempt) })
      group.bank.charges.push({
        payment: attempt.id,
        ref: `first_${n}`,
        minor: toMinorUnits(amount, DECIMAL),
        refunds: [],
        disputes: [],
      })
      await process.payments.applyEvent({
        payment: attempt.id,
        gateway: 'test',
        ref: `first_${n}`,
        status: 'paid',
        minor: toMinorUnits(amount, DECIMAL),
        currency: 'UYU',
      })
      if (n % 4 === 0) continue
      await bookings.applyEvent(id, { event: 'assign', driver: driver.uid }, admin)
      const { lat, lng } = DROP
      const pickup = { lat: PICKUP.lat, lng: PICKUP.lng }
      await bookings.applyEvent(id, { event: 'accept' }, driver)
      await bookings.applyEvent(id, { event: 'arrive', ...pickup }, driver)
      if (n % 4 === 2) continue
      await bookings.applyEvent(id, { event: 'start' }, driver)
      if (n % 4 !== 1) continue
      await bookings.applyEvent(id, { event: 'reach', lat, lng }, driver)
      await bookings.applyEvent(id, { event: 'finish' }, driver)
    }
  delete tree['available_drivers']
  return tree
}

const createGroup = (tree: Tree, random: Random): Group => ({
  tree,
  random,
  bank: createBank(random),
  clock: { now: NOON + 30 * MINUTE, made: 1000 },
  steps: new Map(),
})

/** Returns a group whose bank knows the charges of the start. */
export const beginGroup = (start: Tree, random: Random, steps: Map<string, number>): Group => {
  const group = { ...createGroup(structuredClone(start), random), steps }
  for (const { id, ref, amount } of listRecords<PaymentAttempt>(group.tree, 'payments'))
    group.bank.charges.push({
      payment: id,
      ref: ref ?? '',
      minor: toMinorUnits(amount, DECIMAL),
      refunds: [],
      disputes: [],
    })
  return group
}

/** Runs histories at once. `check` is called after each. Returns their failures. */
export const runHistories = async (
  group: Group,
  { count, steps, check }: { count: number; steps: number; check: () => void },
): Promise<unknown[]> => {
  const { random } = group
  const scheduler = createScheduler(random)
  const failures: unknown[] = []
  for (let history = 0; history < count; history++) {
    const death = random.pick([
      {},
      {},
      {},
      { write: random.integer(1, 6) },
      { call: random.pick(['before', 'after'] as const) },
    ])
    const process = createProcess(group, scheduler, death)
    void scheduler.run(async () => {
      for (let step = 0; step < steps; step++) {
        await scheduler.pause()
        await takeStep(process, group)
      }
      check()
    }, failures)
  }
  await scheduler.finish()
  return failures
}

/**
 * Lets everything that is under way come to its end: the bank settles, all messages arrive, and the
 * scheduled job resumes what dead processes have left.
 */
export const comeToRest = async (group: Group) => {
  const { tree, bank, clock } = group
  const process = createProcess(group, { pause: () => Promise.resolve() })
  bank.settleAll()
  for (let round = 0; round < 6; round++) {
    // A message about a payment that never arrives is repeated for a while.
    for (let left = 4 * bank.messages.length; left > 0 && bank.messages.length > 0; left--)
      await attemptTo(group, 'late message', () => deliver(process, group))
    clock.now += 70 * MINUTE
    for (const attempt of listRecords<PaymentAttempt>(tree, 'payments')) {
      const { id, refund, status } = structuredClone(attempt)
      if (refund)
        await attemptTo(group, 'late resume', () => resumeRefund(process, structuredClone(attempt)))
      if (isPaidStatus(status)) await applyProviderRefunds(process, id)
    }
  }
}
