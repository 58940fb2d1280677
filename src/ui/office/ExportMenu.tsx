import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls'
import { useFormat } from '../format'
import { saveFile } from '../saveFile'
import { CSV, toCsv } from './csv'
import type { Column, DataTableProps } from './DataTable'
import css from './DataTable.module.css'
import { ToolMenu } from './ToolMenu'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
type Kind = 'csv' | 'xlsx' | 'pdf'

/** Everything that matches, as a file; says how far it is while it is fetched. */
export const ExportMenu = <Row extends { id: string }>({
  exportAs: { name, rows: load, onError },
  title,
  columns,
  matching,
  rows,
}: {
  exportAs: NonNullable<DataTableProps<Row>['exportAs']>
  /** Already translated. */
  title: string
  columns: Column<Row>[]
  rows: Row[]
  /** What of all rows the search leaves. */
  matching: (rows: Row[]) => Row[]
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [busy, setBusy] = useState<Kind | null>(null)
  const [count, setCount] = useState(0)
  const write = async (kind: Kind) => {
    setBusy(kind)
    setCount(0)
    try {
      const written = columns.filter(({ text, sort }) => text ?? sort)
      const all = matching(load ? await load(setCount) : rows)
      const cells = [
        written.map((column) => column.title),
        ...all.map((row) => written.map(({ text, sort }) => (text ?? sort)?.(row) ?? '')),
      ]
      if (kind === 'csv') saveFile(`${name}.csv`, CSV, toCsv(cells))
      else if (kind === 'xlsx') {
        const { toXlsx } = await import('./xlsx')
        saveFile(`${name}.xlsx`, XLSX, await toXlsx(cells, name))
      } else {
        const { printTable } = await import('./printTable')
        printTable(cells, title)
      }
    } catch (error) {
      onError?.(error)
    } finally {
      setBusy(null)
    }
  }
  const kinds: { kind: Kind; label: string }[] = [
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
          look="quiet"
          busy={busy === kind}
          disabled={busy !== null && busy !== kind}
          onClick={() => void write(kind)}
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
