import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseLength } from '~/domain/testing/endurance'
import { improveTour, MAX_IMPROVEMENT_EVALUATIONS } from './improveTour'
import {
  amendParcel,
  cancelParcel,
  chooseCourier,
  completeStop,
  insertParcel,
  MAX_INSERTION_EVALUATIONS,
  MAX_TOUR_PARCELS,
} from './insertParcel'
import {
  getDeliveryTimes,
  getStopPlace,
  isOnBoard,
  scheduleTour,
  type Tour,
  type TourParcel,
  type TourStop,
} from './tour'
import type { TourCosts } from './tourEvaluator'
import { MINUTE_MS } from '~/domain/language/timeUnits'
import type { LatLng } from '~/domain/geo/types'

const CAPACITY = 3
/** Blocks of a city with a minute between two corners; an uneven one is slower to the east. */
const blockSeconds = (from: LatLng, to: LatLng): number =>
  60 * (Math.abs(from.lat - to.lat) + Math.abs(from.lng - to.lng))
const unevenSeconds = (from: LatLng, to: LatLng): number =>
  blockSeconds(from, to) + 90 * Math.max(0, to.lng - from.lng)
const COSTS: TourCosts = { travelSeconds: blockSeconds, latenessWeight: 3, reserveSeconds: 300 }
const UNEVEN: TourCosts = { ...COSTS, travelSeconds: unevenSeconds }

const aPlace: fc.Arbitrary<LatLng> = fc.record({
  lat: fc.integer({ min: 0, max: 9 }),
  lng: fc.integer({ min: 0, max: 9 }),
})
const someDetails = fc.record({
  pickup: aPlace,
  drop: aPlace,
  readyIn: fc.integer({ min: 0, max: 20 }),
  promisedIn: fc.integer({ min: 10, max: 120 }),
  pickupSeconds: fc.integer({ min: 0, max: 120 }),
  dropSeconds: fc.integer({ min: 0, max: 120 }),
  size: fc.integer({ min: 1, max: 2 }),
})
type Details = typeof someDetails extends fc.Arbitrary<infer T> ? T : never

const toParcel = (
  id: string,
  { readyIn, promisedIn, ...details }: Details,
  now: number,
): TourParcel => ({
  ...details,
  id,
  readyAt: now + readyIn * MINUTE_MS,
  promisedAt: now + promisedIn * MINUTE_MS,
})

const someSteps = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ does: fc.constant('add' as const), details: someDetails }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        does: fc.constant('complete' as const),
        delaySeconds: fc.integer({ min: -30, max: 600 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('depart' as const) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const), pick: fc.nat(99) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        does: fc.constant('amend' as const),
        pick: fc.nat(99),
        details: someDetails,
      }),
    },
  ),
  { minLength: 5, maxLength: 30 },
)

/** Computes the cost of a tour from its schedule, without the evaluator. */
const getCost = (tour: Tour, { travelSeconds, latenessWeight, reserveSeconds }: TourCosts) => {
  const places = [tour.place, ...tour.stops.map(getStopPlace)]
  const driving = tour.stops.reduce(
    (sum, stop, i) => sum + 1000 * travelSeconds(places[i] ?? tour.place, getStopPlace(stop)),
    0,
  )
  const late = scheduleTour(tour, travelSeconds)
    .filter(({ kind }) => kind === 'drop')
    .reduce(
      (sum, { parcel, leaveAt }) =>
        sum + Math.max(0, leaveAt - parcel.promisedAt + 1000 * reserveSeconds),
      0,
    )
  return driving + latenessWeight * late
}

const getParcelIds = ({ stops }: Tour): string[] => [
  ...new Set(stops.map(({ parcel }) => parcel.id)),
]

/** Fails unless each parcel is on the tour once, in order, and the courier has room for it. */
const expectSound = (tour: Tour, accepted: ReadonlySet<string>, onBoard: ReadonlySet<string>) => {
  expect(getParcelIds(tour).sort()).toEqual([...accepted].sort())
  const carried = new Set(onBoard)
  const sizes = new Map(tour.stops.map(({ parcel }) => [parcel.id, parcel.size]))
  for (const { kind, parcel } of tour.stops) {
    expect(carried.has(parcel.id)).toBe(kind === 'drop')
    if (kind === 'pickup') carried.add(parcel.id)
    else carried.delete(parcel.id)
    const load = [...carried].reduce((sum, id) => sum + (sizes.get(id) ?? 0), 0)
    expect(load).toBeLessThanOrEqual(tour.capacity)
  }
  expect(carried.size).toBe(0)
}

