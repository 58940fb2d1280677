import { expect, test } from 'vitest'
import { renumbered, withLabel, withoutReason, withReason } from './cancelReasons'
import type { Language } from './entities'
import { compareTexts, makeDefault, newLanguage, parsePairs, removeLanguage } from './languages'
import { isTarget } from './notifications'
import { aRider, NOON } from './testing/builders'

const language = (id: string, over: Partial<Language> = {}): Language => ({
  id,
  langName: id,
  langLocale: id,
  dateLocale: id,
  default: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  keyValuePairs: { hello: id },
  ...over,
})
const languages = [language('en', { default: true }), language('es'), language('he')]

test('a new language begins as a copy of the default, and is not the default', () => {
  const made = newLanguage(
    { id: 'fr', langName: 'Français', langLocale: 'fr', dateLocale: 'fr' },
    languages,
    NOON,
  )
  expect(made).toMatchObject({
    default: false,
    keyValuePairs: { hello: 'en' },
    createdAt: '2026-11-20T15:00:00.000Z',
  })
  expect(made.keyValuePairs).not.toBe(languages[0]?.keyValuePairs)
})

test('making a language the default clears the flag on all others', () => {
  expect(makeDefault(languages, 'he')).toEqual({
    ok: true,
    value: { 'languages/en/default': false, 'languages/he/default': true },
  })
  const current = makeDefault(languages, 'en')
  expect(!current.ok && current.error.key).toBe('already_processed')
  const none = makeDefault(languages, 'xx')
  expect(!none.ok && none.error.key).toBe('not_found')
})

test('the default language can’t be deleted, any other can', () => {
  const refused = removeLanguage(languages, 'en')
  expect(!refused.ok && refused.error.key).toBe('cannot_delete_default_language')
  expect(removeLanguage(languages, 'es')).toEqual({ ok: true, value: { 'languages/es': null } })
})

test.each(['{', '[]', '"text"', 'null', '{"a":1}', '{"a":{"b":"c"}}', '{"a.b":"c"}', '{"":"c"}'])(
  'the JSON %s is an error',
  (json) => {
    const parsed = parsePairs(json)
    expect(!parsed.ok && parsed.error.key).toBe('json_error')
  },
)

test('texts typed as JSON are taken as they are', () => {
  expect(parsePairs('{"hello":"Hola","empty":""}')).toEqual({
    ok: true,
    value: { hello: 'Hola', empty: '' },
  })
  expect(
    compareTexts({ a: ' ', c: 'C', d: 'De', e: 'E' }, { a: 'A', b: 'B', c: 'C', d: 'D' }),
  ).toEqual({ missing: ['a', 'b'], different: ['d'], same: ['c'], unknown: ['e'] })
})

test('cancel reasons keep their values equal to their places', () => {
  const reasons = renumbered([{ label: 'a' }, { label: 'b' }, { label: 'c' }])
  expect(withReason(reasons, 'd')[3]).toEqual({ label: 'd', value: 3 })
  expect(withoutReason(reasons, 0)).toEqual([
    { label: 'b', value: 0 },
    { label: 'c', value: 1 },
  ])
  expect(withLabel(reasons, 1, 'B')[1]).toEqual({ label: 'B', value: 1 })
})

test.each([
  [{ devicetype: 'All', usertype: 'All' }, true],
  [{ devicetype: 'IOS', usertype: 'rider' }, true],
  [{ devicetype: 'ANDROID', usertype: 'rider' }, false],
  [{ devicetype: 'All', usertype: 'driver' }, false],
] as const)('a notification to %j reaches a rider on IOS: %s', (target, reached) => {
  const user = aRider({ pushToken: 't', userPlatform: 'IOS' })
  expect(isTarget(user, target)).toBe(reached)
  expect(isTarget({ ...user, pushToken: '' }, target)).toBe(false)
})
