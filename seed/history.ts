import type { CreateBooking } from '~/domain/api'
import { apply } from '~/domain/booking/apply'
import type { Actor, Change, EventInput, Route, Value, World } from '~/domain/booking/change'
import { emptyWorld } from '~/domain/booking/world'
import type {
  Booking,
  CarType,
  LatLng,
  Place,
  Promo,
  Settings,
  TrackingPoint,
  User,
} from '~/domain/entities'
import { quote } from '~/domain/fare'
import { keyAt } from '~/domain/keys'
import { at } from '~/domain/paths'
import type { Random } from '~/domain/testing/random'
import { CANCEL_REASONS } from './catalogue'
import { places } from './places'
import type { Tree } from './tree'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type RouteBetween = (from: Place, to: Place) => Promise<Route>

/** How many of the 200 end where; `CANCELLED` and `COMPLETE` fall over the whole year, the others on the last hours. */
const ENDINGS = [
  ['COMPLETE', 128],
  ['CANCELLED', 30],
  ['PAID', 12],
  ['PENDING', 4],
  ['REACHED', 3],
  ['STARTED', 4],
  ['ARRIVED', 3],
  ['ACCEPTED', 3],
  ['NEW', 8],
  ['PAYMENT_PENDING', 5],
] as const
type Ending = (typeof ENDINGS)[number][0]
/** Drivers of each car type that unfinished bookings leave to whoever tries the demo. */
const LEFT_FREE = 2
/** Minutes ago the unfinished ones began: as short as their longest possible course allows. */
const LIVE: Partial<Record<Ending, readonly [least: number, most: number]>> = {
  PENDING: [75, 90],
  REACHED: [72, 85],
  STARTED: [46, 60],
  ARRIVED: [18, 28],
  ACCEPTED: [8, 16],
  NEW: [6, 14],
  // An unpaid booking older than half an hour would be ended by the next sweep.
  PAYMENT_PENDING: [1, 9],
}
const WAYS_TO_CANCEL = ['expire', 'early', 'late', 'driver', 'declined', 'office'] as const

const INSTRUCTIONS = [
  ['Ring the bell twice', 'Leave it at the reception'],
  ['Third floor, no lift', 'Call on arrival'],
  ['Ask for Marta at the counter', 'The green door'],
  ['Second gate on the left', 'Hand it over in person'],
] as const

interface HistoryInput {
  tree: Tree
  draw: Random
  now: number
  settings: Settings
  routeBetween: RouteBetween
  riders: readonly string[]
  drivers: readonly string[]
}

/** A point on the way, `share` (0 to 1) of it done; straight, which is near enough for a dot on a map. */
const between = (from: LatLng, to: LatLng, share: number): LatLng => ({
  lat: from.lat + (to.lat - from.lat) * share,
  lng: from.lng + (to.lng - from.lng) * share,
})

