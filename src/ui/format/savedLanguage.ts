import { readPreference, savePreference } from '../preferences'

/**
 * The last language used, stored so that the next visit can use it before the database responds.
 */
export interface SavedLanguage {
  langLocale: string
  dateLocale: string
  keyValuePairs: Record<string, string>
}
const TEXTS_KEY = 'kerbside.language'
const CHOICE_KEY = 'kerbside.locale'
const listeners = new Set<() => void>()

export const saveLanguage = (language: SavedLanguage) =>
  savePreference(TEXTS_KEY, JSON.stringify(language))

export const loadSavedLanguage = (): SavedLanguage | null => {
  try {
    return JSON.parse(readPreference(TEXTS_KEY) ?? 'null') as SavedLanguage | null
  } catch {
    return null
  }
}

/** Saves a visitor's own choice; it also overrides the profile's language until that changes. */
export const chooseLocale = (locale: string | null) => {
  if (locale) savePreference(CHOICE_KEY, locale)
  else localStorage.removeItem(CHOICE_KEY)
  for (const notify of listeners) notify()
}

/** Returns the locale that a visitor chose, or null. */
export const loadChosenLocale = (): string | null => readPreference(CHOICE_KEY)

export const subscribeToChosenLocale = (onChange: () => void): (() => void) => {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}
