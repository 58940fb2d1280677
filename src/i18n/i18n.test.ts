import { expect, test } from 'vitest'
import { makeI18n } from './i18n'
import { toLanguageTag } from '~/domain/language/locales'
import { getLocalizedNames, setLanguage } from './locale'

const translate = async (locale: string, text: string) => {
  const i18n = makeI18n()
  await setLanguage(i18n, locale, { booking_title: text })
  return i18n.t('booking_title', { id: '-P6x <b>' })
}

test('isolates inserted values in a right-to-left sentence', async () => {
  expect(await translate('he', 'הזמנה {{id}}')).toBe('הזמנה \u2068-P6x <b>\u2069')
  expect(await translate('ar', 'الحجز {{id}}')).toBe('الحجز \u2068-P6x <b>\u2069')
})

test('leaves inserted values in any other sentence unchanged', async () => {
  expect(await translate('de', 'Buchung {{id}}')).toBe('Buchung -P6x <b>')
  expect(await translate('en', 'Booking {{id}}')).toBe('Booking -P6x <b>')
})

test.each([
  ['pt_BR', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['es', 'es'],
  ['Plattdüütsch', undefined],
  ['', undefined],
  [undefined, undefined],
])('converts the locale %s for services and Intl to %s', (locale, tag) => {
  expect(toLanguageTag(locale)).toBe(tag)
})

test.each([
  ['pt_BR', 'Alemanha'],
  ['de', 'Deutschland'],
  ['Plattdüütsch', 'Germany'],
])('names a country in %s', (locale, name) => {
  expect(getLocalizedNames(locale, 'region').of('DE')).toBe(name)
})
