import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const SOURCE = join(import.meta.dirname, '..')
const LOCALES = join(import.meta.dirname, 'locales')
/** The keys of headings: `title: t('key')`, and `makeColumn('id', t('key')` with any name. */
const HEADING = /\btitle: (?:\w+\.)?t\('(\w+)'\)|\b\w+\(\s*'\w+',\s*t\('(\w+)'\)/g

/** The office adds columns to those that all lists of bookings have. */
const PARTS_OF_A_TABLE = /^(office|features)\/bookings\/\w*ookingColumns\.tsx$/

/** The heading keys of each file that defines the columns of a table. */
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
  .map((file) => ({ file, code: readFileSync(join(SOURCE, file), 'utf8') }))
  .filter(({ code }) => code.includes('Column<'))
  .map(({ file, code }) => {
    const keys = [...code.matchAll(HEADING)].map(([, own, made]) => own ?? made ?? '')
    return { file, keys: [...new Set(keys)] }
  })
const bookingParts = files.filter(({ file }) => PARTS_OF_A_TABLE.test(file))
const tables = [
  ...files.filter(({ file }) => !PARTS_OF_A_TABLE.test(file)),
  {
    file: bookingParts.map(({ file }) => file).join(' and '),
    keys: [...new Set(bookingParts.flatMap(({ keys }) => keys))],
  },
].filter(({ keys }) => keys.length > 1)

const readTexts = (locale: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(join(LOCALES, locale)).flatMap((file) =>
      Object.entries(
        JSON.parse(readFileSync(join(LOCALES, locale, file), 'utf8')) as Record<string, string>,
      ),
    ),
  )

test('finds the columns of the tables', () => {
  expect(tables.length).toBeGreaterThan(8)
  expect(bookingParts).toHaveLength(2)
  const report = tables.find(({ file }) => file.endsWith('EarningsReportsPage.tsx'))
  expect(report?.keys).toEqual(expect.arrayContaining(['trip_cost', 'ride_cost']))
})

test.each(readdirSync(LOCALES))('no two columns of a table have one heading in %s', (locale) => {
  const texts = readTexts(locale)
  const shared = tables.flatMap(({ file, keys }) =>
    keys.flatMap((key, index) => {
      const twin = keys.slice(0, index).find((other) => texts[other] === texts[key])
      return twin === undefined ? [] : [`${file}: ${twin} and ${key} are both “${texts[key]}”`]
    }),
  )
  expect(shared).toEqual([])
})
