import { useLayoutEffect } from 'react'

let audioContext: AudioContext | undefined

/** Enables sound: browsers play none before the user's first touch, so call this on a touch. */
export const unlockSound = () => {
  if (typeof AudioContext === 'undefined') return
  audioContext ??= new AudioContext()
  void audioContext.resume().catch(() => undefined)
}

/**
 * Enables sound on the first touch or key press of the page, because browsers play none before it.
 * A touch right after the first paint counts too, which the later `useEffect` would miss.
 */
export const useSoundUnlock = (): void => {
  useLayoutEffect(() => {
    document.addEventListener('pointerdown', unlockSound, { once: true })
    document.addEventListener('keydown', unlockSound, { once: true })
    return () => {
      document.removeEventListener('pointerdown', unlockSound)
      document.removeEventListener('keydown', unlockSound)
    }
  }, [])
}

/** Plays a chord at each of the times (seconds from now); does nothing before `unlockSound`. */
export const playTones = (
  pitches: readonly number[],
  times: readonly number[],
  type: OscillatorType,
) => {
  if (audioContext?.state !== 'running') return
  for (const begin of times) {
    for (const pitch of pitches) {
      const tone = audioContext.createOscillator()
      const volume = audioContext.createGain()
      const at = audioContext.currentTime + begin
      tone.type = type
      tone.frequency.value = pitch
      volume.gain.setValueAtTime(0, at)
      volume.gain.linearRampToValueAtTime(0.16, at + 0.02)
      volume.gain.setValueAtTime(0.16, at + 0.2)
      volume.gain.linearRampToValueAtTime(0, at + 0.26)
      tone.connect(volume).connect(audioContext.destination)
      tone.start(at)
      tone.stop(at + 0.3)
    }
  }
}
