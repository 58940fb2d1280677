/**
 * A small in-memory platform whose riders, drivers, office and payment provider move the money of
 * one booking after the other at random: every method of payment, amendments, cancellations,
 * refunds, parked payments, chargebacks and won disputes.
 */
import { applyBookingEvent } from '../booking/applyBookingEvent'
import { getCompensationLimits } from '../booking/events/compensate/compensationLimits'
import { getTipLimit } from '../booking/events/tip/tipLimits'
import { getAvailableEvents } from '../booking/availableEvents'
import type { Actor, BookingChange } from '../booking/eventTypes'
import type { BookingEvent } from '../booking/transitions'
import { toJson } from '../data/databaseValue'
import { checkRaceGuards, commitChange, readValue } from '../data/memoryTree'
import { fromMinorUnits, roundAmount } from '../money/money'
import { applyPaymentEvent, toPayInput } from '../payments/applyPaymentEvent'
import { getAttemptAccount, toAttemptMinorUnits } from '../payments/attemptAccount'
import { getDisputes } from '../payments/disputeRecords'
import {
  createEventKey,
  createRefundKey,
  isPaidStatus,
  type PaymentAttempt,
  type PaymentEvent,
} from '../payments/paymentAttempt'
import type { PaymentContext } from '../payments/paymentChange'
import { advanceRefund, beginRefund, failRefund } from '../payments/refunds/openRefund'
import { resolveUnmatched } from '../payments/unmatchedPayment'
import { createPushKey } from '../data/pushKeys'
import { createSeededRandom, type Random } from '../data/seededRandom'
import { addAdminCredit } from '../money/wallet'
import {
  aBookingRequest,
  admin,
  aPaymentAttempt,
  aVehicleType,
  DROP,
  MINUTE,
  NOON,
  system,
} from './builders'
import { createRandomPlatform } from './randomPlatform'
import { toStopInput } from './stopInputs'
import type { EventInput, EventInputFor } from '../booking/eventInput'
import { quoteBookingPayment } from '../booking/events/pay/bill'
import { COMPLAINT_REASONS } from '../money/types'
import type { Booking } from '../booking/types'
import type { User } from '../accounts/types'
import type { VehicleType } from '../catalog/types'

const RIDERS = ['ana', 'bea', 'caio'] as const
const DRIVERS = ['davi', 'edu', 'fabi'] as const
const LATE_SEED = 5
/** Drop-offs nearer and farther than the booked one. */
const DROPS = [0.02, 0.01, 0, -0.01, -0.03].map((north) => ({
  ...DROP,
  lat: DROP.lat + north,
  add: `${north} north`,
}))

/** The state of a history and its random choices. */
interface Scene {
  platform: ReturnType<typeof createRandomPlatform>
  random: Random
  /** Draws what happens after the end of bookings, so that the other draws stay as they were. */
  late: Random
  now: number
  /** The number of the next booking, payment or message. */
  next: number
  /** The ids of bookings that an earlier release began. */
  earlier: Set<string>
}

const read = <T>({ platform: { tree } }: Scene, path: string): T | null =>
  structuredClone(readValue(tree, path)) as T | null

/** Commits a change that was made from the present, which the rules must accept. */
const commit = ({ platform: { tree } }: Scene, change: Pick<BookingChange, 'updates'>) => {
  const refused = checkRaceGuards(tree, change)
  if (refused) throw new Error(`The rules refuse a change made from the present: ${refused}`)
  commitChange(tree, change)
}

/** Applies an event of a booking. Returns the new status, or the key of the refusal. */
const apply = (scene: Scene, booking: Booking | null, input: EventInput, actor: Actor): string => {
  const { tree, getContext } = scene.platform
  const context = getContext(tree, booking, input, actor)
  const result = applyBookingEvent(booking, input, { actor, context, now: scene.now })
  if (!result.ok) return result.error.key
  commit(scene, result.value)
  return result.value.response.status
}

