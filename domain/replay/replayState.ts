import type { EventInput } from '../booking/eventInput'
import type { LatLng } from '../geo/types'
import { createEventQueue } from './eventQueue'
import type { DispatchPolicy, PolicyRun } from './policies'
import { ReplayPlatform } from './replayPlatform'
import type { ReplayRequest, ReplayScenario, TravelTimes } from './scenario'
import type { Kilometers, Milliseconds, Seconds } from '../language/units'

/**
 * The one end of a request: driven to the end, given up or expired without a driver, canceled by
 * the rider for their own reasons, or refused at each try because no car was free.
 */
export type ReplayOutcome = 'served' | 'given_up' | 'expired' | 'canceled' | 'refused'

export interface RequestResult {
  id: string
  outcome: ReplayOutcome
  /** Time of the request, or of the pickup for a later booking; ms. */
  at: number
  offers: number
  driver?: string
  acceptedAt?: number
  /** ms */
  arrivedAt?: number
  finishedAt?: number
  /** Kilometers without a passenger, to the pickup. */
  emptyKm?: Kilometers
  /** The amount the rider paid, and the driver's share of it. */
  paid?: number
  driverShare?: number
}

export interface ReplayOptions {
  scenario: ReplayScenario
  policy: DispatchPolicy
  travel: TravelTimes
  seed: number
  /** Keeps the records of finished bookings, which needs memory for all of them. */
  keepsRecords?: boolean
  /**
   * How much faster than the platform people drive, answer and lose patience. Requests and duty
   * periods of the scenario have the platform's time. 1 by default.
   */
  pace?: number
  /** Called for every change of virtual time. */
  onTime?: (now: number) => void
}

/** A driver who has begun their first duty period. */
interface DriverState {
  place: LatLng
  /** The end of the present duty period, ms. */
  until: number
  isOnDuty: boolean
  /** The booking under way. */
  busyWith?: string
  /** The booking that follows it. */
  next?: string
}

/** Returns the platform of a replay, without bookings. */
const createPlatform = ({ scenario, policy, keepsRecords = false }: ReplayOptions) =>
  new ReplayPlatform({
    settings: scenario.settings,
    policySettings: policy.settings,
    vehicleTypes: scenario.vehicleTypes,
    drivers: scenario.drivers,
    keepsRecords,
  })

/** A replay under way: its virtual time, the events to come, its drivers and its results. */
export class ReplayState {
  readonly platform: ReplayPlatform
  readonly policyRun: PolicyRun
  /** The bookings in status NEW, in the order in which they were made. */
  readonly waiting = new Set<string>()
  readonly drivers = new Map<string, DriverState>()
  /** The number of requests without an outcome. */
  openCount: number
  private virtualTime: number
  private readonly queue = createEventQueue()
  private readonly requests: ReadonlyMap<string, ReplayRequest>
  private readonly results: ReadonlyMap<string, RequestResult>
  /** The number of offers of a booking to a driver, by both ids. */
  private readonly offerCounts = new Map<string, number>()

  constructor(
    readonly options: ReplayOptions,
    startPolicy: (replay: ReplayState) => PolicyRun,
  ) {
    const { requests } = options.scenario
    this.platform = createPlatform(options)
    this.virtualTime = requests[0]?.at ?? 0
    this.openCount = requests.length
    this.requests = new Map(requests.map((request) => [request.id, request]))
    this.results = new Map(
      requests.map(({ id, at, tripdate = 0 }) => [
        id,
        { id, outcome: 'refused', at: Math.max(at, tripdate), offers: 0 },
      ]),
    )
    this.policyRun = startPolicy(this)
  }

  /** The virtual time, ms. */
  get now(): number {
    return this.virtualTime
  }

  /** Runs the events in the order of their times until each request has its outcome. */
  runEvents(): void {
    let next = this.queue.takeFirst()
    while (next && this.openCount > 0) {
      this.virtualTime = next.at
      this.options.onTime?.(next.at)
      next.run()
      next = this.queue.takeFirst()
    }
  }

  /** Lets something happen at a virtual time, ms. */
  addEvent(at: number, run: () => void): void {
    this.queue.add(at, run)
  }

  /** Lets something happen after some milliseconds of virtual time. */
  addEventAfter(delayMs: Milliseconds, run: () => void): void {
    this.queue.add(this.now + delayMs, run)
  }

  /** Returns the milliseconds of virtual time in which people do what takes these seconds. */
  toMs(seconds: Seconds): number {
    return Math.round((seconds * 1000) / (this.options.pace ?? 1))
  }

  findRequest(id: string): ReplayRequest {
    const request = this.requests.get(id)
    if (!request) throw new Error(`The replay has no request ${id}. Report it.`)
    return request
  }

  findResult(id: string): RequestResult {
    const result = this.results.get(id)
    if (!result) throw new Error(`The replay has no result of ${id}. Report it.`)
    return result
  }

  findDriver(uid: string): DriverState {
    const driver = this.drivers.get(uid)
    if (!driver) throw new Error(`The replay has no driver ${uid}. Report it.`)
    return driver
  }

  /** Returns the drivers with an open request of a booking. */
  listRequested(id: string): string[] {
    return Object.keys(this.platform.readBooking(id)?.requestedDrivers ?? {})
  }

  /** Counts an offer. Returns how often the driver has had one of the booking. */
  countOffer(id: string, driver: string): number {
    this.findResult(id).offers += 1
    const key = `${id} ${driver}`
    const count = (this.offerCounts.get(key) ?? 0) + 1
    this.offerCounts.set(key, count)
    return count
  }

  /** Records the outcome of a request. */
  finish(id: string, outcome: ReplayOutcome, more: Partial<RequestResult> = {}): void {
    Object.assign(this.findResult(id), more, { outcome })
    this.waiting.delete(id)
    this.platform.forget(id)
    this.openCount -= 1
  }

  /**
   * Does what the functions do after an event: searches again and offers to freed drivers. `before`
   * are the drivers who had an open request before the event.
   */
  react(id: string, { event }: EventInput, before: readonly string[]): void {
    if (event === 'decline' || event === 'withdraw') this.policyRun.search(id)
    const stillAsked = new Set(this.listRequested(id))
    const freedDrivers = before.filter((uid) => !stillAsked.has(uid))
    if (freedDrivers.length > 0) this.policyRun.offerToFreed(freedDrivers)
  }
}
