import { getDueTime, isDispatchDue } from '../booking/deadlines'
import { planMaintenance } from '../booking/bookingMaintenance'
import { findNearestDrivers } from '../dispatch/dispatch'
import { fnv1a } from '../data/fnv1a'
import { createSeededRandom } from '../data/seededRandom'
import type { Tree } from '../data/memoryTree'
import { createEventQueue } from './eventQueue'
import type { DispatchPolicy, PolicyContext } from './policies'
import { createReplayPlatform, START_CODE } from './replayPlatform'
import type { DriverBehavior, ReplayRequest, ReplayScenario, TravelTimes } from './scenario'
import type { EventInput, EventInputFor } from '../booking/eventInput'
import type { Booking } from '../booking/types'
import type { LatLng } from '../geo/types'

/** Milliseconds between two runs of the scheduled job. */
const PASS_MS = 15_000
/** Milliseconds after which a rider whose booking was refused tries again. */
export const RETRY_MS = 30_000

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
  emptyKm?: number
  /** The amount the rider paid, and the driver's share of it. */
  paid?: number
  driverShare?: number
}

export interface ReplayResult {
  requests: RequestResult[]
  /** The data at the end; of finished bookings only with `keepsRecords`. */
  tree: Readonly<Tree>
}

type Answer = 'accept' | 'decline' | 'none'

/**
 * Draws a driver's answer. It depends only on the seed, the booking, the driver and how often they
 * were asked, so two policies that ask the same thing get the same answer.
 */
export const drawAnswer = (
  seed: number,
  key: string,
  eta_s: number,
  behavior: DriverBehavior,
): { decision: Answer; seconds: number } => {
  const random = createSeededRandom(fnv1a(`${seed} ${key}`))
  const minutes = eta_s / 60
  const share = Math.max(
    behavior.leastAcceptShare,
    behavior.acceptShare - behavior.acceptLossPerMinute * minutes,
  )
  const { leastAnswerSeconds: least, mostAnswerSeconds: most } = behavior
  const seconds = least + (most - least) * random.next() + behavior.answerSecondsPerMinute * minutes
  const decision: Answer = random.chance(share)
    ? 'accept'
    : random.chance(behavior.declineShare)
      ? 'decline'
      : 'none'
  return { decision, seconds }
}

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