/** Fails when a parcel that was expected in time is late now, or a late one is later. */
const expectPromisesKept = (before: Tour, after: Tour, { travelSeconds }: TourCosts) => {
  const now = getDeliveryTimes(after, travelSeconds)
  for (const [id, expected] of getDeliveryTimes(before, travelSeconds)) {
    const parcel = before.stops.find((stop) => stop.parcel.id === id)?.parcel
    const limit = Math.max(expected, parcel?.promisedAt ?? 0)
    expect(now.get(id) ?? 0).toBeLessThanOrEqual(limit)
  }
}

test('keeps order, room, promises and every parcel through many changes of tours', () => {
  let refused = 0
  const counts = { added: 0, completed: 0, canceled: 0, amended: 0, improved: 0 }
  const staysSound = fc.property(aPlace, someSteps, fc.boolean(), (place, steps, isUneven) => {
    const costs = isUneven ? UNEVEN : COSTS
    let tour: Tour = { place, at: 0, capacity: CAPACITY, stops: [], isUnderWay: false }
    const accepted = new Set<string>()
    const onBoard = new Set<string>()
    for (const [i, step] of steps.entries()) {
      const ids = getParcelIds(tour)
      const before = tour
      if (step.does === 'add') {
        const parcel = toParcel(`p${i}`, step.details, tour.at)
        const found = insertParcel(tour, parcel, costs)
        if (!found) {
          refused++
          continue
        }
        counts.added++
        accepted.add(parcel.id)
        expectPromisesKept(before, found.tour, costs)
        expect(found.evaluations).toBeLessThanOrEqual(MAX_INSERTION_EVALUATIONS)
        expect(found.addedCost).toBe(getCost(found.tour, costs) - getCost(before, costs))
        expectSound(found.tour, accepted, onBoard)
        const improved = improveTour(found.tour, costs)
        expect(improved.evaluations).toBeLessThanOrEqual(MAX_IMPROVEMENT_EVALUATIONS)
        const saved = getCost(found.tour, costs) - getCost(improved.tour, costs)
        expect(saved).toBeGreaterThanOrEqual(0)
        if (saved > 0) counts.improved++
        expectPromisesKept(before, improved.tour, costs)
        expect(improveTour(found.tour, costs)).toEqual(improved)
        tour = improved.tour
      } else if (step.does === 'complete') {
        const [done] = scheduleTour(tour, costs.travelSeconds)
        if (!done) continue
        counts.completed++
        if (done.kind === 'pickup') onBoard.add(done.parcel.id)
        else {
          onBoard.delete(done.parcel.id)
          accepted.delete(done.parcel.id)
        }
        const left = done.leaveAt + 1000 * step.delaySeconds
        tour = completeStop(tour, left, costs)
        expect(tour).toMatchObject({ at: left, place: getStopPlace(done), isUnderWay: false })
      } else if (step.does === 'depart') {
        tour = { ...tour, isUnderWay: tour.stops.length > 0 }
      } else {
        const id = ids[step.pick % Math.max(1, ids.length)]
        if (id === undefined) continue
        const changed =
          step.does === 'cancel'
            ? cancelParcel(tour, id, costs)
            : amendParcel(tour, toParcel(id, step.details, tour.at), costs)
        if (step.does === 'cancel') expect(changed === undefined).toBe(isOnBoard(tour, id))
        if (!changed) continue
        if (step.does === 'cancel') {
          counts.canceled++
          accepted.delete(id)
        } else {
          counts.amended++
          const others = { ...before, stops: before.stops.filter(({ parcel }) => parcel.id !== id) }
          const times = getDeliveryTimes(before, costs.travelSeconds)
          const now = getDeliveryTimes(changed, costs.travelSeconds)
          for (const { parcel } of others.stops)
            expect(now.get(parcel.id) ?? 0).toBeLessThanOrEqual(
              Math.max(parcel.promisedAt, times.get(parcel.id) ?? 0),
            )
        }
        tour = changed
      }
      expectSound(tour, accepted, onBoard)
      const first = tour.isUnderWay ? before.stops[0] : undefined
      if (first) expect(tour.stops[0]).toEqual(first)
    }
  })
  fc.assert(staysSound, { seed: 21, numRuns: chooseLength(400, 2000) })
  // Every kind of change must happen often; otherwise the test proves nothing.
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(
    chooseLength(60, 300),
  )
  expect(refused).toBeGreaterThan(0)
})

