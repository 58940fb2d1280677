import { expect, test } from 'vitest'
import { makeI18n } from './i18n'

test.each(['$t(secret)', '{{secret}}', '$t(a, {"name": "x"})', '{{- secret}}', '$t(hello)'])(
  'inserts the name %s into a sentence unchanged',
  (name) => {
    const i18n = makeI18n()
    i18n.addResourceBundle('en', 'translation', { hello: 'Hello {{name}}!', secret: 'told' })
    expect(i18n.t('hello', { name, secret: 'told' })).toBe(`Hello ${name}!`)
  },
)

test('ends texts that refer to each other in a circle', () => {
  const i18n = makeI18n()
  i18n.addResourceBundle('en', 'translation', { circle: 'again $t(circle)' })
  expect(i18n.t('circle')).toMatch(/^again/)
})