/** Plays the requests of a scenario under one policy. The same options give the same result. */
export const runReplay = (options: ReplayOptions): ReplayResult => {
  const { scenario, policy, travel, seed, pace = 1 } = options
  const { requests, drivers, behavior, vehicleTypes } = scenario
  const platform = createReplayPlatform({
    settings: scenario.settings,
    policySettings: policy.settings,
    vehicleTypes,
    drivers,
    keepsRecords: options.keepsRecords ?? false,
  })
  const queue = createEventQueue()
  const results = new Map<string, RequestResult>()
  const requestsById = new Map(requests.map((request) => [request.id, request]))
  /** The bookings in status NEW, in the order in which they were made. */
  const waiting = new Set<string>()
  const states = new Map<string, DriverState>()
  const timesAsked = new Map<string, number>()
  let now = requests[0]?.at ?? 0
  let openCount = requests.length

  const toMs = (seconds: number): number => Math.round((seconds * 1000) / pace)
  const findRequest = (id: string): ReplayRequest => {
    const request = requestsById.get(id)
    if (!request) throw new Error(`The replay has no request ${id}. Report it.`)
    return request
  }
  const findState = (uid: string): DriverState => {
    const state = states.get(uid)
    if (!state) throw new Error(`The replay has no driver ${uid}. Report it.`)
    return state
  }
  const findResult = (id: string): RequestResult => {
    const result = results.get(id)
    if (!result) throw new Error(`The replay has no result of ${id}. Report it.`)
    return result
  }
  const listRequested = (id: string): string[] =>
    Object.keys(platform.readBooking(id)?.requestedDrivers ?? {})

  const finish = (id: string, outcome: ReplayOutcome, more: Partial<RequestResult> = {}) => {
    Object.assign(findResult(id), more, { outcome })
    waiting.delete(id)
    timesAsked.delete(id)
    platform.forget(id)
    openCount -= 1
  }

  /** Does what the functions do after an event: searches again and offers to freed drivers. */
  const react = (id: string, { event }: EventInput, before: readonly string[]) => {
    if (event === 'decline' || event === 'withdraw') runPolicy.search(id)
    const left = new Set(listRequested(id))
    const freed = before.filter((uid) => !left.has(uid))
    if (freed.length > 0) runPolicy.offerToFreed(freed)
  }

  const dispatch = (id: string, input: EventInputFor<'dispatch'>): boolean => {
    const before = listRequested(id)
    if (!platform.applyAsSystem(id, input, now)) return false
    const had = new Set(before)
    for (const driver of listRequested(id))
      if (!had.has(driver)) expectAnswer(id, driver, input.etas?.[driver] ?? 0)
    react(id, input, before)
    return true
  }

  const expectAnswer = (id: string, driver: string, eta_s: number) => {
    findResult(id).offers += 1
    const key = `${id} ${driver}`
    const count = (timesAsked.get(key) ?? 0) + 1
    timesAsked.set(key, count)
    const { decision, seconds } = drawAnswer(seed, `${key} ${count}`, eta_s, behavior)
    if (decision === 'none') return
    const askedAt = now
    queue.add(now + toMs(seconds), () => {
      const booking = platform.readBooking(id)
      // Another driver was faster, or this request has ended.
      if (booking?.askedDrivers?.[driver] !== askedAt || !booking.requestedDrivers?.[driver]) return
      if (decision === 'accept') accept(booking, driver)
      else {
        const before = listRequested(id)
        platform.applyAsDriver(id, { event: 'decline' }, driver, now)
        react(id, { event: 'decline' }, before)
      }
    })
  }

  /**
   * Accepts an offer. For a driver on a trip it is the next booking, to which they drive when the
   * trip ends.
   */
  const accept = (booking: Booking, driver: string) => {
    const { id } = booking
    const withdrawn = platform.listTasks(driver).filter((other) => other !== id)
    if (!platform.applyAsDriver(id, { event: 'accept' }, driver, now)) return
    waiting.delete(id)
    Object.assign(findResult(id), { driver, acceptedAt: now })
    const state = findState(driver)
    if (state.busyWith === undefined) approach(id, driver)
    else {
      state.next = id
      const { cancelSeconds } = findRequest(id)
      if (cancelSeconds !== undefined) queue.add(now + toMs(cancelSeconds), () => cancelNext(id))
    }
    for (const other of withdrawn) runPolicy.search(other)
  }

  const approach = (id: string, driver: string) => {
    const state = findState(driver)
    state.busyWith = id
    const { pickup, pickupSeconds, cancelSeconds = Infinity } = findRequest(id)
    const way = travel(state.place, pickup)
    const approachMs = toMs(way.seconds)
    const startAt = now + approachMs + toMs(pickupSeconds)
    const cancelAt = (findResult(id).acceptedAt ?? now) + toMs(cancelSeconds)
    if (cancelAt < startAt) {
      const share = Math.min(1, (cancelAt - now) / Math.max(1, approachMs))
      if (share === 1) queue.add(now + approachMs, () => arrive(id, driver))
      queue.add(cancelAt, () => cancelAccepted(id, driver, share, way.km * share))
    } else {
      findResult(id).emptyKm = way.km
      queue.add(now + approachMs, () => arrive(id, driver))
      queue.add(startAt, () => drive(id, driver))
    }
  }

  /** Cancels a booking whose driver is still on the trip before it. */
  const cancelNext = (id: string) => {
    const state = findState(findResult(id).driver ?? '')
    if (state.next !== id) return
    delete state.next
    platform.applyAsRider(id, { event: 'cancel', reason: 'changed_mind' }, now)
    finish(id, 'canceled', { emptyKm: 0 })
  }

  const arrive = (id: string, driver: string) => {
    const { lat, lng } = findRequest(id).pickup
    platform.moveDriver(driver, { lat, lng })
    platform.applyAsDriver(id, { event: 'arrive', lat, lng }, driver, now)
    findResult(id).arrivedAt = now
  }

  const cancelAccepted = (id: string, driver: string, share: number, emptyKm: number) => {
    platform.applyAsRider(id, { event: 'cancel', reason: 'changed_mind' }, now)
    const { pickup } = findRequest(id)
    const { place } = findState(driver)
    const here = {
      lat: place.lat + (pickup.lat - place.lat) * share,
      lng: place.lng + (pickup.lng - place.lng) * share,
    }
    finish(id, 'canceled', { emptyKm })
    freeDriver(driver, share === 1 ? pickup : here)
  }

  const drive = (id: string, driver: string) => {
    const { drop, tripSeconds, dropSeconds } = findRequest(id)
    platform.applyAsDriver(id, { event: 'start', otp: START_CODE }, driver, now)
    queue.add(now + toMs(tripSeconds), () => {
      const { lat, lng } = drop
      platform.applyAsDriver(id, { event: 'reach', lat, lng }, driver, now)
      queue.add(now + toMs(dropSeconds), () => {
        platform.applyAsDriver(id, { event: 'finish' }, driver, now)
        platform.applyAsDriver(id, { event: 'collect' }, driver, now)
        const booking = platform.readBooking(id)
        const driverShare = booking?.driver_share ?? 0
        finish(id, 'served', { finishedAt: now, paid: booking?.customer_paid ?? 0, driverShare })
        freeDriver(driver, drop)
      })
    })
  }

  const freeDriver = (uid: string, place: LatLng) => {
    const state = findState(uid)
    state.place = { lat: place.lat, lng: place.lng }
    delete state.busyWith
    const { next } = state
    if (next !== undefined) {
      delete state.next
      approach(next, uid)
      return
    }
    if (now >= state.until) {
      endDuty(uid)
      return
    }
    platform.listDriver(uid, state.place, now)
    runPolicy.offerToFreed([uid])
  }

  const endDuty = (uid: string) => {
    const state = findState(uid)
    if (!state.isOnDuty || state.busyWith !== undefined || now < state.until) return
    state.isOnDuty = false
    platform.unlistDriver(uid, now)
    for (const id of platform.listTasks(uid)) {
      const before = listRequested(id)
      const input = { event: 'withdraw', driver: uid } as const
      if (platform.applyAsSystem(id, input, now)) react(id, input, before)
    }
  }

  const beginDuty = (uid: string, place: LatLng, until: number) => {
    const state = states.get(uid)
    // Overtime runs into this period.
    if (state?.isOnDuty) {
      state.until = until
      return
    }
    states.set(uid, { place: { lat: place.lat, lng: place.lng }, until, isOnDuty: true })
    platform.listDriver(uid, place, now)
    runPolicy.offerToFreed([uid])
  }

  const giveUp = (id: string) => {
    if (!waiting.has(id)) return
    const before = listRequested(id)
    platform.applyAsRider(id, { event: 'cancel', reason: 'waited_too_long' }, now)
    finish(id, 'given_up')
    runPolicy.offerToFreed(before)
  }

  const request = (one: ReplayRequest) => {
    const { id, pickup, carType, tripdate } = one
    const near = findNearestDrivers(
      { ...platform.listAvailable(), ...platform.listEnding(now) },
      { from: pickup, carType },
      platform.settings,
    )
    const from = Math.max(one.at, tripdate ?? 0)
    const patientUntil = from + toMs(one.patienceSeconds)
    const refused = platform.book(one, near.length > 0, now)
    if (refused !== undefined) {
      if (refused === 'no_driver_found_alert_messege' && now + RETRY_MS < patientUntil)
        queue.add(now + RETRY_MS, () => request(one))
      else finish(id, 'refused')
      return
    }
    waiting.add(id)
    queue.add(patientUntil, () => giveUp(id))
    const booking = platform.readBooking(id)
    if (booking && isDispatchDue(booking, now)) runPolicy.search(id)
  }

  /** Writes when the scheduled job looks at a booking again, unless an event has done so. */
  const postpone = (booking: Booking) => {
    if (platform.readBooking(booking.id)?.revision === booking.revision)
      platform.writeDueTime(booking, getDueTime(booking, platform.settings, now, 'run'))
  }

  /** Runs the scheduled job: whatever is due with the bookings that wait. */
  const pass = () => {
    const due = [...waiting]
      .flatMap((id) => platform.readBooking(id) ?? [])
      .filter(({ due_at }) => due_at !== undefined && due_at <= now)
      .sort((a, b) => (a.due_at ?? 0) - (b.due_at ?? 0) || (a.id < b.id ? -1 : 1))
    const toMatch: Booking[] = []
    for (const { id } of due) {
      const booking = platform.readBooking(id)
      if (!booking || !waiting.has(id)) continue
      const { event } = planMaintenance(booking, platform.settings, now)
      if (event === 'expire') {
        const before = listRequested(id)
        platform.applyAsSystem(id, { event }, now)
        finish(id, 'expired')
        runPolicy.offerToFreed(before)
        continue
      }
      if (event === 'dispatch' && runPolicy.runRound) {
        toMatch.push(booking)
        continue
      }
      if (event !== 'dispatch' || !runPolicy.search(id)) postpone(booking)
    }
    const offered = toMatch.length > 0 ? runPolicy.runRound?.(toMatch) : undefined
    for (const booking of toMatch) if (!offered?.has(booking.id)) postpone(booking)
    if (openCount > 0) queue.add(now + PASS_MS, pass)
  }

  const context: PolicyContext = {
    platform,
    travel,
    getTime: () => now,
    listWaiting: () =>
      [...waiting]
        .sort()
        .flatMap((id) => platform.readBooking(id) ?? [])
        .filter((booking) => isDispatchDue(booking, now)),
    dispatch,
    releaseExpired: (id, driver) => {
      const other = platform.readBooking(id)
      if (!other) return
      platform.applyAsSystem(
        id,
        { event: 'withdraw', driver, isExpired: true, revision: other.revision },
        now,
      )
    },
  }
  const runPolicy = policy.start(context)

  for (const { uid, duty } of drivers)
    for (const { from, to, place } of duty) {
      queue.add(from, () => beginDuty(uid, place, to))
      queue.add(to, () => endDuty(uid))
    }
  for (const one of requests) {
    results.set(one.id, {
      id: one.id,
      outcome: 'refused',
      at: Math.max(one.at, one.tripdate ?? 0),
      offers: 0,
    })
    queue.add(one.at, () => request(one))
  }
  if (requests.length > 0) queue.add(Math.ceil(now / PASS_MS) * PASS_MS, pass)
  for (let next = queue.takeFirst(); next && openCount > 0; next = queue.takeFirst()) {
    now = next.at
    options.onTime?.(now)
    next.run()
  }
  return { requests: requests.map(({ id }) => findResult(id)), tree: platform.tree }
}