const createBooking = (scene: Scene): string => {
  const { random, platform } = scene
  const carType = read<VehicleType>(scene, 'cartypes/van') ?? aVehicleType()
  const chosen = { parcelTypeIndex: random.integer(0, 1), optionIndex: random.integer(0, 1) }
  const booking_id = createPushKey(scene.now, scene.next++)
  const input = aBookingRequest({ booking_id, ...chosen }, { carType, settings: platform.settings })
  const customer = random.pick(RIDERS)
  return random.chance(0.85)
    ? apply(scene, null, { event: 'create', input }, { uid: customer, role: 'rider' })
    : apply(scene, null, { event: 'create', input: { ...input, customer } }, admin)
}

/** Returns an amendment at the price that the server asks for. */
const drawAmendment = (scene: Scene, booking: Booking): EventInputFor<'amend'> => {
  const { random, platform } = scene
  const changes = random.pick([
    { drop: random.pick(DROPS) },
    { drop: random.pick(DROPS) },
    { carType: random.pick(['van', 'bike']) },
  ])
  const amendment = { event: 'amend', ...changes } as const
  const asked = applyBookingEvent(
    booking,
    { ...amendment, estimateFare: -1 },
    {
      actor: admin,
      context: platform.getContext(platform.tree, booking, amendment, admin),
      now: scene.now,
    },
  )
  const price = asked.ok ? undefined : asked.error.params?.estimate
  return { ...amendment, ...(typeof price === 'number' && { estimateFare: price }) }
}

/**
 * Removes the entries about money from a booking, as an earlier release left it. That release
 * recorded only refunds.
 */
const makeEarlier = (scene: Scene, { id, fare_history = {} }: Booking): string => {
  const removed = Object.entries(fare_history)
    .filter(([, { kind }]) => kind === 'charge' || kind === 'return')
    .map(([key]): [string, null] => [`bookings/${id}/fare_history/${key}`, null])
  commit(scene, { updates: Object.fromEntries(removed) })
  scene.earlier.add(id)
  return 'upgrade'
}

/** Returns what is due, with a promo or without, and a part of it that the wallet may pay. */
const drawBill = (scene: Scene, booking: Booking) => {
  const { random, platform } = scene
  const promo = random.pick([undefined, undefined, undefined, 'spring', 'flat'])
  const input = { event: 'pay', payment_mode: 'cash', promo } as const
  const actor: Actor = { uid: booking.customer, role: 'rider' }
  const context = platform.getContext(platform.tree, booking, input, actor)
  const quoted = quoteBookingPayment({ booking, context, now: scene.now }, promo)
  const due = quoted.ok ? quoted.value.due : 0
  const usedWalletMoney = roundAmount(
    due * random.pick([0, 0, 0.25, 0.5]),
    platform.settings.decimal,
  )
  return { promo: quoted.ok ? promo : undefined, due, usedWalletMoney }
}

/** Returns a complaint, often with the largest amount that it may give or take. */
const drawCompensation = (scene: Scene, booking: Booking): EventInput => {
  const { late: random, platform } = scene
  const reason = random.pick(COMPLAINT_REASONS)
  const limits = getCompensationLimits(booking, platform.settings, reason)
  const draw = (most: number) =>
    roundAmount(random.pick([most, most, most / 3, 2 * most + 1]), platform.settings.decimal)
  const kind = random.pick(['rider', 'rider', 'driver', 'take_back'] as const)
  return {
    event: 'compensate',
    request_id: createPushKey(scene.now, scene.next++),
    reason,
    [kind]: draw(limits[kind]),
  }
}

const drawInput = (scene: Scene, booking: Booking, event: BookingEvent): EventInput => {
  const { random } = scene
  switch (event) {
    case 'amend':
      return drawAmendment(scene, booking)
    case 'assign':
      return { event, driver: random.pick(DRIVERS) }
    case 'release':
      return { event, reason: 'The car broke down' }
    case 'arrive':
    case 'reach':
      return { event, lat: -34.9, lng: -56.18 }
    case 'arrive_stop':
    case 'leave_stop':
    case 'skip_stop':
      return toStopInput(booking, event)
    case 'start':
      return { event, otp: 12345 }
    case 'rate':
      return { event, rating: 5 }
    case 'review':
      return { event, decision: 'planned' }
    case 'cancel':
      return { event, reason: 'changed_mind' }
    case 'pay': {
      const { promo, usedWalletMoney } = drawBill(scene, booking)
      const payment_mode = random.pick(['cash', 'wallet'] as const)
      return { event, payment_mode, promo, ...(usedWalletMoney > 0 && { usedWalletMoney }) }
    }
    default:
      return { event } as EventInput
  }
}

