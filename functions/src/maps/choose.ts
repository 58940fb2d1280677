import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createBundledMaps } from './bundled'
import { cachedMaps } from './cache'
import { createGoogleMaps } from './google'
import { createOsmMaps } from './osm'
import { MapsError } from './port'
import { NO_KEY } from './secrets'
import type { OsmUrls } from './osm'
import type { MapsPort } from './port'
import type { RemoteOptions } from './remote'

export interface MapsConfig {
  googleKey?: string | undefined
  osmUrls?: OsmUrls | undefined
  /** Where `npm run maps:build` put its files. */
  dataDir: string
  remote?: RemoteOptions
}

/**
 * A service whose failures are answered by another one. Only failures of the service itself: what it
 * refuses stays refused, and what it does not know stays unknown.
 */
export const withFallback = (maps: MapsPort, other: MapsPort): MapsPort => {
  const or = async <T>(ask: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    try {
      return await ask()
    } catch (error) {
      const isDown =
        error instanceof MapsError && error.kind !== 'invalid' && error.kind !== 'denied'
      if (!isDown) throw error
      // The second failure would only hide the one that has to be mended.
      return instead().catch(() => Promise.reject(error))
    }
  }
  return {
    ...maps,
    autocomplete: (...asked) =>
      or(
        () => maps.autocomplete(...asked),
        () => other.autocomplete(...asked),
      ),
    address: (...asked) =>
      or(
        () => maps.address(...asked),
        () => other.address(...asked),
      ),
    directions: (...asked) =>
      or(
        () => maps.directions(...asked),
        () => other.directions(...asked),
      ),
    distanceMatrix: (...asked) =>
      or(
        () => maps.distanceMatrix(...asked),
        () => other.distanceMatrix(...asked),
      ),
  }
}

const hasAny = (urls: OsmUrls | undefined): urls is OsmUrls =>
  Object.values(urls ?? {}).some(Boolean)

/**
 * Google with a key; else OpenStreetMap services with addresses, helped out by the bundled maps;
 * else the bundled maps alone.
 */
export const createMaps = ({ googleKey, osmUrls, dataDir, remote }: MapsConfig): MapsPort => {
  // No fallback for Google: who pays for its figures would not want fares from a guess unawares.
  if (googleKey) return cachedMaps(createGoogleMaps(googleKey, remote))
  const bundled = createBundledMaps(dataDir)
  if (!hasAny(osmUrls)) return bundled
  return withFallback(cachedMaps(createOsmMaps(osmUrls, remote)), bundled)
}

/** `data/maps` above this file, which after bundling may be a level higher than it is here. */
const bundledDirectory = (): string => {
  let folder = import.meta.dirname
  for (let level = 0; level < 5; level++) {
    const candidate = join(folder, 'data/maps')
    if (existsSync(join(candidate, 'meta.json'))) return candidate
    folder = dirname(folder)
  }
  return join(import.meta.dirname, '../../data/maps')
}

/** The maps the environment asks for; see docs/maps.md for the variables. */
export const chooseMaps = (env: Readonly<Record<string, string | undefined>>): MapsPort => {
  const perMinute = Number(env.KERBSIDE_MAPS_PER_MINUTE)
  const googleKey = env.KERBSIDE_GOOGLE_MAPS_KEY?.trim()
  return createMaps({
    ...(googleKey !== NO_KEY && { googleKey }),
    osmUrls: {
      ...(env.KERBSIDE_PHOTON_URL && { photon: env.KERBSIDE_PHOTON_URL }),
      ...(env.KERBSIDE_NOMINATIM_URL && { nominatim: env.KERBSIDE_NOMINATIM_URL }),
      ...(env.KERBSIDE_OSRM_URL && { osrm: env.KERBSIDE_OSRM_URL }),
      ...(env.KERBSIDE_VALHALLA_URL && { valhalla: env.KERBSIDE_VALHALLA_URL }),
    },
    dataDir: env.KERBSIDE_MAPS_DIR || bundledDirectory(),
    remote: {
      ...(perMinute > 0 && { perMinute }),
      ...(env.KERBSIDE_MAPS_USER_AGENT && { userAgent: env.KERBSIDE_MAPS_USER_AGENT }),
    },
  })
}