/** Plays the bookings of a year through the domain's own transitions, so that every number agrees by construction. */
export async function playHistory(input: HistoryInput): Promise<void> {
  const { tree, draw, now, settings, routeBetween, riders, drivers } = input
  const carTypes = tree.get<Record<string, CarType>>('cartypes') ?? {}
  const busyUntil: Record<string, number> = {}

  const user = (uid: string): User => {
    const found = tree.get<User>(at.user(uid))
    if (!found) throw new Error(`There is no ${uid}.`)
    return found
  }
  const booking = (id: string): Booking | null => {
    const found = tree.get<Booking>(at.booking(id))
    return found ? structuredClone(found) : null
  }
  const worldOf = (id: string, event: EventInput, more: Partial<World>): World => {
    const current = booking(id)
    const driver = event.event === 'assign' ? event.driver : current?.driver
    const promo =
      event.event === 'pay' && event.promo !== undefined ? event.promo : current?.promo_details?.id
    const customer = current?.customer
    return {
      ...emptyWorld(settings),
      carType: current ? (carTypes[current.carTypeId] ?? null) : null,
      customer: customer !== undefined ? structuredClone(user(customer)) : null,
      driver: driver !== undefined ? structuredClone(user(driver)) : null,
      otp: tree.get<number>(at.otp(id)) ?? null,
      promo: promo !== undefined ? (tree.get<Promo>(at.promo(promo)) ?? null) : null,
      promoUsedBefore:
        promo !== undefined && customer !== undefined && !!tree.get(at.promoUse(promo, customer)),
      tracking: Object.values(tree.get<Record<string, TrackingPoint>>(at.tracking(id)) ?? {}),
      ...more,
    }
  }
  const deliver = (change: Change, when: number) => {
    // An inbox shows what is recent; a year of pushes would only be noise.
    if (when < now - 2 * DAY) return
    change.pushes.forEach(({ to, ...push }, index) => {
      const revision = change.answer.revision * 10 + index
      tree.set(at.inbox(to, keyAt(when, revision)), { ...push, at: when } as unknown as Value)
    })
  }
  const happen = (
    id: string,
    event: EventInput,
    actor: Actor,
    when: number,
    more: Partial<World> = {},
  ) => {
    const result = apply(booking(id), event, actor, worldOf(id, event, more), when)
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
      // The fixed driver stays free for whoever tries the demo.
      return (busyUntil[uid] ?? 0) < from && !(live && uid === 'seed-driver')
    })

  const office: Actor = { uid: 'seed-admin', role: 'admin' }
  const system: Actor = { uid: 'system', role: 'system' }

  const play = async (ending: Ending, begin: number, number: number) => {
    const live = ending in LIVE
    const mayBeFixed = !live && ending !== 'CANCELLED'
    // The fixed rider has a past worth looking at, and nothing under way that a trial would trip over.
    const rider = mayBeFixed && draw.chance(0.05) ? 'seed-rider' : draw.pick(riders.slice(1))
    const customer = user(rider)
    const byOffice = draw.chance(0.15) && ending !== 'PAYMENT_PENDING'
    const asRider: Actor = { uid: rider, role: 'rider' }
    const pickup = draw.pick(places)
    const drop = draw.pick(places.filter((place) => place !== pickup))
    const candidates = Object.values(carTypes).filter(
      ({ id }) => free(id, begin, live).length > (live ? LEFT_FREE : 0),
    )
    const carType = draw.pick(candidates)
    const route = await routeBetween(pickup, drop)
    const parcelTypeIndex = carType.parcelTypes && draw.whole(0, carType.parcelTypes.length - 1)
    const optionIndex = carType.options && draw.whole(0, carType.options.length - 1)
    const priced = quote({
      carType,
      settings,
      distanceKm: route.distance_in_km,
      seconds: route.time_in_secs,
      parcelType:
        parcelTypeIndex === undefined ? undefined : carType.parcelTypes?.[parcelTypeIndex],
      option: optionIndex === undefined ? undefined : carType.options?.[optionIndex],
    })
    // Spread over all that a key can hold: an id like those the clients make.
    const id = keyAt(begin, (1_000_000 + number) * 7_777_777_777)
    const [pickUpInstructions, deliveryInstructions] = draw.pick(INSTRUCTIONS)
    const receiver = user(draw.pick(riders))
    const bookLater = (live && ending === 'NEW' && draw.chance(0.5)) || draw.chance(0.1)
    const create: CreateBooking = {
      booking_id: id,
      pickup,
      drop,
      carType: carType.id,
      bookLater,
      ...(bookLater && { tripdate: begin + draw.whole(1, 20) * HOUR }),
      estimateFare: priced.estimateFare,
      ...(parcelTypeIndex !== undefined && { parcelTypeIndex }),
      ...(optionIndex !== undefined && { optionIndex }),
      ...(byOffice && { customer: rider }),
      deliveryPerson: `${receiver.firstName} ${receiver.lastName}`,
      deliveryPersonPhone: receiver.mobile,
      ...(draw.chance(0.5) && { pickUpInstructions, deliveryInstructions }),
    }
    let time = begin
    const later = (least: number, most: number) =>
      (time += draw.whole(least * 60, most * 60) * 1000)

    happen(id, { event: 'create', input: create }, byOffice ? office : asRider, time, {
      carType,
      customer: structuredClone(customer),
      route,
      driverNearby: true,
      otp: draw.whole(10_000, 99_999),
    })
    if (ending === 'PAYMENT_PENDING') return
    const cancels = ending === 'CANCELLED' ? draw.pick(WAYS_TO_CANCEL) : undefined
    if (cancels === 'expire' && !byOffice) {
      happen(id, { event: 'expire' }, system, time + 31 * MINUTE)
      return
    }
    if (!byOffice) {
      later(1, 2)
      const promo = promoFor(rider, priced.estimateFare, time)
      // The fixed rider keeps his wallet of 100.
      const enough = customer.walletBalance >= priced.estimateFare && rider !== 'seed-rider'
      happen(
        id,
        {
          event: 'pay',
          payment_mode: enough && draw.chance(0.6) ? 'wallet' : 'cash',
          ...(promo !== undefined && { promo }),
        },
        asRider,
        time,
      )
    }
    later(1, 3)
    const reason = draw.pick(CANCEL_REASONS).label
    if (cancels === 'early' || cancels === 'expire') {
      happen(id, { event: 'cancel', reason }, asRider, time)
      return
    }
    if (cancels === 'office') {
      happen(id, { event: 'cancel', reason: 'No driver could be found' }, office, time)
      return
    }
    if (ending === 'NEW' && draw.chance(0.5)) return
    const driver = draw.pick(free(carType.id, begin, live))
    const asDriver: Actor = { uid: driver, role: 'driver' }
    happen(id, { event: 'assign', driver }, office, time)
    if (ending === 'NEW') return
    later(0.2, 1)
    if (cancels === 'declined') {
      happen(id, { event: 'decline' }, asDriver, time)
      return
    }
    happen(id, { event: 'accept' }, asDriver, time, { driver: structuredClone(user(driver)) })
    if (cancels !== undefined) {
      later(6, 12)
      happen(id, { event: 'cancel', reason }, cancels === 'late' ? asRider : asDriver, time)
      busyUntil[driver] = time
      return
    }
    const onTheWay = (share: number) =>
      tree.set(`${at.user(driver)}/location`, { ...between(pickup, drop, share) })
    if (ending === 'ACCEPTED') return
    later(4, 11)
    happen(id, { event: 'arrive', lat: pickup.lat, lng: pickup.lng }, asDriver, time)
    if (live) onTheWay(0)
    if (ending === 'ARRIVED') return
    later(1, 4)
    happen(id, { event: 'start', otp: tree.get<number>(at.otp(id)) }, asDriver, time)
    const driving = route.time_in_secs * 1000 * (0.9 + draw.next() * 0.35)
    for (const share of [0.25, 0.5, 0.75]) {
      if (ending === 'STARTED' && share > 0.5) break
      const when = Math.round(time + driving * share)
      tree.set(`${at.tracking(id)}/${keyAt(when, 1)}`, {
        at: when,
        status: 'STARTED',
        ...between(pickup, drop, share),
      })
    }
    if (ending === 'STARTED') {
      onTheWay(0.5)
      return
    }
    time = Math.round(time + driving)
    happen(id, { event: 'reach', lat: drop.lat, lng: drop.lng }, asDriver, time)
    if (live) onTheWay(1)
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
    later(1, 60)
    happen(id, { event: 'rate', rating: draw.pick([5, 5, 5, 5, 4, 4, 4, 3, 2]) }, asRider, time, {
      driver: structuredClone(user(driver)),
    })
  }

  /** Now and then a rider uses a promo he has not used yet. */
  const promoFor = (rider: string, cost: number, when: number): string | undefined => {
    if (rider === 'seed-rider' || !draw.chance(0.25)) return undefined
    return Object.values(tree.get<Record<string, Promo>>('promos') ?? {}).find(
      (promo) =>
        (promo.createdAt ?? 0) < when &&
        when < promo.promo_validity &&
        cost >= promo.min_order &&
        !tree.get(at.promoUse(promo.id, rider)),
    )?.id
  }

  const beginOf = (ending: Ending): number => {
    const ago = LIVE[ending]
    if (ago) return now - draw.whole(ago[0] * 60, ago[1] * 60) * 1000
    // Nobody rates after a fortnight: the paid ones that are not rated yet are recent.
    const days = ending === 'PAID' ? 12 : 360
    return Math.round(now - 4 * HOUR - days * DAY * draw.next() ** 1.4)
  }
  const plan = ENDINGS.flatMap(([ending, count]) =>
    Array.from({ length: count }, () => ({ ending, begin: beginOf(ending) })),
  ).sort((a, b) => a.begin - b.begin)
  for (const [number, { ending, begin }] of plan.entries()) await play(ending, begin, number)
}
