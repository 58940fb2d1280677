import type { Actor, EventInput, Route, EventContext } from '~/domain/booking/eventTypes'
import { isMetered, buildRoadQueries, toTrip } from '~/domain/booking/drivenDistance'
import type { RoadResults, RoadQueries } from '~/domain/booking/track'
import {
  getAmendedFields,
  getAmendedTrip,
  isNearbyDriverNeeded,
  isRouteAmended,
} from '~/domain/booking/amendment'
import type { CreateBookingInput } from '~/domain/endpointSchemas'
import { getStops } from '~/domain/booking/stops/bookingStops'
import { buildDrivenRoadQueries } from '~/domain/booking/underWay/drivenRoad'
import { getTripUnderWay } from '~/domain/booking/underWay/tripUnderWay'
import { resolveClientTime } from '~/domain/booking/clientTime'
import type { BookingEvent } from '~/domain/booking/transitions'
import { canBeFollowed, getFollowOnMs } from '~/domain/booking/followOn'
import type { RecurringRecord } from '~/domain/recurring/series'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import { freeReference } from '~/domain/booking/reference'
import type { AmendmentNotice } from '~/domain/booking/amendmentNotice'
import type { FreeActions } from '~/domain/booking/freeActions'
import { requiredContext } from '~/domain/booking/eventContext'
import { toOpenOffers } from '~/domain/booking/offers'
import type {
  AmendmentQuote,
  Booking,
  BookingContacts,
  LatLng,
  Place,
  VehicleType,
  Offer,
  Promo,
  Settings,
  TrackingPoint,
  User,
} from '~/domain/entities'
import { dbPaths } from '~/domain/databasePaths'
import { internalPaths } from '~/domain/internalPaths'
import { cleanWords } from '~/domain/words'
import { fail } from '../http/domainException'
import { fetchRoadResults } from '../trips/roadQueries'
import { readUser } from './database'
import type { DatabasePort } from './database'
import type { LazyMaps } from './lazyMaps'
import { findReachableDrivers } from './nearbyDrivers'
import type { RandomPort } from './random'

type RoutePlaces = Pick<CreateBookingInput, 'pickup' | 'drop' | 'waypoints'>

export interface Lookups {
  /** Requests again only when the places have changed in the meantime. */
  fetchRoute(places: RoutePlaces): Promise<Route | null>
  fetchAddress(): Promise<string | null>
  /** Requests again only when the driver has added positions in the meantime. */
  fetchRoads(questions: RoadQueries): Promise<RoadResults | null>
  /** Constant over all attempts, so that a retry after a lost race creates the same booking. */
  otp: number
}

/** Returns lookups that do not change between attempts, each requested at most once. */
export const createLookups = (input: EventInput, maps: LazyMaps, random: RandomPort): Lookups => {
  const routes = new Map<string, Promise<Route | null>>()
  let address: Promise<string | null> | undefined
  let roads: { questions: string; answers: Promise<RoadResults | null> } | undefined
  return {
    fetchRoute: (places) => {
      const key = JSON.stringify(places)
      const route = routes.get(key) ?? requestRoute(places, maps)
      routes.set(key, route)
      return route
    },
    fetchAddress: () => (address ??= requestAddress(input, maps)),
    fetchRoads: (asked) => {
      const questions = JSON.stringify(asked)
      if (roads?.questions !== questions) roads = { questions, answers: requestRoads(asked, maps) }
      return roads.answers
    },
    otp: random.integerBetween(10_000, 99_999),
  }
}

const requestRoute = async (
  { pickup, drop, waypoints }: RoutePlaces,
  maps: LazyMaps,
): Promise<Route | null> => {
  try {
    return await (await maps()).getDirections(pickup, drop, waypoints ?? [])
  } catch {
    // The domain refuses a booking without a route with place_to_coords_error.
    return null
  }
}

const requestRoads = async (asked: RoadQueries, maps: LazyMaps): Promise<RoadResults | null> => {
  try {
    return await fetchRoadResults(await maps(), asked)
  } catch {
    return null
  }
}

const requestAddress = async (input: EventInput, maps: LazyMaps): Promise<string | null> => {
  if (input.event !== 'reach') return null
  try {
    const address = await (await maps()).getAddress({ lat: input.lat, lng: input.lng })
    return address && cleanWords(address, 'name')
  } catch {
    return null
  }
}

/** The maximum number of track positions read: five hours at one every four seconds. */
const MAX_TRACK_POINTS = 5000

/** Reads a value only if the event requires it; returns null otherwise. */
type LoadIfRequired = <T>(
  part: keyof EventContext,
  read: () => Promise<T | null>,
) => Promise<T | null>

