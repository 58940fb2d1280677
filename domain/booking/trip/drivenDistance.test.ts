import { describe, expect, test } from 'vitest'
import { encodePolyline } from '../../geo/polyline'
import { aBooking, aSettings, MINUTE, NOON } from '../../testing/builders'
import { isMetered, assessTrip, buildRoadQueries, toTrip } from './drivenDistance'
import type { RoadResults, Trip } from './track'
import type { LatLng } from '../../geo/types'
import type { TrackingPoint } from '../types'

const METER = 1 / 111_195
const PICKUP = { lat: -34.9, lng: -56.18 }
/** Returns the position `east` and `north` kilometers from the pickup. */
const place = (east: number, north = 0): LatLng => ({
  lat: PICKUP.lat + north * 1000 * METER,
  lng: PICKUP.lng + (east * 1000 * METER) / Math.cos((PICKUP.lat * Math.PI) / 180),
})

/** Returns track points along the places at 36 km/h, one every five seconds. */
const driven = (...places: LatLng[]): TrackingPoint[] => {
  const points: TrackingPoint[] = []
  let at = NOON
  const add = (spot: LatLng) => {
    points.push({ ...spot, at, status: 'STARTED' })
    at += 5000
  }
  add(places[0]!)
  places.slice(1).forEach((to, i) => {
    const from = places[i]!
    const meters = Math.hypot(to.lat - from.lat, (to.lng - from.lng) * 0.82) / METER
    const steps = Math.max(1, Math.round(meters / 50))
    for (let step = 1; step <= steps; step++)
      add({
        lat: from.lat + ((to.lat - from.lat) * step) / steps,
        lng: from.lng + ((to.lng - from.lng) * step) / steps,
      })
  })
  return points.map((point, i) =>
    i === points.length - 1 ? { ...point, status: 'REACHED' } : point,
  )
}

/** Returns a trip of five kilometers straight east, planned at ten minutes. */
const aTrip = (over: Partial<Trip> = {}): Trip => {
  const points = over.points ?? driven(place(0), place(5))
  return {
    points,
    startedAt: NOON,
    endedAt: points.at(-1)?.at ?? NOON,
    pickup: place(0),
    drop: place(5),
    stops: [],
    plannedSeconds: 600,
    route: { positions: [place(0), place(5)], km: 5 },
    ...over,
  }
}
/** Returns results in which every point is on a street and every route is as long as the track. */
const agreeing = (trip: Trip): RoadResults => {
  const { positions, gaps, routePositions } = buildRoadQueries(trip)
  const meters = (a: LatLng, b: LatLng) =>
    Math.hypot(a.lat - b.lat, (a.lng - b.lng) * 0.82) / METER / 1000
  return {
    roadDistances: positions.map(() => 4),
    gapKm: gaps.map(([from, to]) => meters(from, to) * 1.3),
    legKm: routePositions.slice(1).map((to, i) => meters(routePositions[i]!, to) * 1.25),
  }
}
const judged = (over: Partial<Trip> = {}, answers?: Partial<RoadResults> | null) => {
  const trip = aTrip(over)
  return assessTrip(trip, answers === null ? null : { ...agreeing(trip), ...answers })
}

describe('a plausible trip', () => {
  test('is charged as driven', () => {
    expect(judged()).toMatchObject({ verdict: 'ok', reasons: [], droppedPoints: 0 })
    expect(judged().chargedKm).toBeCloseTo(5, 2)
    expect(judged().chargedSeconds).toBe(500)
  })

  test('that ends early is charged as driven', () => {
    const { verdict, chargedKm } = judged({ points: driven(place(0), place(2)) })
    expect(verdict).toBe('ok')
    expect(chargedKm).toBeCloseTo(2, 2)
  })

  test('with one point or none is charged no distance', () => {
    expect(judged({ points: [], endedAt: NOON }).chargedKm).toBe(0)
    expect(judged({ points: driven(place(0)).slice(0, 1), endedAt: NOON }).chargedKm).toBe(0)
  })

  test('without a point between start and end is charged the planned route', () => {
    const [first] = driven(place(0))
    const points: TrackingPoint[] = [
      first!,
      { ...place(5), at: NOON + 10 * MINUTE, status: 'REACHED' },
    ]
    expect(judged({ points })).toMatchObject({ verdict: 'ok' })
    expect(judged({ points }).chargedKm).toBeCloseTo(5, 2)
  })
})

