import type { i18n as I18n } from 'i18next'
import { getDisplayNames } from '~/domain/language/intlFormats'
import { toLanguageTag } from '~/domain/language/locales'

/**
 * Returns names of countries or currencies in a language, or in English when the language is
 * unknown.
 */
export const getLocalizedNames = (locale: string, type: 'region' | 'currency'): Intl.DisplayNames =>
  getDisplayNames(toLanguageTag(locale) ?? 'en', { type })

type Texts = Readonly<Record<string, string>>

/** The namespace of the shipped texts; `translation` has those that the page shows. */
const SHIPPED = 'shipped'

/** Returns the texts of a language that ship with the product, as far as they have loaded. */
export const getShippedTexts = (i18n: I18n, locale: string): Texts =>
  (i18n.getResourceBundle(locale, SHIPPED) ?? {}) as Texts

/** Adds shipped texts. Those that the platform has changed stay as they are. */
export const addTexts = (i18n: I18n, locale: string, texts: Texts): void => {
  i18n.addResourceBundle(locale, SHIPPED, texts, true, true)
  i18n.addResourceBundle(locale, 'translation', texts, true, false)
}

/** Loads the shipped texts of a language once. The English ones load with what needs them. */
export const addShippedTexts = async (i18n: I18n, locale: string): Promise<void> => {
  if (locale === 'en' || i18n.hasResourceBundle(locale, SHIPPED)) return
  const { loadShippedTexts } = await import('./shippedTexts')
  addTexts(i18n, locale, await loadShippedTexts(locale))
}

const areEqual = (one: Texts, other: Texts): boolean => {
  const keys = Object.keys(one)
  return keys.length === Object.keys(other).length && keys.every((key) => one[key] === other[key])
}

/**
 * Switches to a language, of which `own` are the texts that the platform has changed. Missing texts
 * fall back to English.
 */
export const setLanguage = async (i18n: I18n, locale: string, own: Texts): Promise<void> => {
  const currentTexts = (i18n.getResourceBundle(locale, 'translation') ?? {}) as Texts
  const texts = { ...getShippedTexts(i18n, locale), ...own }
  const isSame = areEqual(currentTexts, texts)
  if (!isSame) {
    // A text that the platform no longer changes shows the shipped one again.
    i18n.removeResourceBundle(locale, 'translation')
    i18n.addResourceBundle(locale, 'translation', texts)
  }
  if (i18n.language !== locale) await i18n.changeLanguage(locale)
  // A live edit of the language already spoken shows at once.
  else if (!isSame) i18n.emit('languageChanged', locale)
}
