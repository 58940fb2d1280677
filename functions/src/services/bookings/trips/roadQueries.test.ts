import { describe, expect, test } from 'vitest'
import type { RoadQueries } from '~/domain/booking/trip/track'
import { MapsError, type MapsPort, type Route } from '../../../ports/mapsPort'
import { straightLineMaps } from '../../../testing/testPorts'
import { fetchRoadResults } from './roadQueries'

const A = { lat: -34.9, lng: -56.18 }
const B = { lat: -34.91, lng: -56.18 }
const C = { lat: -34.92, lng: -56.18 }
const asked = (over: Partial<RoadQueries> = {}): RoadQueries => ({
  positions: [A, B],
  gaps: [[A, B]],
  routePositions: [A, B, C],
  ...over,
})
const step = (maneuver: Route['steps'][number]['maneuver'], distance_in_km: number) => ({
  maneuver,
  distance_in_km,
  street: '',
  time_in_secs: 1,
  at: A,
})
const route: Route = {
  distance_in_km: 5,
  time_in_secs: 600,
  polylinePoints: '',
  coords: [A, C],
  steps: [
    step('depart', 1.5),
    step('left', 0.5),
    step('stop', 0),
    step('depart', 3),
    step('arrive', 0),
  ],
  approximate: false,
}
const service: MapsPort = {
  ...straightLineMaps,
  getDirections: () => Promise.resolve(route),
  getStreetDistances: (points) => Promise.resolve(points.map(() => 7)),
}

describe('the road data of a trip', () => {
  test('contain the distances of its points from streets, its gaps and its legs', async () => {
    expect(await fetchRoadResults(service, asked())).toEqual({
      roadDistances: [7, 7],
      gapKm: [5],
      legKm: [2, 3],
      legSeconds: [3, 2],
    })
  })

  test('are requested only as needed', async () => {
    let calls = 0
    const counting: MapsPort = {
      ...service,
      getDirections: () => {
        calls++
        return Promise.resolve(route)
      },
    }
    const answers = await fetchRoadResults(
      counting,
      asked({ gaps: [], routePositions: [], positions: [] }),
    )
    expect([answers, calls]).toEqual([
      { roadDistances: null, gapKm: [], legKm: null, legSeconds: null },
      0,
    ])
  })

  test('are unknown when the service has no street data', async () => {
    const remote: MapsPort = { ...straightLineMaps, getDirections: () => Promise.resolve(route) }
    expect(await fetchRoadResults(remote, asked())).toMatchObject({
      roadDistances: null,
      gapKm: [5],
    })
  })

  test('are unknown when the route is approximate or does not exist', async () => {
    const guessing = {
      ...service,
      getDirections: () => Promise.resolve({ ...route, approximate: true }),
    }
    expect(await fetchRoadResults(guessing, asked())).toMatchObject({ gapKm: [null], legKm: null })
    const none = { ...service, getDirections: () => Promise.resolve(null) }
    expect(await fetchRoadResults(none, asked())).toMatchObject({ gapKm: [null], legKm: null })
  })

  test('are unknown when the service is down, and the trip still ends', async () => {
    const down = () => Promise.reject(new MapsError('unavailable'))
    const answers = await fetchRoadResults(
      { ...service, getDirections: down, getStreetDistances: down },
      asked(),
    )
    expect(answers).toMatchObject({ roadDistances: null, gapKm: [null], legKm: null })
  })
})
