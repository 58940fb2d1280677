import type { User } from '~/domain/accounts/types'
import { applyBookingEvent } from '~/domain/booking/applyBookingEvent'
import { emptyContext, type EventContext } from '~/domain/booking/eventContext'
import type { EventInput } from '~/domain/booking/eventInput'
import type { Actor, BookingChange } from '~/domain/booking/eventTypes'
import { toOpenOffers } from '~/domain/booking/offers/offers'
import type { Route } from '~/domain/booking/trip/route'
import type { Booking, OpenBookings, TrackingPoint } from '~/domain/booking/types'
import type { Promo, Settings, VehicleType } from '~/domain/catalog/types'
import { dbPaths } from '~/domain/data/databasePaths'
import { createPushKey } from '~/domain/data/pushKeys'
import type { Random } from '~/domain/data/seededRandom'
import type { Offer } from '~/domain/dispatch/types'
import type { Place } from '~/domain/geo/types'
import { DAY_MS, HOUR_MS } from '~/domain/language/timeUnits'
import type { MemoryTree } from './memoryTree'

export type RouteBetween = (from: Place, to: Place) => Promise<Route>

/** The driver of the demo accounts. */
export const FIXED_DRIVER = 'seed-driver'
/** The rider of the demo accounts. */
export const FIXED_RIDER = 'seed-rider'
/**
 * Milliseconds before now since which the fixed driver drives only the bookings planned for them.
 */
const FIXED_DRIVER_FROM = 40 * DAY_MS
/** Milliseconds after which inbox entries count as read. */
const READ_AFTER_MS = 3 * HOUR_MS

/** The people of the city and the tree to which their bookings are added. */
export interface HistoryInput {
  tree: MemoryTree
  random: Random
  /** End of the history, in milliseconds since 1970. */
  now: number
  settings: Settings
  routeBetween: RouteBetween
  riders: readonly string[]
  drivers: readonly string[]
}

/** The actor and the time of an event, and the context that the tree does not have. */
export interface EventCircumstances {
  actor: Actor
  at: number
  more?: Partial<EventContext>
}

/** The city while its bookings happen one after the other. */
export class CityHistory {
  readonly carTypes: Readonly<Record<string, VehicleType>>
  /** False for a taxi company, whose bookings are paid after the trip and have no recipient. */
  readonly isDelivery: boolean
  private readonly busyUntil: Record<string, number> = {}
  private assignmentCount = 0

  constructor(readonly input: HistoryInput) {
    this.carTypes = input.tree.get<Record<string, VehicleType>>('cartypes') ?? {}
    this.isDelivery = input.settings.appcat === 'delivery'
  }

  readUser(uid: string): User {
    const person = this.input.tree.get<User>(dbPaths.user(uid))
    if (!person) throw new Error(`There is no user ${uid}. Add them to the demo people.`)
    return person
  }

  readOpenBookings(uid: string): OpenBookings | null {
    return this.input.tree.get<OpenBookings>(dbPaths.openBookings(uid)) ?? null
  }

  readBooking(id: string): Booking | null {
    const latestBooking = this.input.tree.get<Booking>(dbPaths.booking(id))
    return latestBooking ? structuredClone(latestBooking) : null
  }

  /** Applies an event. Throws when the domain refuses it. */
  apply(id: string, event: EventInput, { actor, at, more = {} }: EventCircumstances): void {
    const result = applyBookingEvent(this.readBooking(id), event, {
      actor,
      context: this.buildContext(id, event, more),
      now: at,
    })
    if (!result.ok) {
      throw new Error(`The demo's ${event.event} was refused: ${JSON.stringify(result.error)}`)
    }
    this.input.tree.commit(result.value)
    this.deliver(result.value, at)
  }

  /** Returns the drivers of a vehicle type who are free from a time on. */
  listFreeDrivers(carType: string, from: number, isLive: boolean): string[] {
    const { drivers, now } = this.input
    return drivers.filter((uid) => {
      const driver = this.readUser(uid)
      if (driver.carType !== carType || !driver.driverActiveStatus || driver.queue) return false
      // The fixed driver stays free for the demo and has separate earnings.
      if (uid === FIXED_DRIVER && (isLive || from > now - FIXED_DRIVER_FROM)) return false
      return (this.busyUntil[uid] ?? 0) < from
    })
  }

  /** Keeps a driver from bookings that begin before a time. */
  keepBusy(driver: string, until: number): void {
    this.busyUntil[driver] = until
  }

  /** Returns the number of earlier assignments, and counts one more. */
  countAssignment(): number {
    return this.assignmentCount++
  }

  /** Returns a promo that the rider has not used yet, at random for some bookings. */
  drawPromo(rider: string, cost: number, at: number): string | undefined {
    const { tree, random } = this.input
    if (rider === FIXED_RIDER || !random.chance(0.25)) return undefined
    return Object.values(tree.get<Record<string, Promo>>('promos') ?? {}).find(
      (promo) =>
        (promo.createdAt ?? 0) < at &&
        at < promo.promo_validity &&
        cost >= promo.min_order &&
        !tree.get(dbPaths.promoUse(promo.id, rider)),
    )?.id
  }

  private buildContext(id: string, event: EventInput, more: Partial<EventContext>): EventContext {
    const { tree, settings } = this.input
    const current = this.readBooking(id)
    const driver = event.event === 'assign' ? event.driver : current?.driver
    const promo =
      event.event === 'pay' && event.promo !== undefined ? event.promo : current?.promo_details?.id
    const customer = current?.customer
    return {
      ...emptyContext(settings),
      carType: current ? (this.carTypes[current.carTypeId] ?? null) : null,
      customer: customer !== undefined ? structuredClone(this.readUser(customer)) : null,
      driver: driver !== undefined ? structuredClone(this.readUser(driver)) : null,
      otp: tree.get<number>(dbPaths.bookingOtp(id)) ?? null,
      promo: promo !== undefined ? (tree.get<Promo>(dbPaths.promo(promo)) ?? null) : null,
      isPromoUsed:
        promo !== undefined &&
        customer !== undefined &&
        !!tree.get(dbPaths.promoUse(promo, customer)),
      tracking: Object.values(tree.get<Record<string, TrackingPoint>>(dbPaths.tracking(id)) ?? {}),
      offers: this.readOpenOffers(id),
      ...more,
    }
  }

  private readOpenOffers(id: string): EventContext['offers'] {
    const offers = Object.entries(
      this.input.tree.get<Record<string, Offer>>(dbPaths.offers(id)) ?? {},
    )
    return toOpenOffers(offers, offers.at(-1)?.[0])
  }

  private deliver(change: BookingChange, at: number): void {
    const { tree, now } = this.input
    // The inbox shows only recent entries; a year of pushes would be noise.
    if (at < now - 2 * DAY_MS) return
    change.pushes.forEach(({ to, ...push }, index) => {
      const revision = change.response.revision * 10 + index
      const read = at < now - READ_AFTER_MS
      tree.set(dbPaths.inbox(to, createPushKey(at, revision)), {
        ...push,
        at,
        ...(read && { read }),
      })
    })
  }
}
