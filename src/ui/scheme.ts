import { useSyncExternalStore } from 'react'
import { remember } from './remember'
import type { Scheme } from './tokens'

const KEY = 'kerbside.scheme'
const dark = () => window.matchMedia?.('(prefers-color-scheme: dark)')
const chosen = (): Scheme | null => {
  const value = document.documentElement.dataset.scheme
  return value === 'dark' || value === 'light' ? value : null
}
const current = (): Scheme => chosen() ?? (dark()?.matches ? 'dark' : 'light')

const subscribe = (onChange: () => void) => {
  const query = dark()
  const observer = new MutationObserver(onChange)
  observer.observe(document.documentElement, { attributeFilter: ['data-scheme'] })
  query?.addEventListener('change', onChange)
  return () => {
    observer.disconnect()
    query?.removeEventListener('change', onChange)
  }
}

/** Applies what the person chose on an earlier visit; the device's own wish counts otherwise. */
export const restoreScheme = () => {
  const value = localStorage.getItem(KEY)
  if (value === 'dark' || value === 'light') document.documentElement.dataset.scheme = value
}
export const chooseScheme = (scheme: Scheme) => {
  remember(KEY, scheme)
  document.documentElement.dataset.scheme = scheme
}
/** Light or dark, as it is now. */
export const useScheme = (): Scheme => useSyncExternalStore(subscribe, current, () => 'light')
