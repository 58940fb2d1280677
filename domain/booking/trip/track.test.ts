import { describe, expect, test } from 'vitest'
import { getLengthKm } from '../../geo/polylineGeometry'
import type { TimedPosition } from '../../dispatch/reportingInterval'
import {
  isReachable,
  type PlannedRoute,
  findReachableChain,
  splitTrack,
  measureTrackKm,
} from './track'
import type { LatLng } from '../../geo/types'
import type { Status, TrackingPoint } from '../types'

const START = { lat: -34.9, lng: -56.18 }
const METER = 1 / 111_195
/** Returns the position `east` and `north` meters from the start. */
const place = (east: number, north = 0): LatLng => ({
  lat: START.lat + north * METER,
  lng: START.lng + (east * METER) / Math.cos((START.lat * Math.PI) / 180),
})
const fix = (seconds: number, east: number, north = 0): TimedPosition => ({
  ...place(east, north),
  at: seconds * 1000,
})
const point = (status: Status, seconds: number, east: number, north = 0): TrackingPoint => ({
  ...fix(seconds, east, north),
  status,
})
/** Returns a track to the east at 10 m/s, with a point every five seconds. */
const drive = (meters: number, from = 0): TrackingPoint[] =>
  Array.from({ length: meters / 50 + 1 }, (_, i) =>
    point('STARTED', from / 10 + i * 5, from + i * 50),
  )

describe('the driven distance', () => {
  test('is 0 with fewer than two points of STARTED or REACHED', () => {
    expect(measureTrackKm([])).toBe(0)
    expect(
      measureTrackKm([
        point('ACCEPTED', 1, 0),
        point('ACCEPTED', 60, 500),
        point('STARTED', 99, 900),
      ]),
    ).toBe(0)
  })

  test('is summed in order of time, whatever order the points arrived in', () => {
    const track = [
      point('REACHED', 90, 300),
      point('STARTED', 10, 0),
      point('ACCEPTED', 50, 9000),
      point('STARTED', 50, 100),
    ]
    expect(measureTrackKm(track)).toBeCloseTo(0.3, 3)
  })

  test('of a straight street is the length of the street', () => {
    expect(measureTrackKm(drive(2000))).toBeCloseTo(2, 3)
  })

  test('does not grow from GPS noise while the car stands', () => {
    const trembling = Array.from({ length: 60 }, (_, i) =>
      point('STARTED', 200 + i * 5, 2000 + (i % 2) * 12, (i % 3) * 10),
    )
    const track = [...drive(2000), ...trembling, ...drive(1000, 5200).map((p) => ({ ...p }))]
    expect(measureTrackKm([...drive(2000), ...trembling])).toBeLessThan(2.06)
    expect(track.length).toBeGreaterThan(60)
  })

  test('does not grow from a position reflected by a building', () => {
    const track = drive(1000)
    track[10] = point('STARTED', 50, 500, 180)
    expect(measureTrackKm(track)).toBeCloseTo(1, 2)
  })

  test('includes a corner', () => {
    const corner = [
      ...drive(500),
      ...Array.from({ length: 10 }, (_, i) => point('STARTED', 55 + i * 5, 500, (i + 1) * 50)),
    ]
    expect(measureTrackKm(corner)).toBeCloseTo(1, 2)
  })
})

describe('unreachable points', () => {
  test.each([
    ['a position 500 m away within five seconds', 5, 500, false],
    ['a position 300 m away within five seconds', 5, 300, true],
    ['a position 40 m away at once, within the error of a position,', 0, 40, true],
    ['a position 5 km away within two minutes', 120, 5000, true],
  ])('checks whether %s is reachable: %s', (_, seconds, meters, expected) => {
    expect(isReachable(fix(0, 0), fix(seconds, meters))).toBe(expected)
  })

  test('do not count', () => {
    const track = drive(1000)
    track.splice(10, 0, point('STARTED', 47, 60_000), point('STARTED', 48, -60_000))
    expect(measureTrackKm(track)).toBeCloseTo(1, 2)
  })

  test('do not remove the rest of the track when they come first', () => {
    const right = Array.from({ length: 8 }, (_, i) => fix(10 + i * 5, i * 50))
    expect(findReachableChain([fix(0, 9000), ...right])).toEqual(right)
  })

  test('are found in bounded time in a very long track', () => {
    const jumping = Array.from({ length: 5000 }, (_, i) => fix(i, (i % 2) * 50_000, i))
    expect(findReachableChain(jumping).length).toBeGreaterThan(2000)
  })
})

describe('on the planned route', () => {
  const along = (...line: LatLng[]): PlannedRoute => ({ positions: line, km: getLengthKm(line) })
  const route = along(place(0), place(3000))

  test('counts the length of the route despite GPS noise', () => {
    const weaving = drive(3000).map((p, i) => ({
      ...p,
      ...place(i * 50, i % 2 ? 30 : -30),
    }))
    expect(measureTrackKm(weaving, route)).toBeCloseTo(3, 2)
    expect(measureTrackKm(weaving)).toBeGreaterThan(4)
  })

  test('counts the route across a gap in the track', () => {
    const bend = along(place(0), place(0, 1000), place(1000, 1000))
    const lost = [point('STARTED', 0, 0), point('REACHED', 300, 1000, 1000)]
    expect(measureTrackKm(lost, bend)).toBeCloseTo(2, 2)
    expect(measureTrackKm(lost)).toBeCloseTo(1.414, 2)
  })

  test('counts no more than the car can drive in the time of a gap', () => {
    const bend = along(place(0), place(0, 1000), place(1000, 1000))
    const hurried = [point('STARTED', 0, 0), point('REACHED', 40, 1000, 1000)]
    expect(measureTrackKm(hurried, bend)).toBeCloseTo(1.414, 2)
  })

  test('keeps the road length of a simplified line', () => {
    const road = { ...route, km: 3.2 }
    expect(measureTrackKm(drive(3000), road)).toBeCloseTo(3.2, 2)
  })

  test('counts a detour by its own length', () => {
    const around = [
      ...drive(1000),
      ...Array.from({ length: 8 }, (_, i) => point('STARTED', 105 + i * 5, 1000, (i + 1) * 50)),
      ...Array.from({ length: 10 }, (_, i) =>
        point('STARTED', 145 + i * 5, 1000 + (i + 1) * 50, 400),
      ),
      ...Array.from({ length: 8 }, (_, i) =>
        point('STARTED', 195 + i * 5, 1500, 400 - (i + 1) * 50),
      ),
      ...drive(1500, 1500).map((p) => ({ ...p, at: p.at + 90_000 })),
    ]
    expect(measureTrackKm(around, route)).toBeCloseTo(3.8, 1)
    expect(splitTrack(around as TimedPosition[], route).some(({ kind }) => kind === 'own')).toBe(
      true,
    )
  })

  test('does not pay for driving back along the route', () => {
    const back = [
      ...drive(1500),
      ...Array.from({ length: 10 }, (_, i) => point('STARTED', 155 + i * 5, 1500 - (i + 1) * 9)),
      ...drive(1500, 1500).map((p) => ({ ...p, at: p.at + 60_000 })),
    ]
    expect(measureTrackKm(back, route)).toBeCloseTo(3, 1)
  })
})
