import { sampleWaypoints } from '~/domain/geo/geo'
import { createMapsHttpClient, type MapsHttpClient, type MapsHttpOptions } from '../mapsHttp'
import { MapsError, type MapsPort } from '../../../ports/mapsPort'
import { createNominatim } from './nominatim'
import { createOsrm } from './osrm'
import { createPhoton } from './photon'
import { getPlaceIdProvider, parsePlaceId } from './placeId'
import { DEFAULT_STREET_METERS } from '../bundled/reach/streetReach'
import { createValhalla } from './valhalla'
import type { Meters } from '~/domain/language/units'

/** Base URLs of services that use these protocols, without a path. */
export interface OsmUrls {
  /** Serves search, and addresses when Nominatim is not configured. */
  photon?: string
  /**
   * Serves addresses, and search when Photon is not configured (public servers forbid search while
   * typing).
   */
  nominatim?: string
  osrm?: string
  valhalla?: string
}

const DEFAULT_LIMIT = 6

const rejectNotConfigured = () => Promise.reject(new MapsError('unavailable'))

/**
 * Creates maps from OpenStreetMap services at the given URLs. A place farther than
 * `maxStreetMeters` from every street has no route.
 */
export const createOsmMaps = (
  urls: OsmUrls,
  options: MapsHttpOptions = {},
  maxStreetMeters = DEFAULT_STREET_METERS,
): MapsPort => {
  // Each service has its own circuit breaker, so that a failed search service does not block
  // routing.
  const createService = <Service>(
    url: string | undefined,
    create: (base: string, http: MapsHttpClient, maxStreetMeters: Meters) => Service,
  ) => (url ? create(url, createMapsHttpClient(options), maxStreetMeters) : undefined)
  const photon = createService(urls.photon, createPhoton)
  const nominatim = createService(urls.nominatim, createNominatim)
  const routes =
    createService(urls.osrm, createOsrm) ?? createService(urls.valhalla, createValhalla)
  const searches = photon ?? nominatim
  const addresses = nominatim ?? photon

  return {
    id: 'osm',
    autocomplete: async (typed, { limit = DEFAULT_LIMIT, ...search } = {}) => {
      if (typed.trim() === '') return []
      return searches?.search(typed, { ...search, limit }) ?? rejectNotConfigured()
    },
    getCoords: async (placeId) => {
      const place = getPlaceIdProvider(placeId) === 'google' ? null : parsePlaceId(placeId)
      return place && { lat: place.lat, lng: place.lng, description: place.label }
    },
    getAddress: (at, { language } = {}) =>
      addresses?.getAddress(at, language) ?? rejectNotConfigured(),
    getDirections: (start, dest, waypoints = [], { language } = {}) =>
      routes?.getRoute([start, ...sampleWaypoints(waypoints), dest], language) ??
      rejectNotConfigured(),
    getDistanceMatrix: async (from, to) => {
      if (from.length === 0 || to.length === 0) return from.map(() => [])
      return routes?.getMatrix(from, to) ?? rejectNotConfigured()
    },
  }
}
