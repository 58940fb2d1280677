import { applyBookingEvent } from '../booking/applyBookingEvent'
import { emptyContext, type EventContext } from '../booking/eventContext'
import { SYSTEM_ACTOR, type Actor, type BookingChange } from '../booking/eventTypes'
import { toOpenOffers } from '../booking/offers/offers'
import { referenceAt } from '../booking/search/reference'
import { toJson } from '../data/databaseValue'
import { getFollowOnMs } from '../booking/offers/followOn'
import {
  buildAvailabilityUpdates,
  buildUnavailabilityUpdates,
  getEndingTimes,
  toEndingDrivers,
} from '../dispatch/dispatch'
import { dbPaths } from '../data/databasePaths'
import { internalPaths } from '../data/internalPaths'
import { toDirectory } from '../accounts/directory'
import { quoteFare } from '../money/fare'
import { getDistanceKm } from '../geo/geo'
import { changeDuty, getShiftEarnings } from '../dispatch/matching/driverShift'
import type { Earnings } from '../dispatch/matching/offerCost'
import { encodePolyline } from '../geo/polyline'
import { createPushKey } from '../data/pushKeys'
import { getRoles } from '../access/roles'
import { checkRaceGuards, commitChange, readValue, type Tree } from '../data/memoryTree'
import type { ReplayDriver, ReplayRequest } from './scenario'
import type { EventInput } from '../booking/eventInput'
import type { Route } from '../booking/trip/route'
import type { AvailableDriver, BusyDriver, DriverShift, Offer } from '../dispatch/types'
import type { Booking, OpenBookings, TrackingPoint } from '../booking/types'
import type { LatLng } from '../geo/types'
import type { Settings, VehicleType } from '../catalog/types'
import type { User } from '../accounts/types'

/** The code of every booking, which its rider tells the driver. */
export const START_CODE = 12_345
/** Written for the office and for messages; nothing in a replay reads them. */
const UNREAD_PATHS = /^(internal\/(?!driver_shifts)|audit\/)/
/** The same, and what only checks of the whole data read. */
const UNCHECKED_PATHS =
  /^(internal\/(?!driver_shifts)|(audit|stats|people|roles|booking_contacts)\/)|\/savedAddresses\//

/**
 * Returns a route of the planned length as two straight lines, because a replay knows the length of
 * a way and not its streets. A taxi's meter compares the track with it.
 */
const drawRoute = ({ pickup, drop, km, plannedSeconds }: ReplayRequest): Route => {
  const straight = getDistanceKm(pickup, drop)
  const aside = straight > 0 ? Math.sqrt(Math.max(0, km * km - straight * straight)) / straight : 0
  const [north, east] = [(drop.lat - pickup.lat) / 2, (drop.lng - pickup.lng) / 2]
  const scale = Math.cos((pickup.lat * Math.PI) / 180)
  const bend = {
    lat: pickup.lat + north + aside * east * scale,
    lng: pickup.lng + east - (aside * north) / scale,
  }
  return {
    distance_in_km: km,
    time_in_secs: plannedSeconds,
    polylinePoints: encodePolyline([pickup, bend, drop]),
  }
}

/**
 * Returns the settings of a replay: the operator's, except for conditions that a replay has no
 * people for. Drivers owe fees of cash trips instead of topping up their wallets, and no one takes
 * pictures.
 */
const toReplaySettings = (settings: Settings, own: Partial<Settings>): Settings => ({
  ...settings,
  ...own,
  autoDispatch: true,
  negativeBalance: true,
  AllowDeliveryPickupImageCapture: false,
  AllowFinalDeliveryImageCapture: false,
})

