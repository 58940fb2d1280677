import { getDateFormat } from '~/domain/language/intlFormats'
import { getTextDirection, toLanguageTag } from '~/domain/language/locales'
import { createMoneyFormat } from '~/domain/money/moneyFormat'
import type { Ports } from '../../ports/ports'
import type { Language, Settings } from '~/domain/catalog/types'
import type { Milliseconds } from '~/domain/language/units'

/** The texts and formats of one language, for messages outside the platform. */
export interface Speech {
  /** BCP 47. */
  locale: string
  dir: 'ltr' | 'rtl'
  /** Returns a text of the platform with its parameters. The result is not escaped. */
  t(key: string, params?: Readonly<Record<string, string | number>>): string
  formatMoney(
    amount: number,
    currency: Pick<Settings, 'symbol' | 'swipe_symbol' | 'decimal'>,
  ): string
  /** `ms` since 1970. */
  formatTime(ms: Milliseconds, timezone: string): string
}

const FIRST_STRONG_ISOLATE = '\u2068'
const LEFT_TO_RIGHT_ISOLATE = '\u2066'
const END_OF_ISOLATE = '\u2069'

type SpokenLanguage = Pick<Language, 'langLocale' | 'dateLocale' | 'keyValuePairs'>

/** Creates the speech of a language. Missing texts are taken from `fallback`. */
export const createSpeech = (
  { langLocale, dateLocale, keyValuePairs }: SpokenLanguage,
  fallback: Readonly<Record<string, string>>,
): Speech => {
  const tag = toLanguageTag(dateLocale) ?? 'en'
  const dir = getTextDirection(langLocale)
  // Isolates hold a value together within right-to-left text.
  const isolate = (text: string, start = FIRST_STRONG_ISOLATE) =>
    dir === 'rtl' && text !== '' ? start + text + END_OF_ISOLATE : text
  return {
    locale: toLanguageTag(langLocale) ?? 'en',
    dir,
    t: (key, params = {}) =>
      (keyValuePairs[key] || fallback[key] || key).replace(/\{\{(\w+)\}\}/g, (_, name: string) =>
        isolate(String(params[name] ?? '')),
      ),
    formatMoney: (amount, { symbol, swipe_symbol: symbolAfter, decimal }) =>
      isolate(
        createMoneyFormat(tag, { symbol, symbolAfter, decimal })(amount),
        LEFT_TO_RIGHT_ISOLATE,
      ),
    formatTime: (ms, timeZone) =>
      isolate(getDateFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(ms)),
  }
}

/** Milliseconds for which a process keeps the texts, which are long and rarely change. */
const CACHE_MS = 60_000

/** Finds the speech of a locale; without one, or for an unknown one, that of the platform. */
export type SpeechFinder = (locale: string | undefined) => Promise<Speech>

/** Creates a finder that reads each language at most once a minute. */
export const createSpeechFinder = ({
  db,
  texts,
  clock,
}: Pick<Ports, 'db' | 'texts' | 'clock'>): SpeechFinder => {
  const cache = new Map<string, { until: number; speech: Promise<Speech> }>()
  let shipped: Promise<Record<string, Record<string, string>>> | undefined
  const findLanguage = async (by: 'langLocale' | 'default', equalTo: string | boolean) =>
    (await db.list<Omit<Language, 'id'>>('languages', { by, equalTo, first: 1 }))[0]?.[1]
  const load = async (locale: string): Promise<Speech> => {
    shipped ??= texts()
    const language =
      (locale === '' ? undefined : await findLanguage('langLocale', locale)) ??
      (await findLanguage('default', true))
    const { [language?.langLocale ?? 'en']: own, en = {} } = await shipped
    return createSpeech(
      {
        langLocale: 'en',
        dateLocale: 'en',
        ...language,
        keyValuePairs: { ...own, ...language?.keyValuePairs },
      },
      en,
    )
  }
  return (locale = '') => {
    const now = clock.now()
    const cacheEntry = cache.get(locale)
    if (cacheEntry && cacheEntry.until > now) return cacheEntry.speech
    const speech = load(locale)
    cache.set(locale, { until: now + CACHE_MS, speech })
    // A failed read must not last.
    speech.catch(() => cache.delete(locale))
    return speech
  }
}
