import { useEffect } from 'react'

/** Keeps the screen on while `active`. The browser takes the lock away whenever the page is hidden. */
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
        // A low battery may forbid it; the work goes on without.
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
