import type { Random } from '~/domain/testing/random'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Texts that have broken something somewhere: markup, paths, formats, control characters, half characters. */
const TEXTS: readonly string[] = [
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
const NUMBERS: readonly number[] = [
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
const KEYS: readonly string[] = [
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
/** Travels as a number no JavaScript number can hold; `textOf` puts it in. */
const TOO_LARGE = '@@1e400@@'

/** A text of the hostile ones. */
export const hostileText = (random: Random): string => random.pick(TEXTS)
/** A key of the hostile ones: prototypes, separators, the database's own. */
export const hostileKey = (random: Random): string => random.pick(KEYS)

const nested = (random: Random): Json => {
  let value: Json = 1
  for (let depth = random.pick([3, 33, 200, 900]); depth > 0; depth--)
    value = random.chance(0.5) ? [value] : own(hostileKey(random), value)
  return value
}

// An assignment to `__proto__` would change the prototype instead of making a key.
const own = (key: string, value: Json): Json =>
  Object.fromEntries([[key, value]]) as { [key: string]: Json }

/** A text as it can stand in an address: without halves of characters. */
export const wellFormed = (text: string): string => Buffer.from(text).toString()

/** Any value nobody asked for. */
export const hostileValue = (random: Random): Json => {
  const made: readonly (() => Json)[] = [
    () => hostileText(random),
    () => hostileText(random),
    () => random.pick(NUMBERS),
    () => TOO_LARGE,
    () => null,
    () => random.chance(0.5),
    () => [],
    () => ({}),
    () => [hostileText(random), random.pick(NUMBERS)],
    () => own(hostileKey(random), hostileText(random)),
    () => ({ '.sv': 'timestamp' }),
    () => ({ '.sv': { increment: 1e9 } }),
    () => ({ '.value': 1, '.priority': hostileText(random) }),
    () => nested(random),
    () => Array.from({ length: random.pick([2, 30, 2000]) }, () => hostileText(random)),
  ]
  return random.pick(made)()
}

const isBranch = (value: Json): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null

const once = (random: Random, value: Json): Json => {
  if (!isBranch(value) || random.chance(0.08)) return hostileValue(random)
  const entries = Object.entries(value) as [string, Json][]
  const chosen = entries.length > 0 ? random.whole(0, entries.length - 1) : -1
  const twisted = entries.flatMap(([key, child], index): [string, Json][] => {
    if (index !== chosen) return [[key, child]]
    if (random.chance(0.1)) return []
    if (random.chance(0.08)) return [[key, [child]]]
    if (random.chance(0.08)) return [[hostileKey(random), child]]
    return [
      [key, isBranch(child) && random.chance(0.7) ? once(random, child) : hostileValue(random)],
    ]
  })
  if (chosen < 0 || random.chance(0.1)) twisted.push([hostileKey(random), hostileValue(random)])
  return Array.isArray(value) && random.chance(0.9)
    ? twisted.map(([, child]) => child)
    : Object.fromEntries(twisted)
}

/** An honest value with one to three things in it made wrong. */
export const twist = (random: Random, value: Json): Json => {
  let twisted = value
  for (let times = random.whole(1, 3); times > 0; times--) twisted = once(random, twisted)
  return twisted
}

/** A value as JSON text, with numbers that are too large for JavaScript. */
export const textOf = (value: Json): string =>
  JSON.stringify(value).replaceAll(`"${TOO_LARGE}"`, '1e400')

/** A body as it travels. */
interface Body {
  bytes: Buffer
  type: string | undefined
}
const JSON_TYPE = 'application/json'
const TYPES = [
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
const BROKEN = [
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

/** A value as a body: mostly JSON, now and then broken, too large, or of another type. */
export const bodyOf = (random: Random, value: Json): Body => {
  const text = textOf(value)
  if (random.chance(0.88)) return { bytes: Buffer.from(text), type: JSON_TYPE }
  return random.pick<() => Body>([
    () => ({ bytes: Buffer.from(random.pick(BROKEN)), type: JSON_TYPE }),
    () => ({ bytes: Buffer.from(text), type: random.pick(TYPES) }),
    () => ({ bytes: Buffer.from([0xff, 0xfe, 0x7b, 0xc3, 0x28, 0x7d]), type: JSON_TYPE }),
    () => ({ bytes: Buffer.alloc(0), type: random.pick([JSON_TYPE, ...TYPES]) }),
    () => ({
      bytes: Buffer.from(textOf({ data: { a: 'x'.repeat(random.pick([66_000, 300_000])) } })),
      type: JSON_TYPE,
    }),
  ])()
}
