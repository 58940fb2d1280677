import { type CityMeta, openBundledFiles } from './bundledFiles'
import { getBundledAddress, searchBundledPlaces } from './bundledPlaces'
import { findBundledRoute, getBundledMatrix } from './bundledRoutes'
import { isInBounds, isValidPosition, type Position } from '../../../ports/positions'
import { MapsError, type MapsPort } from '../../../ports/mapsPort'
import { parsePlaceId } from '../osm/placeId'
import { DEFAULT_STREET_METERS } from './reach/streetReach'

export interface BundledMaps extends MapsPort {
  /** Reads the files now instead of on the first call. */
  preload(): void
  /** Returns the area whose streets are known. */
  getCoverage(): Pick<CityMeta, 'country' | 'city' | 'bounds'>
}

/** Refuses invalid positions, because a failure inside the search would look like a crash. */
const checkPositions = (points: readonly Position[]) => {
  if (!points.every(isValidPosition))
    throw new MapsError(
      'invalid',
      'The position is not on earth. Check its latitude and longitude.',
    )
}

/**
 * Creates maps from the files that `scripts/maps/build.ts` writes to `directory`. Needs no network
 * and no key. Reads the files on the first call, so that functions without maps start faster. A
 * place farther than `maxStreetMeters` from every street has no route.
 */
export const createBundledMaps = (
  directory: string,
  maxStreetMeters = DEFAULT_STREET_METERS,
): BundledMaps => {
  const files = openBundledFiles(directory)
  return {
    id: 'bundled',
    preload: () => {
      files.getCity()
      files.getWorld()
    },
    autocomplete: async (typed, options = {}) => searchBundledPlaces(files, typed, options),
    getCoords: async (placeId) => {
      const place = parsePlaceId(placeId)
      return place && { lat: place.lat, lng: place.lng, description: place.label }
    },
    getAddress: async (at, { language } = {}) => {
      checkPositions([at])
      return getBundledAddress(files, at, language)
    },
    getDirections: async (start, dest, waypoints = [], { language } = {}) => {
      const stops = [start, ...waypoints, dest]
      checkPositions(stops)
      return findBundledRoute({ files, maxStreetMeters }, stops, language)
    },
    getDistanceMatrix: async (origins, destinations) => {
      checkPositions([...origins, ...destinations])
      return getBundledMatrix({ files, maxStreetMeters }, origins, destinations)
    },
    getStreetDistances: async (points) => {
      checkPositions(points)
      const { graph, meta } = files.getCity()
      return points.map((point) =>
        isInBounds(meta.bounds, point) ? (graph.snapToStreet(point)?.meters ?? Infinity) : null,
      )
    },
    getCoverage: () => {
      const { country, city, bounds } = files.getMeta()
      return { country, city, bounds }
    },
  }
}
