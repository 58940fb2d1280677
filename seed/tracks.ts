import type { Route } from '~/domain/booking/trip/route'
import type { TrackingPoint } from '~/domain/booking/types'
import { createPushKey } from '~/domain/data/pushKeys'
import { getDistanceKm } from '~/domain/geo/geo'
import { decodePolyline } from '~/domain/geo/polyline'
import { getLengthKm, interpolatePosition, simplifyPolyline } from '~/domain/geo/polylineGeometry'
import type { LatLng } from '~/domain/geo/types'

/** A track has a point when the street bends by more than this many meters. */
const MIN_BEND_METERS = 8

/** Rounds a position to about one meter. */
export const roundPosition = ({ lat, lng }: LatLng): LatLng => ({
  lat: Number(lat.toFixed(5)),
  lng: Number(lng.toFixed(5)),
})

/** Returns the line of a route, or a straight line when the route has none. */
export const getRouteLine = ({ polylinePoints }: Route, from: LatLng, to: LatLng): LatLng[] => {
  const line = decodePolyline(polylinePoints)
  return line.length > 1 ? line : [from, to]
}

/** Returns the part of a line between two of its points, given as fractions of its length. */
const cutLine = (line: readonly LatLng[], first: number, last: number): LatLng[] => {
  const km = getLengthKm(line)
  let reached = 0
  const inner = line.filter((place, i) => {
    reached += i === 0 ? 0 : getDistanceKm(line[i - 1]!, place)
    return reached > km * first && reached < km * last
  })
  return [interpolatePosition(line, first), ...inner, interpolatePosition(line, last)].filter(
    (place) => place !== undefined,
  )
}

/** A part of a line that a driver drives between two times at a steady pace. */
export interface DrivenPart {
  status: TrackingPoint['status']
  line: readonly LatLng[]
  /** Milliseconds since 1970. */
  times: readonly [begin: number, end: number]
  /** Fractions of the line's length. */
  shares: readonly [first: number, last: number]
}

/** Returns a tracking point at each bend of a driven part, by its key. */
export const buildTrack = (
  { status, line, times: [begin, end], shares: [first, last] }: DrivenPart,
  now: number,
): [key: string, TrackingPoint][] => {
  const part = simplifyPolyline(cutLine(line, first, last), MIN_BEND_METERS)
  const km = getLengthKm(part)
  return part.flatMap((place, n): [string, TrackingPoint][] => {
    const share = km === 0 ? 1 : getLengthKm(part.slice(0, n + 1)) / km
    const at = Math.round(begin + (end - begin) * share)
    // The events write the end points, unless the driver is still en route.
    const isWritten = n > 0 && (at < end || end === now)
    return isWritten ? [[createPushKey(at, n), { at, status, ...roundPosition(place) }]] : []
  })
}