/** Returns the people and programs that may change a booking. */
const getParties = ({ customer, driver, requestedDrivers }: Booking): Actor[] => [
  { uid: customer, role: 'rider' },
  ...[...Object.keys(requestedDrivers ?? {}), ...(driver ? [driver] : [])].map((uid): Actor => ({
    uid,
    role: 'driver',
  })),
  admin,
  system,
]

const ENDINGS: readonly BookingEvent[] = ['cancel', 'decline', 'release', 'expire']
/** Events that only a provider or a dispatcher of several bookings causes, or a step of its own. */
const LEFT_OUT: readonly BookingEvent[] = [
  'refund',
  'reinstate',
  'dispatch',
  'withdraw',
  'compensate',
  'tip',
]

/** Makes one person or program move a booking, mostly toward the end of its trip. */
const advance = (scene: Scene, booking: Booking): string => {
  const { random, platform } = scene
  const moves = getParties(booking).flatMap((actor) =>
    getAvailableEvents(booking, actor, platform.settings)
      .filter((event) => !LEFT_OUT.includes(event))
      .filter((event) => event !== 'pay' || actor.role === 'rider')
      .filter((event) => event !== 'expire' || booking.status === 'PAYMENT_PENDING')
      .map((event) => ({ actor, event })),
  )
  const weight = random.next()
  const drawn = moves.filter(({ event }) =>
    weight < 0.12
      ? ENDINGS.includes(event)
      : weight < 0.25
        ? event === 'amend'
        : event !== 'amend' && !ENDINGS.includes(event),
  )
  const { actor, event } = random.pick(drawn.length > 0 ? drawn : moves)
  if (event === 'expire') scene.now += 31 * MINUTE
  const outcome = apply(scene, booking, drawInput(scene, booking, event), actor)
  return `${actor.role} ${event} ${booking.status}: ${outcome}`
}

const startCardPayment = (scene: Scene, booking: Booking): string => {
  const { decimal } = scene.platform.settings
  const { promo, due, usedWalletMoney } = drawBill(scene, booking)
  const amount = roundAmount(due - usedWalletMoney, decimal)
  if (amount <= 0) return 'nothing'
  const attempt = aPaymentAttempt({
    id: `payment${scene.next++}`,
    uid: booking.customer,
    kind: 'booking',
    booking: booking.id,
    amount,
    createdAt: scene.now,
    ...(promo && { promo }),
    ...(usedWalletMoney > 0 && { details: { usedWalletMoney } }),
  })
  commit(scene, { updates: { [`payments/${attempt.id}`]: toJson(attempt) } })
  return 'card payment started'
}

const getFacts = (scene: Scene, attempt: PaymentAttempt, event?: PaymentEvent): PaymentContext => {
  const { tree, getContext } = scene.platform
  const booking = read<Booking>(scene, `bookings/${attempt.booking}`)
  return {
    attempt,
    isAlreadyProcessed:
      event !== undefined && readValue(tree, `payment_events/${createEventKey(event)}`) !== null,
    booking,
    eventContext: getContext(tree, booking, toPayInput(attempt), system),
    payer: read<User>(scene, `users/${attempt.uid}`),
  }
}

/** Applies a provider's message about an attempt. */
const receive = (
  scene: Scene,
  attempt: PaymentAttempt,
  message: Pick<PaymentEvent, 'status' | 'minor'> & Partial<PaymentEvent>,
): string => {
  const event: PaymentEvent = {
    payment: attempt.id,
    gateway: attempt.gateway,
    ref: attempt.ref ?? `ref-${attempt.id}`,
    currency: attempt.currency,
    ...message,
  }
  const change = applyPaymentEvent(event, getFacts(scene, attempt, event), scene.now)
  commit(scene, change)
  return `provider ${event.status}: ${change.outcome}`
}

/** Lets the provider report the outcome of a checkout. */
const reportCheckout = (scene: Scene, attempt: PaymentAttempt): string => {
  const { random } = scene
  const minor = toAttemptMinorUnits(attempt, attempt.amount)
  if (random.chance(0.1))
    return receive(scene, attempt, { status: random.pick(['failed', 'pending']), minor })
  return receive(scene, attempt, {
    status: 'paid',
    minor: random.chance(0.1) ? minor + 1 : minor,
  })
}

