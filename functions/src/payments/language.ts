import { decimalText, exponentOf } from '~/domain/payments/currency'
import { ar } from './texts/ar'
import { de } from './texts/de'
import { en, type PageTexts } from './texts/en'
import { es } from './texts/es'
import { fr } from './texts/fr'
import { he } from './texts/he'
import { hi } from './texts/hi'
import { pt } from './texts/pt'

const TEXTS = { en, es, pt, fr, de, hi, ar, he }
type PageLocale = keyof typeof TEXTS

/** The language of one hosted page. */
export interface Speech {
  locale: PageLocale
  dir: 'ltr' | 'rtl'
  /** A text with its `{…}` filled in. Not escaped. */
  say(key: keyof PageTexts, params?: Readonly<Record<string, string>>): string
  /** An amount in minor units, with the currency's code, as this language writes it. */
  money(minor: number, currency: string): string
}

const known = (wanted: string | null | undefined): PageLocale | null => {
  const [language = ''] = (wanted ?? '').trim().toLowerCase().split(/[-_]/)
  return Object.hasOwn(TEXTS, language) ? (language as PageLocale) : null
}

const moneyIn = (locale: PageLocale, minor: number, currency: string): string => {
  const digits = exponentOf(currency)
  return new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    // Cards, codes and amounts of one page are in one kind of digits.
    numberingSystem: 'latn',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
    .format(Number(decimalText(minor, digits)))
    .replace(/\s/g, ' ')
}

/** The first of the wanted languages that pages are written in; the browser's `Accept-Language` may be one of them. */
export const speechFor = (...wanted: (string | null | undefined)[]): Speech => {
  const each = wanted.flatMap((list) =>
    (list ?? '').split(',').map((entry) => known(entry.split(';')[0])),
  )
  const locale = each.find((found) => found !== null) ?? 'en'
  const dir = locale === 'ar' || locale === 'he' ? 'rtl' : 'ltr'
  // A number or a name from left to right keeps its signs on its own side.
  const put = (text: string) => (dir === 'rtl' && text !== '' ? `\u2068${text}\u2069` : text)
  return {
    locale,
    dir,
    say: (key, params = {}) =>
      TEXTS[locale][key].replace(/\{(\w+)\}/g, (_, name: string) => put(params[name] ?? '')),
    money: (minor, currency) => moneyIn(locale, minor, currency),
  }
}
