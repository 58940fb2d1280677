import { expect, test } from 'vitest'
import { makeI18n } from './i18n'
import { causeOf, reasonOf } from './reasons'

const { t } = makeI18n()

test('the system’s reasons and causes are told in words', () => {
  expect(reasonOf('no_driver', t)).toBe('No driver was found.')
  expect(causeOf('paid_cash', t)).toBe('Paid in cash')
  expect(causeOf('no_driver', t)).toBe('No driver was found.')
})

test.each([
  'Too late: see $t(menu_home)',
  '{{name}} is ill',
  'menu_home',
  '<b>no</b>',
  '$t($t(t))',
])('a person’s words stay as they are: %s', (words) => {
  expect(reasonOf(words, t)).toBe(words)
  expect(causeOf(words, t)).toBe(words)
  expect(t('push_cancelled_msg', { reason: reasonOf(words, t) })).toContain(words)
})
