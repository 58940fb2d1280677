import type { Language } from '~/domain/entities'

const DAY = 86_400_000

/** Locale, own name, locale of dates. Arabic and Hebrew are written from right to left. */
const LANGUAGES = [
  ['en', 'English', 'en-GB'],
  ['es', 'Español', 'es-UY'],
  ['pt', 'Português', 'pt-BR'],
  ['fr', 'Français', 'fr-FR'],
  ['de', 'Deutsch', 'de-DE'],
  ['hi', 'हिन्दी', 'hi-IN'],
  ['ar', 'العربية', 'ar'],
  ['he', 'עברית', 'he-IL'],
] as const

/** The demo's languages. A locale without texts of its own starts empty: every text falls back to English. */
export const languages = (now: number, texts: Record<string, Record<string, string>>): Language[] =>
  LANGUAGES.map(([langLocale, langName, dateLocale]) => ({
    id: langLocale,
    langName,
    langLocale,
    dateLocale,
    default: langLocale === 'en',
    createdAt: new Date(now - 400 * DAY).toISOString(),
    keyValuePairs: texts[langLocale] ?? {},
  }))
