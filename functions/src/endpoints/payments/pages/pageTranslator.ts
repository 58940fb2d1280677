import { getNumberFormat } from '~/domain/language/intlFormats'
import { getTextDirection } from '~/domain/language/locales'
import { formatUnits, getDecimals } from '~/domain/payments/currencyUnits'
import type { Translator } from '../../../ports/translator'
import { type PageLocale, TEXTS_BY_LOCALE } from '~/domain/payments/pageTexts/pageLocale'
import type { MinorUnits } from '~/domain/language/units'

const toPageLocale = (languageTag: string | null | undefined): PageLocale | null => {
  const [language = ''] = (languageTag ?? '').trim().toLowerCase().split(/[-_]/)
  return Object.hasOwn(TEXTS_BY_LOCALE, language) ? (language as PageLocale) : null
}

const formatMoneyFor = (locale: PageLocale, minor: MinorUnits, currency: string): string => {
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
export const translatorFor = (...languageLists: (string | null | undefined)[]): Translator => {
  const each = languageLists.flatMap((list) =>
    (list ?? '').split(',').map((entry) => toPageLocale(entry.split(';')[0])),
  )
  const locale = each.find((candidate) => candidate !== null) ?? 'en'
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
