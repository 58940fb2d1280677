/**
 * A small in-memory platform whose users perform legal and illegal actions at random. Every step
 * goes through `applyBookingEvent`.
 */
import { applyBookingEvent } from '../booking/applyBookingEvent'
import { getAmendedTrip } from '../booking/events/amend/amendedFields'
import type { Actor, BookingChange } from '../booking/eventTypes'
import { getAvailableEvents } from '../booking/availableEvents'
import { BOOKING_EVENTS, isTripStep, listErrors, type BookingEvent } from '../booking/transitions'
import { isOfficeStep } from '../booking/trip/officeStep'
import { referenceAt } from '../booking/search/reference'
import { emptyContext, type EventContext } from '../booking/eventContext'
import { toOpenOffers } from '../booking/offers/offers'
import type { ErrorKey } from '../api/errorKeys'
import { quoteFare } from '../money/fare'
import { createPushKey } from '../data/pushKeys'
import { roundAmount } from '../money/money'
import { toJson } from '../data/databaseValue'
import { applyPaymentEvent } from '../payments/applyPaymentEvent'
import { createEventKey, type PaymentAttempt, type PaymentEvent } from '../payments/paymentAttempt'
import { getDecimals, toCurrencyMinorUnits } from '../payments/currencyUnits'
import { addAdminCredit } from '../money/wallet'
import { getRoles } from '../access/roles'
import { completeWithdrawal, requestWithdrawal, returnWithdrawal } from '../money/withdrawals'
import {
  aVehicleType,
  aDriver,
  admin,
  aPaymentAttempt,
  aPromo,
  aRider,
  aSettings,
  DROP,
  MINUTE,
  NOON,
  PICKUP,
  NO_ROAD,
  ROUTE,
  system,
} from './builders'
import { STOPS, toStopInput } from './stopInputs'
import type { Random } from '../data/seededRandom'
import { toDirectory } from '../accounts/directory'
import { commitChange, checkRaceGuards, readValue, type Tree } from '../data/memoryTree'
import type { EventInput, EventInputFor } from '../booking/eventInput'
import type { Route } from '../booking/trip/route'
import { ACTIVE_STATUSES, REVIEW_DECISIONS, type Booking } from '../booking/types'
import { COMPLAINT_REASONS, type Withdrawal } from '../money/types'
import { DISPATCH_MODES, type Promo, type Settings, type VehicleType } from '../catalog/types'
import type { LatLng } from '../geo/types'
import type { Offer } from '../dispatch/types'
import type { User } from '../accounts/types'

/** Returns true for a refusal that the event's definition names, or that any input may get. */
const isDeclared = (event: BookingEvent, key: ErrorKey): boolean =>
  key === 'bad_input' || listErrors([event]).includes(key)

const CODE = 12345
/**
 * Events after the end of a booking, and of the office in place of the driver or of automatic
 * dispatch. They are rare, so that most histories finish.
 */
const RARE_EVENTS: readonly BookingEvent[] = [
  'compensate',
  'tip',
  'no_show',
  'hand_back',
  'take',
  'keep_waiting',
]
const isRareEvent = (event: BookingEvent, { role }: Pick<Actor, 'role'>): boolean =>
  RARE_EVENTS.includes(event) || (role === 'admin' && isTripStep(event))
/** Only a bank's decision causes `reinstate`; randomPayments draws won disputes. */
const TRIP_EVENTS = BOOKING_EVENTS.filter(
  (event) => !RARE_EVENTS.includes(event) && event !== 'reinstate',
)
const RIDERS = ['ana', 'bea', 'caio'] as const
const DRIVERS = ['davi', 'edu', 'fabi'] as const

