/** A small platform in memory whose users do legal and illegal things at random; every step goes through `apply`. */
import { apply } from '../booking/apply'
import type { Actor, Change, EventInput, World } from '../booking/change'
import { eventsFor } from '../booking/eventsFor'
import { BOOKING_EVENTS, type BookingEvent } from '../booking/transitions'
import { emptyWorld } from '../booking/world'
import {
  ACTIVE_STATUSES,
  type Booking,
  type CarType,
  type Promo,
  type Settings,
  type User,
} from '../entities'
import { ERROR_KEYS } from '../errors'
import { quote } from '../fare'
import { keyAt } from '../keys'
import { plain } from '../booking/draft'
import { requestWithdraw } from '../withdraws'
import {
  aCarType,
  aDriver,
  admin,
  aPromo,
  aRider,
  aSettings,
  DROP,
  MINUTE,
  NOON,
  PICKUP,
  ROUTE,
  system,
} from './builders'
import type { Random } from './random'
import { commit, guarded, valueAt, type Tree } from './tree'

const CODE = 12345
const RIDERS = ['ana', 'bea', 'caio'] as const
const DRIVERS = ['davi', 'edu', 'fabi'] as const

const withMoney = (user: User, amount: number): User => ({
  ...user,
  walletBalance: amount,
  walletHistory: { start: { type: 'Credit', amount, date: NOON, txRef: 'AdminCredit' } },
})

/** Settings a history is lived under. */
const drawSettings = (random: Random): Settings =>
  aSettings({
    appcat: random.pick(['taxi', 'delivery', 'delivery']),
    decimal: random.pick([0, 2, 2, 3]),
    autoDispatch: random.chance(0.4),
    otp_secure: random.chance(0.7),
    negativeBalance: random.chance(0.6),
    convert_to_mile: random.chance(0.3),
    RiderWithDraw: random.chance(0.5),
    bonus: random.pick([0, 7.5, 10]),
    timezone: random.pick(['America/Montevideo', 'Asia/Kolkata', 'UTC']),
  })

const drawTree = (random: Random, settings: Settings): Tree => ({
  settings: plain(settings),
  cartypes: plain({ van: aCarType({ convenience_fee_type: random.pick(['flat', 'percentage']) }) }),
  promos: plain({
    spring: aPromo({ promo_usage_limit: 2 }),
    flat: aPromo({
      id: 'flat',
      promo_discount_type: 'flat',
      promo_discount_value: 500,
      max_promo_discount_value: 0,
    }),
  }),
  users: plain({
    ana: withMoney(aRider({ id: 'ana' }), 200),
    bea: withMoney(aRider({ id: 'bea', signupViaReferral: 'ana' }), 60.5),
    caio: aRider({ id: 'caio', signupViaReferral: 'gone' }),
    davi: aDriver({ id: 'davi', fleetadmin: 'fleet' }),
    edu: aDriver({ id: 'edu' }),
    fabi: withMoney(aDriver({ id: 'fabi' }), 25),
  }),
})

const actors: readonly Actor[] = [
  ...RIDERS.map((uid): Actor => ({ uid, role: 'rider' })),
  ...DRIVERS.map((uid): Actor => ({ uid, role: 'driver' })),
  admin,
  { uid: 'fleet', role: 'fleetadmin' },
  system,
]

