import {
  addEndingDrivers,
  findNearestDrivers,
  getExcludedDrivers,
  isAnswerAwaited,
  isRequestExpired,
  MAX_OFFERED_DRIVERS,
  MAX_OPEN_REQUESTS,
  orderByPickupTime,
  selectDriversToOffer,
  type DispatchCandidate,
  type NearbyDriver,
} from '../dispatch/dispatch'
import { getDistanceKm, getSearchRadiusKm } from '../geo/geo'
import type { PlannedOffer } from '../dispatch/matching/decideGroup'
import { addEarnings } from '../dispatch/matching/driverShift'
import { planNearest, planRound, ROUND_SECONDS } from '../dispatch/matching/planRound'
import type { ReplayPlatform } from './replayPlatform'
import type { TravelTimes } from './scenario'
import type { EventInputFor } from '../booking/eventInput'
import type { AvailableDriver } from '../dispatch/types'
import type { Booking } from '../booking/types'
import type { LatLng } from '../geo/types'
import type { Settings } from '../catalog/types'

/** The part of a replay that a policy sees and the ways in which it acts. */
export interface PolicyContext {
  platform: ReplayPlatform
  travel: TravelTimes
  getTime: () => number
  /** Returns the bookings that wait for a driver and are due, by id. */
  listWaiting: () => Booking[]
  /** Sends offers; returns false when the domain refuses them. */
  dispatch: (id: string, input: EventInputFor<'dispatch'>) => boolean
  /** Ends a request that a driver has not answered in time. */
  releaseExpired: (id: string, driver: string) => void
}

/** Decides who is asked. The functions decide the same way at the same moments. */
export interface PolicyRun {
  /**
   * Looks for the driver of a booking that has begun to wait, lost its offer, or is due. Returns
   * true when it made an offer.
   */
  search: (id: string) => boolean
  /** Offers waiting bookings to drivers who have just become free. */
  offerToFreed: (drivers: readonly string[]) => void
  /**
   * Looks for the drivers of all bookings that are due in a run of the scheduled job, together.
   * Returns those with an offer. Without it, the job searches for each booking.
   */
  runRound?: (bookings: readonly Booking[]) => Set<string>
}

export interface DispatchPolicy {
  name: string
  /** The settings that switch the policy on. */
  settings: Partial<Settings>
  start: (context: PolicyContext) => PolicyRun
}

const toEtas = (timed: readonly DispatchCandidate[]): Record<string, number> =>
  Object.fromEntries(timed.map(({ uid, eta_s }) => [uid, eta_s]))

const addPickupTimes = (
  travel: TravelTimes,
  pickup: LatLng,
  drivers: readonly NearbyDriver[],
): (NearbyDriver & DispatchCandidate)[] =>
  drivers.map((driver) => ({
    ...driver,
    eta_s: (driver.wait_s ?? 0) + Math.round(travel(driver, pickup).seconds),
  }))

const findNear = (context: PolicyContext, { pickup, carTypeId }: Booking): NearbyDriver[] => {
  const { platform, getTime } = context
  const search = { from: pickup, carType: carTypeId }
  const free = findNearestDrivers(platform.listAvailable(), search, platform.settings)
  return addEndingDrivers(
    { free, ending: platform.listEnding(getTime()) },
    search,
    platform.settings,
    getTime(),
  )
}

/** Returns the state of a driver's requests from other bookings. */
const getRequestState = (
  { platform, getTime }: PolicyContext,
  driver: string,
  booking: string,
): 'free' | 'late' | 'asked' => {
  const others = platform.listTasks(driver).filter((id) => id !== booking)
  if (others.length === 0) return 'free'
  const isLate = others.every((id) => {
    const other = platform.readBooking(id)
    return other && isRequestExpired(other, driver, platform.settings, getTime())
  })
  return isLate ? 'late' : 'asked'
}

