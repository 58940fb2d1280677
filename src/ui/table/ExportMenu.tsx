import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatZonedIso } from '~/domain/language/zonedTime'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { downloadFile } from '~/src/ui/downloadFile'
import { CSV_TYPE, toCsv } from './csv'
import css from './DataTable.module.css'
import { ToolMenu } from './ToolMenu'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { Column, DataTableProps } from '~/src/ui/table/tableProps'

type Names = ReadonlyMap<string, string>

/** Returns the exported value of a cell. */
const toExportedCell = <Row,>(
  { exportNamed, exportTime, exportValue, sortValue }: Column<Row>,
  row: Row,
  { timezone, names }: { timezone: string; names: Names },
): string | number => {
  if (exportNamed) return exportNamed.getText(row, names)
  const time = exportTime?.(row)
  if (exportTime) return time === undefined ? '' : formatZonedIso(time, timezone)
  return (exportValue ?? sortValue)?.(row) ?? ''
}

const readAllNames = async <Row extends { id: string }>(
  readNames: NonNullable<DataTableProps<Row>['exportAs']>['readNames'],
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): Promise<Names> => {
  const ids = new Set(
    columns.flatMap(({ exportNamed }) => (exportNamed ? rows.flatMap(exportNamed.getIds) : [])),
  )
  return readNames && ids.size > 0 ? readNames([...ids]) : new Map()
}

type ExportKind = 'csv' | 'xlsx' | 'pdf'

/** Returns the titles and the rows as they are exported. */
const toCells = async <Row extends { id: string }>(
  columns: Column<Row>[],
  rows: Row[],
  readNames: NonNullable<DataTableProps<Row>['exportAs']>['readNames'],
  timezone: string,
) => {
  const exported = columns.filter(
    ({ exportNamed, exportTime, exportValue, sortValue }) =>
      exportNamed ?? exportTime ?? exportValue ?? sortValue,
  )
  const context = { timezone, names: await readAllNames(readNames, exported, rows) }
  return [
    exported.map(({ title, unit }) => (unit ? `${title} (${unit})` : title)),
    ...rows.map((row) => exported.map((column) => toExportedCell(column, row, context))),
  ]
}

const writeFile = async (
  kind: ExportKind,
  cells: Awaited<ReturnType<typeof toCells>>,
  { name, title }: { name: string; title: string },
) => {
  if (kind === 'csv') downloadFile(`${name}.csv`, CSV_TYPE, toCsv(cells))
  else if (kind === 'xlsx') {
    const { toXlsx, XLSX_TYPE } = await import('./xlsx')
    downloadFile(`${name}.xlsx`, XLSX_TYPE, await toXlsx(cells, name))
  } else {
    const { printTable } = await import('./printTable')
    printTable(cells, title)
  }
}

/** Exports all matching rows as a file and shows the progress of loading them. */
export const ExportMenu = <Row extends { id: string }>({
  exportAs: { name, rows: load, readNames, onError },
  title,
  columns,
  matching,
  rows,
}: {
  exportAs: NonNullable<DataTableProps<Row>['exportAs']>
  /** The translated title. */
  title: string
  columns: Column<Row>[]
  rows: Row[]
  /** Returns the rows that match the search. */
  matching: (rows: Row[]) => Row[]
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { busy: isWriting, run } = useSingleRun()
  const [written, setWritten] = useState<ExportKind | null>(null)
  const busy = isWriting ? written : null
  const [count, setCount] = useState(0)
  const write = async (kind: ExportKind) => {
    setWritten(kind)
    setCount(0)
    try {
      const all = matching(load ? await load(setCount) : rows)
      const cells = await toCells(columns, all, readNames, format.timezone ?? 'UTC')
      await writeFile(kind, cells, { name, title })
    } catch (error) {
      onError?.(error)
    }
  }
  const kinds: { kind: ExportKind; label: string }[] = [
    { kind: 'csv', label: t('export_csv') },
    { kind: 'xlsx', label: t('export_xlsx') },
    { kind: 'pdf', label: t('export_pdf') },
  ]
  return (
    <ToolMenu icon="download" label={t('export')}>
      {kinds.map(({ kind, label }) => (
        <Button
          key={kind}
          size="small"
          variant="quiet"
          busy={busy === kind}
          disabled={busy !== null && busy !== kind}
          onClick={() => void run(() => write(kind))}
        >
          {label}
        </Button>
      ))}
      <span role="status" className={css.progress}>
        {busy && load && t('export_progress', { number: format.number(count) })}
      </span>
    </ToolMenu>
  )
}
