import { getRoles } from '../access/roles'
import { toDirectory } from '../accounts/directory'
import type { User } from '../accounts/types'
import { applyBookingEvent } from '../booking/applyBookingEvent'
import { emptyContext, type EventContext } from '../booking/eventContext'
import type { EventInput } from '../booking/eventInput'
import { SYSTEM_ACTOR, type Actor, type BookingChange } from '../booking/eventTypes'
import { getFollowOnMs } from '../booking/offers/followOn'
import { toOpenOffers } from '../booking/offers/offers'
import { referenceAt } from '../booking/search/reference'
import type { Booking, OpenBookings, TrackingPoint } from '../booking/types'
import type { Settings, VehicleType } from '../catalog/types'
import { dbPaths } from '../data/databasePaths'
import { toJson } from '../data/databaseValue'
import { internalPaths } from '../data/internalPaths'
import { checkRaceGuards, commitChange, readValue, type Tree } from '../data/memoryTree'
import { createPushKey } from '../data/pushKeys'
import {
  buildAvailabilityUpdates,
  buildUnavailabilityUpdates,
  getEndingTimes,
  toEndingDrivers,
} from '../dispatch/dispatch'
import { changeDuty, getShiftEarnings } from '../dispatch/matching/driverShift'
import type { Earnings } from '../dispatch/matching/offerCost'
import type { AvailableDriver, BusyDriver, DriverShift, Offer } from '../dispatch/types'
import type { LatLng } from '../geo/types'
import { quoteFare } from '../money/fare'
import { createDriver, createRider, drawRoute, toReplaySettings } from './replayRecords'
import type { ReplayDriver, ReplayRequest } from './scenario'

/** The code of every booking, which its rider tells the driver. */
export const START_CODE = 12_345
/** Written for the office and for messages; nothing in a replay reads them. */
const UNREAD_PATHS = /^(internal\/(?!driver_shifts)|audit\/)/
/** The same, and what only checks of the whole data read. */
const UNCHECKED_PATHS =
  /^(internal\/(?!driver_shifts)|(audit|stats|people|roles|booking_contacts)\/)|\/savedAddresses\//

interface PlatformOptions {
  settings: Settings
  /** The settings of the policy. */
  policySettings: Partial<Settings>
  vehicleTypes: Readonly<Record<string, VehicleType>>
  drivers: readonly ReplayDriver[]
  /** True to keep the records of finished bookings, for checks of the whole data. */
  keepsRecords: boolean
}

const toRider = (id: string): Actor => ({ uid: `rider${id}`, role: 'rider' })

/**
 * A platform in memory. Its bookings change only through `applyBookingEvent`, and each change must
 * pass the guards of the database rules.
 */
export class ReplayPlatform {
  readonly settings: Settings
  private readonly records: Tree
  private readonly unwrittenPaths: RegExp
  /** The number of keys created for vehicles, so that no two are the same. */
  private vehicleKeyCount = 0

  constructor(private readonly options: PlatformOptions) {
    this.settings = toReplaySettings(options.settings, options.policySettings)
    const users = Object.fromEntries(options.drivers.map((one) => [one.uid, createDriver(one)]))
    this.records = {
      settings: toJson(this.settings),
      cartypes: toJson(options.vehicleTypes),
      users: toJson(users),
      people: toDirectory(users),
      roles: getRoles(users),
    }
    this.unwrittenPaths = options.keepsRecords ? UNREAD_PATHS : UNCHECKED_PATHS
  }

  /** All the data. */
  get tree(): Readonly<Tree> {
    return this.records
  }

  readBooking(id: string): Booking | null {
    return this.read<Booking>(dbPaths.booking(id))
  }

  /** Returns the bookings that request a driver. */
  listTasks(uid: string): string[] {
    return Object.keys(this.read<object>(dbPaths.tasks(uid)) ?? {})
  }

  listAvailable(): Record<string, AvailableDriver> {
    return this.read<Record<string, AvailableDriver>>('available_drivers') ?? {}
  }

  /** Returns the drivers whose trip probably ends soon, when the settings let them be asked. */
  listEnding(now: number): Record<string, AvailableDriver> {
    const withinMs = getFollowOnMs(this.settings)
    if (withinMs === 0) return {}
    const [from, to] = getEndingTimes(withinMs, now)
    const busy = Object.entries(this.read<Record<string, BusyDriver>>('busy_drivers') ?? {})
    const isSoon = ({ ends_at = 0 }: BusyDriver) => ends_at >= from && ends_at <= to
    return toEndingDrivers(Object.fromEntries(busy.filter(([, one]) => isSoon(one))))
  }

