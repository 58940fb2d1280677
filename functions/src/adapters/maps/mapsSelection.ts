import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createBundledMaps } from './bundled/bundledMaps'
import { createCachedMaps } from './mapsCache'
import { createGoogleMaps } from './google/googleMaps'
import { createOsmMaps } from './osm/osmMaps'
import { MapsError } from '../../ports/mapsPort'
import type { OsmUrls } from './osm/osmMaps'
import type { MapsPort } from '../../ports/mapsPort'
import type { MapsHttpOptions } from './mapsHttp'
import type { Meters } from '~/domain/language/units'

export interface MapsConfig {
  googleKey?: string | undefined
  osmUrls?: OsmUrls | undefined
  /** The directory where `scripts/maps/build.ts` writes its files. */
  dataDir: string
  remote?: MapsHttpOptions
  /** Meters from the nearest street at which a place is no longer on the map. */
  maxStreetMeters?: Meters
}

/**
 * Wraps a maps service with a fallback for its failures. Refusals and empty results are returned
 * unchanged.
 */
const withFallback = (maps: MapsPort, other: MapsPort): MapsPort => {
  const or = async <T>(ask: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    try {
      return await ask()
    } catch (error) {
      const isDown =
        error instanceof MapsError && error.kind !== 'invalid' && error.kind !== 'denied'
      if (!isDown) throw error
      // The second failure would hide the first one, which needs fixing.
      return instead().catch(() => Promise.reject(error))
    }
  }
  return {
    ...maps,
    autocomplete: (...args) =>
      or(
        () => maps.autocomplete(...args),
        () => other.autocomplete(...args),
      ),
    getAddress: (...args) =>
      or(
        () => maps.getAddress(...args),
        () => other.getAddress(...args),
      ),
    getDirections: (...args) =>
      or(
        () => maps.getDirections(...args),
        () => other.getDirections(...args),
      ),
    getDistanceMatrix: (...args) =>
      or(
        () => maps.getDistanceMatrix(...args),
        () => other.getDistanceMatrix(...args),
      ),
  }
}

const hasAnyUrl = (urls: OsmUrls | undefined): urls is OsmUrls =>
  Object.values(urls ?? {}).some(Boolean)

/**
 * Creates Google maps when a key is set, otherwise OpenStreetMap services with the bundled maps as
 * fallback, otherwise the bundled maps alone.
 */
export const createMaps = ({
  googleKey,
  osmUrls,
  dataDir,
  remote,
  maxStreetMeters,
}: MapsConfig): MapsPort => {
  // Google has no fallback: a customer who pays for its figures must not get fares from estimates
  // unknowingly.
  if (googleKey)
    return createCachedMaps(createGoogleMaps(googleKey, { ...remote, maxStreetMeters }))
  const bundled = createBundledMaps(dataDir, maxStreetMeters)
  if (!hasAnyUrl(osmUrls)) return bundled
  return withFallback(createCachedMaps(createOsmMaps(osmUrls, remote, maxStreetMeters)), bundled)
}

/**
 * Returns the `data/maps` directory above this file. After bundling it may be one level higher than
 * in the source.
 */
const findBundledDirectory = (): string => {
  let folder = import.meta.dirname
  for (let level = 0; level < 5; level++) {
    const candidate = join(folder, 'data/maps')
    if (existsSync(join(candidate, 'meta.json'))) return candidate
    folder = dirname(folder)
  }
  return join(import.meta.dirname, '../../data/maps')
}

/** A bound secret must exist, so this value means that no key is set. */
const NO_KEY = 'none'

/** Creates the maps that the environment selects. See docs/maps.md for the variables. */
export const createMapsFromEnv = (env: Readonly<Record<string, string | undefined>>): MapsPort => {
  const perMinute = Number(env.KERBSIDE_MAPS_PER_MINUTE)
  const maxStreetMeters = Number(env.KERBSIDE_MAPS_STREET_METERS)
  const googleKey = env.KERBSIDE_GOOGLE_MAPS_KEY?.trim()
  return createMaps({
    ...(googleKey !== NO_KEY && { googleKey }),
    osmUrls: {
      ...(env.KERBSIDE_PHOTON_URL && { photon: env.KERBSIDE_PHOTON_URL }),
      ...(env.KERBSIDE_NOMINATIM_URL && { nominatim: env.KERBSIDE_NOMINATIM_URL }),
      ...(env.KERBSIDE_OSRM_URL && { osrm: env.KERBSIDE_OSRM_URL }),
      ...(env.KERBSIDE_VALHALLA_URL && { valhalla: env.KERBSIDE_VALHALLA_URL }),
    },
    dataDir: env.KERBSIDE_MAPS_DIR || findBundledDirectory(),
    ...(maxStreetMeters > 0 && { maxStreetMeters }),
    remote: {
      ...(perMinute > 0 && { maxPerMinute: perMinute }),
      ...(env.KERBSIDE_MAPS_USER_AGENT && { userAgent: env.KERBSIDE_MAPS_USER_AGENT }),
    },
  })
}
