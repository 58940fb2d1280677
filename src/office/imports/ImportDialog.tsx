import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ImportKind, MAX_IMPORT_ROWS } from '~/domain/imports/columns'
import type { ImportedRows } from '~/domain/imports/importRows'
import { type ImportFault, type ImportTable, readImportTable } from '~/domain/imports/importTable'
import { translateError } from '~/src/i18n/errorTexts'
import importTexts from '~/src/i18n/locales/en/imports.json'
import { useAddedTexts } from '~/src/i18n/useAddedTexts'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button } from '~/src/ui/controls'
import { Dialog } from '~/src/ui/dialogs/Dialog'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { downloadFile } from '~/src/ui/downloadFile'
import { useFormat } from '~/src/ui/format/format'
import { CSV_TYPE, toCsv } from '~/src/ui/table/csv'
import { useOfficeSession } from '../useOfficeSession'
import { ImportPreview } from './ImportPreview'
import css from './imports.module.css'
import { createImportWriters } from './importWriters'
import { readImportFile } from './readImportFile'
import { getRejectedRows } from './rejectedRows'
import { useImportRules } from './useImportRules'
import { type ImportRun, useImportRun } from './useImportRun'
import { useSingleRun } from '~/src/ui/useSingleRun'
import type { Settings } from '~/domain/catalog/types'

/** Renders the button that chooses a file, and reads it again when the same one is chosen. */
const FileButton = ({
  label,
  busy,
  isFirst,
  onFile,
}: {
  label: string
  busy: boolean
  isFirst: boolean
  onFile: (file: File) => void
}) => {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".csv,.tsv,.txt,.xlsx"
        className="visually-hidden"
        tabIndex={-1}
        aria-hidden="true"
        aria-label={label}
        onChange={({ target }) => {
          const file = target.files?.[0]
          target.value = ''
          if (file) onFile(file)
        }}
      />
      <Button
        variant={isFirst ? 'primary' : 'outline'}
        busy={busy}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  )
}

const TemplateButtons = ({ kind, headings }: { kind: ImportKind; headings: string[] }) => {
  const { t } = useTranslation()
  const downloadXlsx = async () => {
    const { toXlsx, XLSX_TYPE } = await import('~/src/ui/table/xlsx')
    downloadFile(`${kind}.xlsx`, XLSX_TYPE, await toXlsx([headings], kind))
  }
  return (
    <div className={css.buttons}>
      <Button
        size="small"
        variant="quiet"
        onClick={() => downloadFile(`${kind}.csv`, CSV_TYPE, toCsv([headings]))}
      >
        {t('import_template_csv')}
      </Button>
      <Button size="small" variant="quiet" onClick={() => void downloadXlsx()}>
        {t('import_template_xlsx')}
      </Button>
    </div>
  )
}

const STATUSES = ['added', 'changed', 'unchanged'] as const

/** Shows how many rows are ready, or what came of them. */
const Summary = ({ table, run }: { table: ImportTable<unknown>; run: ImportRun }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const ready = table.rows.filter(({ value }) => value !== null).length
  const wrong = table.rows.length - ready
  const results = [...run.outcomes.values()]
  const count = (status: string) => results.filter((result) => result.status === status).length
  const parts =
    run.state === 'idle'
      ? [t('import_summary', { ready: format.number(ready), wrong: format.number(wrong) })]
      : [
          t('import_progress', { done: format.number(results.length), all: format.number(ready) }),
          ...STATUSES.map((status) =>
            t(`import_${status}`, { number: format.number(count(status)) }),
          ),
          t('import_refused', { number: format.number(count('refused') + wrong) }),
        ]
  return (
    <div role="status" className={css.summary}>
      {run.state === 'running' && <progress value={results.length} max={ready} />}
      <p>{parts.join(' · ')}</p>
      {table.ignored.length > 0 && (
        <p className={css.muted}>{t('import_ignored', { names: table.ignored.join(', ') })}</p>
      )}
      {run.state === 'stopped' && (
        <p role="alert">
          {run.problem && `${translateError(run.problem, t)} `}
          {t('import_stopped')}
        </p>
      )}
    </div>
  )
}

interface OpenedFile<Row> {
  table: ImportTable<Row> | null
  fault: ImportFault | null
}

/** Reads a chosen file, and keeps its rows or the reason for which it cannot be read. */
const useImportFile = <Row,>(
  createRules: () => Parameters<typeof readImportTable<Row>>[1],
  onRead: () => void,
) => {
  const [file, setFile] = useState<OpenedFile<Row>>({ table: null, fault: null })
  const { busy, run } = useSingleRun()
  const read = (chosenFile: File) =>
    run(async () => {
      const cells = await readImportFile(chosenFile)
      const table = cells.ok ? readImportTable(cells.value, createRules()) : cells
      setFile(table.ok ? { table: table.value, fault: null } : { table: null, fault: table.error })
      onRead()
    })
  return { ...file, busy, read }
}

