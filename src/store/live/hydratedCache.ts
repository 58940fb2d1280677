import type { Unsubscribe } from '~/src/services/services'

/** Live results of an earlier page by `toCacheKey`, used until the database responds. */
type CachedValues = Record<string, unknown>

/** Returns the cache key of a slice's result for one query. */
export const toCacheKey = (slice: string, key: string): string => `${slice} ${key}`
/** Returns true when the key belongs to that slice. */
export const isCacheKeyFor = (name: string, slice: { name: string }): boolean =>
  name.startsWith(toCacheKey(slice.name, ''))

export interface HydratedCache {
  /** Returns a cached value, or undefined. */
  get(name: string): unknown
  /** Calls back when cached values arrive. */
  onHydrated(run: () => void): Unsubscribe
  hydrate(answers: CachedValues): void
  /** Drops all values once the database responds or another person signs in. */
  clear(): void
}

/** Creates the cache with which a store starts without a connection. */
export const makeHydratedCache = (): HydratedCache => {
  let answers: CachedValues = {}
  const waiting = new Set<() => void>()
  return {
    get: (name) => answers[name],
    onHydrated(run) {
      waiting.add(run)
      return () => waiting.delete(run)
    },
    hydrate(arrived) {
      answers = arrived
      for (const run of waiting) run()
    },
    clear() {
      answers = {}
    },
  }
}
