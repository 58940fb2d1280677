import type { Random } from '~/domain/data/seededRandom'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Texts that often break software: markup, paths, formats, control characters, lone surrogates. */
const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  'a\udc00b',
  '\u202egnp.exe',
  '\uFEFF',
  'é'.normalize('NFD'),
  '🏴'.repeat(200),
  'NaN',
  'Infinity',
  '-1',
  '1e309',
  'undefined',
  'null',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  '../../users/seed-admin',
  '..',
  '.',
  '/',
  '//',
  'a/b',
  'a.b',
  'a#b',
  'a$b',
  'a[b]',
  '%2e%2e%2f',
  '%00',
  '%zz',
  '{{7*7}}',
  '${7*7}',
  '$t(common)',
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  "' OR 1=1 --",
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '//evil.example/x',
  'https://evil.example/x',
  'http://127.0.0.1:9/',
  'file:///etc/passwd',
  '=1+1',
  '@SUM(A1)',
  '\r\nSet-Cookie: a=b',
  '-34.9,-56.1',
  '1e400,1e400',
  '999999,999999',
  '-0,-0',
  '9'.repeat(400),
  'x'.repeat(5000),
  '|'.repeat(3000),
  '-'.repeat(20),
]
const HOSTILE_NUMBERS: readonly number[] = [
  -1,
  0,
  -0,
  0.1,
  1e-320,
  1.5,
  -1e9,
  1e9,
  1e15,
  1e21,
  1e308,
  -1e308,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  9_999_999_999_999,
]
const HOSTILE_KEYS: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  ' ',
  'a/b',
  'a.b',
  '.sv',
  '@type',
  '.value',
  '.priority',
  '$id',
  '#',
  '[0]',
  '0',
  '-1',
  '\u0001',
  '\ud800',
  'k'.repeat(800),
]
/** Marks a number that is too large for JavaScript; `toJsonText` replaces it. */
const TOO_LARGE_PLACEHOLDER = '@@1e400@@'

/** Returns a random hostile text. */
export const pickHostileText = (random: Random): string => random.pick(HOSTILE_TEXTS)
/** Returns a random hostile key: a prototype, a separator or one that the database reserves. */
export const pickHostileKey = (random: Random): string => random.pick(HOSTILE_KEYS)

const createNested = (random: Random): Json => {
  let value: Json = 1
  for (let depth = random.pick([3, 33, 200, 900]); depth > 0; depth--)
    value = random.chance(0.5) ? [value] : createOwnProperty(pickHostileKey(random), value)
  return value
}

// An assignment to `__proto__` would change the prototype instead of creating a key.
const createOwnProperty = (key: string, value: Json): Json =>
  Object.fromEntries<Json>([[key, value]])

/** Returns a text that is valid in a URL: without lone surrogates. */
export const toWellFormed = (text: string): string => Buffer.from(text).toString()

/** Returns a random unexpected value. */
export const createHostileValue = (random: Random): Json => {
  const valueGenerators: readonly (() => Json)[] = [
    () => pickHostileText(random),
    () => pickHostileText(random),
    () => random.pick(HOSTILE_NUMBERS),
    () => TOO_LARGE_PLACEHOLDER,
    () => null,
    () => random.chance(0.5),
    () => [],
    () => ({}),
    () => [pickHostileText(random), random.pick(HOSTILE_NUMBERS)],
    () => createOwnProperty(pickHostileKey(random), pickHostileText(random)),
    () => ({ '.sv': 'timestamp' }),
    () => ({ '.sv': { increment: 1e9 } }),
    () => ({ '.value': 1, '.priority': pickHostileText(random) }),
    () => createNested(random),
    () => Array.from({ length: random.pick([2, 30, 2000]) }, () => pickHostileText(random)),
  ]
  return random.pick(valueGenerators)()
}

const isBranch = (value: Json): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null

const corruptOnce = (random: Random, value: Json): Json => {
  if (!isBranch(value) || random.chance(0.08)) return createHostileValue(random)
  const entries = Object.entries<Json>(value)
  const changedIndex = entries.length > 0 ? random.integer(0, entries.length - 1) : -1
  const twisted = entries.flatMap(([key, child], index): [string, Json][] => {
    if (index !== changedIndex) return [[key, child]]
    if (random.chance(0.1)) return []
    if (random.chance(0.08)) return [[key, [child]]]
    if (random.chance(0.08)) return [[pickHostileKey(random), child]]
    return [
      [
        key,
        isBranch(child) && random.chance(0.7)
          ? corruptOnce(random, child)
          : createHostileValue(random),
      ],
    ]
  })
  if (changedIndex < 0 || random.chance(0.1))
    twisted.push([pickHostileKey(random), createHostileValue(random)])
  return Array.isArray(value) && random.chance(0.9)
    ? twisted.map(([, child]) => child)
    : Object.fromEntries(twisted)
}

/** Returns a valid value with one to three corrupted parts. */
export const corruptValue = (random: Random, value: Json): Json => {
  let twisted = value
  for (let times = random.integer(1, 3); times > 0; times--) twisted = corruptOnce(random, twisted)
  return twisted
}

/** Returns a value as JSON text, including numbers that are too large for JavaScript. */
export const toJsonText = (value: Json): string =>
  JSON.stringify(value).replaceAll(`"${TOO_LARGE_PLACEHOLDER}"`, '1e400')

/** A request body as bytes with its content type. */
interface RequestBody {
  bytes: Buffer
  type: string | undefined
}
const JSON_TYPE = 'application/json'
const CONTENT_TYPES = [
  undefined,
  'text/plain',
  'text/html',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-7',
  'application/json; charset=latin1',
  'application/xml',
  'a/b; c="',
  '\u00e9',
]
const BROKEN_JSON = [
  '{',
  '{"data":',
  '[1,',
  '{"data":NaN}',
  '{"data":{"a":Infinity}}',
  "{'data':{}}",
  '{"data":{}}}',
  '\u0000',
  'undefined',
  '"',
  '{"a":1,"a":2}',
  '['.repeat(20_000),
  '{"a":'.repeat(5000),
  '{"hasOwnProperty":1}',
  `{"data":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
  `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`,
]

/**
 * Returns a value as a request body: mostly JSON, sometimes broken, too large, or of another type.
 */
export const toRequestBody = (random: Random, value: Json): RequestBody => {
  const text = toJsonText(value)
  if (random.chance(0.88)) return { bytes: Buffer.from(text), type: JSON_TYPE }
  return random.pick<() => RequestBody>([
    () => ({ bytes: Buffer.from(random.pick(BROKEN_JSON)), type: JSON_TYPE }),
    () => ({ bytes: Buffer.from(text), type: random.pick(CONTENT_TYPES) }),
    () => ({ bytes: Buffer.from([0xff, 0xfe, 0x7b, 0xc3, 0x28, 0x7d]), type: JSON_TYPE }),
    () => ({ bytes: Buffer.alloc(0), type: random.pick([JSON_TYPE, ...CONTENT_TYPES]) }),
    () => ({
      bytes: Buffer.from(toJsonText({ data: { a: 'x'.repeat(random.pick([66_000, 300_000])) } })),
      type: JSON_TYPE,
    }),
  ])()
}