export const platform = (random: Random) => {
  const settings = drawSettings(random)
  const tree = drawTree(random, settings)
  let now = NOON
  let made = 0
  let payments = 0
  let past: Tree = structuredClone(tree)

  const read = <T>(from: Tree, path: string): T | null =>
    structuredClone(valueAt(from, path)) as T | null
  const bookings = (): Booking[] =>
    Object.values(read<Record<string, Booking>>(tree, 'bookings') ?? {})
  const carType = (): CarType => read<CarType>(tree, 'cartypes/van') ?? aCarType()

  const worldOf = (from: Tree, booking: Booking | null, input: EventInput, actor: Actor): World => {
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
    return {
      ...emptyWorld(settings),
      carType: carType(),
      customer: rider,
      referrer: rider?.signupViaReferral
        ? read<User>(from, `users/${rider.signupViaReferral}`)
        : null,
      driver: driver ? read<User>(from, `users/${driver}`) : null,
      route: ROUTE,
      driverNearby: true,
      otp: CODE,
      otpAttempts: read(from, `otp_attempts/${booking?.id}`),
      promo: promo ? read<Promo>(from, `promos/${promo}`) : null,
      promoUsedBefore: valueAt(from, `promo_uses/${promo}/${customer}`) !== null,
      tracking: Object.values(
        read<Record<string, World['tracking'][number]>>(from, `tracking/${booking?.id}`) ?? {},
      ),
    }
  }

  const drawCreate = (actor: Actor): EventInput => {
    const [parcelTypeIndex, optionIndex] = [random.whole(0, 1), random.whole(0, 1)]
    const car = carType()
    const priced = quote({
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
        booking_id: keyAt(NOON, made++),
        ...(actor.role === 'admin' && { customer: random.pick(RIDERS) }),
        pickup: PICKUP,
        drop: DROP,
        carType: 'van',
        bookLater,
        ...(bookLater && { tripdate: now + random.whole(5, 90) * MINUTE }),
        estimateFare: random.chance(0.95) ? priced.estimateFare : 1,
        parcelTypeIndex,
        optionIndex,
        deliveryPerson: 'Gil',
        deliveryPersonPhone: random.chance(0.95) ? '099 123 456' : 'x',
      },
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
        amount: due - (usedWalletMoney ?? 0),
      },
    }
  }

  /** Mostly what leads on, so that bookings come to their end; sometimes anything at all. */
  const drawEvent = (booking: Booking, actor: Actor): BookingEvent => {
    const offered = eventsFor(booking, actor, settings)
    const leadsOn = offered.filter((event) => !/^(cancel|decline|expire)$/.test(event))
    if (leadsOn.length > 0 && random.chance(0.8)) return random.pick(leadsOn)
    return random.pick(offered.length > 0 && random.chance(0.4) ? offered : BOOKING_EVENTS)
  }

  const drawInput = (booking: Booking, actor: Actor): EventInput => {
    const event = drawEvent(booking, actor)
    const here = { lat: -34.9 + random.whole(-5, 5) / 100, lng: -56.18 }
    switch (event) {
      case 'create':
        return drawCreate(actor)
      case 'pay':
        return drawPay(booking, actor)
      case 'dispatch':
        return { event, drivers: DRIVERS.filter(() => random.chance(0.6)) }
      case 'assign':
        return { event, driver: random.pick([...DRIVERS, 'ana']) }
      case 'arrive':
      case 'reach':
        return { event, ...here }
      case 'start':
        return { event, otp: random.chance(0.6) ? CODE : 11111 }
      case 'rate':
        return { event, rating: random.whole(0, 6) }
      case 'cancel':
        // Mostly they go through with it, or no history would ever reach its end.
        return { event, reason: random.chance(0.12) ? 'changed_mind' : ' ' }
      default:
        return { event }
    }
  }

  /** Somebody takes money out, so that wallets are not only moved by bookings. */
  const drawWithdraw = (): Pick<Change, 'updates'> | undefined => {
    const user = read<User>(tree, `users/${random.pick([...RIDERS, ...DRIVERS])}`)
    if (!user) return undefined
    const asked = requestWithdraw(
      user,
      { id: keyAt(now, made++), amount: random.whole(1, 40), now },
      settings,
    )
    return asked.ok ? asked.value : undefined
  }

  /** One step: what happened, for the report, and what is wrong with how it happened. */
  const step = (): { did: string; wrong?: string } => {
    now += random.chance(0.1) ? random.whole(5, 20) * MINUTE : random.whole(1, 120) * 1000
    if (random.chance(0.05)) {
      const withdrawn = drawWithdraw()
      if (withdrawn && !guarded(tree, withdrawn)) commit(tree, withdrawn)
      return { did: 'withdraw' }
    }
    const open = bookings()
    const live = open.filter(({ status }) => ACTIVE_STATUSES.includes(status))
    const makes = open.length === 0 || (live.length < 4 && random.chance(0.15))
    // Mostly what is still going on, sometimes what has long ended.
    const among = live.length > 0 && random.chance(0.9) ? live : open
    const booking = makes ? null : random.pick(among)
    const actor = pickActor(booking)
    const input = booking ? drawInput(booking, actor) : drawCreate(actor)
    const id = input.event === 'create' ? input.input.booking_id : (booking?.id ?? '')
    // Somebody who read a moment ago and writes now: the database's guards have to settle it.
    const late = random.chance(0.4)
    const seen = late ? past : tree
    if (random.chance(0.1)) past = structuredClone(tree)
    const before = read<Booking>(seen, `bookings/${id}`)
    const result = apply(before, input, actor, worldOf(seen, before, input, actor), now)
    const did = `${actor.uid} ${input.event} ${before?.status ?? 'none'}: ${result.ok ? result.value.answer.status : result.error.key}`
    if (!result.ok && !(ERROR_KEYS as readonly string[]).includes(result.error.key))
      return { did, wrong: `refused with ${result.error.key}` }
    const change = result.ok ? result.value : result.error.record
    if (!change || Object.keys(change.updates).length === 0) return { did }
    const refused = guarded(tree, change)
    if (refused)
      return late
        ? { did: `${did} (lost: ${refused})` }
        : { did, wrong: `a change made from the present is refused: ${refused}` }
    commit(tree, change)
    const after = read<Booking>(tree, `bookings/${id}`)
    if (after?.revision !== (before?.revision ?? 0) + 1)
      return { did, wrong: 'revision did not rise by one' }
    const again = apply(after, input, actor, worldOf(tree, after, input, actor), now)
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
    input.event === 'dispatch' || input.event === 'assign'

  return { tree, settings, step, worldOf, read, time: () => now }
}
