import type { EventContext } from '~/domain/booking/eventContext'
import type { EventInput } from '~/domain/booking/eventInput'
import type { Actor } from '~/domain/booking/eventTypes'
import { freeReference } from '~/domain/booking/search/reference'
import { dbPaths } from '~/domain/data/databasePaths'
import { getOfferMs } from '~/domain/dispatch/dispatch'
import type { LatLng } from '~/domain/geo/types'
import { getLengthKm, interpolatePosition } from '~/domain/geo/polylineGeometry'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import { CANCELLATION_REASONS } from './catalog'
import { FIXED_DRIVER, FIXED_RIDER, type CityHistory } from './cityHistory'
import { findNearestPlaces, type DrawnRequest } from './drawnRequest'
import type { PlannedBooking } from './historyPlan'
import { buildTrack, getRouteLine, roundPosition, type DrivenPart } from './tracks'
import type { Milliseconds } from '~/domain/language/units'

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
/** Maximum distance in kilometers from which a driver comes to the pickup. */
const MAX_APPROACH_KM = 2.5

const OFFICE: Actor = { uid: 'seed-admin', role: 'admin' }
const SYSTEM: Actor = { uid: 'system', role: 'system' }

/** The lines along which a driver drives to the pickup and to the drop-off. */
interface Trip {
  driver: string
  approach: readonly LatLng[]
  /** The fraction of the approach at which the driver accepts. */
  setOut: number
  /** The line from the pickup to the drop-off. */
  ride: readonly LatLng[]
}

/** Plays one booking from its request to the ending that the plan has for it. */
export class BookingPlayback {
  /** The time of the next event, in milliseconds since 1970. */
  private time: number
  private readonly rider: Actor

  constructor(
    private readonly city: CityHistory,
    private readonly planned: PlannedBooking,
    private readonly request: DrawnRequest,
  ) {
    this.time = planned.beginAt
    this.rider = { uid: request.rider, role: 'rider' }
  }

  async play(): Promise<void> {
    const { ending, cancellation, isByFixedDriver } = this.planned
    const { random } = this.city.input
    await this.create()
    if (ending === 'PAYMENT_PENDING') return
    if (cancellation === 'expire' && this.city.isDelivery && !this.request.isByOffice) {
      this.time += 31 * MINUTE_MS
      this.apply({ event: 'expire' }, SYSTEM)
      return
    }
    if (this.getStatus() === 'PAYMENT_PENDING') this.pay()
    this.wait(1, 3)
    const reason = random.pick(CANCELLATION_REASONS).label
    if (cancellation === 'early' || cancellation === 'expire') {
      this.apply({ event: 'cancel', reason }, this.rider)
      return
    }
    if (cancellation === 'office') {
      this.apply({ event: 'cancel', reason: 'No driver could be found' }, OFFICE)
      return
    }
    if (ending === 'NEW' && random.chance(0.5)) return
    const driver = isByFixedDriver ? FIXED_DRIVER : random.pick(this.listFreeDrivers())
    const otherDriver = this.offer(driver)
    if (ending === 'NEW') return
    this.wait(0.2, 1)
    // A booking ends when its last driver declines, so this one has another offer by now.
    if (otherDriver !== undefined) this.applyAsDriver({ event: 'decline' }, otherDriver)
    if (cancellation === 'declined') {
      this.applyAsDriver({ event: 'decline' }, driver)
      return
    }
    const trip = await this.planTrip(driver)
    this.accept(trip)
    if (cancellation !== undefined) this.cancelApproach(trip, reason)
    else this.drive(trip)
  }

  private apply(event: EventInput, actor: Actor, more?: Partial<EventContext>): void {
    this.city.apply(this.request.id, event, { actor, at: this.time, ...(more && { more }) })
  }

  private applyAsDriver(event: EventInput, uid: string, more?: Partial<EventContext>): void {
    this.apply(event, { uid, role: 'driver' }, more)
  }

  private getStatus() {
    return this.city.readBooking(this.request.id)?.status
  }