/** Withdraws the unanswered requests of other bookings to a driver. */
const releaseDriver = (context: PolicyContext, driver: string, booking: string): void => {
  for (const id of context.platform.listTasks(driver))
    if (id !== booking) context.releaseExpired(id, driver)
}

/**
 * Returns the drivers nearest to the pickup who can get an offer now: first those without an
 * earlier offer, then those whose offer was longest ago. `late` drivers have not answered another
 * booking in time.
 */
const findCandidates = (
  context: PolicyContext,
  booking: Booking,
): { free: NearbyDriver[]; late: NearbyDriver[] } => {
  const excluded = getExcludedDrivers(booking)
  const askedTimes = booking.askedDrivers ?? {}
  const willing = findNear(context, booking)
    .filter(({ uid }) => !excluded.has(uid))
    .sort((a, b) => (askedTimes[a.uid] ?? 0) - (askedTimes[b.uid] ?? 0))
  const states = willing.map(({ uid }) => getRequestState(context, uid, booking.id))
  return {
    free: willing.filter((_, i) => states[i] === 'free'),
    late: willing.filter((_, i) => states[i] === 'late'),
  }
}

/** Returns true when one of the listed drivers is in reach and has not declined the booking. */
const isInReach = (
  { platform }: PolicyContext,
  booking: Booking,
  availableDrivers: Readonly<Record<string, AvailableDriver>>,
): boolean => {
  const { pickup: from, carTypeId: carType } = booking
  const excluded = getExcludedDrivers(booking)
  const near = findNearestDrivers(availableDrivers, { from, carType }, platform.settings)
  return near.some(({ uid }) => !excluded.has(uid))
}

/** Asks the first of the candidates by time to the pickup. */
const offerToFirst = (
  context: PolicyContext,
  booking: Booking,
  candidates: readonly NearbyDriver[],
): boolean => {
  const { platform, travel, getTime } = context
  const nearest = addPickupTimes(travel, booking.pickup, candidates.slice(0, MAX_OFFERED_DRIVERS))
  const planned = planNearest(booking, nearest, platform.settings, getTime())
  if (!planned) return false
  const { driver, eta_s, cost, rank } = planned.offer
  releaseDriver(context, driver, booking.id)
  return context.dispatch(booking.id, {
    event: 'dispatch',
    drivers: [driver],
    etas: { [driver]: eta_s },
    decision: { cost, rank, record: {} },
    revision: booking.revision,
  })
}

/** Offers bookings without an open request to free drivers, the oldest booking first. */
const offerWaiting = (
  context: PolicyContext,
  search: PolicyRun['search'],
  freed: readonly string[],
): void => {
  const { platform } = context
  const isFree = (uid: string) =>
    platform.listAvailable()[uid] !== undefined && platform.listTasks(uid).length === 0
  let free = freed.filter(isFree)
  for (const booking of context.listWaiting()) {
    if (free.length === 0) return
    if (booking.requestedDrivers) continue
    const availableDrivers = platform.listAvailable()
    const present = Object.fromEntries(
      free.flatMap((uid) => (availableDrivers[uid] ? [[uid, availableDrivers[uid]]] : [])),
    )
    if (!isInReach(context, booking, present)) continue
    search(booking.id)
    free = free.filter(isFree)
  }
}

/** Asks one driver after another, the one with the shortest way first. */
const nearest: DispatchPolicy = {
  name: 'nearest',
  settings: { dispatchMode: 'nearest' },
  start: (context) => {
    const { platform, getTime } = context
    const search = (id: string): boolean => {
      const booking = platform.readBooking(id)
      if (!booking || isAnswerAwaited(booking, platform.settings, getTime())) return false
      const { free, late } = findCandidates(context, booking)
      if (offerToFirst(context, booking, free)) return true
      return offerToFirst(context, booking, late)
    }
    return { search, offerToFreed: (freed) => offerWaiting(context, search, freed) }
  },
}

