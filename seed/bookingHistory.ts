import type { CreateBookingInput } from '~/domain/api/inputs/bookings'
import { applyBookingEvent } from '~/domain/booking/applyBookingEvent'
import type { Actor, BookingChange } from '~/domain/booking/eventTypes'
import { checkOpenBookings } from '~/domain/booking/limits/openBookingLimits'
import { freeReference } from '~/domain/booking/search/reference'
import { getOfferMs } from '~/domain/dispatch/dispatch'
import { emptyContext, type EventContext } from '~/domain/booking/eventContext'
import { toOpenOffers } from '~/domain/booking/offers/offers'
import { quoteFare } from '~/domain/money/fare'
import { getDistanceKm } from '~/domain/geo/geo'
import { createPushKey } from '~/domain/data/pushKeys'
import { getLengthKm, interpolatePosition, simplifyPolyline } from '~/domain/geo/polylineGeometry'
import { dbPaths } from '~/domain/data/databasePaths'
import { decodePolyline } from '~/domain/geo/polyline'
import type { Random } from '~/domain/data/seededRandom'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '~/domain/language/timeUnits'
import { CANCELLATION_REASONS } from './catalog'
import { createRandomPushKey } from './randomKeys'
import { places } from './places'
import type { MemoryTree } from './memoryTree'
import type { EventInput } from '~/domain/booking/eventInput'
import type { Route } from '~/domain/booking/trip/route'
import type { Booking, OpenBookings, TrackingPoint } from '~/domain/booking/types'
import type { Promo, Settings, VehicleType } from '~/domain/catalog/types'
import type { LatLng, Place } from '~/domain/geo/types'
import type { Offer } from '~/domain/dispatch/types'
import type { User } from '~/domain/accounts/types'

export type RouteBetween = (from: Place, to: Place) => Promise<Route>

/** A small city has fewer past bookings: 83 bookings instead of 200. */
export type CitySize = 'full' | 'small'
/**
 * Number of bookings of the full city that end in each status, besides those in
 * `FIXED_DRIVER_HOURS_AGO`. `CANCELLED` and `COMPLETE` are spread over the year, the others over
 * the last hours.
 */
const BOOKINGS_BY_ENDING = {
  COMPLETE: 100,
  CANCELLED: 30,
  PAID: 12,
  PENDING: 4,
  REACHED: 3,
  STARTED: 4,
  ARRIVED: 3,
  ACCEPTED: 3,
  NEW: 8,
  PAYMENT_PENDING: 5,
}
/** A small city has a shorter past and the same present. */
const SMALL_CITY_BOOKINGS = { ...BOOKINGS_BY_ENDING, COMPLETE: 10, CANCELLED: 3 }
type BookingEnding = keyof typeof BOOKINGS_BY_ENDING
const ENDINGS = Object.keys(BOOKINGS_BY_ENDING) as BookingEnding[]
const getBookingsByEnding = (size: CitySize): Record<BookingEnding, number> =>
  size === 'full' ? BOOKINGS_BY_ENDING : SMALL_CITY_BOOKINGS
/** The endings of bookings that no driver has begun. */
const NOT_BEGUN: readonly BookingEnding[] = ['NEW', 'PAYMENT_PENDING', 'CANCELLED']
/** Returns how long before its pickup a later booking is made; a trip that was driven was soon. */
const getLeadTime = (ending: BookingEnding, random: Random): number => {
  const units = random.integer(1, 20)
  return NOT_BEGUN.includes(ending) ? units * HOUR_MS : (15 + units) * MINUTE_MS
}
/** Number of drivers per vehicle type that unfinished bookings leave free for users of the demo. */
const FREE_DRIVERS_PER_TYPE = 2
/**
 * Range of minutes since unfinished bookings started, within the longest possible time for their
 * status.
 */
const MINUTES_AGO_BY_STATUS: Partial<
  Record<BookingEnding, readonly [least: number, most: number]>