/** Drop-offs to which a booking changes, each farther away than the previous one. */
const DROPS = [
  DROP,
  ...[0.5, 2, 4].map((km) => ({ ...DROP, lat: DROP.lat - km / 111, add: `${km}` })),
]
const routeTo = ({ lat }: LatLng): Route => {
  const factor = 1 + (DROP.lat - lat) * 20
  return {
    ...ROUTE,
    distance_in_km: ROUTE.distance_in_km * factor,
    time_in_secs: Math.round(ROUTE.time_in_secs * factor),
  }
}

const withWalletBalance = (user: User, given: number, { decimal }: Settings): User => {
  const amount = roundAmount(given, decimal)
  return {
    ...user,
    walletBalance: amount,
    walletHistory: { start: { type: 'Credit', amount, date: NOON, txRef: 'AdminCredit' } },
  }
}

/** Returns random settings for a history. */
const randomSettings = (random: Random): Settings => {
  const settings = aSettings({
    appcat: random.pick(['taxi', 'delivery', 'delivery']),
    decimal: random.pick([0, 1, 2, 2, 3, 4]),
    autoDispatch: random.chance(0.4),
    dispatchMode: random.pick([...DISPATCH_MODES, 'broadcast']),
    otp_secure: random.chance(0.7),
    negativeBalance: random.chance(0.6),
    convert_to_mile: random.chance(0.3),
    RiderWithDraw: random.chance(0.5),
    bonus: random.pick([0, 7.5, 10, 3.00005]),
    timezone: random.pick(['America/Montevideo', 'Asia/Kolkata', 'UTC']),
  })
  // Follows from the bonus, so that it changes no other random value.
  return settings.bonus === 10 ? { ...settings, bonusDelayDays: 14 } : settings
}

const createUsers = (settings: Settings): Record<string, User> => ({
  ana: withWalletBalance(aRider({ id: 'ana' }), 200, settings),
  bea: withWalletBalance(aRider({ id: 'bea', signupViaReferral: 'ana' }), 60.5, settings),
  caio: aRider({ id: 'caio', signupViaReferral: 'gone' }),
  davi: aDriver({ id: 'davi', fleetadmin: 'fleet', signupViaReferral: 'ana' }),
  edu: aDriver({ id: 'edu' }),
  fabi: withWalletBalance(aDriver({ id: 'fabi' }), 25, settings),
})

const randomTree = (random: Random, settings: Settings, users = createUsers(settings)): Tree => ({
  settings: toJson(settings),
  cartypes: toJson({
    van: aVehicleType({ convenience_fee_type: random.pick(['flat', 'percentage']) }),
    bike: aVehicleType({ id: 'bike', name: 'Bike', base_fare: 3, options: [] }),
  }),
  promos: toJson({
    spring: aPromo({ promo_usage_limit: 2 }),
    flat: aPromo({
      id: 'flat',
      promo_discount_type: 'flat',
      promo_discount_value: 500,
      max_promo_discount_value: 0,
    }),
  }),
  users: toJson(users),
  people: toDirectory(users),
  roles: getRoles(users),
})

const actors: readonly Actor[] = [
  ...RIDERS.map((uid): Actor => ({ uid, role: 'rider' })),
  ...DRIVERS.map((uid): Actor => ({ uid, role: 'driver' })),
  admin,
  { uid: 'fleet', role: 'fleetadmin' },
  system,
]

/**
 * Creates a platform with random settings, of which `fixed` replaces some. A step draws from
 * `first`, or from a generator of its own.
 */