test('inserts a parcel at the cheapest of all allowed positions', () => {
  const isCheapest = fc.property(
    aPlace,
    fc.array(someDetails, { maxLength: 4 }),
    someDetails,
    (place, earlier, details) => {
      let tour: Tour = { place, at: 0, capacity: CAPACITY, stops: [], isUnderWay: false }
      for (const [i, one] of earlier.entries())
        tour = insertParcel(tour, toParcel(`p${i}`, one, 0), UNEVEN)?.tour ?? tour
      const parcel = toParcel('new', details, 0)
      const accepted = new Set([...getParcelIds(tour), 'new'])
      const costsOfAll: number[] = []
      for (let i = 0; i <= tour.stops.length; i++)
        for (let j = i; j <= tour.stops.length; j++) {
          const pickup: TourStop = { kind: 'pickup', parcel }
          const stops = tour.stops.toSpliced(j, 0, { kind: 'drop', parcel }).toSpliced(i, 0, pickup)
          const candidate = { ...tour, stops }
          try {
            expectSound(candidate, accepted, new Set())
            const aimed = { ...tour, stops: tour.stops.map(aimEarlier) }
            expectPromisesKept(aimed, candidate, UNEVEN)
          } catch {
            continue
          }
          costsOfAll.push(getCost(candidate, UNEVEN))
        }
      const found = insertParcel(tour, parcel, UNEVEN)
      if (costsOfAll.length === 0) expect(found).toBeUndefined()
      else expect(found && getCost(found.tour, UNEVEN)).toBe(Math.min(...costsOfAll))
    },
  )
  fc.assert(isCheapest, { seed: 22, numRuns: chooseLength(200, 1000) })
})

/** Returns the stop with the promise less the reserve, which is what insertions protect. */
const aimEarlier = ({ kind, parcel }: TourStop): TourStop => ({
  kind,
  parcel: { ...parcel, promisedAt: parcel.promisedAt - 1000 * UNEVEN.reserveSeconds },
})

test('chooses the same courier and tour in every order of the couriers', () => {
  const isSame = fc.property(
    fc.array(fc.tuple(aPlace, fc.array(someDetails, { maxLength: 5 })), {
      minLength: 1,
      maxLength: 5,
    }),
    someDetails,
    (couriers, details) => {
      const tours = couriers.map(([place, parcels], c): [string, Tour] => {
        let tour: Tour = { place, at: 0, capacity: CAPACITY, stops: [], isUnderWay: false }
        for (const [i, one] of parcels.entries())
          tour = insertParcel(tour, toParcel(`c${c}p${i}`, one, 0), COSTS)?.tour ?? tour
        return [`courier${c}`, tour]
      })
      const parcel = toParcel('new', details, 0)
      const chosen = chooseCourier(new Map(tours), parcel, COSTS)
      expect(chooseCourier(new Map(tours.toReversed()), parcel, COSTS)).toEqual(chosen)
      const added = tours.flatMap(([, tour]) => insertParcel(tour, parcel, COSTS)?.addedCost ?? [])
      expect(chosen?.addedCost ?? Infinity).toBe(Math.min(...added, Infinity))
      expect(chosen?.evaluations ?? 0).toBeLessThanOrEqual(
        couriers.length * MAX_INSERTION_EVALUATIONS + MAX_IMPROVEMENT_EVALUATIONS,
      )
    },
  )
  fc.assert(isSame, { seed: 23, numRuns: 500 })
})

