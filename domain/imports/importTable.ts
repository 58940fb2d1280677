import { err, ok, type Result } from '../api/result'
import {
  type Cell,
  type CellContext,
  findVehicleType,
  readFeeType,
  readNumber,
  readPhone,
  readText,
  readTime,
  toComparable,
} from './cells'
import { type ImportColumn, MAX_IMPORT_ROWS, READING_MESSAGES } from './columns'

/** A message, as the key and the parameters of its text. */
export interface ImportFault {
  key: string
  params?: Record<string, string | number>
}

/** One row of a file: its cells as they are written, and its value or the faults of its cells. */
export interface ImportRow<Value> {
  /** The number of the row in the file; the first row is 1. */
  number: number
  /** The text of each cell, by field. */
  texts: Record<string, string>
  /** The fault of a cell, by field. */
  faults: Record<string, ImportFault>
  /** Null when a cell has a fault. */
  value: Value | null
}

export interface ImportTable<Value> {
  /** The columns that the file has. */
  columns: ImportColumn[]
  rows: ImportRow<Value>[]
  /** Headings that name no column; their cells are not imported. */
  ignored: string[]
}

/** Checks the cells of a row together, and returns its value or the faults by field. */
export type RowCheck<Value> = (
  row: Record<string, unknown>,
) => Result<Value, Record<string, ImportFault>>

export interface ImportRules<Value> {
  columns: readonly ImportColumn[]
  /** Returns the headings that name a column, in the languages that the office may use. */
  getTitles: (column: ImportColumn) => readonly string[]
  context: CellContext
  check: RowCheck<Value>
  /** Returns the values that two rows may not share, by field. */
  getKeys: (value: Value) => Record<string, string>
}

/** Returns a heading for comparison, without its unit and the mark of required fields. */
const toHeading = (text: string): string =>
  toComparable(text.replace(/\*+$/, '').replace(/\s*[([][^)\]]*[)\]]\s*$/, ''))

/** Returns the column of each heading; null for a heading that names none. */
const matchHeadings = (
  headings: readonly Cell[],
  { columns, getTitles }: Pick<ImportRules<unknown>, 'columns' | 'getTitles'>,
): Result<(ImportColumn | null)[], ImportFault> => {
  const matches = headings.map((heading) => {
    const name = toHeading(readText(heading))
    return (
      columns.find((column) =>
        [column.field, ...getTitles(column)].some((title) => toHeading(title) === name),
      ) ?? null
    )
  })
  const nameOf = (column: ImportColumn) => getTitles(column)[0] ?? column.field
  const double = matches.find((column, at) => column && matches.indexOf(column) !== at)
  if (double) return err({ key: 'import_double_column', params: { name: nameOf(double) } })
  const missing = columns.filter((column) => column.isRequired && !matches.includes(column))
  if (missing.length > 0)
    return err({ key: 'import_missing_column', params: { name: missing.map(nameOf).join(', ') } })
  return ok(matches)
}

/** Returns the value of a cell; undefined for one that cannot be read. */
const readCell = (cell: Cell, column: ImportColumn, context: CellContext): unknown => {
  switch (column.reading) {
    case 'text':
      return readText(cell)
    case 'phone':
      return readPhone(cell, context) ?? undefined
    case 'number': {
      const number = readNumber(cell, context)
      return typeof number === 'number' ? number : undefined
    }
    case 'time':
      return readTime(cell, context) ?? undefined
    case 'carType':
      return findVehicleType(readText(cell), context.vehicleTypes)?.id
    case 'feeType':
      return readFeeType(cell, context)
  }
}

const readRow = <Value>(
  cells: readonly Cell[],
  number: number,
  matches: readonly (ImportColumn | null)[],
  { context, check }: Pick<ImportRules<Value>, 'context' | 'check'>,
): ImportRow<Value> => {
  const texts: Record<string, string> = {}
  const faults: Record<string, ImportFault> = {}
  const values: Record<string, unknown> = {}
  matches.forEach((column, at) => {
    if (!column) return
    const cell = cells[at] ?? null
    const { field, reading, isRequired } = column
    const text = readText(cell)
    texts[field] = text
    if (text === '') {
      if (isRequired) faults[field] = { key: 'field_required' }
      return
    }
    const value = readCell(cell, column, context)
    if (value === undefined) faults[field] = { key: READING_MESSAGES[reading] }
    else values[field] = value
  })
  const checked = check(values)
  const all = checked.ok ? faults : { ...checked.error, ...faults }
  return {
    number,
    texts,
    faults: all,
    value: checked.ok && Object.keys(all).length === 0 ? checked.value : null,
  }
}

const isEmptyRow = (cells: readonly Cell[]): boolean => cells.every((cell) => readText(cell) === '')

/** Marks the rows that repeat what an earlier row has. */
const refuseDuplicates = <Value>(
  rows: readonly ImportRow<Value>[],
  getKeys: ImportRules<Value>['getKeys'],
): ImportRow<Value>[] => {
  const first = new Map<string, number>()
  return rows.map((row) => {
    if (!row.value) return row
    const keys = Object.entries(getKeys(row.value)).map(([field, key]) => ({
      field,
      id: `${field} ${key}`,
    }))
    const faults = Object.fromEntries(
      keys.flatMap(({ field, id }) => {
        const earlier = first.get(id)
        return earlier === undefined
          ? []
          : [[field, { key: 'import_duplicate', params: { row: earlier } }]]
      }),
    )
    if (Object.keys(faults).length > 0) return { ...row, faults, value: null }
    for (const { id } of keys) first.set(id, row.number)
    return row
  })
}

/**
 * Reads the rows of a file. The first row that is not empty has the headings. A row with a fault
 * has no value; the other rows can be imported without it.
 */
export const readImportTable = <Value>(
  cells: readonly (readonly Cell[])[],
  rules: ImportRules<Value>,
): Result<ImportTable<Value>, ImportFault> => {
  const start = cells.findIndex((row) => !isEmptyRow(row))
  const headings = cells[start]
  if (!headings) return err({ key: 'import_empty' })
  const matches = matchHeadings(headings, rules)
  if (!matches.ok) return matches
  const numbered = cells
    .map((row, at) => ({ row, number: at + 1 }))
    .slice(start + 1)
    .filter(({ row }) => !isEmptyRow(row))
  if (numbered.length === 0) return err({ key: 'import_empty' })
  if (numbered.length > MAX_IMPORT_ROWS)
    return err({ key: 'import_too_many_rows', params: { most: MAX_IMPORT_ROWS } })
  const rows = numbered.map(({ row, number }) => readRow(row, number, matches.value, rules))
  return ok({
    columns: matches.value.filter((column) => column !== null),
    rows: refuseDuplicates(rows, rules.getKeys),
    ignored: headings
      .filter((heading, at) => matches.value[at] === null && readText(heading) !== '')
      .map(readText),
  })
}
