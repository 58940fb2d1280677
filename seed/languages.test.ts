import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languages } from './languages'

const LOCALES = join(import.meta.dirname, '..', 'src', 'i18n', 'locales')

test('the demo offers exactly the languages the product has texts in', () => {
  const offered = languages(0, {}).map(({ langLocale }) => langLocale)
  expect(offered.sort()).toEqual(readdirSync(LOCALES).sort())
})

test('each language knows how to write its numbers and dates', () => {
  for (const { dateLocale } of languages(0, {}))
    expect(Intl.DateTimeFormat.supportedLocalesOf(dateLocale)).toEqual([dateLocale])
})
