import { useState } from 'react'

const KEY = (booking: string) => `kerbside.stops.${booking}`
const read = (booking: string): number[] => {
  try {
    return JSON.parse(localStorage.getItem(KEY(booking)) ?? '[]') as number[]
  } catch {
    return []
  }
}

/** Which stops of a booking the driver has ticked off; his device remembers, nobody else needs to know. */
export const usePassedStops = (booking: string) => {
  const [state, setState] = useState(() => ({ booking, passed: read(booking) }))
  const passed = state.booking === booking ? state.passed : read(booking)
  const pass = (index: number, isPassed: boolean) => {
    const others = passed.filter((other) => other !== index)
    const next = isPassed ? [...others, index] : others
    if (next.length > 0) localStorage.setItem(KEY(booking), JSON.stringify(next))
    else localStorage.removeItem(KEY(booking))
    setState({ booking, passed: next })
  }
  return { passed, pass }
}
