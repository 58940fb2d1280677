import { expect, test } from 'vitest'
import { makeI18n } from './i18n'
import { namesIn, speak, tagOf } from './speak'

const spoken = async (locale: string, text: string) => {
  const i18n = makeI18n()
  await speak(i18n, locale, { booking_title: text })
  return i18n.t('booking_title', { id: '-P6x <b>' })
}

test('what is put into a sentence written from the right is held together', async () => {
  expect(await spoken('he', 'הזמנה {{id}}')).toBe('הזמנה \u2068-P6x <b>\u2069')
  expect(await spoken('ar', 'الحجز {{id}}')).toBe('الحجز \u2068-P6x <b>\u2069')
})

test('what is put into any other sentence stays as it is', async () => {
  expect(await spoken('de', 'Buchung {{id}}')).toBe('Buchung -P6x <b>')
  expect(await spoken('en', 'Booking {{id}}')).toBe('Booking -P6x <b>')
})

test.each([
  ['pt_BR', 'pt-BR'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['es', 'es'],
  ['Plattdüütsch', undefined],
  ['', undefined],
  [undefined, undefined],
])('of the locale %s services and Intl are told %s', (locale, tag) => {
  expect(tagOf(locale)).toBe(tag)
})

test.each([
  ['pt_BR', 'Alemanha'],
  ['de', 'Deutschland'],
  ['Plattdüütsch', 'Germany'],
])('a country has its name in %s', (locale, name) => {
  expect(namesIn(locale, 'region').of('DE')).toBe(name)
})
