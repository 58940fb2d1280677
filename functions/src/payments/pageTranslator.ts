import { getNumberFormat } from '~/domain/intlFormats'
import { getTextDirection } from '~/domain/locales'
import { formatUnits, getDecimals } from '~/domain/payments/currencyUnits'
import { ar } from './texts/ar'
import { de } from './texts/de'
import { en, type PageTexts } from './texts/en'
import { es } from './texts/es'
import { fr } from './texts/fr'
import { he } from './texts/he'
import { hi } from './texts/hi'
import { pt } from './texts/pt'

const TEXTS_BY_LOCALE = { en, es, pt, fr, de, hi, ar, he }
type PageLocale = keyof typeof TEXTS_BY_LOCALE

/** The language of one hosted page. */
export interface Translator {
  locale: PageLocale
  dir: 'ltr' | 'rtl'
  /** Returns a text with its `{…}` placeholders filled in. The result is not escaped. */
  t(key: keyof PageTexts, params?: Readonly<Record<string, string>>): string
  /** Formats an amount in minor units with its currency code, as this language writes it. */
  formatMoney(minor: number, currency: string): string
}

const toPageLocale = (wanted: string | null | undefined): PageLocale | null => {
  const [language = ''] = (wanted ?? '').trim().toLowerCase().split(/[-_]/)
  return Object.hasOwn(TEXTS_BY_LOCALE, language) ? (language as PageLocale) : null
}

const formatMoneyFor = (locale: PageLocale, minor: number, currency: string): string => {
  const digits = getDecimals(currency)
  return getNumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    // Cards, codes and amounts on a page must use the same digits.
    numberingSystem: 'latn',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
    .format(Number(formatUnits(minor, digits)))
    .replace(/\s/g, ' ')
}

/**
 * Returns a translator for the first wanted language that pages support. One of the languages may
 * be the browser's `Accept-Language`.
 */
export const translatorFor = (...wanted: (string | null | undefined)[]): Translator => {
  const each = wanted.flatMap((list) =>
    (list ?? '').split(',').map((entry) => toPageLocale(entry.split(';')[0])),
  )
  const locale = each.find((found) => found !== null) ?? 'en'
  const dir = getTextDirection(locale)
  // Isolates a number or name, so that its punctuation stays on the correct side in right-to-left
  // text.
  const put = (text: string) => (dir === 'rtl' && text !== '' ? `\u2068${text}\u2069` : text)
  return {
    locale,
    dir,
    t: (key, params = {}) =>
      TEXTS_BY_LOCALE[locale][key].replace(/\{(\w+)\}/g, (_, name: string) =>
        put(params[name] ?? ''),
      ),
    formatMoney: (minor, currency) => formatMoneyFor(locale, minor, currency),
  }
}
