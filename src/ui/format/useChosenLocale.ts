import { useSyncExternalStore } from 'react'
import { loadChosenLocale, subscribeToChosenLocale } from './savedLanguage'

/** Returns the locale that a visitor chose on this device, or null. */
export const useChosenLocale = (): string | null =>
  useSyncExternalStore(subscribeToChosenLocale, loadChosenLocale, () => null)