/** Asks all drivers in reach at once, up to the limit, and more of them at each pass. */
const broadcast: DispatchPolicy = {
  name: 'broadcast',
  settings: { dispatchMode: 'broadcast' },
  start: (context) => {
    const { platform, travel } = context
    return {
      search: (id) => {
        const booking = platform.readBooking(id)
        if (!booking) return false
        const requestedUids = Object.keys(booking.requestedDrivers ?? {})
        const near = findNear(context, booking)
          .filter(
            ({ uid }) =>
              requestedUids.includes(uid) || platform.listTasks(uid).length < MAX_OPEN_REQUESTS,
          )
          .slice(0, requestedUids.length + getExcludedDrivers(booking).size + MAX_OFFERED_DRIVERS)
        const timed = orderByPickupTime(
          addPickupTimes(travel, booking.pickup, near),
          platform.settings,
        )
        const drivers = selectDriversToOffer(booking, timed, platform.settings)
        return (
          drivers.length > 0 &&
          context.dispatch(id, { event: 'dispatch', drivers, etas: toEtas(timed) })
        )
      },
      // Broadcast bookings wait for the next pass, as in the functions.
      offerToFreed: () => undefined,
    }
  },
}

/** A booking with more competitors than this waits for its round. */
const MAX_COMPARED_RIVALS = 10
const ROUND_MS = ROUND_SECONDS * 1000

/** The drivers who can be asked about bookings, and the seconds to each pickup. */
interface MatchCandidates {
  drivers: Map<string, NearbyDriver>
  times: Map<string, ReadonlyMap<string, number>>
}

const addCandidates = (
  context: PolicyContext,
  candidates: MatchCandidates,
  bookings: readonly Booking[],
): MatchCandidates => {
  const { platform, travel } = context
  for (const booking of bookings) {
    const { free, late } = findCandidates(context, booking)
    for (const driverGroup of [free, late]) {
      const open = driverGroup.filter(({ uid }) => !booking.requestedDrivers?.[uid])
      const timed = orderByPickupTime(
        addPickupTimes(travel, booking.pickup, open.slice(0, MAX_OFFERED_DRIVERS)),
        platform.settings,
      )
      if (timed.length === 0) continue
      for (const driver of timed) candidates.drivers.set(driver.uid, driver)
      candidates.times.set(booking.id, new Map(timed.map(({ uid, eta_s }) => [uid, eta_s])))
      break
    }
  }
  return candidates
}

const planOffers = (
  { platform, getTime }: PolicyContext,
  { drivers, times }: MatchCandidates,
  bookings: readonly Booking[],
  isRound: boolean,
): PlannedOffer[] => {
  const timed = [...drivers.values()].map((driver) => ({
    ...driver,
    earnings: platform.readEarnings(driver.uid, getTime()),
  }))
  const { groups } = planRound({
    bookings,
    drivers: timed,
    travelTime: ({ uid }, { id }) => times.get(id)?.get(uid),
    fleet: addEarnings(timed.map(({ earnings }) => earnings)),
    settings: platform.settings,
    isRound,
    now: getTime(),
  })
  return groups.flatMap(({ offers }) => offers)
}

/** Returns true when a booking may make an offer now. */
const isSearching = ({ platform, getTime }: PolicyContext, booking: Booking): boolean =>
  !isAnswerAwaited(booking, platform.settings, getTime())

/** Returns the other waiting bookings that one of the drivers could take. */
const findRivals = (
  context: PolicyContext,
  booking: Booking,
  drivers: readonly NearbyDriver[],
): Booking[] => {
  const radius = getSearchRadiusKm(context.platform.settings)
  return context.listWaiting().filter((other) => {
    const { id, carTypeId, due_at = Infinity, pickup } = other
    if (id === booking.id || carTypeId !== booking.carTypeId) return false
    if (due_at > context.getTime() + ROUND_MS || !isSearching(context, other)) return false
    const excluded = getExcludedDrivers(other)
    return drivers.some(
      (driver) => !excluded.has(driver.uid) && getDistanceKm(pickup, driver) <= radius,
    )
  })
}

