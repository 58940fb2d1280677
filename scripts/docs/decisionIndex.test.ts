import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from '../local/build'

const FOLDER = join(ROOT, 'docs/decisions')
const index = readFileSync(join(FOLDER, 'README.md'), 'utf8')
const records = readdirSync(FOLDER).filter((file) => /^\d{3}-.*\.md$/.test(file))
/** The cells of each row of the index: record, sentence, decision, status. */
const rows = [...index.matchAll(/^\| (\[\d{3}\].*) \|$/gm)].map(([, row = '']) => row.split(' | '))

test('lists each decision record once, under its number', () => {
  const links = rows.map(([link]) => link).toSorted()
  expect(links).toEqual(records.map((file) => `[${file.slice(0, 3)}](${file})`).toSorted())
})

test('gives each decision record a sentence, a decision and a status', () => {
  expect(rows.filter((cells) => cells.length !== 4 || cells.includes(''))).toEqual([])
})

test('explains each number without a decision record', () => {
  const used = records.map((file) => Number(file.slice(0, 3)))
  const missing = Array.from({ length: Math.max(...used) }, (_, place) => place + 1)
    .filter((number) => !used.includes(number))
    .map((number) => String(number).padStart(3, '0'))
  const [explanation = ''] = /^The numbers .* were skipped:/m.exec(index) ?? []
  expect(explanation.match(/\d{3}/g) ?? []).toEqual(missing)
})

test.each(records)('%s has its number, a date and a status', (file) => {
  const text = readFileSync(join(FOLDER, file), 'utf8')
  expect(text.startsWith(`# ${file.slice(0, 3)}. `)).toBe(true)
  expect(text).toMatch(/^Date: \d{4}-\d{2}-\d{2}.*\. Status: accepted/m)
})