> = {
  PENDING: [75, 90],
  REACHED: [72, 85],
  STARTED: [24, 32],
  ARRIVED: [18, 28],
  ACCEPTED: [8, 16],
  NEW: [6, 14],
  // The next maintenance run would expire a booking that is unpaid for over half an hour.
  PAYMENT_PENDING: [1, 9],
}
/** Used in turn: three of ten cancel after the driver has set out, mostly with a fee. */
const CANCELLATION_KINDS = [
  'late',
  'early',
  'driver',
  'late',
  'expire',
  'declined',
  'late',
  'office',
  'early',
  'expire',
] as const
/** Used in turn: the answer of another driver who is asked first, if any. */
const FIRST_ANSWERS = [
  undefined,
  undefined,
  'declined',
  undefined,
  undefined,
  undefined,
  'expired',
] as const
/**
 * Hours since the fixed driver started their finished bookings: enough for earnings today, this
 * week and this month.
 */
const FIXED_DRIVER_HOURS_AGO = [
  1, 3.2, 5.5, 8, 22, 25, 28, 31, 46, 49.5, 52, 70, 73, 76, 95, 98, 120, 124, 143, 147, 168, 200,
  260, 330, 420, 500, 610, 700,
] as const
/**
 * Milliseconds before now since which the fixed driver drives only the bookings planned for them.
 */
const FIXED_DRIVER_FROM = 40 * DAY_MS
/** A track has a point when the street bends by more than this many meters. */
const MIN_BEND_METERS = 8
/** Maximum distance in kilometers from which a driver comes to the pickup. */
const MAX_APPROACH_KM = 2.5

const INSTRUCTIONS = [
  ['Ring the bell twice', 'Leave it at the reception'],
  ['Third floor, no lift', 'Call on arrival'],
  ['Ask for Marta at the counter', 'The green door'],
  ['Second gate on the left', 'Hand it over in person'],
] as const

const FIXED_DRIVER = 'seed-driver'

interface PlannedBooking {
  ending: BookingEnding
  beginAt: number
  /** True when the fixed driver drives the booking. */
  isByFixedDriver: boolean
}

/** Returns the five places nearest to a position. */
const findNearestPlaces = (to: LatLng, among: readonly Place[]): Place[] =>
  [...among].sort((a, b) => getDistanceKm(to, a) - getDistanceKm(to, b)).slice(0, 5)

interface HistoryInput {
  tree: MemoryTree
  random: Random
  now: number
  settings: Settings
  routeBetween: RouteBetween
  riders: readonly string[]
  drivers: readonly string[]
  size: CitySize
}

/** Milliseconds after which inbox entries count as read. */
const READ_AFTER_MS = 3 * HOUR_MS

/** Rounds a position to about one meter. */
const roundPosition = ({ lat, lng }: LatLng): LatLng => ({
  lat: Number(lat.toFixed(5)),
  lng: Number(lng.toFixed(5)),
})
/** Returns the part of a line between two of its points, given as fractions of its length. */
const cutLine = (line: readonly LatLng[], first: number, last: number): LatLng[] => {
  const km = getLengthKm(line)
  let reached = 0
  const inner = line.filter((place, i) => {
    reached += i === 0 ? 0 : getDistanceKm(line[i - 1]!, place)
    return reached > km * first && reached < km * last
  })
  return [interpolatePosition(line, first), ...inner, interpolatePosition(line, last)].filter(
    (place) => place !== undefined,
  )
}
/** Returns the line of a route, or a straight line when the route has none. */
const getRouteLine = ({ polylinePoints }: Route, from: LatLng, to: LatLng): LatLng[] => {
  const line = decodePolyline(polylinePoints)
  return line.length > 1 ? line : [from, to]
}

/**
 * Runs a year of bookings through the domain's own transitions, so that all numbers are consistent
 * by construction.
 */
