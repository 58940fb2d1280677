import type { Actor, EventInput, Route, World } from '~/domain/booking/change'
import type { BookingEvent } from '~/domain/booking/transitions'
import { needs } from '~/domain/booking/world'
import type { Booking, CarType, Promo, Settings, TrackingPoint, User } from '~/domain/entities'
import { at } from '~/domain/paths'
import { refuse } from '../refused'
import { readUser } from './database'
import type { DatabasePort } from './database'
import type { LazyMaps } from './maps'
import { driversAround } from './nearby'
import type { RandomPort } from './random'

export interface Lookups {
  route(): Promise<Route | null>
  address(): Promise<string | null>
  /** The same over every try, so that a repeat of a lost race makes the same booking. */
  otp: number
}

/** What does not change between tries: asked at most once. */
export const lookups = (input: EventInput, maps: LazyMaps, random: RandomPort): Lookups => {
  let route: Promise<Route | null> | undefined
  let address: Promise<string | null> | undefined
  return {
    route: () => (route ??= findRoute(input, maps)),
    address: () => (address ??= findAddress(input, maps)),
    otp: random.between(10_000, 99_999),
  }
}

const findRoute = async (input: EventInput, maps: LazyMaps): Promise<Route | null> => {
  if (input.event !== 'create') return null
  const { pickup, drop, waypoints } = input.input
  try {
    return await (await maps()).directions(pickup, drop, waypoints ?? [])
  } catch {
    // The specification's own answer to a failed lookup is place_to_coords_error, which no route gives.
    return null
  }
}

const findAddress = async (input: EventInput, maps: LazyMaps): Promise<string | null> => {
  if (input.event !== 'reach') return null
  try {
    return await (await maps()).address({ lat: input.lat, lng: input.lng })
  } catch {
    return null
  }
}

/** What a read gives when the event does not ask for it. */
type Ask = <T>(part: keyof World, read: () => Promise<T | null>) => Promise<T | null>

/**
 * Reads the booking and what its event looks at, nothing else: first what is named by the booking's id,
 * then what the booking itself names, each in parallel.
 */
export const readWorld = async (
  db: DatabasePort,
  id: string,
  input: EventInput,
  actor: Actor,
  looked: Lookups,
): Promise<{ booking: Booking | null; world: World }> => {
  const asked = new Set<keyof World>(needs(input.event))
  const ask: Ask = (part, read) => (asked.has(part) ? read() : Promise.resolve(null))
  const [booking, settings, byId] = await Promise.all([
    db.read<Booking>(at.booking(id)),
    db.read<Settings>(at.settings),
    readById(db, id, input, looked, ask),
  ])
  if (!settings) return refuse('not_found', 'settings')
  const subject = { id, input, actor, booking, settings, looked }
  const [otpAttempts, things, people] = await Promise.all([
    // After the booking, so that a lock its last revision set is seen: the next revision is then ours, or refused.
    ask('otpAttempts', () => db.read<NonNullable<World['otpAttempts']>>(at.otpAttempts(id))),
    readThings(db, subject, ask),
    readPeople(db, subject, ask),
  ])
  return { booking, world: { settings, otpAttempts, ...byId, ...things, ...people } }
}

interface Subject {
  id: string
  input: EventInput
  actor: Actor
  booking: Booking | null
  settings: Settings
  looked: Lookups
}

const readById = async (
  db: DatabasePort,
  id: string,
  { event }: EventInput,
  looked: Lookups,
  ask: Ask,
): Promise<Pick<World, 'otp' | 'tracking'>> => {
  const isNew = event === 'create'
  const [otp, points] = await Promise.all([
    ask('otp', async () => (isNew ? looked.otp : db.read<number>(at.otp(id)))),
    ask('tracking', () => db.read<Record<string, TrackingPoint>>(at.tracking(id))),
  ])
  const tracking = Object.entries(points ?? {}).map(([key, point]) => ({ ...point, id: key }))
  return { otp, tracking }
}

const customerOf = ({ input, booking, actor }: Subject) =>
  booking?.customer ?? (input.event === 'create' ? (input.input.customer ?? actor.uid) : undefined)

const ACTS_ON_HIMSELF: readonly BookingEvent[] = ['accept', 'decline']

const driverOf = ({ input, booking, actor }: Subject) => {
  if (input.event === 'assign') return input.driver
  return ACTS_ON_HIMSELF.includes(input.event) ? actor.uid : booking?.driver
}

const readPeople = async (
  db: DatabasePort,
  subject: Subject,
  ask: Ask,
): Promise<Pick<World, 'customer' | 'driver' | 'referrer'>> => {
  const user = async (uid: string | undefined) => (uid ? readUser<User>(db, uid) : null)
  const [[customer, referrer], driver] = await Promise.all([
    ask('customer', () => user(customerOf(subject))).then(async (customer) => [
      customer,
      await ask('referrer', () => user(customer?.signupViaReferral)),
    ]),
    ask('driver', () => user(driverOf(subject))),
  ])
  return { customer: customer ?? null, referrer: referrer ?? null, driver }
}

const readThings = async (
  db: DatabasePort,
  subject: Subject,
  ask: Ask,
): Promise<
  Pick<World, 'carType' | 'route' | 'driverNearby' | 'promo' | 'promoUsedBefore' | 'dropAddress'>
> => {
  const { id, input, booking, settings, looked } = subject
  const wanted = input.event === 'create' && !booking ? input.input : null
  const carTypeId = booking?.carTypeId ?? wanted?.carType
  const promoId = (input.event === 'pay' ? input.promo : undefined) ?? booking?.promo_details?.id
  const customer = customerOf(subject)
  const [carType, route, driverNearby, promo, use, dropAddress] = await Promise.all([
    ask('carType', () => withId<CarType>(db, carTypeId, at.carType)),
    ask('route', async () => (wanted ? looked.route() : null)),
    ask('driverNearby', async () =>
      wanted && !wanted.bookLater
        ? (await driversAround(db, wanted.pickup, wanted.carType, settings, 1)).length > 0
        : false,
    ),
    ask('promo', () => withId<Promo>(db, promoId, at.promo)),
    ask('promoUsedBefore', async () =>
      promoId && customer ? db.read<string>(at.promoUse(promoId, customer)) : null,
    ),
    ask('dropAddress', async () => (settings.appcat === 'taxi' ? looked.address() : null)),
  ])
  return {
    carType,
    route,
    driverNearby: driverNearby ?? false,
    promo,
    promoUsedBefore: use !== null && use !== id,
    dropAddress,
  }
}

const withId = async <T extends { id: string }>(
  db: DatabasePort,
  id: string | undefined,
  path: (id: string) => string,
): Promise<T | null> => {
  const found = id === undefined ? null : await db.read<Omit<T, 'id'>>(path(id))
  return found && id !== undefined ? ({ ...found, id } as T) : null
}
