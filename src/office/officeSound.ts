import { useSyncExternalStore } from 'react'
import { readPreference, savePreference } from '~/src/ui/preferences'
import { playTones } from '~/src/ui/feedback/sound'

/** The board had the first sound, and people keep their choice. */
const MUTED_STORAGE_KEY = 'kerbside.board-muted'
const listeners = new Set<() => void>()
const isMuted = () => readPreference(MUTED_STORAGE_KEY) === 'yes'
const toggleMuted = () => {
  savePreference(MUTED_STORAGE_KEY, isMuted() ? 'no' : 'yes')
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns whether the office is silent on this device, and a function that changes it. */
export const useMuted = (): [boolean, () => void] => [
  useSyncExternalStore(subscribe, isMuted),
  toggleMuted,
]

const SOUNDS = {
  chime: () => playTones([660], [0], 'sine'),
  /** For a wait that is too long. */
  warning: () => playTones([660, 880], [0, 0.35, 0.7], 'sine'),
  alarm: () => playTones([740, 988], [0, 0.3, 0.6, 0.9, 1.2], 'square'),
}

/** Plays a sound of the office. An alarm also sounds while the office is muted. */
export const playOfficeSound = (sound: keyof typeof SOUNDS): void => {
  if (sound === 'alarm' || !isMuted()) SOUNDS[sound]()
}
