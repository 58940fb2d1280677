import type { LatLng, Settings, TrackingPoint } from './entities'

const KM_PER_MILE = 1.609344
/** The mean radius of the earth. */
const EARTH_KM = 6371.0088
const KM_PER_DEGREE = (Math.PI / 180) * EARTH_KM
const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Great-circle distance in kilometres. */
export const distanceKm = (a: LatLng, b: LatLng): number => {
  const h =
    Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lng - a.lng) / 2) ** 2
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

type Unit = Pick<Settings, 'convert_to_mile'>

/** Kilometres as the settings count them: miles with convert_to_mile. */
export const toUnit = (km: number, { convert_to_mile }: Unit): number =>
  convert_to_mile ? km / KM_PER_MILE : km

/** A distance in the settings' unit as kilometres. */
export const toKm = (distance: number, { convert_to_mile }: Unit): number =>
  convert_to_mile ? distance * KM_PER_MILE : distance

/** The radius drivers are searched in, kilometres; 10 of the settings' units when none is set. */
export const searchRadiusKm = (settings: Pick<Settings, 'convert_to_mile' | 'driverRadius'>) =>
  toKm(settings.driverRadius > 0 ? settings.driverRadius : 10, settings)

const BASE32 = '0123456789bcdefghjkmnpqrstuvwxyz'

/** The geohash of a point, 9 characters (about 5 m) unless told otherwise. */
export const geohash = ({ lat, lng }: LatLng, length = 9): string => {
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

const cellDegrees = (length: number) => {
  const bits = length * 5
  return { lat: 180 / 2 ** Math.floor(bits / 2), lng: 360 / 2 ** Math.ceil(bits / 2) }
}

const wrapped = (lng: number) => ((((lng + 180) % 360) + 360) % 360) - 180

/**
 * Ranges [startAt, endAt] of geohashes that together cover every point within `radiusKm` of the centre, and some
 * beyond it: the caller still measures. At most nine, none overlapping; one for the whole earth near the poles.
 */
export const geohashRanges = (centre: LatLng, radiusKm: number): [string, string][] => {
  const latSpan = radiusKm / KM_PER_DEGREE
  const farthest = Math.abs(centre.lat) + latSpan
  const lngSpan = farthest >= 89 ? 360 : latSpan / Math.cos(radians(farthest))
  // The longest cells no smaller than the span: then corners, edges and centre touch every cell in reach.
  let length = 9
  while (length > 0 && (cellDegrees(length).lat < latSpan || cellDegrees(length).lng < lngSpan))
    length--
  if (length === 0) return [['0', '~']]
  const cells = new Set<string>()
  for (const lat of [-latSpan, 0, latSpan])
    for (const lng of [-lngSpan, 0, lngSpan])
      cells.add(
        geohash(
          {
            lat: Math.max(-90, Math.min(90, centre.lat + lat)),
            lng: wrapped(centre.lng + lng),
          },
          length,
        ),
      )
  return [...cells].sort().map((cell) => [cell, `${cell}~`])
}

/** Kilometres travelled along the points whose status is STARTED or REACHED, by time; 0 under two of them. */
export const trailKm = (points: readonly TrackingPoint[]): number => {
  const trail = points
    .filter(({ status }) => status === 'STARTED' || status === 'REACHED')
    .sort((a, b) => a.at - b.at)
  return trail.slice(1).reduce((km, point, i) => km + distanceKm(trail[i]!, point), 0)
}

const MAX_WAYPOINTS = 25

/** At most 25 of the points, evenly spread, the first and the last among them. */
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

/** 'lat,lng', as the maps endpoints take a point. */
export const pointText = ({ lat, lng }: LatLng): string => `${lat},${lng}`

/** 'lat,lng|lat,lng', as the maps endpoints take waypoints; sampled to 25. */
export const waypointsText = (points: readonly LatLng[]): string =>
  sampleWaypoints(points).map(pointText).join('|')
