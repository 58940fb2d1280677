import type { LatLng, Settings } from './entities'

const KM_PER_MILE = 1.609344
/** The earth's mean radius. */
const EARTH_RADIUS_KM = 6371.0088
const KM_PER_DEGREE = (Math.PI / 180) * EARTH_RADIUS_KM
const toRadians = (degrees: number) => (degrees * Math.PI) / 180

/** Returns the great-circle distance in kilometers. */
export const getDistanceKm = (a: LatLng, b: LatLng): number => {
  const h =
    Math.sin(toRadians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(toRadians(a.lat)) *
      Math.cos(toRadians(b.lat)) *
      Math.sin(toRadians(b.lng - a.lng) / 2) ** 2
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

const blurCoordinate = (degrees: number): number => Math.round(degrees * 100) / 100
/**
 * Returns a position rounded to about one kilometer, for records that outlive personal data:
 * precise enough for a map of bookings, too coarse to identify a home.
 */
export const blurPosition = ({ lat, lng }: LatLng) => ({
  lat: blurCoordinate(lat),
  lng: blurCoordinate(lng),
})

type Unit = Pick<Settings, 'convert_to_mile'>

/** Converts kilometers to the settings' unit: miles with convert_to_mile. */
export const toDistanceUnit = (km: number, { convert_to_mile }: Unit): number =>
  convert_to_mile ? km / KM_PER_MILE : km

/** Converts a distance in the settings' unit to kilometers. */
export const toKm = (distance: number, { convert_to_mile }: Unit): number =>
  convert_to_mile ? distance * KM_PER_MILE : distance

/**
 * Returns the search radius for drivers in kilometers; the default is 10 of the settings' units.
 */
export const getSearchRadiusKm = (settings: Pick<Settings, 'convert_to_mile' | 'driverRadius'>) =>
  toKm(settings.driverRadius > 0 ? settings.driverRadius : 10, settings)

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
export const getGeohashRanges = (center: LatLng, radiusKm: number): [string, string][] => {
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

const MAX_WAYPOINTS = 25

/** Returns at most 25 of the points, evenly spread, including the first and the last. */
export const sampleWaypoints = <P extends LatLng>(
  points: readonly P[],
  most = MAX_WAYPOINTS,
): P[] =>
  points.length <= most
    ? [...points]
    : Array.from(
        { length: most },
        (_, i) => points[Math.round((i * (points.length - 1)) / (most - 1))]!,
      )

/** Formats a position as 'lat,lng' for the maps endpoints. */
export const formatPosition = ({ lat, lng }: LatLng): string => `${lat},${lng}`

/** Formats positions as 'lat,lng|lat,lng', the waypoints of the maps endpoints. */
export const formatWaypoints = (points: readonly LatLng[]): string =>
  points.map(formatPosition).join('|')
