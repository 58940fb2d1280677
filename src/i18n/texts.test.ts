import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { PUSHES, pushText, type PushName } from '~/domain/booking/pushes'
import { BOOKING_EVENTS } from '~/domain/booking/transitions'
import { STATUSES, USER_TYPES } from '~/domain/entities'
import { ERROR_KEYS } from '~/domain/errors'
import { FARE_LINES } from '~/domain/fare'

const root = join(import.meta.dirname, '..')
const locales = join(import.meta.dirname, 'locales')

type Texts = Record<string, string>
const partsOf = (locale: string) =>
  readdirSync(join(locales, locale)).map((file) => ({
    file,
    texts: JSON.parse(readFileSync(join(locales, locale, file), 'utf8')) as Texts,
  }))
const merged = (locale: string): Texts =>
  Object.assign({}, ...partsOf(locale).map(({ texts }) => texts)) as Texts

const parts = partsOf('en')
const english = merged('en')
const known = new Set(Object.keys(english))
const has = (key: string) => known.has(key) || known.has(`${key}_other`)

/** The nouns of plural keys: what stands before _one and _other. */
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

const business = [
  ...ERROR_KEYS,
  ...FARE_LINES,
  ...USER_TYPES,
  ...STATUSES.map((status) => `status_${status}`),
  ...BOOKING_EVENTS.map((event) => `event_${event}`),
  ...(Object.keys(PUSHES) as PushName[]).flatMap((name) => Object.values(pushText(name))),
]

const ASKED_FOR = [
  /\bt\(\s*'([^']+)'/g,
  /\bt\([^()'`]*\?\s*'([^']+)'/g,
  /\bt\([^()'`]*\?\s*'[^']+'\s*:\s*'([^']+)'/g,
  /\bnoticeRaised\(\{[^}]*?\btext: '([^']+)'/g,
  /\bsay\(\s*'([^']+)'/g,
]

test('every text a screen asks for by name exists in English', () => {
  const missing = sources.flatMap(({ file, text }) =>
    ASKED_FOR.flatMap((pattern) => [...text.matchAll(pattern)])
      .map(([, key]) => key ?? '')
      .filter((key) => !has(key))
      .map((key) => `${file}: ${key}`),
  )
  expect(missing).toEqual([])
})

/** Patterns of texts such as `status_${status}`: what they begin and end with. */
const patterns = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/`([A-Za-z]\w*_)?\$\{[^`{}]*\}(_[a-z]\w*)?`/g)]
    .map(([, start = '', end = '']) => ({ file, start, end }))
    .filter(({ start, end }) => start || end),
)
const fits = (key: string, { start, end }: { start: string; end: string }) =>
  key.length > start.length + end.length && key.startsWith(start) && key.endsWith(end)

test('every text asked for by a pattern has at least one match', () => {
  const missing = sources.flatMap(({ file, text }) =>
    [...text.matchAll(/\bt\(\s*`([^`$]*)\$\{[^`]*`/g)]
      .map(([, start]) => start ?? '')
      .filter((start) => start && ![...known].some((key) => key.startsWith(start)))
      .map((start) => `${file}: ${start}…`),
  )
  expect(missing).toEqual([])
})

test('every refusal, status, role, event, fare line and push of the business has its text', () => {
  expect(business.filter((key) => !has(key))).toEqual([])
})

test('every text is used: by its name, by a pattern or by the business', () => {
  const spoken = new Set<string>(business)
  for (const { text } of [...sources, ...sourcesIn(join(root, '..', 'domain'))])
    for (const [, , word] of text.matchAll(/(['"])([A-Za-z][\w ]*)\1/g)) if (word) spoken.add(word)
  const unused = [...known].filter(
    (key) => !spoken.has(base(key)) && !patterns.some((pattern) => fits(base(key), pattern)),
  )
  expect(unused).toEqual([])
})

const parameters = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)

test('a push text uses only parameters the push carries', () => {
  const wrong = (Object.keys(PUSHES) as PushName[]).flatMap((name) =>
    Object.values(pushText(name)).flatMap((key) => {
      const allowed: readonly (string | undefined)[] = PUSHES[name]
      return parameters(english[key] ?? '')
        .filter((parameter) => !allowed.includes(parameter))
        .map((parameter) => `${key}: ${parameter}`)
    }),
  )
  expect(wrong).toEqual([])
})

test('no key has a text in two parts', () => {
  const twice = parts
    .flatMap(({ texts }) => Object.keys(texts))
    .filter((key, index, all) => all.indexOf(key) !== index)
  expect(twice).toEqual([])
})

test('no key holds a character the database refuses', () => {
  expect([...known].filter((key) => /[.$#[\]/]/.test(key))).toEqual([])
})

/** Names and words that are written alike; everything else that equals the English is not translated. */
const ALIKE: Record<string, readonly string[]> = {
  all: ['App Store', 'Google Play', 'Google Maps', 'Apple Maps', 'Waze', 'CSV'],
  latin: ['Chat', 'Facebook', 'ID', 'Instagram', 'Total', 'Twitter'],
  hi: ['Facebook', 'Instagram', 'Twitter'],
  es: ['No', 'Taxi'],
  pt: ['Menu', 'Site', 'Status'],
  fr: [
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
  /** The keys this language needs instead of an English one: every category its numbers have. */
  const wanted = (key: string): string[] => {
    const noun = base(key)
    if (noun === key) return [key]
    return key.endsWith('_zero') ? [key] : pluralCategories.map((category) => `${noun}_${category}`)
  }
  const all = new Set([...known].flatMap(wanted))

  test('no text is missing, in any plural form its numbers need', () => {
    expect([...all].filter((key) => !texts[key]?.trim())).toEqual([])
  })

  test('no text is left over', () => {
    expect(Object.keys(texts).filter((key) => !all.has(key))).toEqual([])
  })

  test('every part holds the texts the English one holds', () => {
    const kept = Object.fromEntries(
      partsOf(locale).map(({ file, texts: own }) => [file, Object.keys(own).sort()]),
    )
    const expected = Object.fromEntries(
      parts.map(({ file, texts: own }) => [
        file,
        [...new Set(Object.keys(own).flatMap(wanted))].sort(),
      ]),
    )
    expect(kept).toEqual(expected)
  })

  test('every text carries the parameters of the English one', () => {
    const wrong = [...known].flatMap((key) =>
      wanted(key).filter((own) => {
        const expected = parameters(english[key] ?? '').sort()
        const given = parameters(texts[own] ?? '').sort()
        // One, two or none may be said in words.
        const inWords = /_(zero|one|two)$/.test(own) || key.endsWith('_one')
        const bare = (names: typeof given) =>
          inWords ? names.filter((name) => name !== 'count') : names
        return String(bare(given)) !== String(bare(expected))
      }),
    )
    expect(wrong).toEqual([])
  })

  test('no text is left in English', () => {
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

  test('every text is one the database takes', () => {
    const refused = Object.entries(texts).filter(
      ([key, text]) => /[.$#[\]/]/.test(key) || text.length === 0 || text.length > 5000,
    )
    expect(refused).toEqual([])
  })
})
