import { fnv1a } from '~/domain/data/fnv1a'
import { createSeededRandom } from '~/domain/data/seededRandom'
import { completeStop } from './tours/insertParcel'
import {
  getDeliveryTimes,
  getStopPlace,
  getStopSeconds,
  isOnBoard,
  type Tour,
  type TourStop,
} from './tours/tour'
import type { TourCosts } from './tours/tourEvaluator'
import { createEventQueue } from '~/domain/replay/eventQueue'
import type { ParcelRequest, ParcelScenario } from './parcelDemand'
import type { ParcelPolicy } from './parcelPolicies'
import type { TravelTimes } from '~/domain/replay/scenario'
import { getQuantile } from '~/domain/replay/statistics'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import type { Kilometers, Minutes } from '~/domain/language/units'

/** A second of lateness counts as much as this many seconds of driving. */
const LATENESS_WEIGHT = 3
/** Without it, three parcels in ten come late on the bench; with half of it, one in twenty. */
const RESERVE_SECONDS = 600
/** Drives take between 5 % less and 15 % more than planned. */
const LEAST_DRIVE_SHARE = 0.95
const DRIVE_SHARE_RANGE = 0.2

export interface ParcelResult {
  id: string
  courier: string
  /** The delivery time expected when the courier got the parcel, and the real one; ms. */
  expectedAt: number
  deliveredAt: number
}

export interface ParcelReplayResult {
  /** In order of delivery. */
  parcels: ParcelResult[]
  /** Kilometers that all couriers drove. */
  km: Kilometers
  mostOnBoard: number
  /** Most orders of stops that were evaluated for one parcel. */
  mostEvaluations: number
}

export interface ParcelReplayOptions {
  scenario: ParcelScenario
  policy: ParcelPolicy
  travel: TravelTimes
  seed: number
  /** True when drives differ from the plan; the default. */
  isUncertain?: boolean
}

/**
 * Plays the parcels of a scenario under one policy, until all are delivered. A parcel that no
 * courier can take waits, and the oldest one is tried first after each stop. Delays depend only on
 * the seed, the parcel and the kind of stop. The same options give the same result.
 */
export const runParcelReplay = (options: ParcelReplayOptions): ParcelReplayResult => {
  const { scenario, policy, travel, seed, isUncertain = true } = options
  const travelSeconds: TourCosts['travelSeconds'] = (from, to) => travel(from, to).seconds
  const costs: TourCosts = {
    travelSeconds,
    latenessWeight: LATENESS_WEIGHT,
    reserveSeconds: RESERVE_SECONDS,
  }
  const queue = createEventQueue()
  let now = scenario.parcels[0]?.readyAt ?? 0
  const tours = new Map<string, Tour>(
    scenario.couriers.map(({ uid, place }) => [
      uid,
      { place, at: now, capacity: policy.capacity, stops: [], isUnderWay: false },
    ]),
  )
  const expected = new Map<string, number>()
  const result: ParcelReplayResult = { parcels: [], km: 0, mostOnBoard: 0, mostEvaluations: 0 }
  let waiting: ParcelRequest[] = []

  const drawDriveShare = ({ kind, parcel }: TourStop): number =>
    isUncertain
      ? LEAST_DRIVE_SHARE +
        DRIVE_SHARE_RANGE * createSeededRandom(fnv1a(`${seed} ${parcel.id} ${kind}`)).next()
      : 1

  const depart = (courier: string, tour: Tour): void => {
    const [stop] = tour.stops
    if (!stop || tour.isUnderWay) {
      tours.set(courier, tour)
      return
    }
    tours.set(courier, { ...tour, at: now, isUnderWay: true })
    const way = travel(tour.place, getStopPlace(stop))
    result.km += way.km
    const seconds = way.seconds * drawDriveShare(stop) + getStopSeconds(stop)
    queue.add(now + Math.round(seconds * 1000), () => finishStop(courier, stop))
  }

  const finishStop = (courier: string, { kind, parcel: { id } }: TourStop): void => {
    const tour = tours.get(courier)
    if (!tour) return
    if (kind === 'drop')
      result.parcels.push({
        id,
        courier,
        expectedAt: expected.get(id) ?? now,
        deliveredAt: now,
      })
    const next = completeStop(tour, now, costs)
    const onBoard = next.stops.filter((stop) => isOnBoard(next, stop.parcel.id)).length
    result.mostOnBoard = Math.max(result.mostOnBoard, onBoard)
    depart(courier, next)
    waiting = waiting.filter((parcel) => !assign(parcel))
  }

  const assign = (parcel: ParcelRequest): boolean => {
    const present = new Map(
      [...tours].map(([uid, tour]) => [uid, tour.isUnderWay ? tour : { ...tour, at: now }]),
    )
    const choice = policy.choose(present, parcel, costs)
    if (!choice) return false
    const { courier, tour, evaluations } = choice
    result.mostEvaluations = Math.max(result.mostEvaluations, evaluations)
    expected.set(parcel.id, getDeliveryTimes(tour, travelSeconds).get(parcel.id) ?? now)
    depart(courier, tour)
    return true
  }

  for (const parcel of scenario.parcels)
    queue.add(parcel.readyAt, () => {
      if (!assign(parcel)) waiting.push(parcel)
    })
  for (let next = queue.takeFirst(); next; next = queue.takeFirst()) {
    now = next.at
    next.run()
  }
  return result
}

/** The results of one run in figures. */
export interface ParcelMeasures {
  /** Parcels in the counted period. */
  parcels: number
  onTimePercent: number
  /** Kilometers that the couriers drove, for each parcel. */
  kmPerParcel: number
  /** Minutes from the request to the delivery: the mean, and what nine of ten do not exceed. */
  meanMinutes: Minutes
  minutes90: number
  /** Minutes by which the first expected time of delivery was wrong, on average. */
  expectedError: number
  mostOnBoard: number
}
export type ParcelMeasureName = keyof ParcelMeasures
export const PARCEL_MEASURE_NAMES = [
  'parcels',
  'onTimePercent',
  'kmPerParcel',
  'meanMinutes',
  'minutes90',
  'expectedError',
  'mostOnBoard',
] as const satisfies readonly ParcelMeasureName[]

/** Measures one run. The kilometers are those of all parcels, because tours mix them. */
export const measureParcelReplay = (
  { parcels, countFrom }: ParcelScenario,
  result: ParcelReplayResult,
): ParcelMeasures => {
  const requests = new Map(parcels.map((parcel) => [parcel.id, parcel]))
  const counted = result.parcels.flatMap(({ id, deliveredAt, expectedAt }) => {
    const request = requests.get(id)
    if (!request || request.readyAt < countFrom) return []
    return [
      {
        isOnTime: deliveredAt <= request.promisedAt,
        minutes: (deliveredAt - request.readyAt) / MINUTE_MS,
        error: Math.abs(deliveredAt - expectedAt) / MINUTE_MS,
      },
    ]
  })
  const average = (pick: (one: (typeof counted)[number]) => number) =>
    counted.reduce((sum, one) => sum + pick(one), 0) / counted.length
  return {
    parcels: counted.length,
    onTimePercent: 100 * average(({ isOnTime }) => (isOnTime ? 1 : 0)),
    kmPerParcel: result.km / result.parcels.length,
    meanMinutes: average(({ minutes }) => minutes),
    minutes90: getQuantile(
      counted.map(({ minutes }) => minutes),
      0.9,
    ),
    expectedError: average(({ error }) => error),
    mostOnBoard: result.mostOnBoard,
  }
}