/** Takes the next step of the office's open refund. */
const continueRefund = (scene: Scene, attempt: PaymentAttempt): string => {
  const { random, now } = scene
  const open = attempt.refund
  if (!open) return 'nothing'
  const minor = toAttemptMinorUnits(attempt, open.amount)
  // No provider refunds more than it charged, even if it has refunded elsewhere in the meantime.
  const isPossible = minor <= toAttemptMinorUnits(attempt, attempt.amount - (attempt.refunded ?? 0))
  if (!isPossible || random.chance(0.2)) {
    commit(scene, failRefund(getFacts(scene, attempt), open.id, now))
    return 'refund refused'
  }
  if (open.state === 'held') {
    commit(scene, advanceRefund(attempt, { id: open.id, state: 'sent' }, now))
    return 'refund sent'
  }
  const key = createRefundKey(attempt.id, open.id)
  return `office refund, ${receive(scene, attempt, { status: 'refunded', minor, key, refundId: key })}`
}

/** Begins a refund by the office, of all that is left or of a part. */
const startRefund = (scene: Scene, attempt: PaymentAttempt): string => {
  const { random, now } = scene
  const amount = random.pick([undefined, roundAmount(attempt.amount / 3, 0)])
  const begun = beginRefund(attempt, { amount, by: admin.uid }, getFacts(scene, attempt), now)
  if (!begun.ok) return begun.error.key
  commit(scene, begun.value)
  return `refund begun${attempt.applied_to === 'wallet' ? '' : ' of a booking'}`
}

/** Lets something happen to the money of a paid attempt. */
const reverse = (scene: Scene, attempt: PaymentAttempt): string => {
  const { random, late } = scene
  const [dispute] = Object.values(getDisputes(attempt)).filter(({ won }) => won === undefined)
  if (dispute && late.chance(0.4)) {
    const minor = toAttemptMinorUnits(attempt, dispute.amount)
    return receive(scene, attempt, { status: 'chargeback_won', minor })
  }
  const { applied, returned } = getAttemptAccount(attempt)
  const whole = toAttemptMinorUnits(attempt, attempt.amount)
  // Providers return whole units of the settings' currency.
  const unit = toAttemptMinorUnits(attempt, fromMinorUnits(1, scene.platform.settings.decimal))
  const drawn = unit * random.integer(1, Math.max(1, whole / unit))
  const part = random.pick([applied + returned, drawn, applied])
  const refunds = Object.entries(attempt.refunds ?? {})
  const confirmed = refunds.filter(([, { state }]) => state === 'confirmed')
  // A provider can only fail to deliver what it has confirmed, which is rare.
  const kind =
    confirmed.length > 0 && random.chance(0.5)
      ? 'failure'
      : random.pick(['office', 'dashboard', 'dashboard', 'chargeback', 'twice', 'failure'])
  switch (kind) {
    case 'office':
      return startRefund(scene, attempt)
    case 'dashboard': {
      const minor = Math.max(unit, part)
      return random.chance(0.7)
        ? receive(scene, attempt, { status: 'refunded', minor, refundId: `re${scene.next++}` })
        : receive(scene, attempt, { status: 'refunded', minor, isCumulative: true })
    }
    case 'chargeback':
      return receive(scene, attempt, { status: 'chargeback', minor: Math.max(unit, part) })
    case 'twice':
      return receive(scene, attempt, { status: 'paid', minor: whole, ref: `again-${attempt.id}` })
    default: {
      const [id, settled] = random.pick(random.chance(0.8) ? confirmed : refunds) ?? []
      if (id === undefined || settled === undefined) return 'nothing'
      const key = createRefundKey(attempt.id, id)
      const minor = toAttemptMinorUnits(attempt, settled.amount)
      return receive(scene, attempt, { status: 'refund_failed', minor, key, refundId: key })
    }
  }
}

