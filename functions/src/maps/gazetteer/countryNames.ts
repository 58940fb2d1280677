import { createShippedLanguages } from '~/domain/languages'

const MAX_LANGUAGES = 50
/** Creating one takes longer than a search, and callers choose the language. */
const namesByLanguage = new Map<string, Intl.DisplayNames>()

const createNames = (language: string) =>
  new Intl.DisplayNames([language, 'en'], { type: 'region' })

const getNames = (language: string): Intl.DisplayNames => {
  const names = namesByLanguage.get(language) ?? createNames(language)
  if (namesByLanguage.size < MAX_LANGUAGES) namesByLanguage.set(language, names)
  return names
}

/** Returns "Uruguay" for "UY" in the reader's language, or the code itself when it is unknown. */
export const formatCountryName = (code: string, language = 'en'): string => {
  try {
    return getNames(language).of(code) ?? code
  } catch {
    return code
  }
}

/** Returns the names of a country in the languages of the product, and its code. */
export const listCountryNames = (code: string): string[] => [
  code,
  ...createShippedLanguages({}, 0).map(({ langLocale }) => formatCountryName(code, langLocale)),
]
