import { expect, test } from 'vitest'
import { makeI18n } from './i18n'

test.each(['$t(secret)', '{{secret}}', '$t(a, {"name": "x"})', '{{- secret}}', '$t(hello)'])(
  'a person who is called %s is called so in a sentence, too',
  (name) => {
    const i18n = makeI18n()
    i18n.addResourceBundle('en', 'translation', { hello: 'Hello {{name}}!', secret: 'told' })
    expect(i18n.t('hello', { name, secret: 'told' })).toBe(`Hello ${name}!`)
  },
)

test('texts that name each other in a circle end', () => {
  const i18n = makeI18n()
  i18n.addResourceBundle('en', 'translation', { circle: 'again $t(circle)' })
  expect(i18n.t('circle')).toMatch(/^again/)
})
