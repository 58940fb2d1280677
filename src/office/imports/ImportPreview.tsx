import { useTranslation } from 'react-i18next'
import type { ImportColumn } from '~/domain/imports/columns'
import type { ImportFault, ImportRow, ImportTable } from '~/domain/imports/importTable'
import { translateError } from '~/src/i18n/errorTexts'
import { type Format, useFormat } from '~/src/ui/format/format'
import css from './imports.module.css'
import type { BookedTrip, RowOutcome } from './importWriters'

/** Maximum number of rows shown; those with errors come first. */
const MAX_SHOWN = 50

const useFaultText = () => {
  const { t } = useTranslation()
  // The text of the refusal speaks of the phone number.
  return ({ key, params }: ImportFault, field: string) =>
    t(field === 'deliveryPerson' ? 'field_required' : key, params ?? {})
}

const FaultyCell = ({
  row,
  field,
  isRefused,
}: {
  row: ImportRow<unknown>
  field: string
  /** True when the server refused the row for this cell; the status has the reason. */
  isRefused: boolean
}) => {
  const getText = useFaultText()
  const fault = row.faults[field]
  return (
    <td data-wrong={isRefused || fault !== undefined || undefined}>
      <bdi>{row.texts[field] ?? ''}</bdi>
      {fault && <small>{getText(fault, field)}</small>}
    </td>
  )
}

/** Returns the faults of fields that the file has no column for. */
const getOtherFaults = (row: ImportRow<unknown>, columns: readonly ImportColumn[]) =>
  Object.entries(row.faults).filter(([name]) => !columns.some(({ field }) => field === name))

const describeBooking = ({ pickup, stops = [], drop, estimate }: BookedTrip, format: Format) =>
  `${[pickup, ...stops, drop].join(' → ')} · ${format.money(estimate)}`

/** Returns the field for which the server refused a row, if it named one. */
const getRefusedField = (outcome: RowOutcome | undefined) =>
  outcome?.status === 'refused' ? outcome.error.field : undefined

/** Shows the outcome of a row: where a booking goes and its price, or the reason of a refusal. */
const OutcomeCell = ({
  outcome,
  columns,
  getTitle,
}: {
  outcome: RowOutcome | undefined
  columns: readonly ImportColumn[]
  getTitle: (column: ImportColumn) => string
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (!outcome) return <td />
  if (outcome.status === 'refused') {
    const column = columns.find(({ field }) => field === outcome.error.field)
    return (
      <td data-wrong>
        {column && `${getTitle(column)}: `}
        {translateError(outcome.error, t)}
      </td>
    )
  }
  const { note } = outcome
  return <td>{note ? describeBooking(note, format) : t('done')}</td>
}

/** Shows a row of the file: its number, its cells, and its outcome once the import has begun. */
const PreviewRow = ({
  row,
  columns,
  getTitle,
  outcome,
  hasOutcome,
}: {
  row: ImportRow<unknown>
  columns: readonly ImportColumn[]
  getTitle: (column: ImportColumn) => string
  outcome: RowOutcome | undefined
  /** True once any row has an outcome, so that all rows have the same cells. */
  hasOutcome: boolean
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const getText = useFaultText()
  const refusedField = getRefusedField(outcome)
  return (
    <tr>
      <th scope="row">
        {format.number(row.number)}
        {getOtherFaults(row, columns).map(([field, fault]) => (
          <small key={field}>{`${t(field)}: ${getText(fault, field)}`}</small>
        ))}
      </th>
      {columns.map(({ field }) => (
        <FaultyCell key={field} row={row} field={field} isRefused={field === refusedField} />
      ))}
      {hasOutcome && <OutcomeCell outcome={outcome} columns={columns} getTitle={getTitle} />}
    </tr>
  )
}

/** Shows the rows of a file with the errors of their cells, and later their outcomes. */
export const ImportPreview = ({
  table: { columns, rows },
  getTitle,
  outcomes,
}: {
  table: ImportTable<unknown>
  getTitle: (column: ImportColumn) => string
  outcomes: ReadonlyMap<number, RowOutcome>
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const isWrong = (row: ImportRow<unknown>) =>
    row.value === null || outcomes.get(row.number)?.status === 'refused'
  const shownRows = [...rows.filter(isWrong), ...rows.filter((row) => !isWrong(row))].slice(
    0,
    MAX_SHOWN,
  )
  return (
    <>
      <div className={css.scroll} tabIndex={0} role="region" aria-label={t('import_row')}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{t('import_row')}</th>
              {columns.map((column) => (
                <th key={column.field} scope="col">
                  {getTitle(column)}
                </th>
              ))}
              {outcomes.size > 0 && <th scope="col">{t('status')}</th>}
            </tr>
          </thead>
          <tbody>
            {shownRows.map((row) => (
              <PreviewRow
                key={row.number}
                row={row}
                columns={columns}
                getTitle={getTitle}
                outcome={outcomes.get(row.number)}
                hasOutcome={outcomes.size > 0}
              />
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > MAX_SHOWN && (
        <p className={css.muted}>{t('import_more_rows', { number: format.number(MAX_SHOWN) })}</p>
      )}
    </>
  )
}
