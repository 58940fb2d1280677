import type { Cell } from '~/domain/imports/cells'
import { MAX_IMPORT_BYTES } from '~/domain/imports/columns'
import type { ImportFault } from '~/domain/imports/importTable'
import { err, ok, type Result } from '~/domain/api/result'

/** The largest size of an unpacked workbook: a small file can unpack to gigabytes. */
const MAX_UNPACKED_BYTES = 50 * 1024 * 1024

type FileCells = Result<Cell[][], ImportFault>
const refuse = (key: string): FileCells => err({ key })

/** Returns the text of a CSV file in UTF-8, UTF-16 or, from older spreadsheets, Windows-1252. */
const decodeText = (bytes: Uint8Array): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const readCsv = async (bytes: Uint8Array): Promise<FileCells> => {
  const { default: Papa } = await import('papaparse')
  const { data, errors } = Papa.parse<string[]>(decodeText(bytes), {
    delimitersToGuess: [',', ';', '\t', '|'],
  })
  return errors.some(({ type }) => type === 'Quotes') ? refuse('import_unreadable') : ok(data)
}

const readWorkbook = async (bytes: Uint8Array<ArrayBuffer>): Promise<FileCells> => {
  const { unzipSync } = await import('fflate')
  let size = 0
  // Sums the sizes without unpacking anything.
  unzipSync(bytes, { filter: ({ originalSize }) => ((size += originalSize), false) })
  if (size > MAX_UNPACKED_BYTES) return refuse('import_too_large')
  const { readSheet } = await import('read-excel-file/universal')
  const cells: unknown[][] = await readSheet(bytes.buffer)
  return ok(cells.map((row) => row.map(toCell)))
}

const toCell = (value: unknown): Cell =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  typeof value === 'boolean' ||
  value instanceof Date
    ? value
    : null

/** Returns the cells of a CSV or XLSX file, or the reason for which it cannot be read. */
export const readImportFile = async (file: File): Promise<FileCells> => {
  if (file.size > MAX_IMPORT_BYTES) return refuse('import_too_large')
  if (!/\.(csv|tsv|txt|xlsx)$/i.test(file.name)) return refuse('import_wrong_type')
  try {
    const bytes = new Uint8Array(await file.arrayBuffer())
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
    return isZip ? await readWorkbook(bytes) : await readCsv(bytes)
  } catch {
    return refuse('import_unreadable')
  }
}
