import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { AuditEntry } from '~/domain/entities'
import { audit } from '~/src/features/audit/audit'
import { fetchWhole } from '~/src/store/fetchWhole'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { Button } from '~/src/ui/controls'
import { Ago } from '~/src/ui/office/Ago'
import type { Column } from '~/src/ui/office/DataTable'
import { ListPage } from '~/src/ui/office/ListPage'
import { useAddress, useCursor, useTableState } from '~/src/ui/office/tableState'
import { PersonName } from '../people/PersonName'
import { useOffice } from '../useOffice'
import { Changes } from './Changes'
import { actionText, entriesOf, recordOf } from './records'

type Entry = AuditEntry & { id: string }
/** One record is seldom changed oftener. */
const OF_ONE = 200
const written = (value: unknown) => (value === undefined ? '' : JSON.stringify(value))

/** `users/{id}/approved` belongs to the record `users/{id}`. */
const recordPath = (path: string) => path.split('/').slice(0, 2).join('/')

const Record = ({ path }: { path: string }) => {
  const { t } = useTranslation()
  const { text, id, to } = recordOf(path)
  const name = (
    <span title={path}>
      {t(text)} <bdi dir="ltr">{id}</bdi>
    </span>
  )
  return to ? <Link to={to}>{name}</Link> : name
}

/** Who changed what in the back office, from what to what. */
export const AuditPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { may } = useOffice()
  const [path, setPath] = useAddress('path', 'before')
  const [{ size }] = useTableState({ size: 25 })
  const cursor = useCursor()
  const { entries, ...look } = useLive(audit, {
    size: path ? OF_ONE : size + 1,
    ...(path && { path }),
    ...(cursor.before && { before: cursor.before }),
  })
  const rows = path ? entriesOf(path, entries) : entries.slice(0, size)
  const last = rows.at(-1)
  const columns: Column<Entry>[] = [
    {
      id: 'at',
      title: t('audit_at'),
      sort: (row) => row.at,
      main: true,
      text: (row) => new Date(row.at).toISOString(),
      cell: (row) => <Ago at={row.at} />,
    },
    {
      id: 'by',
      title: t('audit_by'),
      sort: (row) => row.by,
      cell: (row) => <PersonName id={row.by} />,
      main: true,
    },
    {
      id: 'action',
      title: t('audit_action'),
      sort: (row) => row.action,
      cell: (row) => t(actionText(row.action)),
      main: true,
    },
    {
      id: 'path',
      title: t('audit_path'),
      sort: (row) => row.path,
      cell: (row) => <Record path={row.path} />,
      main: true,
    },
    {
      id: 'changes',
      title: t('audit_changes'),
      text: ({ from, to }) => `${written(from)} → ${written(to)}`,
      cell: (row) => <Changes entry={row} most={6} />,
    },
    {
      id: 'about',
      title: t('audit_of_record'),
      cell: (row) => (
        <Button size="small" look="quiet" onClick={() => setPath(recordPath(row.path))}>
          {t('audit_all')}
        </Button>
      ),
    },
  ]
  return (
    <ListPage
      id="audit"
      title={t('menu_audit')}
      look={look}
      empty={t('no_data_available')}
      lead={
        path && (
          <div>
            <Button size="small" onClick={() => setPath(null)}>
              <bdi>{path}</bdi> · {t('filter_clear')}
            </Button>
          </div>
        )
      }
      steady
      rows={rows}
      columns={columns}
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
      {...(may('table_export') && {
        exportAs: {
          name: 'audit',
          ...(!path && {
            rows: async (onProgress: (count: number) => void) =>
              (await dispatch(fetchWhole({ path: 'audit', onProgress })).unwrap()) as Entry[],
          }),
        },
      })}
    />
  )
}
