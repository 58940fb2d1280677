import { expect, test } from 'vitest'
import { renumberReasons, relabelReason, removeReason, addReason } from './cancellationReasons'
import type { Language } from './entities'
import { compareTexts, createLanguage, parseTexts } from './languages'
import { isNotificationTarget } from './notificationTargets'
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

test('creates a new language as a copy of the default, without the default flag', () => {
  const made = createLanguage(
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

test.each(['{', '[]', '"text"', 'null', '{"a":1}', '{"a":{"b":"c"}}', '{"a.b":"c"}', '{"":"c"}'])(
  'refuses the JSON %s',
  (json) => {
    const parsed = parseTexts(json)
    expect(!parsed.ok && parsed.error.key).toBe('json_error')
  },
)

test('keeps texts typed as JSON unchanged', () => {
  expect(parseTexts('{"hello":"Hola","empty":""}')).toEqual({
    ok: true,
    value: { hello: 'Hola', empty: '' },
  })
  expect(
    compareTexts({ a: ' ', c: 'C', d: 'De', e: 'E' }, { a: 'A', b: 'B', c: 'C', d: 'D' }),
  ).toEqual({ missing: ['a', 'b'], different: ['d'], same: ['c'], unknown: ['e'] })
})

test('keeps the values of cancellation reasons equal to their positions', () => {
  const reasons = renumberReasons([{ label: 'a' }, { label: 'b' }, { label: 'c' }])
  expect(addReason(reasons, { label: 'd' })[3]).toEqual({ label: 'd', value: 3 })
  expect(removeReason(reasons, 0)).toEqual([
    { label: 'b', value: 0 },
    { label: 'c', value: 1 },
  ])
  expect(relabelReason(reasons, 1, { label: 'B' })[1]).toEqual({ label: 'B', value: 1 })
})

test.each([
  [{ devicetype: 'All', usertype: 'All' }, true],
  [{ devicetype: 'IOS', usertype: 'rider' }, true],
  [{ devicetype: 'ANDROID', usertype: 'rider' }, false],
  [{ devicetype: 'All', usertype: 'driver' }, false],
] as const)('checks whether a notification to %j reaches a rider on iOS: %s', (target, reached) => {
  const device = { token: 't', platform: 'IOS', revision: 1 } as const
  const user = { ...aRider(), device }
  expect(isNotificationTarget(user, target)).toBe(reached)
  expect(isNotificationTarget({ ...user, device: null }, target)).toBe(false)
})
