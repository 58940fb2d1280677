import { getExcludedDrivers } from '../dispatch'
import { decideGroup, type GroupInput, type GroupPair, type PlannedOffer } from './decideGroup'
import type { Earnings } from './offerCost'
import type { AvailableDriver } from '../types'
import type { Booking } from '../../booking/types'
import type { Settings } from '../../catalog/types'
import type { Seconds } from '../../language/units'

/** Seconds for which competing bookings collect drivers before they are matched together. */
export const ROUND_SECONDS = 15

/** The part of a booking without an answer to await that decides who may be asked. */
export type RoundBooking = Pick<
  Booking,
  'id' | 'carTypeId' | 'requestedDrivers' | 'askedDrivers' | 'event_log'
>

/** A driver without an open offer. */
export interface RoundDriver extends Pick<AvailableDriver, 'carType'> {
  uid: string
  earnings?: Earnings | undefined
}

/** Bookings that share drivers directly or through others, and the offers decided for them. */
export interface PlannedGroup {
  input: GroupInput
  offers: PlannedOffer[]
}

export interface RoundPlan {
  groups: PlannedGroup[]
  /** The bookings that want the same driver as another one and wait for the round. */
  competing: string[]
}

/**
 * Plans which driver to ask about each booking. `travelTime` returns the seconds from a driver to a
 * pickup; undefined when the driver is out of reach. Bookings that want different drivers are
 * decided at once; the others when `isRound` is true, by least total cost. The order of the
 * bookings and drivers makes no difference.
 */
export const planRound = <B extends RoundBooking, D extends RoundDriver>({
  bookings,
  drivers,
  travelTime,
  fleet,
  settings,
  isRound,
  now,
}: {
  bookings: readonly B[]
  drivers: readonly D[]
  travelTime: (driver: D, booking: B) => number | undefined
  /** The income and the active time of all drivers together. */
  fleet: Earnings
  settings: Pick<Settings, 'maxPickupMinutes' | 'fairnessWeight'>
  isRound: boolean
  now: number
}): RoundPlan => {
  const ordered = [...drivers].sort((a, b) => (a.uid < b.uid ? -1 : 1))
  const limit = (settings.maxPickupMinutes ?? Infinity) * 60
  const lines = [...bookings]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((booking) => {
      const excluded = getExcludedDrivers(booking)
      const earlier = Object.entries(booking.askedDrivers ?? {})
        .sort(([a, at], [b, when]) => at - when || (a < b ? -1 : 1))
        .map(([uid]) => uid)
      const pairs = ordered.flatMap((driver, i): GroupPair[] => {
        const { uid, carType } = driver
        const isOpen = carType === booking.carTypeId && !booking.requestedDrivers?.[uid]
        if (!isOpen || excluded.has(uid)) return []
        const eta_s = travelTime(driver, booking)
        if (eta_s === undefined || eta_s > limit) return []
        return [[i, Math.round(eta_s), earlier.indexOf(uid) + 1]]
      })
      return { id: booking.id, pairs }
    })
    .filter(({ pairs }) => pairs.length > 0)

  const plan: RoundPlan = { groups: [], competing: [] }
  for (const group of splitByDrivers(lines, ordered.length)) {
    const used = [...new Set(group.flatMap(({ pairs }) => pairs.map(([driver]) => driver)))].sort(
      (a, b) => a - b,
    )
    const places = new Map(used.map((driver, place) => [driver, place]))
    const input: GroupInput = {
      at: now,
      isRound,
      weight: settings.fairnessWeight ?? 0,
      fleet,
      drivers: used.map((driver) => {
        const { uid = '', earnings } = ordered[driver] ?? {}
        return [uid, earnings?.income ?? 0, earnings?.active_s ?? 0]
      }),
      bookings: group.map(({ id, pairs }) => [
        id,
        pairs.map(([driver, eta, earlier]) => [places.get(driver) ?? 0, eta, earlier]),
      ]),
    }
    const offers = decideGroup(input)
    if (offers) plan.groups.push({ input, offers })
    else plan.competing.push(...group.map(({ id }) => id))
  }
  return plan
}

/**
 * Plans the offer of one booking in mode `nearest`: to the driver with the shortest way, first
 * those without an earlier offer. The incomes of drivers play no part. Returns undefined without a
 * driver to ask.
 */
export const planNearest = <D extends RoundDriver & { eta_s: Seconds }>(
  booking: RoundBooking,
  drivers: readonly D[],
  { maxPickupMinutes }: Pick<Settings, 'maxPickupMinutes'>,
  now: number,
): { input: GroupInput; offer: PlannedOffer } | undefined => {
  const { groups } = planRound({
    bookings: [booking],
    drivers,
    travelTime: ({ eta_s }) => eta_s,
    fleet: { income: 0, active_s: 0 },
    settings: { ...(maxPickupMinutes !== undefined && { maxPickupMinutes }) },
    isRound: false,
    now,
  })
  const [group] = groups
  const [offer] = group?.offers ?? []
  return group && offer && { input: group.input, offer }
}

interface Line {
  id: string
  pairs: readonly GroupPair[]
}

/** Splits bookings into groups without a common driver, in the order of their first booking. */
const splitByDrivers = (lines: readonly Line[], driverCount: number): Line[][] => {
  const firstLineOfDriver = new Int32Array(driverCount).fill(-1)
  const parents = lines.map((_, i) => i)
  const findRoot = (line: number): number => {
    let root = line
    while (parents[root] !== undefined && parents[root] !== root) root = parents[root] ?? root
    parents[line] = root
    return root
  }
  for (const [i, { pairs }] of lines.entries())
    for (const [driver] of pairs) {
      const first = firstLineOfDriver[driver] ?? -1
      if (first === -1) firstLineOfDriver[driver] = i
      else {
        const roots = [findRoot(first), findRoot(i)]
        parents[Math.max(...roots)] = Math.min(...roots)
      }
    }
  const groups = new Map<number, Line[]>()
  for (const [i, line] of lines.entries()) {
    const root = findRoot(i)
    const group = groups.get(root)
    if (group) group.push(line)
    else groups.set(root, [line])
  }
  return [...groups.values()]
}
