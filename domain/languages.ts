import type { Value } from './booking/change'
import type { Language } from './entities'
import { refusal, type Refusal } from './errors'
import { err, ok, type Result } from './result'

const pathOf = (id: string, field: keyof Language): string => `languages/${id}/${field}`

/** Locale, own name, locale of dates. Arabic and Hebrew are written from right to left. */
const SHIPPED = [
  ['en', 'English', 'en-GB'],
  ['es', 'Español', 'es-UY'],
  ['pt', 'Português', 'pt-BR'],
  ['fr', 'Français', 'fr-FR'],
  ['de', 'Deutsch', 'de-DE'],
  ['hi', 'हिन्दी', 'hi-IN'],
  ['ar', 'العربية', 'ar'],
  ['he', 'עברית', 'he-IL'],
] as const

/**
 * The languages the product has texts in, made at `at` (ms), English the default. `texts` by locale; one without any
 * starts empty, and every text falls back to English.
 */
export const shippedLanguages = (
  texts: Readonly<Record<string, Record<string, string>>>,
  at: number,
): Language[] =>
  SHIPPED.map(([langLocale, langName, dateLocale]) => ({
    id: langLocale,
    langName,
    langLocale,
    dateLocale,
    default: langLocale === 'en',
    createdAt: new Date(at).toISOString(),
    keyValuePairs: texts[langLocale] ?? {},
  }))

/** The language the interface falls back on; undefined only before setup. */
export const defaultLanguage = (languages: readonly Language[]): Language | undefined =>
  languages.find((language) => language.default)

/** A new language: not the default, with the texts of the current default. */
export const newLanguage = (
  fields: Pick<Language, 'id' | 'langName' | 'langLocale' | 'dateLocale'>,
  languages: readonly Language[],
  now: number,
): Language => ({
  ...fields,
  default: false,
  createdAt: new Date(now).toISOString(),
  keyValuePairs: { ...defaultLanguage(languages)?.keyValuePairs },
})

/** Paths that make one language the default and clear the flag on all others. Refused: not_found, already_processed. */
export const makeDefault = (
  languages: readonly Language[],
  id: string,
): Result<Record<string, Value>, Refusal> => {
  const chosen = languages.find((language) => language.id === id)
  if (!chosen) return err(refusal('not_found', 'id'))
  if (chosen.default) return err(refusal('already_processed', 'id'))
  return ok(
    Object.fromEntries(
      languages
        .filter((language) => language.default || language.id === id)
        .map((language) => [pathOf(language.id, 'default'), language.id === id]),
    ),
  )
}

/** Paths that remove a language. Refused: not_found, cannot_delete_default_language. */
export const removeLanguage = (
  languages: readonly Language[],
  id: string,
): Result<Record<string, Value>, Refusal> => {
  const found = languages.find((language) => language.id === id)
  if (!found) return err(refusal('not_found', 'id'))
  if (found.default) return err(refusal('cannot_delete_default_language', 'id'))
  return ok({ [`languages/${id}`]: null })
}

/** The texts typed as JSON: keys a database can hold, texts only. Refused: json_error (params.key: the first wrong one). */
export const parsePairs = (json: string): Result<Record<string, string>, Refusal> => {
  let parsed: unknown
  try {
    parsed = JSON.parse(json)
  } catch {
    return err(refusal('json_error', 'keyValuePairs'))
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return err(refusal('json_error', 'keyValuePairs'))
  const wrong = Object.entries(parsed).find(
    ([key, text]) => typeof text !== 'string' || !/^[^.#$/[\]]+$/.test(key),
  )
  if (wrong) return err(refusal('json_error', 'keyValuePairs', { key: wrong[0] }))
  return ok(parsed as Record<string, string>)
}

export const COMPARED = ['missing', 'different', 'same', 'unknown'] as const
export type Compared = Record<(typeof COMPARED)[number], string[]>

/** The keys of a language against the default's: without a text here, with another, with the same, and here alone. */
export const compareTexts = (
  texts: Readonly<Record<string, string>>,
  fallback: Readonly<Record<string, string>>,
): Compared => {
  const compared: Compared = { missing: [], different: [], same: [], unknown: [] }
  for (const [key, text] of Object.entries(fallback)) {
    const own = texts[key]
    compared[!own?.trim() ? 'missing' : own === text ? 'same' : 'different'].push(key)
  }
  compared.unknown = Object.keys(texts).filter((key) => !(key in fallback))
  return compared
}
