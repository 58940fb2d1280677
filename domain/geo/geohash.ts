import { KM_PER_DEGREE, toRadians } from './geo'
import type { LatLng } from './types'
import type { Kilometers } from '../language/units'

const BASE32 = '0123456789bcdefghjkmnpqrstuvwxyz'

/** Returns the geohash of a position, with 9 characters (about 5 m) by default. */
export const encodeGeohash = ({ lat, lng }: LatLng, length = 9): string => {
  let [south, north, west, east] = [-90, 90, -180, 180]
  let hash = ''
  for (let bit = 0, value = 0; hash.length < length; bit++) {
    if (bit % 2 === 0) {
      const middle = (west + east) / 2
      value = value * 2 + Number(lng >= middle)
      if (lng >= middle) west = middle
      else east = middle
    } else {
      const middle = (south + north) / 2
      value = value * 2 + Number(lat >= middle)
      if (lat >= middle) south = middle
      else north = middle
    }
    if (bit % 5 === 4) {
      hash += BASE32.charAt(value)
      value = 0
    }
  }
  return hash
}

const getCellDegrees = (length: number) => {
  const bits = length * 5
  return { lat: 180 / 2 ** Math.floor(bits / 2), lng: 360 / 2 ** Math.ceil(bits / 2) }
}

const wrapLongitude = (lng: number) => ((((lng + 180) % 360) + 360) % 360) - 180

/**
 * Returns ranges [startAt, endAt] of geohashes that cover every position within `radiusKm` of the
 * center, and some beyond it, so the caller must still measure. At most nine, none overlapping;
 * near the poles, one for the whole earth.
 */
export const getGeohashRanges = (center: LatLng, radiusKm: Kilometers): [string, string][] => {
  const latSpan = radiusKm / KM_PER_DEGREE
  const farthest = Math.abs(center.lat) + latSpan
  const lngSpan = farthest >= 89 ? 360 : latSpan / Math.cos(toRadians(farthest))
  // Uses the longest geohash whose cells are at least as large as the span, so that corners, edges
  // and center touch every cell in reach.
  let length = 9
  while (
    length > 0 &&
    (getCellDegrees(length).lat < latSpan || getCellDegrees(length).lng < lngSpan)
  )
    length--
  if (length === 0) return [['0', '~']]
  const cells = new Set<string>()
  for (const lat of [-latSpan, 0, latSpan])
    for (const lng of [-lngSpan, 0, lngSpan])
      cells.add(
        encodeGeohash(
          {
            lat: Math.max(-90, Math.min(90, center.lat + lat)),
            lng: wrapLongitude(center.lng + lng),
          },
          length,
        ),
      )
  return [...cells].sort().map((cell) => [cell, `${cell}~`])
}
