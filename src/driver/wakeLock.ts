import { useEffect } from 'react'

/**
 * Keeps the screen on while `active`. The browser releases the lock whenever the page is hidden.
 */
export const useWakeLock = (active: boolean) => {
  useEffect(() => {
    if (!active || !('wakeLock' in navigator)) return
    let ended = false
    let lock: WakeLockSentinel | undefined
    const hold = () => {
      if (ended || document.visibilityState !== 'visible') return
      navigator.wakeLock.request('screen').then(
        (held) => {
          if (ended) void held.release()
          else lock = held
        },
        // A low battery may forbid the lock; everything else works without it.
        () => undefined,
      )
    }
    hold()
    document.addEventListener('visibilitychange', hold)
    return () => {
      ended = true
      document.removeEventListener('visibilitychange', hold)
      void lock?.release()
    }
  }, [active])
}