export async function createHistory(input: HistoryInput): Promise<void> {
  const { tree, random, now, settings, routeBetween, riders, drivers, size } = input
  const carTypes = tree.get<Record<string, VehicleType>>('cartypes') ?? {}
  const busyUntil: Record<string, number> = {}
  // A taxi company's bookings are paid after the trip and have no recipient.
  const isDelivery = settings.appcat === 'delivery'

  const user = (uid: string): User => {
    const person = tree.get<User>(dbPaths.user(uid))
    if (!person) throw new Error(`There is no user ${uid}. Add them to the demo people.`)
    return person
  }
  const findOpenBookings = (uid: string) =>
    tree.get<OpenBookings>(dbPaths.openBookings(uid)) ?? null
  const booking = (id: string): Booking | null => {
    const latestBooking = tree.get<Booking>(dbPaths.booking(id))
    return latestBooking ? structuredClone(latestBooking) : null
  }
  const openOffers = (id: string): EventContext['offers'] => {
    const offers = Object.entries(tree.get<Record<string, Offer>>(dbPaths.offers(id)) ?? {})
    return toOpenOffers(offers, offers.at(-1)?.[0])
  }
  const buildContext = (
    id: string,
    event: EventInput,
    more: Partial<EventContext>,
  ): EventContext => {
    const current = booking(id)
    const driver = event.event === 'assign' ? event.driver : current?.driver
    const promo =
      event.event === 'pay' && event.promo !== undefined ? event.promo : current?.promo_details?.id
    const customer = current?.customer
    return {
      ...emptyContext(settings),
      carType: current ? (carTypes[current.carTypeId] ?? null) : null,
      customer: customer !== undefined ? structuredClone(user(customer)) : null,
      driver: driver !== undefined ? structuredClone(user(driver)) : null,
      otp: tree.get<number>(dbPaths.bookingOtp(id)) ?? null,
      promo: promo !== undefined ? (tree.get<Promo>(dbPaths.promo(promo)) ?? null) : null,
      isPromoUsed:
        promo !== undefined &&
        customer !== undefined &&
        !!tree.get(dbPaths.promoUse(promo, customer)),
      tracking: Object.values(tree.get<Record<string, TrackingPoint>>(dbPaths.tracking(id)) ?? {}),
      offers: openOffers(id),
      ...more,
    }
  }
  const deliver = (change: BookingChange, when: number) => {
    // The inbox shows only recent entries; a year of pushes would be noise.
    if (when < now - 2 * DAY_MS) return
    change.pushes.forEach(({ to, ...push }, index) => {
      const revision = change.response.revision * 10 + index
      const read = when < now - READ_AFTER_MS
      tree.set(dbPaths.inbox(to, createPushKey(when, revision)), {
        ...push,
        at: when,
        ...(read && { read }),
      })
    })
  }
  const happen = (
    id: string,
    event: EventInput,
    actor: Actor,
    when: number,
    more: Partial<EventContext> = {},
  ) => {
    const result = applyBookingEvent(booking(id), event, {
      actor,
      context: buildContext(id, event, more),
      now: when,
    })
    if (!result.ok) {
      throw new Error(`The demo's ${event.event} was refused: ${JSON.stringify(result.error)}`)
    }
    tree.commit(result.value)
    deliver(result.value, when)
  }

  const free = (carType: string, from: number, live: boolean) =>
    drivers.filter((uid) => {
      const { carType: drives, driverActiveStatus, queue } = user(uid)
      if (drives !== carType || !driverActiveStatus || queue) return false
      // The fixed driver stays free for the demo and has separate earnings.
      if (uid === FIXED_DRIVER && (live || from > now - FIXED_DRIVER_FROM)) return false
      return (busyUntil[uid] ?? 0) < from
    })

  const office: Actor = { uid: 'seed-admin', role: 'admin' }
  const system: Actor = { uid: 'system', role: 'system' }

  let cancelled = 0
  let assigned = 0
  const play = async ({ ending, beginAt, isByFixedDriver }: PlannedBooking) => {
    const live = ending in MINUTES_AGO_BY_STATUS
    const mayBeFixed = !live && ending !== 'CANCELLED'
    // The fixed rider has a history but no active bookings that would interfere with a trial.
    // Riders at the limit of open or unpaid bookings make no more.
    const able = riders
      .slice(1)
      .filter((uid) => !checkOpenBookings(findOpenBookings(uid), { role: 'rider' }))
    const rider = mayBeFixed && random.chance(0.05) ? 'seed-rider' : random.pick(able)
    const customer = user(rider)
    const byOffice = random.chance(0.15) && ending !== 'PAYMENT_PENDING'
    const asRider: Actor = { uid: rider, role: 'rider' }
    const pickup = random.pick(places)
    const others = places.filter((place) => place !== pickup)
    // The fixed driver's newest booking must already be finished, so its route is short.
    const drop = isByFixedDriver
      ? random.pick(findNearestPlaces(pickup, others))
      : random.pick(others)
    const candidates = Object.values(carTypes).filter(({ id }) =>
      isByFixedDriver
        ? id === user(FIXED_DRIVER).carType
        : free(id, beginAt, live).length > (live ? FREE_DRIVERS_PER_TYPE : 0),
    )
    const carType = random.pick(candidates)
    const route = await routeBetween(pickup, drop)
    const way = getRouteLine(route, pickup, drop)
    const along = (line: readonly LatLng[], share: number): LatLng =>
      roundPosition(interpolatePosition(line, share) ?? pickup)
    const parcelTypeIndex = carType.parcelTypes && random.integer(0, carType.parcelTypes.length - 1)
    const optionIndex = carType.options && random.integer(0, carType.options.length - 1)
    const priced = quoteFare({
      carType,
      settings,
      distanceKm: route.distance_in_km,
      seconds: route.time_in_secs,
      parcelType:
        parcelTypeIndex === undefined ? undefined : carType.parcelTypes?.[parcelTypeIndex],
      option: optionIndex === undefined ? undefined : carType.options?.[optionIndex],
    })
    const id = createRandomPushKey(beginAt, random)
    const [pickUpInstructions, deliveryInstructions] = random.pick(INSTRUCTIONS)
    const receiver = user(random.pick(riders))
    const bookLater = (live && ending === 'NEW' && random.chance(0.5)) || random.chance(0.1)
    const create: CreateBookingInput = {
      booking_id: id,
      pickup,
      drop,
      carType: carType.id,
      bookLater,
      ...(bookLater && { tripdate: beginAt + getLeadTime(ending, random) }),
      estimateFare: priced.estimateFare,
      ...(parcelTypeIndex !== undefined && { parcelTypeIndex }),
      ...(optionIndex !== undefined && { optionIndex }),
      ...(byOffice && { customer: rider }),
      ...(isDelivery && {
        deliveryPerson: `${receiver.firstName} ${receiver.lastName}`,
        deliveryPersonPhone: receiver.mobile,
      }),
      ...(random.chance(0.5) && isDelivery && { pickUpInstructions, deliveryInstructions }),
    }
    let time = beginAt
    const later = (least: number, most: number) =>
      (time += random.integer(least * 60, most * 60) * 1000)

    happen(id, { event: 'create', input: create }, byOffice ? office : asRider, time, {
      carType,
      customer: structuredClone(customer),
      route,
      isDriverNearby: true,
      openBookings: findOpenBookings(rider),
      otp: random.integer(10_000, 99_999),
      reference: await freeReference(
        id,
        async (one) => tree.get<string>(dbPaths.reference(one)) ?? null,
      ),
    })
    if (ending === 'PAYMENT_PENDING') return
    const cancels =
      ending === 'CANCELLED'
        ? CANCELLATION_KINDS[cancelled++ % CANCELLATION_KINDS.length]
        : undefined
    if (cancels === 'expire' && isDelivery && !byOffice) {
      happen(id, { event: 'expire' }, system, time + 31 * MINUTE_MS)
      return
    }
    if (booking(id)?.status === 'PAYMENT_PENDING') {
      later(1, 2)
      const promo = promoFor(rider, priced.estimateFare, time)
      // The fixed rider keeps their wallet balance of 100.
      const enough = customer.walletBalance >= priced.estimateFare && rider !== 'seed-rider'
      happen(
        id,
        {
          event: 'pay',
          payment_mode: enough && random.chance(0.6) ? 'wallet' : 'cash',
          ...(promo !== undefined && { promo }),
        },
        asRider,
        time,
      )
    }
    later(1, 3)
    const reason = random.pick(CANCELLATION_REASONS).label
    if (cancels === 'early' || cancels === 'expire') {
      happen(id, { event: 'cancel', reason }, asRider, time)
      return
    }
    if (cancels === 'office') {
      happen(id, { event: 'cancel', reason: 'No driver could be found' }, office, time)
      return
    }
    if (ending === 'NEW' && random.chance(0.5)) return
    const driver = isByFixedDriver ? FIXED_DRIVER : random.pick(free(carType.id, beginAt, live))
    const asDriver: Actor = { uid: driver, role: 'driver' }
    const turn = assigned++
    const first = live ? undefined : FIRST_ANSWERS[turn % FIRST_ANSWERS.length]
    const rivals = free(carType.id, beginAt, live).filter((uid) => uid !== driver)
    const other = first && rivals[turn % rivals.length]
    if (other !== undefined) {
      happen(id, { event: 'assign', driver: other }, office, time)
      time += getOfferMs(settings)
      if (first === 'expired')
        happen(id, { event: 'withdraw', driver: other, isExpired: true }, system, time)
    }
    happen(id, { event: 'assign', driver }, office, time)
    if (ending === 'NEW') return
    later(0.2, 1)
    // A booking ends when its last driver declines, so this one has another offer by now.
    if (other !== undefined && first === 'declined')
      happen(id, { event: 'decline' }, { uid: other, role: 'driver' }, time)
    if (cancels === 'declined') {
      happen(id, { event: 'decline' }, asDriver, time)
      return
    }
    const from = random.pick(findNearestPlaces(pickup, others))
    const approach = getRouteLine(await routeBetween(from, pickup), from, pickup)
    const setOut = Math.max(0, 1 - MAX_APPROACH_KM / getLengthKm(approach))
    /** Returns the event context with the driver at a position. */
    const withPlace = (place: LatLng): Partial<EventContext> => ({
      driver: { ...structuredClone(user(driver)), location: place },
    })
    const isAt = (place: LatLng) => {
      if (live) tree.set(`${dbPaths.user(driver)}/location`, { ...place })
    }
    /** Writes a point at each bend of part of the line, at a steady pace between two times. */
    const track = (
      status: TrackingPoint['status'],
      line: readonly LatLng[],
      [begins, ends]: readonly [number, number],
      [first, last]: readonly [number, number],
    ) => {
      const part = simplifyPolyline(cutLine(line, first, last), MIN_BEND_METERS)
      const km = getLengthKm(part)
      part.forEach((place, n) => {
        const share = km === 0 ? 1 : getLengthKm(part.slice(0, n + 1)) / km
        const when = Math.round(begins + (ends - begins) * share)
        // The events write the end points, unless the driver is still en route.
        if (n > 0 && (when < ends || ends === now))
          tree.set(`${dbPaths.tracking(id)}/${createPushKey(when, n)}`, {
            at: when,
            status,
            ...roundPosition(place),
          })
      })
    }
    happen(id, { event: 'accept' }, asDriver, time, withPlace(along(approach, setOut)))
    if (cancels !== undefined) {
      const accepted = time
      later(3, 14)
      track('ACCEPTED', approach, [accepted, time], [setOut, 0.9])
      happen(id, { event: 'cancel', reason }, cancels === 'late' ? asRider : office, time)
      busyUntil[driver] = time
      return
    }
    const accepted = time
    if (ending === 'ACCEPTED') {
      const share = setOut + (1 - setOut) * 0.7
      track('ACCEPTED', approach, [accepted, now], [setOut, share])
      isAt(along(approach, share))
      return
    }
    later(4, 11)
    track('ACCEPTED', approach, [accepted, time], [setOut, 1])
    happen(id, { event: 'arrive', lat: pickup.lat, lng: pickup.lng }, asDriver, time)
    isAt(along(way, 0))
    if (ending === 'ARRIVED') return
    later(1, 4)
    happen(
      id,
      { event: 'start', otp: tree.get<number>(dbPaths.bookingOtp(id)) },
      asDriver,
      time,
      withPlace(along(way, 0)),
    )
    const driving = route.time_in_secs * 1000 * (0.9 + random.next() * 0.35)
    const started = time
    if (ending === 'STARTED') {
      const share = Math.min(0.85, Math.max(0.2, (now - started) / driving))
      track('STARTED', way, [started, now], [0, share])
      isAt(along(way, share))
      return
    }
    track('STARTED', way, [started, Math.round(started + driving)], [0, 1])
    time = Math.round(time + driving)
    happen(id, { event: 'reach', lat: drop.lat, lng: drop.lng }, asDriver, time)
    isAt(along(way, 1))
    if (ending === 'REACHED') return
    later(1, 3)
    happen(id, { event: 'finish' }, asDriver, time)
    busyUntil[driver] = time
    if (ending === 'PENDING') return
    if (booking(id)?.status === 'PENDING') {
      later(0.5, 2)
      happen(id, { event: 'collect' }, asDriver, time)
    }
    if (ending === 'PAID') return
    later(1, isByFixedDriver ? 5 : 60)
    const rating = random.pick(isByFixedDriver ? [5, 5, 5, 5, 4, 4] : [5, 5, 5, 5, 4, 4, 4, 3, 2])
    happen(id, { event: 'rate', rating }, asRider, time, {
      driver: structuredClone(user(driver)),
    })
  }

  /** Returns a promo that the rider has not used yet, at random for some bookings. */
  const promoFor = (rider: string, cost: number, when: number): string | undefined => {
    if (rider === 'seed-rider' || !random.chance(0.25)) return undefined
    return Object.values(tree.get<Record<string, Promo>>('promos') ?? {}).find(
      (promo) =>
        (promo.createdAt ?? 0) < when &&
        when < promo.promo_validity &&
        cost >= promo.min_order &&
        !tree.get(dbPaths.promoUse(promo.id, rider)),
    )?.id
  }

  const chooseBegin = (ending: BookingEnding): number => {
    const ago = MINUTES_AGO_BY_STATUS[ending]
    if (ago) return now - random.integer(ago[0] * 60, ago[1] * 60) * 1000
    // Riders do not rate after two weeks, so the unrated paid bookings are recent.
    const days = ending === 'PAID' ? 12 : 360
    return Math.round(now - 4 * HOUR_MS - days * DAY_MS * random.next() ** 1.4)
  }
  const bookingsByEnding = getBookingsByEnding(size)
  const plan: PlannedBooking[] = [
    ...FIXED_DRIVER_HOURS_AGO.map((hours): PlannedBooking => ({
      ending: 'COMPLETE',
      beginAt: now - hours * HOUR_MS,
      isByFixedDriver: true,
    })),
    ...ENDINGS.filter((ending) => isDelivery || ending !== 'PAYMENT_PENDING').flatMap((ending) =>
      Array.from({ length: bookingsByEnding[ending] }, (): PlannedBooking => ({
        ending,
        beginAt: chooseBegin(ending),
        isByFixedDriver: false,
      })),
    ),
  ].sort((a, b) => a.beginAt - b.beginAt)
  for (const planned of plan) await play(planned)
}
