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

/** Returns the text direction of a locale. */
export const getTextDirection = (locale: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(locale.split(/[-_]/)[0]?.toLowerCase() ?? '') ? 'rtl' : 'ltr'

/** Returns the locale as a BCP 47 tag for Intl and services, or undefined when invalid. */
export const toLanguageTag = (locale: string | undefined): string | undefined => {
  try {
    return Intl.getCanonicalLocales(locale?.replaceAll('_', '-'))[0]
  } catch {
    return undefined
  }
}
