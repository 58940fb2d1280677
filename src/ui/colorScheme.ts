import { useSyncExternalStore } from 'react'
import { savePreference } from './preferences'
import type { ColorScheme } from './tokens'

const STORAGE_KEY = 'kerbside.scheme'
const queryDarkScheme = () => window.matchMedia?.('(prefers-color-scheme: dark)')
const readChosenScheme = (): ColorScheme | null => {
  const value = document.documentElement.dataset.scheme
  return value === 'dark' || value === 'light' ? value : null
}
const readColorScheme = (): ColorScheme =>
  readChosenScheme() ?? (queryDarkScheme()?.matches ? 'dark' : 'light')

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

/** Applies the color scheme chosen on an earlier visit, or the device's preference. */
export const restoreColorScheme = () => {
  const value = localStorage.getItem(STORAGE_KEY)
  if (value === 'dark' || value === 'light') document.documentElement.dataset.scheme = value
}
export const chooseColorScheme = (scheme: ColorScheme) => {
  savePreference(STORAGE_KEY, scheme)
  document.documentElement.dataset.scheme = scheme
}
/** Returns the current color scheme, light or dark. */
export const useColorScheme = (): ColorScheme =>
  useSyncExternalStore(subscribe, readColorScheme, () => 'light')
