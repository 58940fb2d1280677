import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PUSH_PARAMS, toPushText, type PushName } from '~/domain/booking/pushMessages'
import { BOOKING_EVENTS } from '~/domain/booking/transitions'
import { ERROR_KEYS } from '~/domain/api/errorKeys'
import { FARE_LINE_LABELS } from '~/domain/money/fare'
import { STATUSES } from '~/domain/booking/types'
import { SETTING_DEFINITIONS, type SettingDefinition } from '~/domain/catalog/settingDefinitions'
import { USER_TYPES } from '~/domain/access/types'
import { AMENDED_LABELS } from './reasonTexts'

const root = join(import.meta.dirname, '..')
const locales = join(import.meta.dirname, 'locales')

type Texts = Record<string, string>
const readTextFiles = (locale: string) =>
  readdirSync(join(locales, locale)).map((file) => ({
    file,
    texts: JSON.parse(readFileSync(join(locales, locale, file), 'utf8')) as Texts,
  }))
const merged = (locale: string): Texts =>
  Object.assign({}, ...readTextFiles(locale).map(({ texts }) => texts)) as Texts

const parts = readTextFiles('en')
const english = merged('en')
const known = new Set(Object.keys(english))
const has = (key: string) => known.has(key) || known.has(`${key}_other`)

/** Base names of plural keys: the part before _one and _other. */
const counted = new Set(
  [...known]
    .filter((key) => key.endsWith('_one') && known.has(key.replace(/_one$/, '_other')))
    .map((key) => key.replace(/_one$/, '')),
)
const base = (key: string) => {
  const noun = key.replace(/_(zero|one|other)$/, '')
  return counted.has(noun) ? noun : key
}

const sourcesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
const sources = sourcesIn(root)

/** Lists the texts that the office's form shows of a setting. */
const listSettingTexts = (definition: SettingDefinition): string[] => [
  ...(definition.label === null ? [] : [definition.label]),
  ...(definition.hint === undefined ? [] : [definition.hint]),
  ...(definition.kind === 'choice' && definition.label !== null
    ? Object.values(definition.options)
    : []),
]

const business = [
  ...ERROR_KEYS,
  ...FARE_LINE_LABELS,
  ...USER_TYPES,
  ...STATUSES.map((status) => `status_${status}`),
  ...BOOKING_EVENTS.map((event) => `event_${event}`),
  // A refusal's text may name its field.
  ...['customer', 'pickup', 'stop', 'drop', 'carType', 'tripdate'].map(
    (field) => `select_proper_${field}`,
  ),
  ...Object.values(AMENDED_LABELS),
  ...Object.values<SettingDefinition>(SETTING_DEFINITIONS).flatMap(listSettingTexts),
  ...(Object.keys(PUSH_PARAMS) as PushName[]).flatMap((name) => Object.values(toPushText(name))),
]

