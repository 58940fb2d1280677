import { useEffect, useSyncExternalStore } from 'react'

let count = 0
const listeners = new Set<() => void>()
const setCount = (next: number) => {
  if (next === count) return
  count = next
  for (const listener of listeners) listener()
}
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows a number before the title of the browser tab while the page is shown; 0 shows none. */
export const useTabCount = (tabCount: number) => {
  useEffect(() => setCount(tabCount), [tabCount])
  useEffect(() => () => setCount(0), [])
}

/** Returns the number for the title of the browser tab. */
export const useShownTabCount = (): number => useSyncExternalStore(subscribe, () => count)
