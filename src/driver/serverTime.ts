import { useEffect } from 'react'
import { useLive } from '~/src/store/live/liveSlice'
import { serverOffset } from '~/src/store/serverOffset'
import { readPreference, savePreference } from '~/src/ui/preferences'
import { useNow } from '~/src/ui/useNow'
import type { Milliseconds } from '~/domain/language/units'

const OFFSET_STORAGE_KEY = 'kerbside.clock-offset'
const getStoredOffset = (): number => Number(readPreference(OFFSET_STORAGE_KEY)) || 0

/** Stores the clock offset for use without a connection. */
export const usePersistedClockOffset = () => {
  const { offset } = useLive(serverOffset)
  useEffect(() => {
    if (offset !== null) savePreference(OFFSET_STORAGE_KEY, String(offset))
  }, [offset])
}

/** Returns the server's time (ms) from the last known clock offset; needs no connection. */
export const getServerNow = (): number => Math.round(Date.now() + getStoredOffset())

/**
 * Returns the server's time (ms), so that durations since a server timestamp are right even when
 * the device's clock is wrong.
 */
export const useServerNow = (everyMs = 1000): number => {
  const { offset } = useLive(serverOffset)
  return useNow(everyMs) + (offset ?? getStoredOffset())
}

/** Formats an elapsed time such as 0:07, 12:30 or 1:02:03. */
export const formatElapsed = (ms: Milliseconds): string => {
  const all = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  const two = (n: number) => String(n).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`
}