export const createRandomPlatform = (first: Random, fixed: Partial<Settings> = {}) => {
  let random = first
  const settings = { ...randomSettings(random), ...fixed }
  const tree = randomTree(random, settings)
  let now = NOON
  let made = 0
  let payments = 0
  let past: Tree = structuredClone(tree)

  const read = <T>(from: Tree, path: string): T | null =>
    structuredClone(readValue(from, path)) as T | null
  const bookings = (): Booking[] =>
    Object.values(read<Record<string, Booking>>(tree, 'bookings') ?? {})
  const carType = (id = 'van'): VehicleType =>
    read<VehicleType>(tree, `cartypes/${id}`) ?? aVehicleType()

  const getContext = (
    from: Tree,
    booking: Booking | null,
    input: EventInput,
    actor: Actor,
  ): EventContext => {
    const customer =
      input.event === 'create' ? (input.input.customer ?? actor.uid) : (booking?.customer ?? '')
    const driver =
      input.event === 'assign'
        ? input.driver
        : input.event === 'accept'
          ? actor.uid
          : booking?.driver
    const promo = (input.event === 'pay' ? input.promo : undefined) ?? booking?.promo_details?.id
    const rider = read<User>(from, `users/${customer}`)
    const driverUser = driver ? read<User>(from, `users/${driver}`) : null
    const followed =
      input.event === 'accept' && driverUser?.queue && booking?.status === 'NEW'
        ? read<string>(from, `busy_drivers/${driver}/booking`)
        : booking?.follows
    return {
      ...emptyContext(settings),
      carType: carType((input.event === 'amend' && input.carType) || booking?.carTypeId),
      customer: rider,
      referrer: rider?.signupViaReferral
        ? read<User>(from, `users/${rider.signupViaReferral}`)
        : null,
      driver: driverUser,
      nextDriver:
        input.event === 'release' && input.driver !== undefined
          ? read<User>(from, `users/${input.driver}`)
          : null,
      followed: followed ? read<Booking>(from, `bookings/${followed}`) : null,
      next: booking?.next ? read<Booking>(from, `bookings/${booking.next}`) : null,
      driverReferrer: driverUser?.signupViaReferral
        ? read<User>(from, `users/${driverUser.signupViaReferral}`)
        : null,
      openRequests: getOpenRequests(
        from,
        (input.event === 'assign' || input.event === 'release' ? input.driver : undefined) ??
          actor.uid,
        booking?.id,
      ),
      notFree: DRIVERS.filter(
        (uid) =>
          (readValue(from, `users/${uid}/queue`) === true &&
            readValue(from, `busy_drivers/${uid}/ends_at`) === null) ||
          (settings.dispatchMode !== 'broadcast' &&
            Object.keys(readValue(from, `driver_tasks/${uid}`) ?? {}).some(
              (id) => id !== booking?.id,
            )),
      ),
      offers: getOpenOffers(from, booking?.id ?? ''),
      route:
        input.event === 'amend' && booking ? routeTo(getAmendedTrip(booking, input).drop) : ROUTE,
      roadSoFar: input.event === 'amend' ? NO_ROAD : null,
      cardPayments: Object.values(booking?.event_log ?? {}).flatMap(
        ({ event, ref }) =>
          (event === 'pay' && ref && read<PaymentAttempt>(from, `payments/${ref}`)) || [],
      ),
      contacts: read(from, `booking_contacts/${booking?.id}`),
      isDriverNearby: true,
      reference: input.event === 'create' ? referenceAt(input.input.booking_id, 0) : null,
      openBookings: read(from, `open_bookings/${customer}`),
      otp: CODE,
      otpAttempts: read(from, `otp_attempts/${booking?.id}`),
      promo: promo ? read<Promo>(from, `promos/${promo}`) : null,
      isPromoUsed: readValue(from, `promo_uses/${promo}/${customer}`) !== null,
      tracking: Object.values(
        read<Record<string, EventContext['tracking'][number]>>(from, `tracking/${booking?.id}`) ??
          {},
      ),
    }
  }

  const getOffers = (from: Tree, id: string) =>
    Object.entries(read<Record<string, Offer>>(from, `offers/${id}`) ?? {})
  const getOpenOffers = (from: Tree, id: string) =>
    toOpenOffers(
      getOffers(from, id),
      getOffers(from, id)
        .map(([key]) => key)
        .sort((a, b) => Number(a) - Number(b))
        .at(-1),
    )

  const getOpenRequests = (
    from: Tree,
    uid: string,
    accepted?: string,
  ): EventContext['openRequests'] =>
    Object.keys(read<Record<string, true>>(from, `driver_tasks/${uid}`) ?? {})
      .filter((id) => id !== accepted)
      .map((id) => ({
        booking: id,
        revision: read<Booking>(from, `bookings/${id}`)?.requestedDrivers?.[uid]
          ? Number(readValue(from, `bookings/${id}/revision`))
          : null,
        offer: Object.entries(getOpenOffers(from, id).open).find(
          ([, { driver }]) => driver === uid,
        )?.[0],
      }))

  const drawCreate = (actor: Actor): EventInput => {
    const [parcelTypeIndex, optionIndex] = [random.integer(0, 1), random.integer(0, 1)]
    const car = carType()
    const priced = quoteFare({
      carType: car,
      settings,
      distanceKm: ROUTE.distance_in_km,
      seconds: ROUTE.time_in_secs,
      parcelType: car.parcelTypes?.[parcelTypeIndex],
      option: car.options?.[optionIndex],
    })
    const bookLater = random.chance(0.2)
    return {
      event: 'create',
      input: {
        booking_id: createPushKey(NOON, made++),
        ...(actor.role === 'admin' && { customer: random.pick(RIDERS) }),
        pickup: PICKUP,
        drop: DROP,
        // Draws nothing more, so that each seed still gives the same history as far as possible.
        ...(optionIndex === 1 && { waypoints: STOPS }),
        carType: 'van',
        bookLater,
        ...(bookLater && { tripdate: now + random.integer(5, 90) * MINUTE }),
        estimateFare: random.chance(0.95) ? priced.estimateFare : 1,
        parcelTypeIndex,
        optionIndex,
        deliveryPerson: 'Gil',
        deliveryPersonPhone: random.chance(0.95) ? '099 123 456' : 'x',
      },
    }
  }

  /** Draws new details of a booking, usually at the right price. */
  const drawAmend = (booking: Booking): EventInput => {
    const drop = random.chance(0.6) ? random.pick(DROPS) : undefined
    const carType = random.chance(0.2) ? random.pick(['van', 'bike']) : undefined
    const amend: EventInputFor<'amend'> = {
      event: 'amend',
      drop,
      carType,
      ...(random.chance(0.2) && { waypoints: random.pick([[], STOPS, [...STOPS, PICKUP]]) }),
      ...(random.chance(0.2) && { tripdate: now + random.integer(10, 90) * MINUTE }),
      ...(random.chance(0.2) && { pickUpInstructions: random.pick(['Ring twice', '']) }),
      ...(random.chance(0.2) && { deliveryPersonPhone: random.pick(['099 765 432', 'x']) }),
      ...(random.chance(0.2) && { revision: random.integer(1, booking.revision) }),
    }
    const asked = applyBookingEvent(
      booking,
      { ...amend, estimateFare: -1 },
      { actor: admin, context: getContext(tree, booking, amend, admin), now },
    )
    const price = asked.ok ? undefined : asked.error.params?.estimate
    return {
      ...amend,
      ...(random.chance(0.9) && typeof price === 'number' && { estimateFare: price }),
    }
  }

  const drawPay = (booking: Booking, actor: Actor): EventInput => {
    const promo = random.pick([undefined, undefined, 'spring', 'flat', 'none'])
    const usedWalletMoney = random.pick([undefined, undefined, 5, 12.5])
    if (actor.role !== 'system' && random.chance(0.95))
      return { event: 'pay', payment_mode: random.pick(['cash', 'wallet']), promo, usedWalletMoney }
    const packet = booking.paymentPacket
    const due =
      booking.trip_cost -
      (packet?.customer_paid ?? 0) +
      (packet?.cashPaymentAmount ?? 0) -
      (packet?.discount_amount ?? 0)
    return {
      event: 'pay',
      usedWalletMoney,
      payment: {
        id: `payment${payments++}`,
        gateway: 'test',
        currency: 'UYU',
        amount: roundAmount(due - (usedWalletMoney ?? 0), settings.decimal),
      },
    }
  }

  /**
   * Draws mostly an event that advances the booking, so that bookings finish; sometimes any event.
   */
  const drawEvent = (booking: Booking, actor: Actor): BookingEvent => {
    const event = drawTripEvent(booking, actor)
    const possible = getAvailableEvents(booking, actor, settings)
    // Rare events take the place of impossible ones, so that each seed still gives the same history
    // as far as possible.
    const mayTake = booking.revision % 4 === 0
    const [rare] = possible.filter((one) => isRareEvent(one, actor) && (one !== 'take' || mayTake))
    return rare && !possible.includes(event) ? rare : event
  }

  const drawTripEvent = (booking: Booking, actor: Actor): BookingEvent => {
    const offered = getAvailableEvents(booking, actor, settings).filter(
      (event) => !isRareEvent(event, actor) && event !== 'reinstate',
    )
    if (offered.includes('amend') && random.chance(0.2)) return 'amend'
    const leadsOn = offered.filter(
      (event) => !/^(amend|cancel|decline|expire|refund|release)$/.test(event),
    )
    if (leadsOn.length > 0 && random.chance(0.8)) return random.pick(leadsOn)
    return random.pick(offered.length > 0 && random.chance(0.4) ? offered : TRIP_EVENTS)
  }

  const drawOfficeReason = () => (random.chance(0.9) ? { reason: 'The phone is dead' } : {})

  const drawCompensation = (): EventInput => ({
    event: 'compensate',
    request_id: createPushKey(now, made++),
    reason: random.pick(COMPLAINT_REASONS),
    ...(random.chance(0.6) && { rider: drawAmount() }),
    ...random.pick([{}, { driver: drawAmount() }, { take_back: drawAmount() }]),
  })

  const drawInput = (booking: Booking, actor: Actor): EventInput => {
    const event = drawEvent(booking, actor)
    const here = { lat: -34.9 + random.integer(-5, 5) / 100, lng: -56.18 }
    switch (event) {
      case 'create':
        return drawCreate(actor)
      case 'pay':
        return drawPay(booking, actor)
      case 'amend':
        return drawAmend(booking)
      case 'dispatch':
        return { event, drivers: DRIVERS.filter(() => random.chance(0.6)) }
      case 'withdraw':
        return { event, driver: random.pick(DRIVERS) }
      case 'assign':
        return { event, driver: random.pick([...DRIVERS, 'ana']) }
      case 'release':
        // Releases are rare; otherwise few histories would finish.
        return {
          event,
          reason: random.chance(0.5) ? 'The car broke down' : ' ',
          ...(actor.role === 'admin' && random.chance(0.5) && { driver: random.pick(DRIVERS) }),
        }
      case 'arrive':
      case 'reach':
        return { event, ...(isOfficeStep(actor) ? drawOfficeReason() : here) }
      case 'finish':
      case 'collect':
        return { event, ...(isOfficeStep(actor) && drawOfficeReason()) }
      case 'arrive_stop':
      case 'leave_stop':
      case 'skip_stop': {
        const input = toStopInput(booking, event)
        return random.chance(0.9) ? input : { ...input, index: random.integer(0, 2) }
      }
      case 'start':
        return isOfficeStep(actor)
          ? { event, ...drawOfficeReason() }
          : { event, otp: random.chance(0.6) ? CODE : 11111 }
      case 'keep_waiting':
        return { event, asked_at: booking.wait_until ?? now }
      case 'review':
        return { event, decision: random.pick(REVIEW_DECISIONS) }
      case 'compensate':
        return drawCompensation()
      case 'tip':
        return { event, request_id: createPushKey(now, made++), amount: drawAmount() }
      case 'rate':
        return { event, rating: random.integer(0, 6) }
      case 'refund': {
        const card = booking.paymentPacket?.cardPaymentAmount ?? 0
        const amount = roundAmount(random.pick([card, card / 2, 5]), settings.decimal)
        return { event, payment: 'payment0', amount: amount > 0 ? amount : 1 }
      }
      case 'reinstate':
        return { event, payment: 'payment0', amount: 1, isAfterPaid: false }
      case 'cancel':
        // Cancellations are rare; otherwise no history would finish.
        return { event, reason: random.chance(0.12) ? 'changed_mind' : ' ' }
      default:
        return { event }
    }
  }

  /** Returns an amount as a user types it, often with more decimals than the currency. */
  const drawAmount = () => random.pick([random.integer(1, 40), random.next() * 40, 0.1, 0.7, 1.005])

  /** Draws a payment through a provider: a new attempt, money for one, or a refund of one. */
  const drawPayment = (user: User): Pick<BookingChange, 'updates'> | undefined => {
    const attempts = Object.values(read<Record<string, PaymentAttempt>>(tree, 'payments') ?? {})
    if (attempts.length === 0 || random.chance(0.3)) {
      const id = `topup${payments++}`
      const amount = roundAmount(
        drawAmount(),
        Math.min(settings.decimal, getDecimals(settings.code)),
      )
      const attempt = aPaymentAttempt({ id, uid: user.id, amount })
      return amount > 0 ? { updates: { [`payments/${id}`]: toJson(attempt) } } : undefined
    }
    const attempt = random.pick(attempts)
    const { amount, currency, refunded = 0 } = attempt
    const whole = toCurrencyMinorUnits(amount, currency) ?? 0
    const left = whole - (toCurrencyMinorUnits(refunded, currency) ?? 0)
    const isPaid = attempt.status !== 'created' && attempt.status !== 'pending'
    const event: PaymentEvent = {
      payment: attempt.id,
      gateway: attempt.gateway,
      ref: `ref-${attempt.id}`,
      status: isPaid ? 'refunded' : 'paid',
      minor: isPaid ? random.integer(0, left) : random.chance(0.9) ? whole : whole + 1,
      currency,
      ...(isPaid && { refundId: `refund${payments++}` }),
    }
    const seen = readValue(tree, `payment_events/${createEventKey(event)}`) !== null
    const payer = read<User>(tree, `users/${attempt.uid}`)
    const context = emptyContext(settings)
    return applyPaymentEvent(
      event,
      { attempt, isAlreadyProcessed: seen, booking: null, eventContext: context, payer },
      now,
    )
  }

  /** Draws what the office does with a withdrawal, also with one that is paid or returned. */
  const drawSettlement = (): Pick<BookingChange, 'updates'> | undefined => {
    const withdraws = Object.values(read<Record<string, Withdrawal>>(tree, 'withdraws') ?? {})
    if (withdraws.length === 0) return undefined
    const withdraw = random.pick(withdraws)
    const wallet = read<User>(tree, `users/${withdraw.uid}`)
    const settled = random.chance(0.5)
      ? completeWithdrawal(withdraw, { wallet, settings, now })
      : returnWithdrawal(withdraw, { wallet, note: 'Unknown account', settings, now })
    return settled.ok ? settled.value : undefined
  }

  /** Draws a movement of money without a booking: a credit, a withdrawal or a payment. */
  const drawMoney = (): Pick<BookingChange, 'updates'> | undefined => {
    const user = read<User>(tree, `users/${random.pick([...RIDERS, ...DRIVERS])}`)
    if (!user) return undefined
    const id = createPushKey(now, made++)
    const kinds = ['withdraw', 'withdraw all', 'settle', 'credit', 'payment', 'payment']
    const kind = random.pick(kinds)
    if (kind === 'payment') return drawPayment(user)
    if (kind === 'settle') return drawSettlement()
    const amount = kind === 'withdraw all' ? user.walletBalance : drawAmount()
    const moved =
      kind === 'credit'
        ? addAdminCredit(user, { id, amount, now }, settings)
        : requestWithdrawal(user, { id, amount, now }, settings)
    return moved.ok ? moved.value : undefined
  }

  /** Performs one step. Returns what happened, for the report, and any violation. */
  const step = (own?: Random): { did: string; wrong?: string } => {
    if (own) random = own
    now += random.chance(0.1) ? random.integer(5, 20) * MINUTE : random.integer(1, 120) * 1000
    if (random.chance(0.2)) {
      const moved = drawMoney()
      if (!moved) return { did: 'money (refused)' }
      const refused = checkRaceGuards(tree, moved)
      if (refused) return { did: 'money', wrong: `a move of money is refused: ${refused}` }
      commitChange(tree, moved)
      return { did: `money ${Object.keys(moved.updates).join(' ')}` }
    }
    const open = bookings()
    const live = open.filter(({ status }) => ACTIVE_STATUSES.includes(status))
    const makes = open.length === 0 || (live.length < 4 && random.chance(0.15))
    // Picks mostly an active booking, sometimes a finished one.
    const among = live.length > 0 && random.chance(0.9) ? live : open
    const booking = makes ? null : random.pick(among)
    const actor = pickActor(booking)
    const input = booking ? drawInput(booking, actor) : drawCreate(actor)
    const id = input.event === 'create' ? input.input.booking_id : (booking?.id ?? '')
    // Simulates a write based on an earlier read, which the database's guards must settle.
    const late = random.chance(0.4)
    const seen = late ? past : tree
    if (random.chance(0.1)) past = structuredClone(tree)
    const before = read<Booking>(seen, `bookings/${id}`)
    const result = applyBookingEvent(before, input, {
      actor,
      context: getContext(seen, before, input, actor),
      now,
    })
    const place = before?.follows ? ' (next)' : before?.next ? ' (followed)' : ''
    const outcome = result.ok ? result.value.response.status : result.error.key
    const accepts = result.ok && typeof result.value.updates[`bookings/${id}/follows`] === 'string'
    const did = `${actor.uid} ${input.event}${place} ${before?.status ?? 'none'}: ${outcome}${accepts ? ' as next' : ''}`
    if (!result.ok && !isDeclared(input.event, result.error.key))
      return { did, wrong: `refused with ${result.error.key}` }
    const change = result.ok ? result.value : result.error.failureChange
    if (!change || Object.keys(change.updates).length === 0) return { did }
    const refused = checkRaceGuards(tree, change)
    if (refused)
      return late
        ? { did: `${did} (lost: ${refused})` }
        : { did, wrong: `a change made from the present is refused: ${refused}` }
    commitChange(tree, change)
    const after = read<Booking>(tree, `bookings/${id}`)
    if (after?.revision !== (before?.revision ?? 0) + 1)
      return { did, wrong: 'revision did not rise by one' }
    const again = applyBookingEvent(after, input, {
      actor,
      context: getContext(tree, after, input, actor),
      now,
    })
    if (
      result.ok &&
      !isRepeatable(input) &&
      (!again.ok || Object.keys(again.value.updates).length > 0)
    )
      return { did, wrong: 'the repeat did something' }
    return { did }
  }

  const pickActor = (booking: Booking | null): Actor => {
    if (!booking || random.chance(0.25)) return random.pick(actors)
    const parties = actors.filter(
      ({ uid }) =>
        uid === booking.customer ||
        uid === booking.driver ||
        uid === admin.uid ||
        uid === system.uid ||
        booking.requestedDrivers?.[uid],
    )
    return random.pick(parties)
  }

  const isRepeatable = (input: EventInput): boolean =>
    input.event === 'dispatch' ||
    input.event === 'assign' ||
    input.event === 'withdraw' ||
    input.event === 'refund'

  return { tree, settings, step, getContext, read, getTime: () => now }
}
