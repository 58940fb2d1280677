import { zipSync, strToU8 } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readTime } from '~/domain/imports/cells'
import { MAX_IMPORT_BYTES } from '~/domain/imports/columns'
import { toCsv } from '~/src/ui/table/csv'
import { toXlsx } from '~/src/ui/table/xlsx'
import { readImportFile } from './readImportFile'

const toFile = (name: string, content: BlobPart) => new File([content], name)
const readCells = async (file: File) => {
  const cells = await readImportFile(file)
  if (!cells.ok) throw new Error(cells.error.key)
  return cells.value
}

describe('a CSV file', () => {
  it.each([
    ['commas and quotes', 'a,b\r\n"x, ""y""",2'],
    ['semicolons', 'a;b\n"x, ""y""";2'],
    ['tabs and a byte order mark', '\uFEFFa\tb\n"x, ""y"""\t2'],
  ])('is read with %s', async (_, text) => {
    expect(await readCells(toFile('people.csv', text))).toEqual([
      ['a', 'b'],
      ['x, "y"', '2'],
    ])
  })
  it('keeps line breaks inside quotes, texts from right to left, and formulas as texts', async () => {
    const rows = [
      ['name', 'note'],
      ['يوسف', 'line 1\nline 2'],
      ['=HYPERLINK("x")', '@cmd'],
    ]
    const [headings, ...others] = await readCells(toFile('people.csv', toCsv(rows)))
    expect(headings).toEqual(rows[0])
    expect(others[0]).toEqual(rows[1])
    // Our own files escape formulas; reading a cell removes the apostrophe.
    expect(others[1]).toEqual([`'=HYPERLINK("x")`, `'@cmd`])
  })
  it.each([
    ['Windows-1252', new Uint8Array([0x4a, 0x6f, 0x73, 0xe9, 0x2c, 0x31])],
    ['UTF-16', new Uint8Array([0xff, 0xfe, 0x4a, 0, 0x6f, 0, 0x73, 0, 0xe9, 0, 0x2c, 0, 0x31, 0])],
  ])('is read in %s', async (_, bytes) => {
    expect(await readCells(toFile('people.csv', bytes))).toEqual([['José', '1']])
  })
  it('is refused when a quote does not end', async () => {
    expect(await readImportFile(toFile('people.csv', 'a,b\n"x,2\n3,4'))).toEqual({
      ok: false,
      error: { key: 'import_unreadable' },
    })
  })
})

describe('an XLSX file', () => {
  it('is read with its numbers and texts', async () => {
    const workbook = await toXlsx(
      [
        ['Mobile number', 'Name'],
        [59_899_123_456, 'يوسف'],
      ],
      'people',
    )
    const file = toFile('people.xlsx', await workbook.arrayBuffer())
    expect(await readCells(file)).toEqual([
      ['Mobile number', 'Name'],
      [59_899_123_456, 'يوسف'],
    ])
  })
  it('has the times that its cells show', async () => {
    const { default: writeXlsxFile } = await import('write-excel-file/universal')
    const value = new Date(Date.UTC(2026, 11, 24, 18, 30))
    const workbook = await writeXlsxFile([
      [{ value, type: Date, format: 'dd/mm/yyyy hh:mm' }],
    ]).toBlob()
    const [[cell] = []] = await readCells(toFile('trips.xlsx', await workbook.arrayBuffer()))
    const at = readTime(cell ?? null, { timezone: 'America/Montevideo', locale: 'en-GB' })
    expect(at).toBe(Date.UTC(2026, 11, 24, 21, 30))
  })
  it('is refused when it is not a workbook', async () => {
    const zip = zipSync({ 'a.txt': strToU8('a') })
    const result = await readImportFile(toFile('people.xlsx', new Uint8Array(zip)))
    expect(result).toEqual({ ok: false, error: { key: 'import_unreadable' } })
  })
  it('is refused before it is unpacked when it would fill the memory', async () => {
    const bomb = zipSync({ 'xl/worksheets/sheet1.xml': new Uint8Array(60 * 1024 * 1024) })
    expect(bomb.length).toBeLessThan(MAX_IMPORT_BYTES)
    const result = await readImportFile(toFile('people.xlsx', new Uint8Array(bomb)))
    expect(result).toEqual({ ok: false, error: { key: 'import_too_large' } })
  })
})

it.each([
  ['people.xls', 'x', 'import_wrong_type'],
  ['people.pdf', 'x', 'import_wrong_type'],
  ['people.csv', 'x'.repeat(MAX_IMPORT_BYTES + 1), 'import_too_large'],
])('refuses %s', async (name, content, key) => {
  expect(await readImportFile(toFile(name, content))).toEqual({ ok: false, error: { key } })
})