const aParcel = (id: string, pickup: number, drop: number, minutes = 90): TourParcel => ({
  id,
  pickup: { lat: 0, lng: pickup },
  drop: { lat: 0, lng: drop },
  readyAt: 0,
  promisedAt: minutes * MINUTE_MS,
  pickupSeconds: 60,
  dropSeconds: 60,
  size: 1,
})
const EMPTY: Tour = {
  place: { lat: 0, lng: 0 },
  at: 0,
  capacity: CAPACITY,
  stops: [],
  isUnderWay: false,
}
const listStops = (tour: Tour | undefined) =>
  tour?.stops.map(({ kind, parcel }) => `${kind} ${parcel.id}`)
const addAll = (...parcels: TourParcel[]): Tour =>
  parcels.reduce((tour, parcel) => insertParcel(tour, parcel, COSTS)?.tour ?? tour, EMPTY)

test('collects two parcels on the way before it delivers both', () => {
  const tour = addAll(aParcel('a', 1, 8), aParcel('b', 2, 9))
  expect(listStops(tour)).toEqual(['pickup a', 'pickup b', 'drop a', 'drop b'])
  // 1 minute of driving, 1 at the pickup, and so on: each recipient has a time of their own.
  expect([...getDeliveryTimes(tour, blockSeconds)]).toEqual([
    ['a', 11 * MINUTE_MS],
    ['b', 13 * MINUTE_MS],
  ])
})

test('delivers a parcel first when a detour would break its promise', () => {
  const tour = addAll(aParcel('a', 1, 8, 16), aParcel('b', 2, 4))
  expect(listStops(tour)).toEqual(['pickup a', 'pickup b', 'drop a', 'drop b'])
  expect(listStops(addAll(aParcel('a', 1, 8, 15), aParcel('b', 2, 4)))?.slice(0, 2)).toEqual([
    'pickup a',
    'drop a',
  ])
})

test('does not send a courier elsewhere while they drive to a stop', () => {
  const tour = { ...addAll(aParcel('a', 9, 5)), isUnderWay: true }
  expect(listStops(insertParcel(tour, aParcel('b', 1, 5), COSTS)?.tour)?.[0]).toBe('pickup a')
})

test('refuses a parcel beyond the most that a courier may have accepted', () => {
  const parcels = Array.from({ length: MAX_TOUR_PARCELS + 1 }, (_, i) =>
    aParcel(`p${i}`, i % 10, (i + 3) % 10, 1000),
  )
  const tour = addAll(...parcels)
  expect(getParcelIds(tour)).toHaveLength(MAX_TOUR_PARCELS)
})

test('keeps a parcel on board when its sender cancels it, and can change where it goes', () => {
  const tour = completeStop(addAll(aParcel('a', 1, 8)), 2 * MINUTE_MS, COSTS)
  expect(cancelParcel(tour, 'a', COSTS)).toBeUndefined()
  const amended = amendParcel(tour, { ...aParcel('a', 1, 3) }, COSTS)
  expect(listStops(amended)).toEqual(['drop a'])
  expect(amended && getDeliveryTimes(amended, blockSeconds).get('a')).toBe(5 * MINUTE_MS)
  expect(amendParcel(tour, aParcel('unknown', 1, 3), COSTS)).toBeUndefined()
})

test('evaluates no more orders than the bound for the longest tour', () => {
  const parcels = Array.from({ length: MAX_TOUR_PARCELS }, (_, i) =>
    aParcel(`p${i}`, (7 * i) % 10, (3 * i + 5) % 10, 1000),
  )
  const [last, ...others] = parcels.toReversed()
  const tour = { ...addAll(...others), capacity: MAX_TOUR_PARCELS }
  const found = last && insertParcel(tour, last, COSTS)
  expect(found?.evaluations).toBe(MAX_INSERTION_EVALUATIONS)
  const shuffled = {
    ...tour,
    stops: tour.stops.toSorted((a, b) => (a.kind < b.kind ? 1 : b.kind < a.kind ? -1 : 0)),
  }
  expect(improveTour(shuffled, COSTS).evaluations).toBeLessThanOrEqual(MAX_IMPROVEMENT_EVALUATIONS)
})
