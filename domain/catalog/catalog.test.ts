import { expect, test } from 'vitest'
import { renumberReasons, relabelReason, removeReason, addReason } from './cancellationReasons'
import { compareTexts, createLanguage, parseTexts, pickOwnTexts } from './languages'
import { isNotificationTarget } from '../messages/notificationTargets'
import { aRider, NOON } from '../testing/builders'

test.each([
  ['with the texts of the default', 'gn', { hello: 'en' }],
  ['without texts where its own ship with the product', 'fr', {}],
])('creates a new language %s, and not as the default', (_, langLocale, keyValuePairs) => {
  const fields = { id: 'new', langName: 'New', langLocale, dateLocale: 'fr' }
  expect(createLanguage(fields, { hello: 'en' }, NOON)).toEqual({
    ...fields,
    default: false,
    keyValuePairs,
    createdAt: '2026-11-20T15:00:00.000Z',
  })
})

test('picks the texts that differ from the shipped ones', () => {
  const shipped = { hello: 'Hallo', bye: 'Tschüs' }
  const texts = { hello: 'Guten Tag', bye: 'Tschüs', added: 'Neu' }
  expect(pickOwnTexts(texts, shipped)).toEqual({ hello: 'Guten Tag', added: 'Neu' })
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