/**
 * Reads the booking and only the data its event requires: first the data found by the booking's id,
 * then the data the booking refers to, each in parallel.
 */
export const loadEventContext = async (
  db: DatabasePort,
  id: string,
  input: EventInput,
  actor: Actor,
  lookups: Lookups,
  now: number,
): Promise<{ booking: Booking | null; eventContext: EventContext }> => {
  const asked = new Set<keyof EventContext>(requiredContext(input.event))
  const ask: LoadIfRequired = (part, read) => (asked.has(part) ? read() : Promise.resolve(null))
  const [booking, settings, byId] = await Promise.all([
    db.read<Booking>(dbPaths.booking(id)),
    db.read<Settings>(dbPaths.settings),
    loadByBookingId(db, id, input, lookups, ask),
  ])
  if (!settings) return fail('not_found', 'settings')
  const subject = {
    id,
    input,
    actor,
    booking,
    settings,
    cachedLookups: lookups,
    now,
    tracking: byId.tracking,
  }
  const loadingUsers = loadUsers(db, subject, ask)
  const loadingDriver = loadingUsers.then(({ driver }) => driver)
  const [otpAttempts, openBookings, recurring, payments, free, things, people, requests] =
    await Promise.all([
      // Read after the booking, so that a lock set with its last revision is visible. A later lock
      // changes the revision, and the rules then refuse our write.
      ask('otpAttempts', () =>
        db.read<NonNullable<EventContext['otpAttempts']>>(dbPaths.otpAttempts(id)),
      ),
      ask('openBookings', () =>
        db.read<NonNullable<EventContext['openBookings']>>(
          dbPaths.openBookings(getCustomerId(subject) ?? ''),
        ),
      ),
      ask('recurring', () => readRecurring(db, subject)),
      ask('cardPayments', () => readCardPayments(db, booking)),
      ask('freeActions', () => readFreeActions(db, subject)),
      loadCatalog(db, subject, ask, loadingDriver),
      loadingUsers,
      readRequests(db, subject, ask),
    ])
  const { driver, ...linked } = await loadLinkedBookings(db, subject, people.driver, asked)
  const { promo } = things
  const owes = (people.customer?.walletBalance ?? 0) < 0
  const debtLimit = owes
    ? await ask('debtLimit', () => db.read<number>(`${internalPaths.messageSettings}/debtLimit`))
    : null
  const hadBefore = promo !== null && people.customer?.formerPromos?.[promo.id] === true
  const promoUsedBefore = things.isPromoUsed || hadBefore
  return {
    booking,
    eventContext: {
      settings,
      otpAttempts,
      openBookings,
      recurring,
      cardPayments: payments ?? [],
      freeActions: free,
      debtLimit,
      ...byId,
      ...things,
      ...people,
      ...requests,
      ...linked,
      driver,
      isPromoUsed: promoUsedBefore,
    },
  }
}

interface LoadSubject {
  id: string
  input: EventInput
  actor: Actor
  booking: Booking | null
  settings: Settings
  cachedLookups: Lookups
  now: number
  tracking: TrackingPoint[]
}

const loadByBookingId = async (
  db: DatabasePort,
  id: string,
  { event }: EventInput,
  lookups: Lookups,
  ask: LoadIfRequired,
): Promise<
  Pick<EventContext, 'otp' | 'tracking' | 'contacts' | 'amendmentQuote' | 'amendmentNotice'>
> => {
  const isNew = event === 'create'
  const [otp, contacts, amendmentQuote, amendmentNotice, points] = await Promise.all([
    ask('otp', async () => (isNew ? lookups.otp : db.read<number>(dbPaths.bookingOtp(id)))),
    ask('contacts', () => db.read<BookingContacts>(dbPaths.bookingContacts(id))),
    ask('amendmentQuote', () => db.read<AmendmentQuote>(dbPaths.amendmentQuote(id))),
    ask('amendmentNotice', () => db.read<AmendmentNotice>(internalPaths.amendmentNotice(id))),
    // Drivers may write any number of positions; the newest ones belong to this booking.
    ask('tracking', () =>
      db.list<TrackingPoint>(dbPaths.tracking(id), { by: '$key', last: MAX_TRACK_POINTS }),
    ),
  ])
  const tracking = (points ?? []).map(([key, point]) => ({ ...point, id: key }))
  return { otp, contacts, amendmentQuote, amendmentNotice, tracking }
}

const getCustomerId = ({ input, booking, actor }: LoadSubject) =>
  booking?.customer ?? (input.event === 'create' ? (input.input.customer ?? actor.uid) : undefined)

