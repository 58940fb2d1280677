import { useState } from 'react'
import { savePreference } from '~/src/ui/preferences'

const toStorageKey = (booking: string) => `kerbside.stops.${booking}`
const readPassedStops = (booking: string): number[] => {
  try {
    return JSON.parse(localStorage.getItem(toStorageKey(booking)) ?? '[]') as number[]
  } catch {
    return []
  }
}

/**
 * Returns the stops of a booking that the driver has ticked off, stored only on this device. Use
 * one component per booking.
 */
export const usePassedStops = (booking: string) => {
  const [passed, setPassed] = useState(() => readPassedStops(booking))
  const markStop = (index: number, isPassed: boolean) => {
    const others = passed.filter((other) => other !== index)
    const next = isPassed ? [...others, index] : others
    if (next.length > 0) savePreference(toStorageKey(booking), JSON.stringify(next))
    else localStorage.removeItem(toStorageKey(booking))
    setPassed(next)
  }
  return { passed, pass: markStop }
}