const createDriver = ({ uid, carType }: ReplayDriver): User => ({
  id: uid,
  usertype: 'driver',
  firstName: uid,
  lastName: '',
  mobile: '+10000000000',
  email: '',
  createdAt: '2000-01-01T00:00:00.000Z',
  approved: true,
  walletBalance: 0,
  carType,
  queue: false,
  driverActiveStatus: false,
})
const createRider = (id: string): User => ({
  id,
  usertype: 'rider',
  firstName: 'Rider',
  lastName: 'Rider',
  mobile: '+10000000000',
  email: `${id}@replay.invalid`,
  createdAt: '2000-01-01T00:00:00.000Z',
  approved: true,
  walletBalance: 0,
})

interface PlatformOptions {
  settings: Settings
  /** The settings of the policy. */
  policySettings: Partial<Settings>
  vehicleTypes: Readonly<Record<string, VehicleType>>
  drivers: readonly ReplayDriver[]
  /** True to keep the records of finished bookings, for checks of the whole data. */
  keepsRecords: boolean
}

/**
 * A platform in memory. Its bookings change only through `applyBookingEvent`, and each change must
 * pass the guards of the database rules.
 */
export const createReplayPlatform = (options: PlatformOptions) => {
  const settings = toReplaySettings(options.settings, options.policySettings)
  const users = Object.fromEntries(options.drivers.map((one) => [one.uid, createDriver(one)]))
  const tree: Tree = {
    settings: toJson(settings),
    cartypes: toJson(options.vehicleTypes),
    users: toJson(users),
    people: toDirectory(users),
    roles: getRoles(users),
  }
  const unwritten = options.keepsRecords ? UNREAD_PATHS : UNCHECKED_PATHS
  let carKeys = 0

  const read = <T>(path: string): T | null => readValue(tree, path) as T | null
  const commit = (updates: BookingChange['updates']) => {
    const change = {
      updates: Object.fromEntries(
        Object.entries(updates).filter(([path]) => !unwritten.test(path)),
      ),
    }
    const refused = checkRaceGuards(tree, change)
    if (refused)
      throw new Error(
        `The replay made a change that the rules refuse: ${refused} (${Object.keys(updates).join(', ')}). Report it.`,
      )
    commitChange(tree, change)
  }

  const readBooking = (id: string) => read<Booking>(dbPaths.booking(id))
  const readDriver = (uid: string): User => {
    const driver = read<User>(dbPaths.user(uid))
    if (!driver) throw new Error(`The replay has no driver ${uid}. Add them to the scenario.`)
    return driver
  }
  const listTasks = (uid: string): string[] => Object.keys(read<object>(dbPaths.tasks(uid)) ?? {})

  const readOpenOffers = (id: string): EventContext['offers'] => {
    const offers = Object.entries(read<Record<string, Offer>>(dbPaths.offers(id)) ?? {})
    const last = offers.reduce((most, [n]) => Math.max(most, Number(n)), -1)
    return toOpenOffers(offers, last < 0 ? undefined : `${last}`)
  }
  const listOpenRequests = (uid: string, accepted: string): EventContext['openRequests'] =>
    listTasks(uid)
      .filter((id) => id !== accepted)
      .map((id) => {
        const other = readBooking(id)
        const isAsked = other?.requestedDrivers?.[uid] === true
        return {
          booking: id,
          revision: isAsked ? other.revision : null,
          offer: Object.entries(readOpenOffers(id).open).find(
            ([, { driver }]) => driver === uid,
          )?.[0],
        }
      })
  const isUnavailable = (uid: string, booking: string): boolean =>
    (read(dbPaths.availableDriver(uid)) === null &&
      read(`${dbPaths.busyDriver(uid)}/ends_at`) === null) ||
    (settings.dispatchMode !== 'broadcast' && listTasks(uid).some((id) => id !== booking))

  const loadContext = (booking: Booking, input: EventInput, actor: Actor): EventContext => {
    const uid = input.event === 'accept' ? actor.uid : booking.driver
    const driver = uid === undefined ? null : readDriver(uid)
    const current =
      input.event === 'accept' && driver?.queue
        ? read<string>(`${dbPaths.busyDriver(driver.id)}/booking`)
        : booking.follows
    return {
      ...emptyContext(settings),
      carType: options.vehicleTypes[booking.carTypeId] ?? null,
      customer: read<User>(dbPaths.user(booking.customer)),
      driver,
      followed: current ? readBooking(current) : null,
      next: booking.next ? readBooking(booking.next) : null,
      openRequests: input.event === 'accept' ? listOpenRequests(actor.uid, booking.id) : [],
      notFree:
        input.event === 'dispatch'
          ? input.drivers.filter((uid) => isUnavailable(uid, booking.id))
          : [],
      offers: readOpenOffers(booking.id),
      otp: START_CODE,
      tracking:
        input.event === 'reach'
          ? Object.values(read<Record<string, TrackingPoint>>(dbPaths.tracking(booking.id)) ?? {})
          : [],
    }
  }

  const recordDuty = (uid: string, isOnDuty: boolean, now: number) => {
    const shift = changeDuty(read<DriverShift>(internalPaths.driverShift(uid)), isOnDuty, now)
    if (shift) commit({ [internalPaths.driverShift(uid)]: toJson(shift) })
  }

  /** Applies an event; returns false when the domain refuses it. */
  const apply = (id: string, input: EventInput, actor: Actor, now: number): boolean => {
    const booking = readBooking(id)
    if (!booking) return false
    const result = applyBookingEvent(booking, input, {
      actor,
      context: loadContext(booking, input, actor),
      now,
    })
    if (result.ok) commit(result.value.updates)
    return result.ok
  }

  const toRider = (id: string): Actor => ({ uid: `rider${id}`, role: 'rider' })

  return {
    tree: tree as Readonly<Tree>,
    settings,
    readBooking,
    readDriver,
    listTasks,
    listAvailable: () => read<Record<string, AvailableDriver>>('available_drivers') ?? {},
    /** Returns the drivers whose trip probably ends soon, when the settings let them be asked. */
    listEnding(now: number): Record<string, AvailableDriver> {
      const withinMs = getFollowOnMs(settings)
      if (withinMs === 0) return {}
      const [from, to] = getEndingTimes(withinMs, now)
      const busy = Object.entries(read<Record<string, BusyDriver>>('busy_drivers') ?? {})
      const isSoon = ({ ends_at = 0 }: BusyDriver) => ends_at >= from && ends_at <= to
      return toEndingDrivers(Object.fromEntries(busy.filter(([, one]) => isSoon(one))))
    },
    readOffers: (id: string) => read<Record<string, Offer>>(dbPaths.offers(id)) ?? {},

    /** Applies an event of the system, of a driver or of the booking's rider. */
    applyAsSystem: (id: string, input: EventInput, now: number) =>
      apply(id, input, SYSTEM_ACTOR, now),
    applyAsDriver: (id: string, input: EventInput, uid: string, now: number) =>
      apply(id, input, { uid, role: 'driver' }, now),
    applyAsRider: (id: string, input: EventInput, now: number) =>
      apply(id, input, toRider(id), now),

    /**
     * Books a trip at the price that the platform quotes. Returns the key of the refusal, or
     * undefined.
     */
    book(request: ReplayRequest, isDriverNearby: boolean, now: number): string | undefined {
      const { id, pickup, drop, tripdate } = request
      const carType = options.vehicleTypes[request.carType] ?? null
      const actor = toRider(id)
      if (!carType) return 'select_proper'
      if (!read(dbPaths.user(actor.uid)))
        commit({ [dbPaths.user(actor.uid)]: toJson(createRider(actor.uid)) })
      const isDelivery = settings.appcat === 'delivery'
      const { estimateFare } = quoteFare({
        carType,
        settings,
        distanceKm: request.km,
        seconds: request.plannedSeconds,
        ...(isDelivery && {
          parcelType: carType.parcelTypes?.[0],
          option: carType.options?.[0],
        }),
      })
      const result = applyBookingEvent(
        null,
        {
          event: 'create',
          input: {
            booking_id: id,
            pickup,
            drop,
            ...(request.waypoints && { waypoints: request.waypoints }),
            carType: carType.id,
            bookLater: tripdate !== undefined,
            ...(tripdate !== undefined && { tripdate }),
            estimateFare,
            deliveryPerson: 'Recipient',
            deliveryPersonPhone: '099 123 456',
          },
        },
        {
          actor,
          context: {
            ...emptyContext(settings),
            carType,
            customer: read<User>(dbPaths.user(actor.uid)),
            route: drawRoute(request),
            isDriverNearby,
            openBookings: read<OpenBookings>(dbPaths.openBookings(actor.uid)),
            reference: findFreeReference(id),
            otp: START_CODE,
          },
          now,
        },
      )
      if (!result.ok) return result.error.key
      commit(result.value.updates)
      if (readBooking(id)?.status === 'PAYMENT_PENDING')
        apply(id, { event: 'pay', payment_mode: 'cash' }, actor, now)
      return undefined
    },

    /** Writes when the scheduled job next looks at a booking, as that job does. */
    writeDueTime(booking: Booking, due_at: number | null) {
      const base = dbPaths.booking(booking.id)
      commit({ [`${base}/due_at`]: due_at, [`${base}/revision`]: booking.revision + 1 })
    },

    /** Puts a driver on duty or moves a free driver, as the driver's app does. */
    listDriver(uid: string, place: LatLng, now: number) {
      const base = dbPaths.user(uid)
      commit({
        [`${base}/driverActiveStatus`]: true,
        [`${base}/location`]: { lat: place.lat, lng: place.lng },
      })
      const key = createPushKey(now, carKeys++)
      commit(buildAvailabilityUpdates(readDriver(uid), place, key, now))
      recordDuty(uid, true, now)
    },

    /** Moves a busy driver, as the driver's app does. */
    moveDriver: (uid: string, { lat, lng }: LatLng) =>
      commit({ [`${dbPaths.user(uid)}/location`]: { lat, lng } }),

    /** Takes a driver off duty. The caller withdraws their requests. */
    unlistDriver(uid: string, now: number) {
      commit({
        [`${dbPaths.user(uid)}/driverActiveStatus`]: false,
        ...buildUnavailabilityUpdates(readDriver(uid)),
      })
      recordDuty(uid, false, now)
    },

    /** Returns the income and the time on duty of a driver's shift. */
    readEarnings: (uid: string, now: number): Earnings =>
      getShiftEarnings(read<DriverShift>(internalPaths.driverShift(uid)), now),

    /**
     * Removes the records of a finished booking, so that a replay needs memory only for what is
     * under way.
     */
    forget(id: string) {
      if (options.keepsRecords) return
      const booking = readBooking(id)
      const uid = toRider(id).uid
      const driver = booking?.driver
      const entries = driver ? Object.keys(readDriver(driver).walletHistory ?? {}) : []
      commitChange(tree, {
        updates: {
          [dbPaths.booking(id)]: null,
          [dbPaths.bookingContacts(id)]: null,
          [dbPaths.bookingOtp(id)]: null,
          [dbPaths.offers(id)]: null,
          [dbPaths.tracking(id)]: null,
          [dbPaths.user(uid)]: null,
          [dbPaths.openBookings(uid)]: null,
          ...(booking && { [dbPaths.reference(booking.reference)]: null }),
          ...Object.fromEntries(
            entries
              .filter((key) => key.startsWith(id))
              .map((key) => [dbPaths.walletEntry(driver ?? '', key), null]),
          ),
        },
      })
    },
  }

  function findFreeReference(id: string): string {
    for (let n = 0; ; n++) {
      const reference = referenceAt(id, n)
      if (read(dbPaths.reference(reference)) === null) return reference
    }
  }
}
export type ReplayPlatform = ReturnType<typeof createReplayPlatform>
