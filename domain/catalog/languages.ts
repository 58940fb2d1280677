import { domainError, type DomainError } from '../api/errors'
import { err, ok, type Result } from '../api/result'
import type { Language } from './types'

/** Locale, native name, locale of dates. Arabic and Hebrew are right-to-left. */
const SHIPPED_LOCALES = [
  ['en', 'English', 'en-GB'],
  ['es', 'Español', 'es-UY'],
  ['pt', 'Português', 'pt-BR'],
  ['fr', 'Français', 'fr-FR'],
  ['de', 'Deutsch', 'de-DE'],
  ['hi', 'हिन्दी', 'hi-IN'],
  ['ar', 'العربية', 'ar'],
  ['he', 'עברית', 'he-IL'],
] as const
export type ShippedLocale = (typeof SHIPPED_LOCALES)[number][0]

/** The languages shipped with the product, each with its name in that language. */
export const SHIPPED_LANGUAGES: readonly { locale: ShippedLocale; name: string }[] =
  SHIPPED_LOCALES.map(([locale, name]) => ({ locale, name }))

export const isShippedLocale = (locale: string): locale is ShippedLocale =>
  SHIPPED_LANGUAGES.some((language) => language.locale === locale)

/**
 * Returns the languages shipped with the product, created at `at` (ms), with `main` as the default.
 * They have no texts of their own, because theirs ship with the product too.
 */
export const createShippedLanguages = (
  at: number,
  main: { locale: ShippedLocale; dateLocale?: string } = { locale: 'en' },
): Language[] =>
  SHIPPED_LOCALES.map(([langLocale, langName, dateLocale]) => ({
    id: langLocale,
    langName,
    langLocale,
    dateLocale: (langLocale === main.locale && main.dateLocale) || dateLocale,
    default: langLocale === main.locale,
    createdAt: new Date(at).toISOString(),
    keyValuePairs: {},
  }))

/**
 * Returns a new language, which is not the default. It starts with all texts of the default unless
 * its own ones ship with the product.
 */
export const createLanguage = (
  fields: Pick<Language, 'id' | 'langName' | 'langLocale' | 'dateLocale'>,
  defaultTexts: Readonly<Record<string, string>>,
  now: number,
): Language => ({
  ...fields,
  default: false,
  createdAt: new Date(now).toISOString(),
  keyValuePairs: isShippedLocale(fields.langLocale) ? {} : { ...defaultTexts },
})

/** Returns the texts that differ from the shipped ones, which is what a language stores. */
export const pickOwnTexts = (
  texts: Readonly<Record<string, string>>,
  shipped: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([key, text]) => shipped[key] !== text))

/**
 * Parses texts typed as JSON: only keys that the database can store, and only text values. Refused:
 * json_error (`params.key` is the first invalid key).
 */
export const parseTexts = (json: string): Result<Record<string, string>, DomainError> => {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return err(domainError('json_error', 'keyValuePairs'))
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return err(domainError('json_error', 'keyValuePairs'))
  const wrong = Object.entries(parsed).find(
    ([key, text]) => typeof text !== 'string' || !/^[^.#$/[\]]+$/.test(key),
  )
  if (wrong) return err(domainError('json_error', 'keyValuePairs', { key: wrong[0] }))
  return ok(parsed as Record<string, string>)
}

export const TEXT_COMPARISON_GROUPS = ['missing', 'different', 'same', 'unknown'] as const
export type TextComparison = Record<(typeof TEXT_COMPARISON_GROUPS)[number], string[]>

/**
 * Compares the keys of a language with the default's: missing, different, identical, and only in
 * this language.
 */
export const compareTexts = (
  texts: Readonly<Record<string, string>>,
  fallback: Readonly<Record<string, string>>,
): TextComparison => {
  const compared: TextComparison = { missing: [], different: [], same: [], unknown: [] }
  for (const [key, text] of Object.entries(fallback)) {
    const own = texts[key]
    compared[!own?.trim() ? 'missing' : own === text ? 'same' : 'different'].push(key)
  }
  compared.unknown = Object.keys(texts).filter((key) => !Object.hasOwn(fallback, key))
  return compared
}

type Texts = Readonly<Record<string, string>>

/**
 * Merges two edits of the same texts. A text changed on one side keeps that change. `conflicts`
 * lists keys that both sides changed differently; the result has the text of `mine`. Removed texts
 * are absent.
 */
export const mergeTexts = (
  opened: Texts,
  mine: Texts,
  theirs: Texts,
): { texts: Record<string, string>; conflicts: string[] } => {
  const texts: Record<string, string> = {}
  const conflicts: string[] = []
  // Keeps the order of the current editor, followed by the other editor's additions.
  for (const key of Object.keys({ ...mine, ...opened, ...theirs })) {
    const isMine = mine[key] !== opened[key]
    if (isMine && theirs[key] !== opened[key] && theirs[key] !== mine[key]) conflicts.push(key)
    const text = isMine ? mine[key] : theirs[key]
    if (text !== undefined) texts[key] = text
  }
  return { texts, conflicts }
}
