import type { Position } from '../../ports/positions'
import type { MapsPort } from '../../ports/mapsPort'
import type { Milliseconds } from '~/domain/language/units'

export interface CacheOptions {
  /** Returns the time in ms since 1970. */
  now?: () => number
  /** Maximum total size of all cached responses, in characters of JSON. */
  maxSize?: number
  /** Lifetime of a cached response, in ms. */
  ttlMs?: Milliseconds
}

interface CacheEntry {
  value: unknown
  size: number
  expiresAt: number
}

/**
 * A cache that removes the least recently used responses when it is full and never returns expired
 * ones.
 */
export class LruCache {
  private readonly entries = new Map<string, CacheEntry>()
  private size = 0
  private readonly maxSize: number

  constructor(maxSize: number) {
    this.maxSize = maxSize
  }

  /** Returns the cached response, or undefined. */
  get(key: string, now: number): { value: unknown } | undefined {
    const entry = this.entries.get(key)
    if (!entry) return undefined
    this.entries.delete(key)
    if (entry.expiresAt <= now) {
      this.size -= entry.size
      return undefined
    }
    this.entries.set(key, entry)
    return { value: entry.value }
  }

  /** Caches a response until a time in ms. Skips one that is larger than a tenth of the memory. */
  set(key: string, value: unknown, until: number): void {
    const size = key.length + JSON.stringify(value).length
    const old = this.entries.get(key)
    if (old) {
      this.entries.delete(key)
      this.size -= old.size
    }
    if (size > this.maxSize / 10) return
    this.entries.set(key, { value, size, expiresAt: until })
    this.size += size
    for (const [oldest, entry] of this.entries) {
      if (this.size <= this.maxSize) break
      this.entries.delete(oldest)
      this.size -= entry.size
    }
  }

  get count(): number {
    return this.entries.size
  }
}

/** Rounds to about a meter, because phone positions vary by more. */
const toMeterKey = ({ lat, lng }: Position) => `${lat.toFixed(5)},${lng.toFixed(5)}`
/** Rounds to kilometers, because a smaller movement hardly changes the search results. */
const toKilometerKey = (point: Position | undefined) =>
  point ? `${point.lat.toFixed(2)},${point.lng.toFixed(2)}` : ''

/**
 * Wraps a maps service with a cache. Responses are cached for some minutes, simultaneous identical
 * requests share one call, and failures are never cached.
 */
export const createCachedMaps = (
  maps: MapsPort,
  { now = Date.now, maxSize = 16_000_000, ttlMs = 300_000 }: CacheOptions = {},
): MapsPort => {
  const memory = new LruCache(maxSize)
  const open = new Map<string, Promise<unknown>>()

  const remembered = <T>(key: string, ask: () => Promise<T>): Promise<T> => {
    const cachedEntry = memory.get(key, now())
    if (cachedEntry) return Promise.resolve(cachedEntry.value as T)
    const pending = open.get(key)
    if (pending) return pending as Promise<T>
    const request = ask()
      .then((value) => {
        memory.set(key, value, now() + ttlMs)
        return value
      })
      .finally(() => open.delete(key))
    open.set(key, request)
    return request
  }

  return {
    ...maps,
    autocomplete: (typed, options = {}) => {
      const { country = '', language = '', limit = '', near: at } = options
      const key = [
        'search',
        typed.trim().toLowerCase(),
        country,
        language,
        limit,
        toKilometerKey(at),
      ]
      return remembered(key.join('|'), () => maps.autocomplete(typed, options))
    },
    getCoords: (placeId, options) =>
      remembered(`coords|${placeId}`, () => maps.getCoords(placeId, options)),
    getAddress: (at, options) =>
      remembered(`address|${toMeterKey(at)}|${options?.language ?? ''}`, () =>
        maps.getAddress(at, options),
      ),
    getDirections: (start, dest, waypoints = [], options) =>
      remembered(
        `route|${[start, ...waypoints, dest].map(toMeterKey).join('|')}|${options?.language ?? ''}`,
        () => maps.getDirections(start, dest, waypoints, options),
      ),
    getDistanceMatrix: (origins, destinations) =>
      remembered(
        `matrix|${origins.map(toMeterKey).join('|')}||${destinations.map(toMeterKey).join('|')}`,
        () => maps.getDistanceMatrix(origins, destinations),
      ),
  }
}