  /** Returns the income and the time on duty of a driver's shift. */
  readEarnings(uid: string, now: number): Earnings {
    return getShiftEarnings(this.read<DriverShift>(internalPaths.driverShift(uid)), now)
  }

  /** Applies an event of the system. Returns false when the domain refuses it. */
  applyAsSystem(id: string, input: EventInput, now: number): boolean {
    return this.apply(id, input, SYSTEM_ACTOR, now)
  }

  /** Applies an event of a driver. Returns false when the domain refuses it. */
  applyAsDriver(id: string, input: EventInput, uid: string, now: number): boolean {
    return this.apply(id, input, { uid, role: 'driver' }, now)
  }

  /** Applies an event of the booking's rider. Returns false when the domain refuses it. */
  applyAsRider(id: string, input: EventInput, now: number): boolean {
    return this.apply(id, input, toRider(id), now)
  }

  /**
   * Books a trip at the price that the platform quotes. Returns the key of the refusal, or
   * undefined.
   */
  book(request: ReplayRequest, isDriverNearby: boolean, now: number): string | undefined {
    const { id } = request
    const carType = this.options.vehicleTypes[request.carType]
    const actor = toRider(id)
    if (!carType) return 'select_proper'
    if (!this.read(dbPaths.user(actor.uid)))
      this.commit({ [dbPaths.user(actor.uid)]: toJson(createRider(actor.uid)) })
    const result = applyBookingEvent(null, this.buildCreateEvent(request, carType), {
      actor,
      context: {
        ...emptyContext(this.settings),
        carType,
        customer: this.read<User>(dbPaths.user(actor.uid)),
        route: drawRoute(request),
        isDriverNearby,
        openBookings: this.read<OpenBookings>(dbPaths.openBookings(actor.uid)),
        reference: this.findFreeReference(id),
        otp: START_CODE,
      },
      now,
    })
    if (!result.ok) return result.error.key
    this.commit(result.value.updates)
    if (this.readBooking(id)?.status === 'PAYMENT_PENDING')
      this.apply(id, { event: 'pay', payment_mode: 'cash' }, actor, now)
    return undefined
  }

  /** Writes when the scheduled job next looks at a booking, as that job does. */
  writeDueTime(booking: Booking, due_at: number | null): void {
    const base = dbPaths.booking(booking.id)
    this.commit({ [`${base}/due_at`]: due_at, [`${base}/revision`]: booking.revision + 1 })
  }

  /** Puts a driver on duty or moves a free driver, as the driver's app does. */
  listDriver(uid: string, place: LatLng, now: number): void {
    const base = dbPaths.user(uid)
    this.commit({
      [`${base}/driverActiveStatus`]: true,
      [`${base}/location`]: { lat: place.lat, lng: place.lng },
    })
    const key = createPushKey(now, this.vehicleKeyCount++)
    this.commit(buildAvailabilityUpdates(this.readDriver(uid), place, key, now))
    this.recordDuty(uid, true, now)
  }

  /** Moves a busy driver, as the driver's app does. */
  moveDriver(uid: string, { lat, lng }: LatLng): void {
    this.commit({ [`${dbPaths.user(uid)}/location`]: { lat, lng } })
  }

  /** Takes a driver off duty. The caller withdraws their requests. */
  unlistDriver(uid: string, now: number): void {
    this.commit({
      [`${dbPaths.user(uid)}/driverActiveStatus`]: false,
      ...buildUnavailabilityUpdates(this.readDriver(uid)),
    })
    this.recordDuty(uid, false, now)
  }

