import { useEffect } from 'react'
import { selectProfile } from './auth'
import { useAppStore } from './hooks'
import type { AppState } from './reducer'

export type Values = Record<string, unknown>

/** All that these slices have been answered, to be kept. */
export const answersOf = (
  state: AppState,
  slices: readonly { answers(state: AppState): Values }[],
): Values => Object.assign({}, ...slices.map((slice) => slice.answers(state))) as Values

/** What stays on the device of whoever is signed in, by the names it is kept under. */
export interface Keepsake {
  /** What is worth keeping now; what nobody looks at just now is still true. */
  of(state: AppState): Values
  /** Whether what was kept under a name has to go. */
  isOver(name: string, now: Values): boolean
  /** What is kept of a value; null: nothing. */
  slimmed(value: unknown, name: string): unknown
}

/**
 * Keeps on the device what the database said last, so that a page opened again without a connection is where it was.
 * `keepsake` is one for good. Signing out forgets it all.
 */
export const useKept = (uid: string, keepsake: Keepsake) => {
  const store = useAppStore()
  useEffect(() => {
    const { device } = store.extra.services
    let kept: Values | undefined
    let isWriting = false
    let ended = false
    const write = async () => {
      if (isWriting || ended) return
      isWriting = true
      try {
        // What an earlier page has left may be over by now.
        kept ??= await device.kept(uid)
        for (;;) {
          const before: Values = kept
          const now = keepsake.of(store.getState())
          const names = Object.keys({ ...before, ...now }).filter((name) =>
            name in now ? now[name] !== before[name] : keepsake.isOver(name, now),
          )
          if (ended || names.length === 0 || selectProfile(store.getState())?.id !== uid) return
          const rest = Object.entries(before).filter(([name]) => !names.includes(name))
          kept = { ...Object.fromEntries(rest), ...now }
          await device.keep(
            uid,
            Object.fromEntries(
              names.map((name) => [name, keepsake.slimmed(now[name] ?? null, name)]),
            ),
          )
        }
      } catch {
        // A device without room, or one that keeps nothing in a private window: the work goes on.
        ended = true
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
  }, [store, uid, keepsake])
}

/** Has the service worker fetch the files of some screens, also those not opened yet. */
export const useScreensKept = (screens: 'trip' | 'booking') => {
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
