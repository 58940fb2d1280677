import { useSyncExternalStore } from 'react'
import { remember } from './remember'

/** The language spoken last, kept so that the next visit speaks it before the database answers. */
export interface SpokenLanguage {
  langLocale: string
  dateLocale: string
  keyValuePairs: Record<string, string>
}
const TEXTS = 'kerbside.language'
const CHOICE = 'kerbside.locale'
const listeners = new Set<() => void>()

export const rememberLanguage = (language: SpokenLanguage) =>
  remember(TEXTS, JSON.stringify(language))

export const rememberedLanguage = (): SpokenLanguage | null => {
  try {
    return JSON.parse(localStorage.getItem(TEXTS) ?? 'null') as SpokenLanguage | null
  } catch {
    return null
  }
}

/** A visitor's own choice; it also wins over the profile's until that is changed. */
export const chooseLocale = (locale: string | null) => {
  if (locale) remember(CHOICE, locale)
  else localStorage.removeItem(CHOICE)
  for (const tell of listeners) tell()
}
export const useChosenLocale = (): string | null =>
  useSyncExternalStore(
    (onChange) => {
      listeners.add(onChange)
      return () => listeners.delete(onChange)
    },
    () => localStorage.getItem(CHOICE),
    () => null,
  )