const ASKED_FOR = [
  /\bt\(\s*'([^']+)'/g,
  /\bt\([^()'`]*\?\s*'([^']+)'/g,
  /\bt\([^()'`]*\?\s*'[^']+'\s*:\s*'([^']+)'/g,
  /\bnoticeRaised\(\{[^}]*?\btext: '([^']+)'/g,
  /\bsay\(\s*'([^']+)'/g,
]

test('has an English text for every key that a screen uses by name', () => {
  const missing = sources.flatMap(({ file, text }) =>
    ASKED_FOR.flatMap((pattern) => [...text.matchAll(pattern)])
      .map(([, key]) => key ?? '')
      .filter((key) => !has(key))
      .map((key) => `${file}: ${key}`),
  )
  expect(missing).toEqual([])
})

/** Prefixes and suffixes of template keys such as `status_${status}`. */
const patterns = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/`([A-Za-z]\w*_)?\$\{[^`{}]*\}(_[a-z]\w*)?`/g)]
    .map(([, start = '', end = '']) => ({ file, start, end }))
    .filter(({ start, end }) => start || end),
)
const fits = (key: string, { start, end }: { start: string; end: string }) =>
  key.length > start.length + end.length && key.startsWith(start) && key.endsWith(end)

test('has at least one match for every template key', () => {
  const missing = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bt\(\s*`([^`$]*)\$\{[^`]*`/g)]
      .map(([, start]) => start ?? '')
      .filter((start) => start && ![...known].some((key) => key.startsWith(start)))
      .map((start) => `${file}: ${start}…`),
  )
  expect(missing).toEqual([])
})

test('has a text for every refusal, status, role, event, fare line and push of the domain', () => {
  expect(business.filter((key) => !has(key))).toEqual([])
})

test('uses every text by name, by template or in the domain', () => {
  const used = new Set<string>(business)
  for (const { text } of [...sources, ...sourcesIn(join(root, '..', 'domain'))])
    for (const [, , word] of text.matchAll(/(['"])([A-Za-z][\w ]*)\1/g)) if (word) used.add(word)
  const unused = [...known].filter(
    (key) => !used.has(base(key)) && !patterns.some((pattern) => fits(base(key), pattern)),
  )
  expect(unused).toEqual([])
})

const parameters = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)

test('uses only parameters that a push carries in its text', () => {
  const wrong = (Object.keys(PUSH_PARAMS) as PushName[]).flatMap((name) =>
    Object.values(toPushText(name)).flatMap((key) => {
      const allowed: readonly (string | undefined)[] = PUSH_PARAMS[name]
      return parameters(english[key] ?? '')
        .filter((parameter) => !allowed.includes(parameter))
        .map((parameter) => `${key}: ${parameter}`)
    }),
  )
  expect(wrong).toEqual([])
})

test('gives a text with parameters their values', () => {
  const bare = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bt\(\s*'([^']+)',?\s*\)/g)]
      .map(([, key]) => key ?? '')
      .filter((key) => parameters(english[key] ?? english[`${key}_other`] ?? '').length > 0)
      .map((key) => `${file}: ${key}`),
  )
  expect(bare).toEqual([])
})

test('defines no key in two files', () => {
  const twice = parts
    .flatMap(({ texts }) => Object.keys(texts))
    .filter((key, index, all) => all.indexOf(key) !== index)
  expect(twice).toEqual([])
})

test('uses no character in a key that the database refuses', () => {
  expect([...known].filter((key) => /[.$#[\]/]/.test(key))).toEqual([])
})

/**
 * Names and words that are the same in both languages; any other text equal to the English one is
 * untranslated.
 */
const ALIKE: Record<string, readonly string[]> = {
  all: ['App Store', 'Google Play', 'Google Maps', 'Apple Maps', 'Waze', 'CSV'],
  latin: ['Chat', 'Facebook', 'ID', 'Instagram', 'SMS', 'Total', 'Twitter', 'WhatsApp'],
  hi: ['Facebook', 'Instagram', 'Twitter'],
  es: ['Error', 'No', 'Taxi'],
  pt: ['Menu', 'Site', 'Status'],
  fr: [
    'Action',
    'Actions',
    'Code',
    'Contact',
    'Date',
    'Distance',
    'Menu',
    'Messages',
    'Option',
    'Photo',
    'Site',
    'Type',
  ],
  de: [
    'April',
    'August',
    'Bank',
    'Code',
    'Demo',
    'Details',
    'Name',
    'November',
    'Option',
    'Person',
    'Problem',
    'September',
    'Status',
    'Symbol',
    'System',
    'optional',
  ],
}
const SCRIPT: Record<string, RegExp> = {
  ar: /\p{Script=Arabic}/u,
  he: /\p{Script=Hebrew}/u,
  hi: /\p{Script=Devanagari}/u,
}
const isWords = (text: string) => /\p{L}/u.test(text.replace(/\{\{\w+\}\}/g, ''))

const others = readdirSync(locales).filter((locale) => locale !== 'en')
describe.each(others)('in %s', (locale) => {
  const texts = merged(locale)
  const { pluralCategories } = new Intl.PluralRules(locale).resolvedOptions()
  /**
   * Returns the keys this language needs for an English one: one for each of its plural categories.
   */
  const wanted = (key: string): string[] => {
    const noun = base(key)
    if (noun === key) return [key]
    return key.endsWith('_zero') ? [key] : pluralCategories.map((category) => `${noun}_${category}`)
  }
  const all = new Set([...known].flatMap(wanted))

  test('has every text in every plural form that its numbers need', () => {
    expect([...all].filter((key) => !texts[key]?.trim())).toEqual([])
  })

  test('has no extra text', () => {
    expect(Object.keys(texts).filter((key) => !all.has(key))).toEqual([])
  })

  test('has the same texts per file as English', () => {
    const kept = Object.fromEntries(
      readTextFiles(locale).map(({ file, texts: own }) => [file, Object.keys(own).sort()]),
    )
    const expected = Object.fromEntries(
      parts.map(({ file, texts: own }) => [
        file,
        [...new Set(Object.keys(own).flatMap(wanted))].sort(),
      ]),
    )
    expect(kept).toEqual(expected)
  })

  test('has the parameters of the English text in every text', () => {
    const wrong = [...known].flatMap((key) =>
      wanted(key).filter((own) => {
        const expected = parameters(english[key] ?? '').sort()
        const given = parameters(texts[own] ?? '').sort()
        // The forms for zero, one and two may use words instead of the number.
        const inWords = /_(zero|one|two)$/.test(own) || key.endsWith('_one')
        const bare = (names: typeof given) =>
          inWords ? names.filter((name) => name !== 'count') : names
        return String(bare(given)) !== String(bare(expected))
      }),
    )
    expect(wrong).toEqual([])
  })

  test('has no text left in English', () => {
    const alike = new Set([
      ...(ALIKE.all ?? []),
      ...(SCRIPT[locale] ? [] : (ALIKE.latin ?? [])),
      ...(ALIKE[locale] ?? []),
    ])
    const left = Object.entries(texts).filter(
      ([key, text]) =>
        isWords(text) &&
        !alike.has(text) &&
        (text === english[key] || SCRIPT[locale]?.test(text) === false),
    )
    expect(left).toEqual([])
  })

  test('has only texts that the database accepts', () => {
    const refused = Object.entries(texts).filter(
      ([key, text]) => /[.$#[\]/]/.test(key) || text.length === 0 || text.length > 5000,
    )
    expect(refused).toEqual([])
  })
})

/** Articles and possessives whose form depends on the word after them, by language. */
const DEPENDENT_WORDS: Record<string, string> = {
  en: 'an?',
  de: 'd(?:er|ie|as|em|en|es)|(?:ein|ihr)(?:e[nmrs]?)?',
  es: 'una?|el|la|del|al',
  fr: 'une?|le|la|du|au',
  pt: 'uma?|o|a|do|da|ao|seu|sua',
  hi: 'आपका|आपकी|आपके',
}

test('puts no word before the name of a vehicle type whose form depends on that name', () => {
  const dependent = Object.entries(DEPENDENT_WORDS).flatMap(([locale, words]) =>
    Object.entries(merged(locale))
      .filter(([, text]) => new RegExp(`(?:^|\\s)(?:${words}) {{carType}}`, 'i').test(text))
      .map(([key, text]) => `${locale} ${key}: ${text}`),
  )
  expect(dependent).toEqual([])
})

test('puts no English article before a variable, because “an” depends on the value', () => {
  expect(Object.values(english).filter((text) => /\ban? \{\{/i.test(text))).toEqual([])
})