  /** Lets some minutes pass, at random between two numbers. */
  private wait(least: number, most: number): void {
    this.time += this.city.input.random.integer(least * 60, most * 60) * 1000
  }

  private async create(): Promise<void> {
    const { city, request } = this
    const { tree, random } = city.input
    const findOwner = async (reference: string) =>
      tree.get<string>(dbPaths.reference(reference)) ?? null
    const actor = request.isByOffice ? OFFICE : this.rider
    this.apply({ event: 'create', input: request.input }, actor, {
      carType: request.carType,
      customer: structuredClone(city.readUser(request.rider)),
      route: request.route,
      isDriverNearby: true,
      openBookings: city.readOpenBookings(request.rider),
      otp: random.integer(10_000, 99_999),
      reference: await freeReference(request.id, findOwner),
    })
  }

  private pay(): void {
    const { rider, input } = this.request
    this.wait(1, 2)
    const promo = this.city.drawPromo(rider, input.estimateFare, this.time)
    // The fixed rider keeps their wallet balance of 100.
    const hasEnough =
      this.city.readUser(rider).walletBalance >= input.estimateFare && rider !== FIXED_RIDER
    const payment_mode = hasEnough && this.city.input.random.chance(0.6) ? 'wallet' : 'cash'
    this.apply({ event: 'pay', payment_mode, ...(promo !== undefined && { promo }) }, this.rider)
  }

  private listFreeDrivers(): string[] {
    const { beginAt, isLive } = this.planned
    return this.city.listFreeDrivers(this.request.carType.id, beginAt, isLive)
  }

  /**
   * Offers the booking to a driver, for some bookings after another one. Returns that other driver
   * when they decline.
   */
  private offer(driver: string): string | undefined {
    const turn = this.city.countAssignment()
    const firstAnswer = this.planned.isLive ? undefined : FIRST_ANSWERS[turn % FIRST_ANSWERS.length]
    const rivals = this.listFreeDrivers().filter((uid) => uid !== driver)
    const rival = firstAnswer && rivals[turn % rivals.length]
    if (rival !== undefined) {
      this.apply({ event: 'assign', driver: rival }, OFFICE)
      this.time += getOfferMs(this.city.input.settings)
      if (firstAnswer === 'expired')
        this.apply({ event: 'withdraw', driver: rival, isExpired: true }, SYSTEM)
    }
    this.apply({ event: 'assign', driver }, OFFICE)
    return firstAnswer === 'declined' ? rival : undefined
  }

  private async planTrip(driver: string): Promise<Trip> {
    const { random, routeBetween } = this.city.input
    const { pickup, drop, route } = this.request
    const from = random.pick(findNearestPlaces(pickup))
    const approach = getRouteLine(await routeBetween(from, pickup), from, pickup)
    return {
      driver,
      approach,
      setOut: Math.max(0, 1 - MAX_APPROACH_KM / getLengthKm(approach)),
      ride: getRouteLine(route, pickup, drop),
    }
  }

  private accept({ driver, approach, setOut }: Trip): void {
    const place = this.getPlace(approach, setOut)
    this.applyAsDriver({ event: 'accept' }, driver, this.getDriverContext(driver, place))
  }

  private cancelApproach({ driver, approach, setOut }: Trip, reason: string): void {
    const accepted = this.time
    this.wait(3, 14)
    this.track({
      status: 'ACCEPTED',
      line: approach,
      times: [accepted, this.time],
      shares: [setOut, 0.9],
    })
    const isByRider = this.planned.cancellation === 'late'
    this.apply({ event: 'cancel', reason }, isByRider ? this.rider : OFFICE)
    this.city.keepBusy(driver, this.time)
  }

  private drive(trip: Trip): void {
    const { ending } = this.planned
    if (ending === 'ACCEPTED') {
      this.stayOnApproach(trip)
      return
    }
    this.arrive(trip)
    if (ending === 'ARRIVED') return
    const driveMs = this.start(trip)
    if (ending === 'STARTED') {
      this.stayOnRide(trip, driveMs)
      return
    }
    this.reachDrop(trip, driveMs)
    if (ending === 'REACHED') return
    this.finish(trip)
    if (ending === 'PENDING') return
    this.collect(trip)
    if (ending === 'COMPLETE') this.rate(trip)
  }