/**
 * Reads a rider's latest free actions, and the limits if there are any; null for the office and the
 * job.
 */
const readFreeActions = async (
  db: DatabasePort,
  subject: LoadSubject,
): Promise<FreeActions | null> => {
  const { actor, input } = subject
  const uid = getCustomerId(subject)
  const isOwn = actor.role !== 'admin' && actor.role !== 'system' && actor.uid === uid
  if (!isOwn || (input.event === 'create' && input.occurrence)) return null
  const times = await db.read<FreeActions['times']>(internalPaths.freeActions(uid))
  const limits =
    times && input.event !== 'cancel'
      ? await db.read<FreeActions['limits']>(`${internalPaths.messageSettings}/hourlyLimits`)
      : null
  return { times, limits: limits ?? {} }
}

/** Reads the series of an occurrence that the job books; null for other bookings. */
const readRecurring = async (db: DatabasePort, subject: LoadSubject) => {
  const { input } = subject
  return input.event === 'create' && input.occurrence
    ? db.read<RecurringRecord>(dbPaths.recurringFor(getCustomerId(subject) ?? ''))
    : null
}

/** Reads the attempts that paid for a booking by card: at most one before and one after it. */
export const readCardPayments = async (
  db: DatabasePort,
  booking: Booking | null,
): Promise<PaymentAttempt[]> => {
  const refs = Object.values(booking?.event_log ?? {}).flatMap(({ event, ref }) =>
    event === 'pay' && ref ? [ref] : [],
  )
  const attempts = await Promise.all(
    refs.map((ref) => readWithId<PaymentAttempt>(db, ref, dbPaths.payment)),
  )
  return attempts.filter((attempt) => attempt !== null)
}

const SELF_ASSIGNED_EVENTS: readonly BookingEvent[] = ['accept', 'decline']

/** Returns the driver whom the back office names in an event, if any. */
export const getChosenDriver = (input: EventInput): string | undefined =>
  input.event === 'assign' || input.event === 'release' ? input.driver : undefined

const getDriverId = ({ input, booking, actor }: LoadSubject) => {
  if (input.event === 'assign') return input.driver
  return SELF_ASSIGNED_EVENTS.includes(input.event) ? actor.uid : booking?.driver
}

const loadUsers = async (
  db: DatabasePort,
  subject: LoadSubject,
  ask: LoadIfRequired,
): Promise<
  Pick<EventContext, 'customer' | 'driver' | 'nextDriver' | 'referrer' | 'driverReferrer'>
> => {
  const user = async (uid: string | undefined) => (uid ? readUser<User>(db, uid) : null)
  // The referrer is needed only until the bonus is paid.
  const readReferrer = (referred: User | null) =>
    user(referred?.referralRewarded ? undefined : referred?.signupViaReferral)
  const [customer, driver, nextDriver] = await Promise.all([
    ask('customer', () => user(getCustomerId(subject))),
    ask('driver', () => user(getDriverId(subject))),
    ask('nextDriver', () => user(getChosenDriver(subject.input))),
  ])
  const [referrer, driverReferrer] = await Promise.all([
    ask('referrer', () => readReferrer(customer)),
    ask('driverReferrer', () => readReferrer(driver)),
  ])
  return { customer, driver, nextDriver, referrer, driverReferrer }
}

/**
 * Reads the current and the next booking of a driver as far as the event changes both. Reads after
 * the booking and the driver, which say whether there is one.
 */
const loadLinkedBookings = async (
  db: DatabasePort,
  { actor, booking, settings }: LoadSubject,
  driver: User | null,
  asked: ReadonlySet<keyof EventContext>,
): Promise<Pick<EventContext, 'followed' | 'next' | 'driver'>> => {
  const isBusy = driver?.id === actor.uid && driver.queue === true && booking?.status === 'NEW'
  const currentId =
    asked.has('followed') && isBusy && getFollowOnMs(settings) > 0
      ? await db.read<string>(`${dbPaths.busyDriver(driver.id)}/booking`)
      : undefined
  const [followed, next] = await Promise.all([
    readWithId<Booking>(
      db,
      asked.has('followed') ? (booking?.follows ?? currentId ?? undefined) : undefined,
      dbPaths.booking,
    ),
    readWithId<Booking>(db, asked.has('next') ? booking?.next : undefined, dbPaths.booking),
  ])
  // The driver's trip may have ended between the reads of the driver and of the trip.
  const hasEnded = currentId !== undefined && !(followed && canBeFollowed(followed, actor.uid))
  return { followed, next, driver: hasEnded ? await readUser<User>(db, actor.uid) : driver }
}

