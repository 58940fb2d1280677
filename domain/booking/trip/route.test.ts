import { describe, expect, test } from 'vitest'
import { getLengthKm, projectOntoPolyline } from '../../geo/polylineGeometry'
import { encodePolyline } from '../../geo/polyline'
import { createSeededRandom } from '../../data/seededRandom'
import { MAX_ROUTE_CHARS, decodeRoute, toStoredRoute } from './route'
import type { LatLng } from '../../geo/types'

/** Returns a route that winds through streets, with a point every 40 m. */
const winding = (points: number): LatLng[] => {
  const random = createSeededRandom(7)
  let [lat, lng] = [-34.9, -56.2]
  return Array.from({ length: points }, (_, i) => {
    const east = Math.floor(i / 9) % 2 === 0
    lat += (east ? 0.00002 : 0.00036) * (1 + random.next() / 5)
    lng += (east ? 0.00044 : 0.00002) * (1 + random.next() / 5)
    return { lat, lng }
  })
}
const stored = (points: readonly LatLng[]) =>
  toStoredRoute({ polylinePoints: encodePolyline(points) })

describe('a stored route', () => {
  test.each([
    ['a city trip', 120, 10],
    ['a trip across a country', 40_000, 2000],
  ])('of %s has at most 3,000 characters and stays near the streets', (_, count, meters) => {
    const points = winding(count)
    const text = stored(points) ?? ''
    expect(text.length).toBeGreaterThan(0)
    expect(text.length).toBeLessThanOrEqual(MAX_ROUTE_CHARS)
    const line = decodeRoute({ route: text })
    for (let i = 0; i < points.length; i += Math.ceil(points.length / 100))
      expect(projectOntoPolyline(line, points[i]!).off).toBeLessThan(meters)
  })

  test('of a city trip keeps the length of the route', () => {
    const points = winding(120)
    expect(getLengthKm(decodeRoute({ route: stored(points) }))).toBeCloseTo(getLengthKm(points), 1)
  })

  test('starts and ends where the trip does', () => {
    const points = winding(500)
    const line = decodeRoute({ route: stored(points) })
    expect(line[0]!.lat).toBeCloseTo(points[0]!.lat, 5)
    expect(line.at(-1)!.lng).toBeCloseTo(points.at(-1)!.lng, 5)
  })

  test.each([
    ['an empty line', ''],
    ['a single point', encodePolyline([{ lat: 1, lng: 1 }])],
  ])('is missing for %s', (_, polylinePoints) => {
    expect(toStoredRoute({ polylinePoints })).toBeUndefined()
  })

  test('is missing when the route is approximate', () => {
    const polylinePoints = encodePolyline(winding(9))
    expect(toStoredRoute({ polylinePoints, approximate: true })).toBeUndefined()
  })
})

test('returns no route for a booking from before routes were stored', () => {
  expect(decodeRoute({})).toEqual([])
})