  private stayOnApproach({ driver, approach, setOut }: Trip): void {
    const { now } = this.city.input
    const share = setOut + (1 - setOut) * 0.7
    this.track({
      status: 'ACCEPTED',
      line: approach,
      times: [this.time, now],
      shares: [setOut, share],
    })
    this.moveDriver(driver, this.getPlace(approach, share))
  }

  private arrive({ driver, approach, setOut, ride }: Trip): void {
    const { lat, lng } = this.request.pickup
    const accepted = this.time
    this.wait(4, 11)
    this.track({
      status: 'ACCEPTED',
      line: approach,
      times: [accepted, this.time],
      shares: [setOut, 1],
    })
    this.applyAsDriver({ event: 'arrive', lat, lng }, driver)
    this.moveDriver(driver, this.getPlace(ride, 0))
  }

  /** Starts the ride. Returns the milliseconds that it takes. */
  private start({ driver, ride }: Trip): number {
    const { tree, random } = this.city.input
    this.wait(1, 4)
    this.applyAsDriver(
      { event: 'start', otp: tree.get<number>(dbPaths.bookingOtp(this.request.id)) },
      driver,
      this.getDriverContext(driver, this.getPlace(ride, 0)),
    )
    return this.request.route.time_in_secs * 1000 * (0.9 + random.next() * 0.35)
  }

  private stayOnRide({ driver, ride }: Trip, driveMs: Milliseconds): void {
    const { now } = this.city.input
    const share = Math.min(0.85, Math.max(0.2, (now - this.time) / driveMs))
    this.track({ status: 'STARTED', line: ride, times: [this.time, now], shares: [0, share] })
    this.moveDriver(driver, this.getPlace(ride, share))
  }

  private reachDrop({ driver, ride }: Trip, driveMs: Milliseconds): void {
    const { lat, lng } = this.request.drop
    const started = this.time
    this.time = Math.round(started + driveMs)
    this.track({ status: 'STARTED', line: ride, times: [started, this.time], shares: [0, 1] })
    this.applyAsDriver({ event: 'reach', lat, lng }, driver)
    this.moveDriver(driver, this.getPlace(ride, 1))
  }

  private finish({ driver }: Trip): void {
    this.wait(1, 3)
    this.applyAsDriver({ event: 'finish' }, driver)
    this.city.keepBusy(driver, this.time)
  }

  private collect({ driver }: Trip): void {
    if (this.getStatus() !== 'PENDING') return
    this.wait(0.5, 2)
    this.applyAsDriver({ event: 'collect' }, driver)
  }

  private rate({ driver }: Trip): void {
    const { isByFixedDriver } = this.planned
    this.wait(1, isByFixedDriver ? 5 : 60)
    const ratings = isByFixedDriver ? [5, 5, 5, 5, 4, 4] : [5, 5, 5, 5, 4, 4, 4, 3, 2]
    const rating = this.city.input.random.pick(ratings)
    this.apply({ event: 'rate', rating }, this.rider, {
      driver: structuredClone(this.city.readUser(driver)),
    })
  }

  /** Returns the place at a fraction of a line, or the pickup when the line is empty. */
  private getPlace(line: readonly LatLng[], share: number): LatLng {
    return roundPosition(interpolatePosition(line, share) ?? this.request.pickup)
  }

  /** Returns the event context with the driver at a place. */
  private getDriverContext(driver: string, place: LatLng): Partial<EventContext> {
    return { driver: { ...structuredClone(this.city.readUser(driver)), location: place } }
  }

  /** Moves the driver of a booking under way. */
  private moveDriver(driver: string, place: LatLng): void {
    if (this.planned.isLive)
      this.city.input.tree.set(`${dbPaths.user(driver)}/location`, { ...place })
  }

  private track(part: DrivenPart): void {
    const { tree, now } = this.city.input
    for (const [key, point] of buildTrack(part, now))
      tree.set(`${dbPaths.tracking(this.request.id)}/${key}`, { ...point })
  }
}
