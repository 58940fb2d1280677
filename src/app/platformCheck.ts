import type { Language, Settings } from '~/domain/entities'
import { loadConfig } from '~/src/services/config'
import { isDeepEqual } from '~/src/ui/isDeepEqual'
import { BUILT_LOCALE, type PageData } from './pageData'

/** Reads a public path of the database with a single request. Throws when it does not arrive. */
const readPublicPath = async (path: string): Promise<unknown> => {
  const { firebase } = await loadConfig()
  const url = new URL(firebase.databaseURL)
  url.pathname = `/${path}.json`
  const response = await fetch(url)
  if (!response.ok) throw new Error(`The database returned status ${response.status}.`)
  return response.json()
}

/**
 * Returns whether a page still shows the settings, the default language and the texts of the
 * platform. Returns false when the database cannot be read, because the app tells people about that.
 */
export const isPlatformUnchanged = async ({
  settings,
  shownSettings,
  texts,
}: Pick<PageData, 'settings' | 'shownSettings' | 'texts'>): Promise<boolean> => {
  try {
    const [savedSettings, savedLanguage] = await Promise.all([
      readPublicPath('settings'),
      // The languages that ship with the product have their locale as id.
      readPublicPath(`languages/${BUILT_LOCALE}`),
    ])
    const current = savedSettings as Partial<Settings> | null
    const language = savedLanguage as Partial<Language> | null
    return (
      language?.default === true &&
      shownSettings.every((name) =>
        isDeepEqual(current?.[name] ?? null, settings?.[name] ?? null),
      ) &&
      Object.entries(texts).every(([key, text]) => (language.keyValuePairs?.[key] ?? text) === text)
    )
  } catch {
    return false
  }
}
