import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { SERVER_UID } from '~/domain/data/databasePaths'
import { formatFullName } from '~/domain/accounts/userAccounts'
import { auditEntries } from '~/src/features/audit/audit'
import { liveUsers } from '~/src/features/users/users'
import { toTimeCursor } from '~/src/services/services'
import { fetchAllRecords } from '~/src/store/allRecords'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { Button, IconButton } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { createTimeColumn } from '~/src/ui/table/timeColumn'
import { ListPage } from '~/src/office/recordPages/ListPage'
import { useQueryParam, useCursor, useTableState } from '~/src/ui/table/tableState'
import { PersonLink } from '../people/PersonLink'
import { PersonName } from '../people/PersonName'
import { useOfficeSession } from '../useOfficeSession'
import { AuditChanges, getChangedPersonIds, useChangesText } from './AuditChanges'
import { RecordName } from './RecordName'
import { RefusedCalls } from './RefusedCalls'
import { getActionTextKey, filterEntriesByPath, describeRecord } from './auditedRecords'
import type { Column } from '~/src/ui/table/tableProps'
import type { AuditEntry } from '~/domain/office/types'

type AuditRow = AuditEntry & { id: string }
const DEFAULTS = { size: 25, sort: 'at', descending: true }
/** Maximum number of entries read for one record; few records have more changes. */
const MAX_RECORD_ENTRIES = 200
const toText = (value: unknown) => (value === undefined ? '' : JSON.stringify(value))

/** Returns the record's path: `users/{id}/approved` belongs to the record `users/{id}`. */
const toRecordPath = (path: string) => path.split('/').slice(0, 2).join('/')

const getAuthorIds = ({ by }: AuditEntry): string[] => (by === SERVER_UID ? [] : [by])

/** Returns the person whose record changed, if it is one. */
const getRecordPersonIds = ({ path }: AuditEntry): string[] => {
  const [collection, id = ''] = path.split('/')
  return collection === 'users' ? [id] : []
}

/** Returns the people of an entry: its author, and the person whose record changed. */
const getPersonIds = (entry: AuditEntry): string[] => [
  ...getAuthorIds(entry),
  ...getRecordPersonIds(entry),
]

/** Returns the names of the people of some entries, by id. */
const usePersonNames = (entries: readonly AuditEntry[]): ReadonlyMap<string, string> => {
  const ids = [...new Set(entries.flatMap(getPersonIds))].sort()
  const { users: people } = useLive(liveUsers, { ids })
  return new Map(people.map((person) => [person.id, formatFullName(person)]))
}

const RecordLink = ({ path }: { path: string }) => {
  const { id, link } = describeRecord(path)
  const name = <RecordName path={path} />
  if (path.startsWith('users/')) return <PersonLink id={id}>{name}</PersonLink>
  return link ? <Link to={link}>{name}</Link> : name
}

/** Returns the columns; `onRecord` shows only the entries of a record. */
const useColumns = (onRecord: (path: string) => void): Column<AuditRow>[] => {
  const { t } = useTranslation()
  const getChangesText = useChangesText()
  return [
    createTimeColumn({ id: 'at', title: t('audit_at'), at: (row) => row.at, isOnCard: true }),
    {
      id: 'by',
      title: t('audit_by'),
      sortValue: (row) => row.by,
      exportNamed: {
        getIds: getAuthorIds,
        getText: ({ by }, names) => (by === SERVER_UID ? t('by_system') : (names.get(by) ?? by)),
      },
      cell: (row) => (
        <PersonLink id={row.by}>
          <PersonName id={row.by} />
        </PersonLink>
      ),
      isOnCard: true,
    },
    {
      id: 'action',
      title: t('audit_action'),
      sortValue: (row) => t(getActionTextKey(row.action)),
      cell: (row) => t(getActionTextKey(row.action)),
      isOnCard: true,
    },
    {
      id: 'path',
      title: t('audit_path'),
      sortValue: (row) => row.path,
      exportNamed: {
        getIds: getRecordPersonIds,
        getText: ({ path }, names) => {
          const { text, id } = describeRecord(path)
          return path.startsWith('settings') ? t(text) : `${t(text)} ${names.get(id) ?? id}`.trim()
        },
      },
      cell: (row) => <RecordLink path={row.path} />,
      isOnCard: true,
    },
    {
      id: 'changes',
      title: t('audit_changes'),
      exportNamed: { getIds: getChangedPersonIds, getText: getChangesText },
      cell: (row) => <AuditChanges entry={row} most={6} />,
    },
    {
      id: 'about',
      title: t('audit_of_record'),
      cell: (row) => (
        <IconButton label={t('audit_all')} onClick={() => onRecord(toRecordPath(row.path))}>
          <Icon name="clock" />
        </IconButton>
      ),
    },
  ]
}

/** Loads a page of the entries, or all of one record. */
const useEntries = (path: string | null) => {
  const [{ size, sort, descending }] = useTableState(DEFAULTS)
  const ascending = !path && sort === 'at' && !descending
  const cursor = useCursor()
  const { entries, ...query } = useLive(auditEntries, {
    size: path ? MAX_RECORD_ENTRIES : size + 1,
    ...(path && { path }),
    ...(cursor.before && { cursor: cursor.before }),
    ...(ascending && { ascending }),
  })
  const ordered = ascending ? [...entries].reverse() : entries
  const rows = path ? filterEntriesByPath(path, entries) : ordered.slice(0, size)
  const last = rows.at(-1)
  const paging = {
    sortedBy: { column: 'at', descending: !ascending },
    hasNext: entries.length > size,
    hasPrevious: cursor.hasPrevious,
    onNext: () => cursor.onNext(last && toTimeCursor(last.at, last.id)),
    onPrevious: cursor.onPrevious,
  }
  return { rows, query, paging: path ? null : paging }
}

/** Shows who changed what in the back office, with the values before and after. */
export const AuditPage = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { can } = useOfficeSession()
  const [path, setPath] = useQueryParam('path', 'before')
  const [{ search }] = useTableState(DEFAULTS)
  const { rows, query, paging } = useEntries(path)
  const names = usePersonNames(search.trim() === '' ? [] : rows)
  return (
    <ListPage
      id="audit"
      title={t('menu_audit')}
      query={query}
      empty={t('no_data_available')}
      lead={
        path ? (
          <div>
            <Button size="small" onClick={() => setPath(null)}>
              <RecordName path={path} /> · {t('filter_clear')}
            </Button>
          </div>
        ) : (
          <RefusedCalls />
        )
      }
      hasStableRows
      rows={rows}
      columns={useColumns(setPath)}
      defaults={DEFAULTS}
      toSearchText={(row) =>
        [
          ...[row.by, row.action, row.path, toText(row.from), toText(row.to)],
          ...[t(getActionTextKey(row.action)), t(describeRecord(row.path).text)],
          ...getPersonIds(row).map((id) => names.get(id) ?? ''),
        ].join(' ')
      }
      {...(paging && { cursorPaging: paging })}
      {...(can('table_export') && {
        exportAs: {
          name: 'audit',
          ...(!path && {
            rows: async (onProgress: (count: number) => void) =>
              (await dispatch(
                fetchAllRecords({ path: 'audit', onProgress }),
              ).unwrap()) as AuditRow[],
          }),
        },
      })}
    />
  )
}
