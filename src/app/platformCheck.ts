import type { Config } from '~/src/services/config'
import { BUILT_LOCALE, type PageData } from './pageData'
import type { Language, Settings } from '~/domain/catalog/types'

// This file imports no code of the app, which would load with it.

const fetchJson = async (url: string | URL): Promise<unknown> => {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${String(url)} returned status ${response.status}.`)
  return response.json()
}

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Reads a public path of the database. Throws when it does not arrive. */
const readPublicPath = (databaseURL: string, path: string): Promise<unknown> => {
  const url = new URL(databaseURL)
  url.pathname = `/${path}.json`
  return fetchJson(url)
}

/**
 * Returns whether a page still shows the settings, the default language and the texts of the
 * platform. Returns false when the database cannot be read, because the app reports that.
 */
export const isPlatformUnchanged = async ({
  settings,
  shownSettings,
  texts,
  changedTexts,
}: Pick<PageData, 'settings' | 'shownSettings' | 'texts' | 'changedTexts'>): Promise<boolean> => {
  try {
    const { firebase } = (await fetchJson('/config.json')) as Config
    const [savedSettings, savedLanguage] = await Promise.all([
      readPublicPath(firebase.databaseURL, 'settings'),
      // The languages that ship with the product have their locale as id.
      readPublicPath(firebase.databaseURL, `languages/${BUILT_LOCALE}`),
    ])
    const current = savedSettings as Partial<Settings> | null
    const language = savedLanguage as Partial<Language> | null
    // The others are as they shipped.
    const own = language?.keyValuePairs ?? {}
    return (
      language?.default === true &&
      shownSettings.every((name) => isEqual(current?.[name] ?? null, settings?.[name] ?? null)) &&
      Object.entries(texts).every(([key, text]) => (own[key] ?? text) === text) &&
      changedTexts.every((key) => own[key] !== undefined)
    )
  } catch {
    return false
  }
}
