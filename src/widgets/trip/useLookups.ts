import { useState } from 'react'

/**
 * Tracks the lookups of chosen places that are still running. A form with several places names the
 * slot of each; the others count them only.
 */
export const useLookups = () => {
  const [lookups, setLookups] = useState<number[]>([])
  const trackLookup = (lookup: Promise<unknown>, slot = 0) => {
    setLookups((before) => [...before, slot])
    void lookup.finally(() =>
      setLookups((before) => before.filter((_, at) => at !== before.indexOf(slot))),
    )
  }
  return { lookups, trackLookup }
}
