import { useState } from 'react'
import { remember } from '~/src/ui/remember'

const KEY = (booking: string) => `kerbside.stops.${booking}`
const read = (booking: string): number[] => {
  try {
    return JSON.parse(localStorage.getItem(KEY(booking)) ?? '[]') as number[]
  } catch {
    return []
  }
}

/**
 * Which stops of a booking the driver has ticked off; his device remembers, nobody else needs to know. One component is
 * about one booking.
 */
export const usePassedStops = (booking: string) => {
  const [passed, setPassed] = useState(() => read(booking))
  const pass = (index: number, isPassed: boolean) => {
    const others = passed.filter((other) => other !== index)
    const next = isPassed ? [...others, index] : others
    if (next.length > 0) remember(KEY(booking), JSON.stringify(next))
    else localStorage.removeItem(KEY(booking))
    setPassed(next)
  }
  return { passed, pass }
}
