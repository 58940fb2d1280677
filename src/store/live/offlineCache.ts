import { useEffect } from 'react'
import { selectProfile } from '../auth'
import { useAppStore } from '../hooks'
import type { AppState } from '../reducer'

export type CacheEntries = Record<string, unknown>

/** Collects the loaded values of these slices for the offline cache. */
export const collectLoadedValues = (
  state: AppState,
  slices: readonly { collectLoaded(state: AppState): CacheEntries }[],
): CacheEntries =>
  Object.assign({}, ...slices.map((slice) => slice.collectLoaded(state))) as CacheEntries

const isAborted = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** Decides what the device stores for the signed-in user, by entry name. */
export interface OfflineCachePolicy {
  /** Returns the entries to store now; entries that it omits stay until they expire. */
  collect(state: AppState): CacheEntries
  /** Returns true when a stored entry must be removed. */
  isExpired(name: string, now: CacheEntries): boolean
  /** Returns the part of a value to store, or null for nothing. */
  trim(value: unknown, name: string): unknown
}

/**
 * Stores the last database results on the device, so that a page opened without a connection can
 * show them. `policy` must be a constant. Signing out removes everything.
 */
export const usePersistedCache = (uid: string, policy: OfflineCachePolicy) => {
  const store = useAppStore()
  useEffect(() => {
    const { offlineStorage } = store.extra.services
    let storedEntries: CacheEntries | undefined
    let isWriting = false
    let ended = false
    const write = async () => {
      if (isWriting || ended) return
      isWriting = true
      try {
        // Entries of an earlier page may have expired.
        storedEntries ??= await offlineStorage.read(uid)
        for (;;) {
          const before: CacheEntries = storedEntries
          const now = policy.collect(store.getState())
          const names = Object.keys({ ...before, ...now }).filter((name) =>
            name in now ? now[name] !== before[name] : policy.isExpired(name, now),
          )
          if (ended || names.length === 0 || selectProfile(store.getState())?.id !== uid) return
          const rest = Object.entries(before).filter(([name]) => !names.includes(name))
          storedEntries = { ...Object.fromEntries(rest), ...now }
          await offlineStorage.write(
            uid,
            Object.fromEntries(names.map((name) => [name, policy.trim(now[name] ?? null, name)])),
          )
        }
      } catch (error) {
        // The user left the page while it wrote; a page that comes back writes again. Otherwise the
        // storage is full, or a private window blocks it; everything else works without it.
        storedEntries = undefined
        ended ||= !isAborted(error)
      } finally {
        isWriting = false
      }
    }
    void write()
    const stop = store.subscribe(() => void write())
    return () => {
      ended = true
      stop()
    }
  }, [store, uid, policy])
}

/** Makes the service worker cache the files of some screens, including unopened ones. */
export const usePrecacheScreens = (screens: 'trip' | 'booking') => {
  useEffect(() => {
    if (!('serviceWorker' in navigator)) return
    let ended = false
    void navigator.serviceWorker.ready.then(({ active }) => {
      if (!ended) active?.postMessage({ keep: screens })
    })
    return () => {
      ended = true
    }
  }, [screens])
}
