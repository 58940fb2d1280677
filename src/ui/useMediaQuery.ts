import { useSyncExternalStore } from 'react'

/** Returns whether a media query matches, and follows its changes. */
export const useMediaQuery = (text: string): boolean =>
  useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia?.(text)
      query?.addEventListener('change', onChange)
      return () => query?.removeEventListener('change', onChange)
    },
    () => window.matchMedia?.(text).matches ?? false,
  )
