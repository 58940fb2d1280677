import type { i18n as I18n } from 'i18next'
import { getDisplayNames } from '~/domain/intlFormats'
import { toLanguageTag } from '~/domain/locales'

/**
 * Returns names of countries or currencies in a language, or in English when the language is
 * unknown.
 */
export const getLocalizedNames = (locale: string, type: 'region' | 'currency'): Intl.DisplayNames =>
  getDisplayNames(toLanguageTag(locale) ?? 'en', { type })

/** Switches to the language with the given texts; missing texts fall back to English. */
export const setLanguage = async (
  i18n: I18n,
  locale: string,
  texts: Record<string, string>,
): Promise<void> => {
  i18n.addResourceBundle(locale, 'translation', texts, true, true)
  if (i18n.language !== locale) await i18n.changeLanguage(locale)
  // A live edit of the language already spoken shows at once.
  else i18n.emit('languageChanged', locale)
}