/** Maximum number of open requests read for one driver; dispatch stops far below it. */
const MAX_READ_REQUESTS = 1000

const readRequests = async (
  db: DatabasePort,
  { id, input, actor, settings }: LoadSubject,
  ask: LoadIfRequired,
): Promise<Pick<EventContext, 'openRequests' | 'notFree' | 'offers'>> => {
  const asked = input.event === 'accept' ? actor.uid : getChosenDriver(input)
  const [openRequests, notFree, offers] = await Promise.all([
    ask('openRequests', async () => (asked === undefined ? [] : readOpenRequests(db, asked, id))),
    ask('notFree', () =>
      input.event === 'dispatch'
        ? listUnavailableDrivers(db, id, input.drivers, settings)
        : noDrivers,
    ),
    ask('offers', () => readOpenOffers(db, id)),
  ])
  return {
    openRequests: openRequests ?? [],
    notFree: notFree ?? [],
    offers: offers ?? toOpenOffers([], undefined),
  }
}
const noDrivers: Promise<string[]> = Promise.resolve([])

/** Maximum number of open offers read for one booking; dispatch stops far below it. */
const MAX_OPEN_OFFERS = 1000

/** Returns the open offers of a booking by number. */
export const listOpenOffers = (db: DatabasePort, booking: string) =>
  db.list<Offer>(dbPaths.offers(booking), {
    by: 'answer',
    equalTo: null,
    first: MAX_OPEN_OFFERS,
  })

/**
 * Reads the open offers of a booking. They change only together with its revision, so that a write
 * that is based on older ones is refused.
 */
const readOpenOffers = async (
  db: DatabasePort,
  booking: string,
): Promise<EventContext['offers']> => {
  const [open, last] = await Promise.all([
    listOpenOffers(db, booking),
    db.list<Offer>(dbPaths.offers(booking), { by: '$key', last: 1 }),
  ])
  return toOpenOffers(open, last[0]?.[0])
}

const readOpenRequests = async (
  db: DatabasePort,
  driver: string,
  accepted: string,
): Promise<EventContext['openRequests']> => {
  const tasks = await db.list<true>(dbPaths.tasks(driver), {
    by: '$key',
    first: MAX_READ_REQUESTS,
  })
  const others = tasks.map(([booking]) => booking).filter((booking) => booking !== accepted)
  return Promise.all(
    others.map(async (booking) => {
      // Reads the revision first, so that the write fails when a request changes after it.
      const revision = await db.read<number>(`${dbPaths.booking(booking)}/revision`)
      const asks = await db.read<true>(`${dbPaths.booking(booking)}/requestedDrivers/${driver}`)
      if (!asks) return { booking, revision: null }
      const offer = (await listOpenOffers(db, booking)).find(([, one]) => one.driver === driver)
      return { booking, revision, offer: offer?.[0] }
    }),
  )
}

/**
 * Returns the drivers whom the booking cannot ask now. An accept and the end of a shift both take
 * the driver off the list of available drivers. A driver on a trip can be asked while its end is
 * near. Except in broadcast mode, a driver has at most one open request.
 */
const listUnavailableDrivers = async (
  db: DatabasePort,
  booking: string,
  drivers: readonly string[],
  settings: Settings,
): Promise<string[]> => {
  const isListed = async (uid: string): Promise<boolean> => {
    if ((await db.read<object>(dbPaths.availableDriver(uid))) !== null) return true
    if (getFollowOnMs(settings) === 0) return false
    return (await db.read<number>(`${dbPaths.busyDriver(uid)}/ends_at`)) !== null
  }
  const free = await Promise.all(
    drivers.map(async (uid) => {
      const [listed, requests] = await Promise.all([
        isListed(uid),
        settings.dispatchMode === 'broadcast' ? [] : listRequests(db, uid),
      ])
      return listed && requests.every((id) => id === booking)
    }),
  )
  return drivers.filter((_, i) => !free[i])
}

/** The trip that needs a route: of a new booking, or of an amended one. */
interface RequestedTrip {
  places: RoutePlaces
  /** Of a trip under way: the part that the car has driven; `places` are then the rest. */
  driven?: RoutePlaces
  carTypeId: string
  needsDriver: boolean
}

const withoutAddress = ({ lat, lng }: LatLng): Place => ({ lat, lng, add: '' })

