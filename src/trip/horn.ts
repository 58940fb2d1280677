import { useEffect } from 'react'
import { remember } from '~/src/ui/remember'

/** Between two blows of a horn that repeats. */
const REPEAT_MS = 3500
const MUTED = 'kerbside.horn-muted'

let context: AudioContext | undefined

/** A browser makes no sound before a person has touched the page: call this on a touch. */
export const allowHorn = () => {
  if (typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  void context.resume().catch(() => undefined)
}

export const isHornMuted = (): boolean => localStorage.getItem(MUTED) === 'yes'
export const muteHorn = (muted: boolean) => remember(MUTED, muted ? 'yes' : 'no')

/** Two short blows on two notes, as a small car's horn has them. */
const blow = () => {
  if (context?.state !== 'running' || isHornMuted()) return
  for (const begin of [0, 0.32]) {
    for (const pitch of [415, 523]) {
      const tone = context.createOscillator()
      const volume = context.createGain()
      const at = context.currentTime + begin
      tone.type = 'sawtooth'
      tone.frequency.value = pitch
      volume.gain.setValueAtTime(0, at)
      volume.gain.linearRampToValueAtTime(0.16, at + 0.02)
      volume.gain.setValueAtTime(0.16, at + 0.2)
      volume.gain.linearRampToValueAtTime(0, at + 0.26)
      tone.connect(volume).connect(context.destination)
      tone.start(at)
      tone.stop(at + 0.3)
    }
  }
}

/** As with sound: asked before the first touch, the browser refuses and complains. */
const vibrate = (pattern: number | number[]) => {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern)
}

const call = () => {
  blow()
  vibrate([250, 120, 250])
}

/** Sounds and vibrates for each new request, and with `repeat` (CarHornRepeat) until none is left. */
export const useHorn = (requests: readonly string[], repeat: boolean) => {
  const newest = requests.join(' ')
  useEffect(() => {
    if (newest === '') return
    call()
    if (!repeat) return
    const timer = setInterval(call, REPEAT_MS)
    return () => {
      clearInterval(timer)
      vibrate(0)
    }
  }, [newest, repeat])
}
