import { getNumberFormat } from './intlFormats'
import { toLanguageTag } from './locales'

/** The zeros of other scripts whose digits people type: Arabic, Persian, Devanagari. */
const ZEROS = ['٠', '۰', '०']
const BIDI_MARKS = /[\u200e\u200f\u061c\u2066-\u2069]/g
/** Characters that separate thousands in some language and never mark decimals. */
const THOUSANDS = /[\s٬’']/g

/** Returns the text with digits of other scripts replaced by 0 to 9. */
export const toLatinDigits = (text: string) =>
  text.replace(/[٠-٩۰-۹०-९]/g, (digit) => {
    const zero = ZEROS.find((one) => digit >= one && digit.charCodeAt(0) < one.charCodeAt(0) + 10)
    return String(digit.charCodeAt(0) - (zero ?? digit).charCodeAt(0))
  })

/** Returns "." or ",", the decimal mark of a language. */
const getDecimalMark = (locale: string): '.' | ',' => {
  const parts = getNumberFormat(toLanguageTag(locale) ?? 'en', {
    numberingSystem: 'latn',
  }).formatToParts(1.5)
  return parts.find(({ type }) => type === 'decimal')?.value === ',' ? ',' : '.'
}

/**
 * Parses a number as typed in this language: "1,234.5" in English and "1.234,5" in German. The
 * other mark also counts as a decimal mark where it cannot separate thousands ("3,5" in English).
 * Returns null for empty text, and the typed text when it is not a number. Parses negative numbers,
 * so that a form can refuse them with a clear message.
 */
export const parseLocaleNumber = (typed: string, locale: string): number | string | null => {
  const trimmed = typed.replace(BIDI_MARKS, '').trim()
  if (trimmed === '') return null
  const decimal = getDecimalMark(locale)
  const other = decimal === '.' ? ',' : '.'
  const text = toLatinDigits(trimmed).replaceAll('٫', decimal)
  const [, sign, size = ''] = /^([-−]?)(.*)$/.exec(text) ?? []
  const grouped = size.replace(THOUSANDS, other)
  const [whole = '', ...rest] = grouped.split(decimal)
  const fraction = rest.join(decimal)
  const isPlain = /^\d+$/.test(whole) || (whole === '' && fraction !== '')
  const isGrouped = new RegExp(`^[1-9]\\d{0,2}(\\${other}\\d{2,3})*\\${other}\\d{3}$`).test(whole)
  const isOwn = (isPlain || isGrouped) && /^\d*$/.test(fraction)
  const isOther = /^\d*[.,]\d*$/.test(size) && /\d/.test(size)
  const number = isOwn
    ? Number(`${whole.replaceAll(other, '')}.${fraction}`)
    : isOther
      ? Number(size.replace(',', '.'))
      : Number.NaN
  if (!Number.isFinite(number)) return trimmed
  // A minus sign before zero is a typing error, so we refuse it.
  if (sign && number === 0) return trimmed
  return sign ? -number : number
}

/**
 * Returns the number in this language's format for a field: with its decimal mark and without
 * thousands separators.
 */
export const formatLocaleNumber = (value: number, locale: string): string =>
  getNumberFormat(toLanguageTag(locale) ?? 'en', {
    useGrouping: false,
    maximumFractionDigits: 12,
  }).format(value)