  /**
   * Removes the records of a finished booking, so that a replay needs memory only for what is under
   * way.
   */
  forget(id: string): void {
    if (this.options.keepsRecords) return
    const booking = this.readBooking(id)
    const uid = toRider(id).uid
    const driver = booking?.driver
    const entries = driver ? Object.keys(this.readDriver(driver).walletHistory ?? {}) : []
    commitChange(this.records, {
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
  }

  private read<T>(path: string): T | null {
    return readValue(this.records, path) as T | null
  }

  private commit(updates: BookingChange['updates']): void {
    const change = {
      updates: Object.fromEntries(
        Object.entries(updates).filter(([path]) => !this.unwrittenPaths.test(path)),
      ),
    }
    const refusal = checkRaceGuards(this.records, change)
    if (refusal)
      throw new Error(
        `The replay made a change that the rules refuse: ${refusal} (${Object.keys(updates).join(', ')}). Report it.`,
      )
    commitChange(this.records, change)
  }

  private apply(id: string, input: EventInput, actor: Actor, now: number): boolean {
    const booking = this.readBooking(id)
    if (!booking) return false
    const result = applyBookingEvent(booking, input, {
      actor,
      context: this.loadContext(booking, input, actor),
      now,
    })
    if (result.ok) this.commit(result.value.updates)
    return result.ok
  }

  private loadContext(booking: Booking, input: EventInput, actor: Actor): EventContext {
    const uid = input.event === 'accept' ? actor.uid : booking.driver
    const driver = uid === undefined ? null : this.readDriver(uid)
    const current =
      input.event === 'accept' && driver?.queue
        ? this.read<string>(`${dbPaths.busyDriver(driver.id)}/booking`)
        : booking.follows
    return {
      ...emptyContext(this.settings),
      carType: this.options.vehicleTypes[booking.carTypeId] ?? null,
      customer: this.read<User>(dbPaths.user(booking.customer)),
      driver,
      followed: current ? this.readBooking(current) : null,
      next: booking.next ? this.readBooking(booking.next) : null,
      openRequests: input.event === 'accept' ? this.listOpenRequests(actor.uid, booking.id) : [],
      notFree:
        input.event === 'dispatch'
          ? input.drivers.filter((one) => this.isUnavailable(one, booking.id))
          : [],
      offers: this.readOpenOffers(booking.id),
      otp: START_CODE,
      tracking: input.event === 'reach' ? this.readTrack(booking.id) : [],
    }
  }

  private readDriver(uid: string): User {
    const driver = this.read<User>(dbPaths.user(uid))
    if (!driver) throw new Error(`The replay has no driver ${uid}. Add them to the scenario.`)
    return driver
  }

  private readTrack(id: string): TrackingPoint[] {
    return Object.values(this.read<Record<string, TrackingPoint>>(dbPaths.tracking(id)) ?? {})
  }

  private readOpenOffers(id: string): EventContext['offers'] {
    const offers = Object.entries(this.read<Record<string, Offer>>(dbPaths.offers(id)) ?? {})
    const last = offers.reduce((most, [n]) => Math.max(most, Number(n)), -1)
    return toOpenOffers(offers, last < 0 ? undefined : `${last}`)
  }

  private listOpenRequests(uid: string, accepted: string): EventContext['openRequests'] {
    return this.listTasks(uid)
      .filter((id) => id !== accepted)
      .map((id) => {
        const other = this.readBooking(id)
        const isAsked = other?.requestedDrivers?.[uid] === true
        return {
          booking: id,
          revision: isAsked ? other.revision : null,
          offer: Object.entries(this.readOpenOffers(id).open).find(
            ([, { driver }]) => driver === uid,
          )?.[0],
        }
      })
  }

  private isUnavailable(uid: string, booking: string): boolean {
    return (
      (this.read(dbPaths.availableDriver(uid)) === null &&
        this.read(`${dbPaths.busyDriver(uid)}/ends_at`) === null) ||
      (this.settings.dispatchMode !== 'broadcast' &&
        this.listTasks(uid).some((id) => id !== booking))
    )
  }

  private recordDuty(uid: string, isOnDuty: boolean, now: number): void {
    const shift = changeDuty(this.read<DriverShift>(internalPaths.driverShift(uid)), isOnDuty, now)
    if (shift) this.commit({ [internalPaths.driverShift(uid)]: toJson(shift) })
  }

  private buildCreateEvent(request: ReplayRequest, carType: VehicleType): EventInput {
    const { id, pickup, drop, waypoints, tripdate } = request
    const isDelivery = this.settings.appcat === 'delivery'
    const { estimateFare } = quoteFare({
      carType,
      settings: this.settings,
      distanceKm: request.km,
      seconds: request.plannedSeconds,
      ...(isDelivery && {
        parcelType: carType.parcelTypes?.[0],
        option: carType.options?.[0],
      }),
    })
    return {
      event: 'create',
      input: {
        booking_id: id,
        pickup,
        drop,
        ...(waypoints && { waypoints }),
        carType: carType.id,
        bookLater: tripdate !== undefined,
        ...(tripdate !== undefined && { tripdate }),
        estimateFare,
        deliveryPerson: 'Recipient',
        deliveryPersonPhone: '099 123 456',
      },
    }
  }

  private findFreeReference(id: string): string {
    for (let n = 0; ; n++) {
      const reference = referenceAt(id, n)
      if (this.read(dbPaths.reference(reference)) === null) return reference
    }
  }
}
