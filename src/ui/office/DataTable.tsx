import MaterialTable, { type Column as TableColumn } from '@material-table/core'
import { type ReactNode, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, SelectInput, TextInput } from '../controls'
import { Icon } from '../Icon'
import { EmptyState, ErrorState, SkeletonLines } from '../states'
import css from './DataTable.module.css'
import { type TableState, pageOf, useTableState } from './tableState'

/** A column as plain data. */
export interface Column<Row> {
  /** Its name in the address and in a saved view. */
  id: string
  /** Already translated. */
  title: string
  cell: (row: Row) => ReactNode
  /** Present: the column can be sorted, by this. */
  sort?: (row: Row) => string | number
  align?: 'end'
}

export interface DataTableProps<Row extends { id: string }> {
  /** What the rows are, for screen readers. */
  label: string
  rows: Row[]
  columns: Column<Row>[]
  loading?: boolean
  /** Already translated. */
  error?: string | null | undefined
  onRetry?: () => void
  /** The text a search looks in; absent: no search field. */
  search?: (row: Row) => string
  /** Buttons at the end of a row. */
  actions?: (row: Row) => ReactNode
  /** Beside the search field: filters, an add button. */
  toolbar?: ReactNode
  empty?: ReactNode
  /** The caller pages by itself (an endless list): rows are one page already. */
  remote?: { hasNext: boolean; onNext: () => void; hasPrevious: boolean; onPrevious: () => void }
  defaults?: Partial<TableState>
}

const SIZES = [10, 25, 50, 100]
const NARROW = '(max-width: 700px)'
const useNarrow = () =>
  useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia?.(NARROW)
      query?.addEventListener('change', onChange)
      return () => query?.removeEventListener('change', onChange)
    },
    () => window.matchMedia?.(NARROW).matches ?? false,
  )

const Cards = <Row extends { id: string }>({
  rows,
  columns,
  actions,
  label,
}: DataTableProps<Row>) => (
  <ul role="list" aria-label={label} className={css.cards}>
    {rows.map((row) => (
      <li key={row.id} className={css.card}>
        <dl>
          {columns.map((column) => (
            <div key={column.id}>
              <dt>{column.title}</dt>
              <dd>{column.cell(row)}</dd>
            </div>
          ))}
        </dl>
        {actions && <div className={css.cardActions}>{actions(row)}</div>}
      </li>
    ))}
  </ul>
)

const Wide = <Row extends { id: string }>({
  rows,
  columns,
  actions,
  label,
  state,
  onState,
}: DataTableProps<Row> & {
  state: TableState
  onState: (changes: Partial<TableState>) => void
}) => {
  const { t } = useTranslation()
  const header = (column: Column<Row>) => {
    if (!column.sort) return column.title
    const sorted = state.sort === column.id
    return (
      <button
        type="button"
        className={css.sort}
        aria-label={t('sort_by', { column: column.title })}
        aria-pressed={sorted}
        onClick={() => onState({ sort: column.id, descending: sorted && !state.descending })}
      >
        {column.title}
        <span aria-hidden="true">{sorted ? (state.descending ? '↓' : '↑') : ''}</span>
      </button>
    )
  }
  const align = (column: Column<Row>) => ({
    textAlign: column.align === 'end' ? ('end' as const) : ('start' as const),
  })
  const shown: TableColumn<Row>[] = columns.map((column) => ({
    title: header(column) as unknown as string,
    field: column.id as TableColumn<Row>['field'] & string,
    render: (row: Row) => column.cell(row),
    cellStyle: align(column),
    headerStyle: { ...align(column), whiteSpace: 'nowrap' },
    sorting: false,
  })) as TableColumn<Row>[]
  if (actions)
    shown.push({
      title: t('actions'),
      render: actions,
      sorting: false,
      cellStyle: { textAlign: 'end', whiteSpace: 'nowrap' },
      headerStyle: { textAlign: 'end' },
    })
  return (
    <div className={css.wide} role="region" aria-label={label} tabIndex={0}>
      {/* One page at a time and nothing of its own paging, search or order: it redraws wholly at each change of its rows. */}
      <MaterialTable
        columns={shown}
        data={rows}
        options={{
          paging: false,
          search: false,
          toolbar: false,
          sorting: false,
          draggable: false,
          padding: 'dense',
          showTitle: false,
        }}
        components={{ Container: Plain, OverlayLoading: Nothing }}
        style={{ background: 'none' }}
      />
    </div>
  )
}
const Plain = ({ children }: { children?: ReactNode }) => <div>{children}</div>
const Nothing = () => null

/** A list of rows: a table where there is room, cards on a phone; page, search and order live in the address. */
export const DataTable = <Row extends { id: string }>(props: DataTableProps<Row>) => {
  const { t } = useTranslation()
  const {
    rows,
    columns,
    loading,
    error,
    onRetry,
    search,
    toolbar,
    empty,
    remote,
    label,
    defaults,
  } = props
  const [state, setState] = useTableState(defaults)
  const narrow = useNarrow()
  const seen = remote
    ? { ...pageOf(rows, columns, { ...state, page: 0, size: rows.length || 1 }, search) }
    : pageOf(rows, columns, state, search)
  const first = seen.page * state.size
  const hasNext = remote ? remote.hasNext : first + state.size < seen.total
  const hasPrevious = remote ? remote.hasPrevious : seen.page > 0
  const next = remote ? remote.onNext : () => setState({ page: seen.page + 1 })
  const previous = remote ? remote.onPrevious : () => setState({ page: seen.page - 1 })

  const body = () => {
    if (error) return <ErrorState {...(onRetry && { onRetry })}>{error}</ErrorState>
    if (loading && rows.length === 0) return <SkeletonLines lines={5} />
    if (seen.rows.length === 0)
      return state.search ? (
        <EmptyState
          title={t('no_matches')}
          action={<Button onClick={() => setState({ search: '' })}>{t('clear_search')}</Button>}
        >
          {t('no_matches_hint')}
        </EmptyState>
      ) : (
        (empty ?? <EmptyState title={t('no_rows')} />)
      )
    return narrow ? (
      <Cards {...props} rows={seen.rows} />
    ) : (
      <Wide {...props} rows={seen.rows} state={state} onState={setState} />
    )
  }
  return (
    <section className={css.frame} aria-busy={loading || undefined}>
      {(search || toolbar) && (
        <div className={css.toolbar}>
          {search && (
            <TextInput
              type="search"
              label={<span className="visually-hidden">{t('search')}</span>}
              placeholder={t('search')}
              value={state.search}
              onChange={(event) => setState({ search: event.target.value })}
            />
          )}
          {toolbar}
        </div>
      )}
      {body()}
      {(seen.total > SIZES[0]! || hasNext || hasPrevious) && (
        <nav className={css.paging} aria-label={label}>
          <SelectInput
            label={<span className="visually-hidden">{t('rows_per_page')}</span>}
            value={state.size}
            onChange={(event) => setState({ size: Number(event.target.value) })}
          >
            {SIZES.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </SelectInput>
          {!remote && (
            <span>
              {t('rows_range', {
                from: first + 1,
                to: Math.min(first + state.size, seen.total),
                total: seen.total,
              })}
            </span>
          )}
          <Button size="small" disabled={!hasPrevious} onClick={previous}>
            {t('previous_page')}
          </Button>
          <Button size="small" disabled={!hasNext} onClick={next}>
            {t('next_page')}
            <Icon name="arrow" size={16} />
          </Button>
        </nav>
      )}
    </section>
  )
}
