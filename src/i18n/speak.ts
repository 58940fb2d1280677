import type { i18n as I18n } from 'i18next'

const RIGHT_TO_LEFT = new Set([
  'ar',
  'dv',
  'fa',
  'he',
  'iw',
  'ks',
  'ku',
  'ps',
  'sd',
  'ug',
  'ur',
  'yi',
])

/** Which way a language is written, from its locale. */
export const directionOf = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(locale.split(/[-_]/)[0]?.toLowerCase() ?? '') ? 'rtl' : 'ltr'

/** The locale as Intl and services take it; undefined when it is none. */
export const tagOf = (locale: string | undefined): string | undefined => {
  try {
    return Intl.getCanonicalLocales(locale?.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}

/** Names of countries or currencies in a language; the English ones where it has none. */
export const namesIn = (locale: string, type: 'region' | 'currency'): Intl.DisplayNames =>
  new Intl.DisplayNames([tagOf(locale) ?? 'en', 'en'], { type })

/** Speaks the language with the given texts; whatever is missing falls back to English. */
export const speak = async (
  i18n: I18n,
  locale: string,
  texts: Record<string, string>,
): Promise<void> => {
  i18n.addResourceBundle(locale, 'translation', texts, true, true)
  if (i18n.language !== locale) await i18n.changeLanguage(locale)
  // A live edit of the language already spoken shows at once.
  else i18n.emit('languageChanged', locale)
}
