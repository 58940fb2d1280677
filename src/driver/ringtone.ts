import { useEffect } from 'react'
import { readPreference, savePreference } from '~/src/ui/preferences'
import { playTones } from '~/src/ui/feedback/sound'

/** Milliseconds between two sounds of a repeating ringtone. */
const REPEAT_INTERVAL_MS = 3500
const MUTED_STORAGE_KEY = 'kerbside.horn-muted'

export const isRingtoneMuted = (): boolean => readPreference(MUTED_STORAGE_KEY) === 'yes'
export const setRingtoneMuted = (muted: boolean) =>
  savePreference(MUTED_STORAGE_KEY, muted ? 'yes' : 'no')

/** Plays two short blasts on two notes, like the horn of a small car. */
const playRingtone = () => {
  if (!isRingtoneMuted()) playTones([415, 523], [0, 0.32], 'sawtooth')
}

/** Vibrates only after the first touch: before it, browsers refuse and log a warning. */
const vibrate = (pattern: number | number[]) => {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
}

const alertDriver = () => {
  playRingtone()
  vibrate([250, 120, 250])
}

/** Sounds and vibrates for each new offer, and with `repeat` (CarHornRepeat) until none is left. */
export const useRingtone = (requests: readonly string[], repeat: boolean) => {
  const newest = requests.join(' ')
  useEffect(() => {
    if (newest === '') return
    alertDriver()
    if (!repeat) return
    const timer = setInterval(alertDriver, REPEAT_INTERVAL_MS)
    return () => {
      clearInterval(timer)
      vibrate(0)
    }
  }, [newest, repeat])
}