/** Sends a planned offer. Returns false when the domain refuses it. */
const makeOffer = (
  context: PolicyContext,
  { booking, driver, eta_s, cost, rank }: PlannedOffer,
): boolean => {
  releaseDriver(context, driver, booking)
  return context.dispatch(booking, {
    event: 'dispatch',
    drivers: [driver],
    etas: { [driver]: eta_s },
    decision: { cost, rank, record: {} },
  })
}

/**
 * Asks one driver at a time, like `nearest`, but decides about bookings that compete for a driver
 * together, in the rounds of the scheduled job, by least total cost. `weight` is the fairness
 * weight in the settings.
 */
const createMatchedPolicy = (name: string, weight: number): DispatchPolicy => ({
  name,
  settings: { dispatchMode: 'matched', fairnessWeight: weight },
  start: (context) => {
    const { platform, getTime } = context

    const search = (id: string): boolean => {
      const booking = platform.readBooking(id)
      if (!booking || !isSearching(context, booking)) return false
      const candidates = addCandidates(context, { drivers: new Map(), times: new Map() }, [booking])
      if (candidates.drivers.size === 0) return false
      const rivals = findRivals(context, booking, [...candidates.drivers.values()])
      if (rivals.length > MAX_COMPARED_RIVALS) return false
      addCandidates(context, candidates, rivals)
      const offers = planOffers(context, candidates, [booking, ...rivals], false)
      const offer = offers.find((one) => one.booking === id)
      return offer !== undefined && makeOffer(context, offer)
    }

    const offerToFreed = (drivers: readonly string[]): void => {
      const availableDrivers = platform.listAvailable()
      const free = Object.fromEntries(
        drivers.flatMap((uid) => (availableDrivers[uid] ? [[uid, availableDrivers[uid]]] : [])),
      )
      const reached = context
        .listWaiting()
        .filter((booking) => !booking.requestedDrivers && isInReach(context, booking, free))
      const [only] = reached
      if (only && reached.length === 1) search(only.id)
      else
        for (const booking of reached)
          if ((booking.due_at ?? getTime()) > getTime() + ROUND_MS)
            platform.writeDueTime(booking, getTime())
    }

    const runRound = (bookings: readonly Booking[]): Set<string> => {
      const waiting = bookings.filter((booking) => isSearching(context, booking))
      const candidates = addCandidates(context, { drivers: new Map(), times: new Map() }, waiting)
      const offers = planOffers(context, candidates, waiting, true)
      const sentOffers = offers.filter((offer) => makeOffer(context, offer))
      return new Set(sentOffers.map(({ booking }) => booking))
    }
    return { search, offerToFreed, runRound }
  },
})

/** The names that `findPolicy` knows, as shown to people. */
const POLICY_NAMES =
  'nearest, broadcast, matched, matched:SECONDS, or nearest and matched with +MINUTES'

/**
 * Returns a policy by its name. The seconds after `matched:` are the fairness weight, and the
 * minutes after `+` are those within which a busy driver must probably be free to get an offer.
 * Throws for other names.
 */
export const findPolicy = (name: string): DispatchPolicy => {
  if (name === broadcast.name) return broadcast
  const match = /^(?:nearest|matched(?::(\d{1,5}))?)(?:\+(\d{1,2}))?$/.exec(name)
  if (!match) throw new Error(`There is no policy "${name}". Choose some of ${POLICY_NAMES}.`)
  const [, weight, minutes] = match
  const policy = name.startsWith(nearest.name)
    ? { ...nearest, name }
    : createMatchedPolicy(name, Number(weight ?? 0))
  return minutes
    ? { ...policy, settings: { ...policy.settings, followOnMinutes: Number(minutes) } }
    : policy
}