/** Lets the office or the provider settle a parked payment. */
const settleParked = (scene: Scene, attempt: PaymentAttempt): string => {
  const { random, platform, now } = scene
  const { parked } = attempt
  if (parked && random.chance(0.3)) {
    const minor = toAttemptMinorUnits(attempt, parked.amount)
    return `parked, ${receive(scene, attempt, { status: 'refunded', minor, ref: parked.ref, refundId: `re${scene.next++}` })}`
  }
  const how = random.pick(['credit', 'dismiss'] as const)
  const payer = read<User>(scene, `users/${attempt.uid}`)
  const settled = resolveUnmatched(attempt, how, { settings: platform.settings, payer }, now)
  if (!settled.ok) return settled.error.key
  commit(scene, settled.value)
  return `parked ${how}`
}

const movePayment = (scene: Scene, attempt: PaymentAttempt): string => {
  const { random } = scene
  if (attempt.refund && random.chance(0.8)) return continueRefund(scene, attempt)
  if (attempt.problem && random.chance(0.6)) return settleParked(scene, attempt)
  if (isPaidStatus(attempt.status)) return reverse(scene, attempt)
  return reportCheckout(scene, attempt)
}

const creditWallet = (scene: Scene): string => {
  const { random, platform, now } = scene
  const payer = read<User>(scene, `users/${random.pick(RIDERS)}`)
  const credit = { id: createPushKey(now, scene.next++), amount: random.integer(10, 60), now }
  const credited = addAdminCredit(payer, credit, platform.settings)
  if (credited.ok) commit(scene, credited.value)
  return 'credit'
}

const tip = (scene: Scene, booking: Booking): string => {
  const { late: random, platform } = scene
  const amount = random.pick([1, getTipLimit(booking, platform.settings)])
  const request_id = createPushKey(scene.now, scene.next++)
  const input = { event: 'tip', request_id, amount } as const
  const outcome = apply(scene, booking, input, { uid: booking.customer, role: 'rider' })
  return `tip ${booking.status}: ${outcome}`
}

const compensate = (scene: Scene, booking: Booking): string => {
  if (booking.status !== 'CANCELLED' && scene.late.chance(0.4)) return tip(scene, booking)
  const outcome = apply(scene, booking, drawCompensation(scene, booking), admin)
  return `compensate ${booking.status}: ${outcome}`
}

const takeStep = (scene: Scene): string => {
  const { random } = scene
  scene.now += random.integer(1, 3) * MINUTE
  const bookings = Object.values(read<Record<string, Booking>>(scene, 'bookings') ?? {})
  const current = bookings.find(({ status }) => status !== 'CANCELLED' && status !== 'COMPLETE')
  const attempts = Object.values(read<Record<string, PaymentAttempt>>(scene, 'payments') ?? {})
  const open = attempts.filter(({ status }) => !isPaidStatus(status))
  if (attempts.length > 0 && random.chance(0.3))
    return movePayment(scene, random.pick(open.length > 0 && random.chance(0.5) ? open : attempts))
  if (random.chance(0.03)) return creditWallet(scene)
  const ended = bookings.filter(({ status }) => /^(PAID|COMPLETE|CANCELLED)$/.test(status))
  if (ended.length > 0 && scene.late.chance(0.07))
    return compensate(scene, current?.status === 'PAID' ? current : scene.late.pick(ended))
  if (!current) return `create: ${createBooking(scene)}`
  if (random.chance(0.02) && !scene.earlier.has(current.id)) return makeEarlier(scene, current)
  const isPayable = current.status === 'PAYMENT_PENDING' || current.status === 'PENDING'
  return isPayable && random.chance(0.5)
    ? startCardPayment(scene, current)
    : advance(scene, current)
}

/** Creates a platform. Each call of `step` moves money or a booking, and returns what happened. */
export const createRandomPayments = (random: Random) => {
  const platform = createRandomPlatform(random, {
    appcat: random.pick(['taxi', 'delivery', 'delivery']),
    decimal: random.pick([0, 2, 2]),
    AllowDeliveryPickupImageCapture: false,
    AllowFinalDeliveryImageCapture: false,
    dispatchMode: 'broadcast',
    otp_secure: false,
  })
  const late = createSeededRandom(LATE_SEED)
  const scene: Scene = { platform, random, late, now: NOON, next: 0, earlier: new Set() }
  const { tree, settings } = platform
  return { tree, settings, earlier: scene.earlier, step: () => takeStep(scene) }
}