describe('a longer trip', () => {
  /** Returns a track with a detour of `north` kilometers and back. */
  const detour = (north: number) =>
    driven(place(0), place(2), place(2, north), place(3, north), place(3), place(5))

  test('up to 10 % and 300 m beyond the plan is charged without a check', () => {
    const points = detour(0.35)
    expect(judged({ points }, null)).toMatchObject({ verdict: 'ok' })
    expect(judged({ points }, null).chargedKm).toBeCloseTo(5.7, 1)
  })

  test('is charged when the streets confirm it', () => {
    const points = detour(1)
    expect(judged({ points })).toMatchObject({ verdict: 'ok', reasons: [] })
    expect(judged({ points }).chargedKm).toBeCloseTo(7, 1)
  })

  test('is capped at 10 % and 300 m when no maps service answers', () => {
    const { verdict, chargedKm, reasons } = judged({ points: detour(1) }, null)
    expect([verdict, reasons]).toEqual(['capped', ['longer']])
    expect(chargedKm).toBeCloseTo(5.8, 6)
  })

  test('is capped at the plan when its points are off the streets', () => {
    const trip = aTrip({ points: detour(1) })
    const beside = buildRoadQueries(trip).positions.map(() => 30)
    const { verdict, chargedKm, reasons } = judged({ points: detour(1) }, { roadDistances: beside })
    expect([verdict, reasons]).toEqual(['capped', ['longer', 'off_road']])
    expect(chargedKm).toBeCloseTo(5, 6)
  })

  test('is capped at the plan when it crosses houses', () => {
    const through = buildRoadQueries(aTrip({ points: detour(1) }))
      .routePositions.slice(1)
      .map(() => 3)
    expect(judged({ points: detour(1) }, { legKm: through })).toMatchObject({
      verdict: 'capped',
      reasons: ['longer', 'off_road'],
    })
  })

  test('more than 40 % and 1 km beyond the plan is charged as planned and flagged for review', () => {
    const { verdict, chargedKm, drivenKm, reasons } = judged({ points: detour(1.6) })
    expect([verdict, chargedKm, reasons]).toEqual(['flagged', 5, ['far_longer']])
    expect(drivenKm).toBeCloseTo(8.2, 1)
  })

  test('that drives in circles is charged as planned', () => {
    const [a, b] = [place(2), place(2, 0.8)]
    const { verdict, chargedKm, reasons } = judged({
      points: driven(place(0), a, b, a, place(5)),
    })
    expect([verdict, reasons]).toEqual(['capped', ['longer', 'loops']])
    expect(chargedKm).toBeLessThan(5.9)
  })

  test('excludes the time of the distance that is not charged', () => {
    const points = detour(1)
    const seconds = (points.at(-1)!.at - NOON) / 1000
    const { chargedSeconds, chargedKm, drivenKm } = judged({ points, plannedSeconds: 400 }, null)
    expect(chargedSeconds).toBe(Math.round((seconds * chargedKm) / drivenKm))
  })

  test('that ends far from the drop-off is flagged', () => {
    const points = driven(place(0), place(5), place(6))
    expect(judged({ points })).toMatchObject({
      verdict: 'flagged',
      chargedKm: 5,
      reasons: ['drop_elsewhere'],
    })
  })

  test('that starts far from the pickup is flagged', () => {
    const points = driven(place(-1), place(5))
    expect(judged({ points })).toMatchObject({ verdict: 'flagged', reasons: ['start_elsewhere'] })
  })
})

