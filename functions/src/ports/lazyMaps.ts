import type { MapsPort } from './mapsPort'

/** Returns the maps service and loads it on first use, because most endpoints never need maps. */
export type LazyMaps = () => Promise<MapsPort>

/** Caches the first success, but not a failure. */
export const createLazyMaps = (load: LazyMaps): LazyMaps => {
  let loading: Promise<MapsPort> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}
