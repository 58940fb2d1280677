import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toJson } from '../../data/databaseValue'
import { quoteFare } from '../../money/fare'
import { getDistanceKm } from '../../geo/geo'
import { commitChange, readValue, type Tree } from '../../data/memoryTree'
import { encodePolyline } from '../../geo/polyline'
import {
  aBooking,
  aDriver,
  anEventContext,
  aRider,
  aSettings,
  aVehicleType,
  NOON,
  PICKUP,
  rider,
} from '../../testing/builders'
import { applyBookingEvent } from '../applyBookingEvent'
import { toTrip } from './drivenDistance'
import { buildDrivenRoadQueries } from './drivenRoad'
import type { Route } from './route'
import type { Booking, TrackingPoint } from '../types'
import type { LatLng } from '../../geo/types'

const settings = aSettings()
const carType = aVehicleType({ base_fare: 60, rate_per_unit_distance: 20, min_fare: 100 })
const SECONDS_PER_KM = 100
const north = (km: number): LatLng => ({ lat: PICKUP.lat + km / 111.195, lng: PICKUP.lng })
const toRoute = (from: LatLng, to: LatLng): Route => {
  const km = getDistanceKm(from, to)
  const polylinePoints = encodePolyline([from, to])
  return { distance_in_km: km, time_in_secs: km * SECONDS_PER_KM, polylinePoints }
}
const getPrice = (km: number) =>
  quoteFare({ carType, settings, distanceKm: km, seconds: km * SECONDS_PER_KM }).estimateFare

/** A step: the car drives to a place, and the drop-off moves to another one. */
interface Step {
  driveTo: number
  drop: number
}

/** Plays a trip on one road, whose customer accepts each price. Returns what each step costs. */
const playTrip = (plannedKm: number, steps: readonly Step[]) => {
  const { id } = aBooking()
  const started = aBooking({
    status: 'STARTED',
    drop: { ...north(plannedKm), add: 'Drop' },
    startTime: NOON,
    estimateDistance: plannedKm,
    estimateTime: plannedKm * SECONDS_PER_KM,
    trip_cost: getPrice(plannedKm),
  })
  const tree: Tree = { bookings: toJson({ [id]: started }) }
  const tracking: TrackingPoint[] = [{ at: NOON, status: 'STARTED', ...north(0) }]
  let [now, place, drivenKm] = [NOON, 0, 0]
  const drive = (to: number) => {
    const from = place
    const parts = Math.max(1, Math.round(Math.abs(to - from) * 20))
    for (let part = 1; part <= parts; part++) {
      now += Math.max(1000, (Math.abs(to - from) * SECONDS_PER_KM * 1000) / parts)
      tracking.push({ at: now, status: 'STARTED', ...north(from + ((to - from) * part) / parts) })
    }
    drivenKm += Math.abs(to - from)
    place = to
    now += 1000
  }
  const amend = (km: number): number => {
    const booking = readValue(tree, `bookings/${id}`) as unknown as Booking
    const here = north(place)
    const drop = { ...north(km), add: `${drivenKm} ${km}` }
    const trip = toTrip(booking, tracking, { ...here, at: now }, settings)
    const { routePositions } = buildDrivenRoadQueries(trip)
    const legKm = routePositions.slice(1).map((to, i) => getDistanceKm(routePositions[i]!, to))
    const context = anEventContext({
      carType,
      tracking,
      customer: aRider(),
      driver: aDriver({ location: here }),
      route: toRoute(here, drop),
      roadSoFar: toRoute(booking.pickup, here),
      roadResults: { roadDistances: null, gapKm: [], legKm },
    })
    const apply = (estimateFare?: number) =>
      applyBookingEvent(
        booking,
        { event: 'amend', drop, estimateFare },
        { actor: rider, context, now },
      )
    const first = apply()
    const result =
      !first.ok && first.error.key === 'estimate_changed'
        ? apply(Number(first.error.params?.estimate))
        : first
    if (!result.ok) throw new Error(result.error.key)
    commitChange(tree, result.value)
    return (readValue(tree, `bookings/${id}`) as unknown as Booking).trip_cost
  }
  return steps.map(({ driveTo, drop }) => {
    drive(driveTo)
    return { cost: amend(drop), drivenKm, restKm: Math.abs(drop - place) }
  })
}

test('no sequence of amendments costs less than the road driven and the rest', () => {
  const km = fc.integer({ min: 1, max: 90 }).map((tenths) => tenths / 10)
  const step = fc
    .record({ driveTo: km, offset: fc.constantFrom(0.09, 0.5, 2, 5) })
    .map(({ driveTo, offset }): Step => ({ driveTo, drop: driveTo + offset }))
  fc.assert(
    fc.property(km, fc.array(step, { minLength: 1, maxLength: 6 }), (plannedKm, steps) => {
      for (const { cost, drivenKm, restKm } of playTrip(plannedKm, steps)) {
        // Noise may hide 2 % and 100 meters of the driven road.
        expect(cost).toBeGreaterThanOrEqual(getPrice((drivenKm - 0.1) / 1.02 + restKm) - 0.5)
        expect(cost).toBeLessThanOrEqual(getPrice(drivenKm * 1.02 + 0.1 + restKm) + 0.5)
      }
    }),
    { numRuns: 60, seed: 7 },
  )
})
