import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLanguages } from './languages'

const LOCALES = join(import.meta.dirname, '..', 'src', 'i18n', 'locales')

test('the demo offers exactly the languages for which the product has texts', () => {
  const offered = createLanguages(0).map(({ langLocale }) => langLocale)
  expect(offered.sort()).toEqual(readdirSync(LOCALES).sort())
})

test('each language specifies its number and date formats', () => {
  for (const { dateLocale } of createLanguages(0))
    expect(Intl.DateTimeFormat.supportedLocalesOf(dateLocale)).toEqual([dateLocale])
})
