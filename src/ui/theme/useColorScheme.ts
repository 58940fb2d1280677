import { useSyncExternalStore } from 'react'
import { queryDarkScheme, readColorScheme } from './colorScheme'
import type { ColorScheme } from './tokens'

const subscribe = (onChange: () => void) => {
  const query = queryDarkScheme()
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-scheme'] })
  query?.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    query?.removeEventListener('change', onChange)
  }
}

/** Returns the current color scheme, light or dark. */
export const useColorScheme = (): ColorScheme =>
  useSyncExternalStore(subscribe, readColorScheme, () => 'light')