describe('impossible points', () => {
  test('are dropped, and a few do not flag the trip', () => {
    const points = driven(place(0), place(5))
    points.splice(50, 1, { ...points[50]!, ...place(40, 30) })
    expect(judged({ points })).toMatchObject({ verdict: 'ok', droppedPoints: 1 })
    expect(judged({ points }).chargedKm).toBeCloseTo(5, 2)
  })

  test('flag the trip when there are many', () => {
    const points = driven(place(0), place(5)).map((point, i) =>
      i % 3 === 1 && i < 99 ? { ...point, ...place(40, i) } : point,
    )
    expect(judged({ points })).toMatchObject({ verdict: 'flagged', reasons: ['jumps'] })
    expect(judged({ points }).chargedKm).toBeLessThanOrEqual(5)
  })

  test('far from every street do not count', () => {
    const points = driven(place(0), place(2), place(2.5, 0.6), place(3), place(5))
    const trip = aTrip({ points })
    const beside = buildRoadQueries(trip).positions.map(({ lat }) =>
      (lat - PICKUP.lat) / METER > 200 ? 200 : 4,
    )
    expect(judged({ points }, { roadDistances: beside }).chargedKm).toBeLessThan(5.6)
  })

  test('at the end flag the trip, because the car cannot have reached them', () => {
    const points = driven(place(0), place(5))
    points.push({ ...place(25), at: points.at(-1)!.at + 10_000, status: 'REACHED' })
    expect(judged({ points })).toMatchObject({ verdict: 'flagged', reasons: ['end_impossible'] })
    expect(judged({ points }).chargedKm).toBeCloseTo(5, 2)
  })

  test('at the end flag the trip even without other points', () => {
    const points: TrackingPoint[] = [
      { ...place(0), at: NOON, status: 'STARTED' },
      { ...place(5, 600), at: NOON + 5 * MINUTE, status: 'REACHED' },
    ]
    expect(judged({ points })).toMatchObject({
      verdict: 'flagged',
      chargedKm: 0,
      reasons: ['end_impossible'],
    })
  })

  test('before the start and after the end do not count', () => {
    const points = driven(place(0), place(5))
    const before = driven(place(-8), place(0)).map((p) => ({ ...p, at: p.at - 20 * MINUTE }))
    const { chargedKm, droppedPoints } = judged({ points: [...before, ...points] })
    expect(chargedKm).toBeCloseTo(5, 2)
    expect(droppedPoints).toBe(before.length)
  })
})

describe('the charged time', () => {
  const later = (points: TrackingPoint[], minutes: number) =>
    points.map((point) => ({ ...point, at: point.at + minutes * MINUTE }))

  test('includes at most three minutes of standing at the drop-off', () => {
    const points = driven(place(0), place(5))
    const arrived = points.at(-1)!.at
    const end: TrackingPoint = { ...place(5), at: arrived + 40 * MINUTE, status: 'REACHED' }
    const all = [...points.slice(0, -1), { ...points.at(-1)!, status: 'STARTED' as const }, end]
    expect(judged({ points: all })).toMatchObject({ verdict: 'ok' })
    expect(judged({ points: all }).chargedSeconds).toBeLessThanOrEqual(500 + 185)
  })

  test('includes at most three minutes of standing at the pickup', () => {
    const points = driven(place(0), place(5))
    const all = [points[0]!, ...later(points, 30)]
    expect(judged({ points: all })).toMatchObject({ verdict: 'ok' })
    expect(judged({ points: all }).chargedSeconds).toBeLessThanOrEqual(500 + 185)
  })

  test.each([
    ['charges the full time of a trip that took 50 % longer than planned', 1.5, 'ok', 900],
    [
      'caps the time of a trip that took twice as long at 60 % plus five minutes',
      2.2,
      'capped',
      1260,
    ],
    [
      'flags a trip that took three times as long and charges the planned time',
      3.2,
      'flagged',
      600,
    ],
  ])('%s', (_, factor, verdict, seconds) => {
    const crawling = driven(place(0), place(5)).map((point) => ({
      ...point,
      at: NOON + (point.at - NOON) * factor * 1.2,
    }))
    expect(judged({ points: crawling })).toMatchObject({ verdict, chargedSeconds: seconds })
  })

  test('includes time at stops', () => {
    const crawling = driven(place(0), place(5)).map((point) => ({
      ...point,
      at: NOON + (point.at - NOON) * 2.6,
    }))
    expect(judged({ points: crawling, stops: [place(2)] })).toMatchObject({
      verdict: 'ok',
      chargedSeconds: 1300,
    })
  })

  test('flags a trip longer than planned when it is too short for the distance', () => {
    const rushed = driven(place(0), place(2), place(2, 1), place(3, 1), place(3), place(5)).map(
      (point) => ({ ...point, at: NOON + (point.at - NOON) / 4 }),
    )
    expect(judged({ points: rushed }).reasons).toContain('too_fast')
    expect(judged({ points: rushed }).verdict).toBe('flagged')
  })
})

