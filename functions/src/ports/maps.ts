import type { MapsPort } from '../maps/port'

/** Gives the maps service, loading it the first time: most endpoints never need the city. */
export type LazyMaps = () => Promise<MapsPort>

/** Remembers the first answer, and forgets a failure. */
export const lazily = (load: LazyMaps): LazyMaps => {
  let loading: Promise<MapsPort> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}
