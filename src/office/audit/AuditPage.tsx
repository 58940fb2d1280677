import { useTranslation } from 'react-i18next'
import type { AuditEntry } from '~/domain/entities'
import { SERVER_UID } from '~/domain/paths'
import { audit } from '~/src/features/audit/audit'
import { useLive } from '~/src/store/liveSlice'
import { Button } from '~/src/ui/controls'
import { DateTime } from '~/src/ui/format'
import { type Column, DataTable } from '~/src/ui/office/DataTable'
import pages from '~/src/ui/office/pages.module.css'
import { useAddress, useCursor, useTableState } from '~/src/ui/office/tableState'
import { useOffice } from '../useOffice'

type Entry = AuditEntry & { id: string }
/** One record is seldom changed oftener. */
const OF_ONE = 200
const written = (value: unknown) => (value === undefined ? '' : JSON.stringify(value))

/** Who changed what in the back office, from what to what. */
export const AuditPage = () => {
  const { t } = useTranslation()
  const { may } = useOffice()
  const [path, setPath] = useAddress('path', 'before')
  const [{ size }] = useTableState({ size: 25 })
  const cursor = useCursor()
  const { entries, loading, error } = useLive(audit, {
    size: path ? OF_ONE : size + 1,
    ...(path && { path }),
    ...(cursor.before && { before: cursor.before }),
  })
  const rows = path ? entries : entries.slice(0, size)
  const last = rows.at(-1)
  const text = (id: string, title: string, value: (row: Entry) => string): Column<Entry> => ({
    id,
    title,
    cell: (row) => <bdi title={value(row)}>{value(row)}</bdi>,
    sort: value,
  })
  const columns: Column<Entry>[] = [
    {
      id: 'at',
      title: t('audit_at'),
      sort: (row) => row.at,
      text: (row) => new Date(row.at).toISOString(),
      cell: (row) => <DateTime at={row.at} />,
    },
    text('by', t('audit_by'), ({ by }) => (by === SERVER_UID ? t('by_system') : by)),
    text('action', t('audit_action'), ({ action }) => action),
    text('path', t('audit_path'), (row) => row.path),
    text('from', t('audit_before'), ({ from }) => written(from)),
    text('to', t('audit_after'), ({ to }) => written(to)),
  ]
  return (
    <div className={pages.page}>
      <h1>{t('menu_audit')}</h1>
      {path && (
        <div>
          <Button size="small" onClick={() => setPath(null)}>
            <bdi>{path}</bdi> · {t('filter_clear')}
          </Button>
        </div>
      )}
      <DataTable
        id="audit"
        label={t('menu_audit')}
        rows={rows}
        columns={columns}
        loading={loading}
        error={error.flag ? t(error.msg ?? '') : null}
        defaults={{ size: 25 }}
        search={(row) =>
          `${row.by} ${row.action} ${row.path} ${written(row.from)} ${written(row.to)}`
        }
        {...(!path && {
          remote: {
            hasNext: entries.length > size,
            hasPrevious: cursor.hasPrevious,
            onNext: () => cursor.onNext(last && `${last.at}.${last.id}`),
            onPrevious: cursor.onPrevious,
          },
        })}
        {...(may('table_export') && { exportAs: { name: 'audit' } })}
      />
    </div>
  )
}
