import type { TFunction } from 'i18next'
import type { ImportColumn } from '~/domain/imports/columns'
import type { ImportRow, ImportTable } from '~/domain/imports/importTable'
import { translateError } from '~/src/i18n/errorTexts'
import type { RowOutcome } from './importWriters'

/**
 * Returns why a row was not imported, each reason with the heading of its column; undefined for a
 * row that was imported, or that may still be.
 */
const getReason = (
  row: ImportRow<unknown>,
  outcome: RowOutcome | undefined,
  getHeading: (field: string | undefined) => string,
  t: TFunction,
): string | undefined => {
  if (outcome?.status === 'refused')
    return `${getHeading(outcome.error.field)}${translateError(outcome.error, t)}`
  const faults = Object.entries(row.faults).map(
    ([field, { key, params }]) => `${getHeading(field)}${t(key, params ?? {})}`,
  )
  return faults.length > 0 ? faults.join(' ') : undefined
}

/** Returns the rows not imported with their reasons, as the cells of a file to correct. */
export const getRejectedRows = (
  { columns, rows }: ImportTable<unknown>,
  outcomes: ReadonlyMap<number, RowOutcome>,
  { getTitle, t }: { getTitle: (column: ImportColumn) => string; t: TFunction },
): (string | number)[][] => {
  const getHeading = (field: string | undefined) => {
    const column = columns.find((one) => one.field === field)
    return column ? `${getTitle(column)}: ` : ''
  }
  const rejected = rows.flatMap((row) => {
    const reason = getReason(row, outcomes.get(row.number), getHeading, t)
    if (reason === undefined) return []
    return [[row.number, ...columns.map(({ field }) => row.texts[field] ?? ''), reason]]
  })
  return [[t('import_row'), ...columns.map(getTitle), t('import_error')], ...rejected]
}