const getRequestedTrip = (
  { input, booking, tracking }: LoadSubject,
  driver: User | null,
): RequestedTrip | null => {
  if (input.event === 'create' && !booking) {
    const { pickup, drop, waypoints, carType, bookLater } = input.input
    return { places: { pickup, drop, waypoints }, carTypeId: carType, needsDriver: !bookLater }
  }
  if (input.event !== 'amend' || !booking) return null
  const fields = getAmendedFields(booking, input, null)
  const { pickup, drop, waypoints, carTypeId } = getAmendedTrip(booking, input)
  const needsDriver = isNearbyDriverNeeded(booking, input, fields)
  if (!isRouteAmended(fields)) return null
  if (booking.status !== 'STARTED')
    return { places: { pickup, drop, waypoints }, carTypeId, needsDriver }
  const trip = getTripUnderWay({ ...booking, tracking, driver }, getStops(booking), waypoints)
  const car = withoutAddress(trip.position)
  return {
    places: { pickup: car, drop, waypoints: trip.remaining },
    driven: { pickup, drop: car, waypoints: trip.visited },
    carTypeId,
    needsDriver,
  }
}

/** Returns the first bookings that request a driver, enough to find one besides a known one. */
export const listRequests = async (db: DatabasePort, driver: string): Promise<string[]> =>
  (await db.list<true>(dbPaths.tasks(driver), { by: '$key', first: 2 })).map(([id]) => id)

const loadCatalog = async (
  db: DatabasePort,
  subject: LoadSubject,
  ask: LoadIfRequired,
  driver: Promise<User | null>,
): Promise<
  Pick<
    EventContext,
    | 'carType'
    | 'route'
    | 'roadSoFar'
    | 'isDriverNearby'
    | 'reference'
    | 'promo'
    | 'isPromoUsed'
    | 'dropAddress'
    | 'roadResults'
  >
> => {
  const { id, input, booking, settings, cachedLookups } = subject
  // Only an amendment needs the driver here, and the other events do not wait for them.
  const trip = getRequestedTrip(subject, input.event === 'amend' ? await driver : null)
  const carTypeId = trip?.carTypeId ?? booking?.carTypeId
  const promoId = (input.event === 'pay' ? input.promo : undefined) ?? booking?.promo_details?.id
  const customer = getCustomerId(subject)
  const [carType, route, roadSoFar, driverNearby, reference, promo, use, dropAddress, roads] =
    await Promise.all([
      ask('carType', () => readWithId<VehicleType>(db, carTypeId, dbPaths.carType)),
      ask('route', async () => (trip ? cachedLookups.fetchRoute(trip.places) : null)),
      ask('roadSoFar', async () => (trip?.driven ? cachedLookups.fetchRoute(trip.driven) : null)),
      ask('isDriverNearby', async () =>
        trip?.needsDriver
          ? (
              await findReachableDrivers(
                db,
                trip.places.pickup,
                trip.carTypeId,
                settings,
                1,
                subject.now,
              )
            ).length > 0
          : false,
      ),
      // Reads again at every try, because another booking may have taken it in the meantime.
      ask('reference', async () =>
        trip ? freeReference(id, (one) => db.read<string>(dbPaths.reference(one))) : null,
      ),
      ask('promo', () => readWithId<Promo>(db, promoId, dbPaths.promo)),
      ask('isPromoUsed', async () =>
        promoId && customer ? db.read<string>(dbPaths.promoUse(promoId, customer)) : null,
      ),
      ask('dropAddress', async () =>
        settings.appcat === 'taxi' ? cachedLookups.fetchAddress() : null,
      ),
      ask('roadResults', () => loadRoads(subject, trip)),
    ])
  return {
    carType,
    route,
    roadSoFar,
    isDriverNearby: driverNearby ?? false,
    reference,
    promo,
    isPromoUsed: use !== null && use !== id,
    dropAddress,
    roadResults: roads,
  }
}

/** Queries the roads of a trip that ends, or that is amended under way. */
const loadRoads = async (
  { input, booking, settings, cachedLookups, now, tracking }: LoadSubject,
  requested: RequestedTrip | null,
) => {
  if (!booking) return null
  const isEnding = input.event === 'reach' && isMetered(booking, settings)
  const position = isEnding ? input : requested?.driven?.drop
  if (!position) return null
  const { lat, lng } = position
  const end = { lat, lng, at: resolveClientTime(booking, input, now) }
  const trip = toTrip(booking, tracking, end, settings)
  return cachedLookups.fetchRoads(isEnding ? buildRoadQueries(trip) : buildDrivenRoadQueries(trip))
}

const readWithId = async <T extends { id: string }>(
  db: DatabasePort,
  id: string | undefined,
  path: (id: string) => string,
): Promise<T | null> => {
  const found = id === undefined ? null : await db.read<Omit<T, 'id'>>(path(id))
  return found && id !== undefined ? ({ ...found, id } as T) : null
}