const RunButton = ({
  run,
  ready,
  onStart,
  onStop,
  onClose,
}: {
  run: ImportRun
  ready: number
  onStart: () => void
  onStop: () => void
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (run.state === 'running') return <Button onClick={onStop}>{t('import_stop')}</Button>
  if (run.state === 'finished')
    return (
      <Button variant="primary" onClick={onClose}>
        {t('done')}
      </Button>
    )
  return (
    <Button variant="primary" disabled={ready === 0} onClick={onStart}>
      {run.state === 'stopped'
        ? t('import_continue')
        : t('import_start', { number: format.number(ready) })}
    </Button>
  )
}

/** Says what a file may contain, before one is chosen. */
const ImportIntroduction = ({
  kind,
  timezone,
  headings,
}: {
  kind: ImportKind
  timezone: string
  headings: string[]
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <p>{t('import_lead', { rows: format.number(MAX_IMPORT_ROWS) })}</p>
      {kind === 'bookings' && <p>{t('import_bookings_hint', { timezone })}</p>}
      <p className={css.muted}>{headings.join(' · ')}</p>
      <TemplateButtons kind={kind} headings={headings} />
    </>
  )
}

/** Offers the rejected rows as a file, and the choice of a file. */
const FileActions = ({
  kind,
  rejected,
  hasTable,
  busy,
  onFile,
}: {
  kind: ImportKind
  /** The rows that were not imported, below their headings. */
  rejected: (string | number)[][]
  hasTable: boolean
  busy: boolean
  onFile: (file: File) => void
}) => {
  const { t } = useTranslation()
  return (
    <>
      {rejected.length > 1 && (
        <Button onClick={() => downloadFile(`${kind}-rejected.csv`, CSV_TYPE, toCsv(rejected))}>
          {t('import_rejected')}
        </Button>
      )}
      <FileButton
        label={t(hasTable ? 'import_choose_other' : 'import_choose')}
        busy={busy}
        isFirst={!hasTable}
        onFile={onFile}
      />
    </>
  )
}

const ImportSteps = <Kind extends ImportKind>({
  kind,
  settings,
  onClose,
}: {
  kind: Kind
  settings: Settings
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { columns, getTitle, createRules, cars } = useImportRules(kind, settings)
  const writers = createImportWriters(dispatch, cars)
  const { run, start, stop, reset } = useImportRun<ImportedRows[Kind]>(writers[kind])
  const { table, fault, busy, read } = useImportFile<ImportedRows[Kind]>(createRules, reset)
  const ready = table?.rows.filter(({ value }) => value !== null).length ?? 0
  const rejected = table ? getRejectedRows(table, run.outcomes, { getTitle, t }) : []
  const headings = columns.map((column) =>
    column.isRequired ? `${getTitle(column)} *` : getTitle(column),
  )
  const isRunning = run.state === 'running'
  const actions = (
    <>
      {!isRunning && (
        <FileActions
          kind={kind}
          rejected={rejected}
          hasTable={table !== null}
          busy={busy}
          onFile={(file) => void read(file)}
        />
      )}
      {table && (
        <RunButton
          run={run}
          ready={ready}
          onStart={() => void start(table.rows)}
          onStop={stop}
          onClose={onClose}
        />
      )}
    </>
  )
  return (
    <Dialog wide title={t(`import_${kind}`)} {...(!isRunning && { onClose })} actions={actions}>
      {!table && (
        <ImportIntroduction kind={kind} timezone={settings.timezone} headings={headings} />
      )}
      {fault && <p role="alert">{t(fault.key, fault.params ?? {})}</p>}
      {table && (
        <>
          <Summary table={table} run={run} />
          <ImportPreview table={table} getTitle={getTitle} outcomes={run.outcomes} />
        </>
      )}
    </Dialog>
  )
}

/** Imports a list from a CSV or XLSX file: template, preview with errors, progress and result. */
export const ImportDialog = ({ kind, onClose }: { kind: ImportKind; onClose: () => void }) => {
  useAddedTexts(importTexts)
  const { t } = useTranslation()
  const { settings } = useOfficeSession()
  const { loading } = useLive(liveVehicleTypes)
  // Without the vehicle types every one of a file would be new, and every booking's unknown.
  if (!settings || loading)
    return (
      <Dialog wide title={t(`import_${kind}`)} onClose={onClose}>
        <SkeletonLines lines={4} />
      </Dialog>
    )
  return <ImportSteps kind={kind} settings={settings} onClose={onClose} />
}
