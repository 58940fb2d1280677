import { readPreference, savePreference } from '../preferences'
import type { ColorScheme } from './tokens'

const STORAGE_KEY = 'kerbside.scheme'
export const queryDarkScheme = () => window.matchMedia?.('(prefers-color-scheme: dark)')
const readChosenScheme = (): ColorScheme | null => {
  const value = document.documentElement.dataset.scheme
  return value === 'dark' || value === 'light' ? value : null
}
/** Returns the current color scheme: the chosen one, or the device's. */
export const readColorScheme = (): ColorScheme =>
  readChosenScheme() ?? (queryDarkScheme()?.matches ? 'dark' : 'light')

/** Applies the color scheme chosen on an earlier visit, or the device's preference. */
export const restoreColorScheme = () => {
  const value = readPreference(STORAGE_KEY)
  if (value === 'dark' || value === 'light') document.documentElement.dataset.scheme = value
}
export const chooseColorScheme = (scheme: ColorScheme) => {
  savePreference(STORAGE_KEY, scheme)
  document.documentElement.dataset.scheme = scheme
}
