import type { LatLng } from './types'
import type { Settings } from '../catalog/types'
import type { Kilometers } from '../language/units'

const KM_PER_MILE = 1.609344
/** The earth's mean radius. */
const EARTH_RADIUS_KM = 6371.0088
export const KM_PER_DEGREE = (Math.PI / 180) * EARTH_RADIUS_KM
export const toRadians = (degrees: number) => (degrees * Math.PI) / 180

/** Returns the great-circle distance in kilometers. */
export const getDistanceKm = (a: LatLng, b: LatLng): Kilometers => {
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
export const toDistanceUnit = (km: Kilometers, { convert_to_mile }: Unit): number =>
  convert_to_mile ? km / KM_PER_MILE : km

/** Converts a distance in the settings' unit to kilometers. */
export const toKm = (distance: number, { convert_to_mile }: Unit): Kilometers =>
  convert_to_mile ? distance * KM_PER_MILE : distance

/**
 * Returns the search radius for drivers in kilometers; the default is 10 of the settings' units.
 */
export const getSearchRadiusKm = (settings: Pick<Settings, 'convert_to_mile' | 'driverRadius'>) =>
  toKm(settings.driverRadius > 0 ? settings.driverRadius : 10, settings)

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
