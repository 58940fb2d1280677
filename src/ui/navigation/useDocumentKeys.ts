import { useEffectEvent, useLayoutEffect } from 'react'

/**
 * Calls `onKey` for each key pressed anywhere in the document while the component is shown. A key
 * pressed right after the first paint counts too, which the later `useEffect` would miss.
 */
export const useDocumentKeys = (onKey: (event: KeyboardEvent) => void) => {
  const handleKey = useEffectEvent(onKey)
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])
}