describe('gaps in the track', () => {
  const bend = [place(0), place(2), place(2, 2), place(5, 2)]

  test('off the route count as the road distance across them', () => {
    const points = driven(...bend)
    const gapped = [...points.slice(0, 10), ...points.slice(-3)]
    const trip = aTrip({ points: gapped, route: { positions: [], km: 7 }, drop: place(5, 2) })
    expect(buildRoadQueries(trip).gaps).toHaveLength(1)
    const { chargedKm, reasons } = assessTrip(trip, {
      roadDistances: null,
      gapKm: [6.3],
      legKm: null,
    })
    expect(chargedKm).toBeCloseTo(6.9, 1)
    expect(reasons).toEqual(['gaps'])
  })

  test('count no more distance than the car could drive in that time', () => {
    const points = driven(...bend)
    const gapped = [...points.slice(0, 10), ...points.slice(-3)].map((point, i) => ({
      ...point,
      at: NOON + i * 10_000,
    }))
    const trip = aTrip({ points: gapped, route: { positions: [], km: 7 }, drop: place(5, 2) })
    const { drivenKm } = assessTrip(trip, { roadDistances: null, gapKm: [60], legKm: null })
    expect(drivenKm).toBeLessThan(6)
  })

  test('count as straight lines without road results', () => {
    const points = driven(...bend)
    const gapped = [...points.slice(0, 10), ...points.slice(-3)]
    const { chargedKm } = judged(
      { points: gapped, route: { positions: [], km: 7 }, drop: place(5, 2) },
      null,
    )
    expect(chargedKm).toBeGreaterThan(5)
    expect(chargedKm).toBeLessThan(5.8)
  })

  test('cause at most eight road queries, the longest gaps first', () => {
    const jumpy = Array.from({ length: 30 }, (_, i): TrackingPoint => ({
      ...place(i, i % 2),
      at: NOON + i * 2 * MINUTE,
      status: 'STARTED',
    }))
    expect(
      buildRoadQueries(aTrip({ points: jumpy, route: { positions: [], km: 5 } })).gaps,
    ).toHaveLength(8)
  })
})

describe('the trip of a booking', () => {
  const end = { ...place(5), at: NOON + 20 * MINUTE }
  const booking = aBooking({
    status: 'STARTED',
    estimateDistance: 10,
    estimateTime: 700,
    waypoints: [{ ...place(2), add: 'A stop' }],
    route: encodePolyline([place(0), place(5)]),
  })

  test('has the plan in kilometers whatever unit the settings use', () => {
    const trip = toTrip(booking, [], end, aSettings({ convert_to_mile: true }))
    expect(trip.route.km).toBeCloseTo(16.09, 2)
    expect(trip).toMatchObject({
      plannedSeconds: 700,
      stops: booking.waypoints,
      startedAt: booking.startTime,
    })
    expect(trip.route.positions).toHaveLength(2)
  })

  test('ends with its last point even when the phone’s clock is ahead', () => {
    const ahead: TrackingPoint = { ...place(4.9), at: end.at + 30_000, status: 'STARTED' }
    const { points } = toTrip(booking, [ahead], end, aSettings())
    expect(points.at(-1)).toMatchObject({ ...place(5), at: ahead.at + 1, status: 'REACHED' })
  })

  test('does not end later because of points long after its end', () => {
    const far: TrackingPoint = { ...place(90), at: end.at + 60 * MINUTE, status: 'STARTED' }
    const { points } = toTrip(booking, [far], end, aSettings())
    expect(points.at(-1)?.at).toBe(end.at)
  })

  test.each([
    ['a taxi', 'taxi', false, true],
    ['a parcel', 'delivery', false, false],
    ['a prepaid taxi', 'taxi', true, false],
  ] as const)('checks whether %s is metered: %s', (_, appcat, isPaid, expected) => {
    const paymentPacket = isPaid ? ({} as NonNullable<typeof booking.paymentPacket>) : undefined
    expect(isMetered({ ...(paymentPacket && { paymentPacket }) }, { appcat })).toBe(expected)
  })
})
