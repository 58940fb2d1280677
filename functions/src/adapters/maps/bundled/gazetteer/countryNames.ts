import { getDisplayNames } from '~/domain/language/intlFormats'
import { createShippedLanguages } from '~/domain/catalog/languages'

/** Returns "Uruguay" for "UY" in the reader's language, or the code itself when it is unknown. */
export const formatCountryName = (code: string, language = 'en'): string => {
  try {
    return getDisplayNames(language, { type: 'region' }).of(code) ?? code
  } catch {
    return code
  }
}

/** Returns the names of a country in the languages of the product, and its code. */
export const listCountryNames = (code: string): string[] => [
  code,
  ...createShippedLanguages(0).map(({ langLocale }) => formatCountryName(code, langLocale)),
]
