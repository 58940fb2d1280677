import MaterialTable, { type Column as TableColumn } from '@material-table/core'
import {
  type ReactNode,
  memo,
  startTransition,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from 'react-i18next'
import { directionOf } from '~/src/i18n/speak'
import { Button, Checkbox, SelectInput, TextInput } from '../controls'
import { useFormat } from '../format'
import { Icon } from '../Icon'
import { EmptyState, ErrorState, SkeletonLines } from '../states'
import css from './DataTable.module.css'
import { ExportMenu } from './ExportMenu'
import { useSteady } from './steady'
import {
  SIZES,
  type TableState,
  pageOf,
  useDense,
  useHiddenColumns,
  useTableState,
} from './tableState'
import { ToolMenu } from './ToolMenu'
import { ViewsMenu } from './ViewsMenu'

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
  /** What an export writes; absent: what it is sorted by, or nothing. */
  text?: (row: Row) => string | number
  /** On a phone's card the others wait behind "More". */
  main?: boolean
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
  /** A row opens by its first cell. */
  onOpen?: (row: Row) => void
  /** Names the table: its columns can then be chosen, and are remembered. */
  id?: string
  /** Absent: no export. `rows` answers everything that matches; absent, all rows of the table. */
  exportAs?: {
    name: string
    rows?: (onProgress: (count: number) => void) => Promise<Row[]>
    onError?: (error: unknown) => void
  }
  /** Present: rows can be selected; `bar` is the buttons for what can be done with them. */
  selection?: {
    selected: ReadonlySet<string>
    onSelected: (selected: Set<string>) => void
    /** The row's name, for its box. */
    name: (row: Row) => string
    bar: ReactNode
  }
  /** Beside the search field: filters, an add button. */
  toolbar?: ReactNode
  empty?: ReactNode
  /** Others add and take away rows: while the pointer is on the table none moves, and new ones wait. */
  steady?: boolean
  /** The caller pages by itself (an endless list): rows are one page already. */
  remote?: { hasNext: boolean; onNext: () => void; hasPrevious: boolean; onPrevious: () => void }
  defaults?: Partial<TableState>
}

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

/** One cell; it is drawn again only when its row or its column is another. */
const Cell = memo(function Cell<Row>({ row, cell }: { row: Row; cell: Column<Row>['cell'] }) {
  return cell(row)
}) as <Row>(props: { row: Row; cell: Column<Row>['cell'] }) => ReactNode

const Facts = <Row,>({ row, columns }: { row: Row; columns: Column<Row>[] }) => (
  <dl>
    {columns.map((column) => (
      <div key={column.id}>
        <dt>{column.title}</dt>
        <dd>
          <Cell row={row} cell={column.cell} />
        </dd>
      </div>
    ))}
  </dl>
)

const Cards = <Row extends { id: string }>({
  rows,
  columns,
  actions,
  onOpen,
  label,
  selection,
}: DataTableProps<Row>) => {
  const { t } = useTranslation()
  const main = columns.filter((column) => column.main)
  const rest = main.length > 0 ? columns.filter((column) => !column.main) : []
  return (
    <ul role="list" aria-label={label} className={css.cards}>
      {rows.map((row) => (
        <li key={row.id} className={css.card}>
          {selection && <SelectRow row={row} selection={selection} />}
          <Facts row={row} columns={main.length > 0 ? main : columns} />
          {rest.length > 0 && !onOpen && (
            <details>
              <summary>{t('more')}</summary>
              <Facts row={row} columns={rest} />
            </details>
          )}
          {(actions || onOpen) && (
            <div className={css.cardActions}>
              {onOpen && (
                <Button size="small" onClick={() => onOpen(row)}>
                  {t('open')}
                </Button>
              )}
              {actions?.(row)}
            </div>
          )}
        </li>
      ))}
    </ul>
  )
}

/** Which columns are shown, remembered in this browser. */
const ColumnChooser = <Row,>({
  columns,
  hidden,
  onHidden,
  dense,
  onDense,
}: {
  columns: Column<Row>[]
  hidden: ReadonlySet<string>
  onHidden: (hidden: string[]) => void
  dense: boolean
  onDense: (dense: boolean) => void
}) => {
  const { t } = useTranslation()
  const toggle = (id: string) =>
    onHidden(hidden.has(id) ? [...hidden].filter((one) => one !== id) : [...hidden, id])
  return (
    <ToolMenu icon="columns" label={t('table_columns')}>
      <Checkbox label={t('dense_rows')} checked={dense} onChange={() => onDense(!dense)} />
      {columns.map(({ id, title }, index) => (
        <Checkbox
          key={id}
          label={title}
          checked={!hidden.has(id)}
          // A table without its first column would be hard to find one's way in.
          disabled={index === 0}
          onChange={() => toggle(id)}
        />
      ))}
      {hidden.size > 0 && (
        <Button size="small" look="quiet" onClick={() => onHidden([])}>
          {t('table_all_columns')}
        </Button>
      )}
    </ToolMenu>
  )
}

const toggled = (set: ReadonlySet<string>, id: string) => {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}

const SelectRow = <Row extends { id: string }>({
  row,
  selection: { selected, onSelected, name },
}: {
  row: Row
  selection: NonNullable<DataTableProps<Row>['selection']>
}) => {
  const { t } = useTranslation()
  return (
    <input
      type="checkbox"
      className={css.box}
      aria-label={t('select_row', { name: name(row) })}
      checked={selected.has(row.id)}
      onChange={() => onSelected(toggled(selected, row.id))}
    />
  )
}

const SelectAll = <Row extends { id: string }>({
  rows,
  selection: { selected, onSelected },
}: {
  rows: Row[]
  selection: NonNullable<DataTableProps<Row>['selection']>
}) => {
  const { t } = useTranslation()
  const all = rows.length > 0 && rows.every(({ id }) => selected.has(id))
  return (
    <input
      type="checkbox"
      className={css.box}
      aria-label={t('select_all')}
      checked={all}
      onChange={() => onSelected(new Set(all ? [] : rows.map(({ id }) => id)))}
    />
  )
}

const Wide = <Row extends { id: string }>({
  rows,
  columns,
  actions,
  onOpen,
  label,
  state,
  onState,
  remote,
  selection,
  dense,
  left,
}: DataTableProps<Row> & {
  dense: boolean
  /** Rows that stand here although they are gone. */
  left: ReadonlySet<string>
  state: TableState
  onState: (changes: Partial<TableState>) => void
}) => {
  const { t, i18n } = useTranslation()
  const isRtl = directionOf(i18n.language) === 'rtl'
  const header = (column: Column<Row>) => {
    // What is a page of many can't be put in order here.
    if (!column.sort || remote) return column.title
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
  const open = (column: Column<Row>, row: Row) => (
    <button type="button" className={css.opener} onClick={() => onOpen?.(row)}>
      <Cell row={row} cell={column.cell} />
    </button>
  )
  // The table hands back copies; what did not change is known by the row itself.
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const own = (copy: Row): Row => byId.get(copy.id) ?? copy
  const drawn = (column: Column<Row>, index: number) => (copy: Row) => {
    const row = own(copy)
    if (onOpen && index === 0) return open(column, row)
    const cell = <Cell row={row} cell={column.cell} />
    if (!isRtl) return cell
    // What is too long loses its end, which is not always on the side where the page's lines end.
    return (
      <div dir="auto" className={css.cut} data-end={column.align === 'end' || undefined}>
        {cell}
      </div>
    )
  }
  const shown: TableColumn<Row>[] = columns.map((column, index) => ({
    title: header(column) as unknown as string,
    field: column.id as TableColumn<Row>['field'] & string,
    render: drawn(column, index),
    cellStyle: {
      ...align(column),
      maxWidth: '17rem',
      overflow: 'hidden',
      textOverflow: 'ellipsis',
      whiteSpace: 'nowrap',
    },
    headerStyle: {
      ...align(column),
      ...HEAD,
      minWidth: `${Math.ceil(column.title.length / 2) + 4}ch`,
    },
    sorting: false,
  })) as TableColumn<Row>[]
  if (selection)
    shown.unshift({
      title: (<SelectAll rows={rows} selection={selection} />) as unknown as string,
      field: 'selected' as never,
      render: (copy: Row) => <SelectRow row={own(copy)} selection={selection} />,
      sorting: false,
      cellStyle: { width: '3rem' },
      headerStyle: HEAD,
    })
  // A border of a cell would stay behind when the others scroll away beneath it.
  const sticky = { ...STICKY, boxShadow: `inset ${isRtl ? -1 : 1}px 0 var(--line)` }
  if (actions)
    shown.push({
      title: t('actions'),
      render: (copy: Row) => actions(own(copy)),
      sorting: false,
      cellStyle: sticky,
      headerStyle: { ...sticky, ...HEAD },
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
          maxColumnSort: 0,
          draggable: false,
          // Its types call it 'default', its code asks for 'normal'.
          padding: (dense ? 'dense' : 'normal') as 'dense',
          rowStyle: (copy: Row) => (left.has(copy.id) ? { opacity: 0.45 } : {}),
          showTitle: false,
        }}
        components={{ Container: Plain, OverlayLoading: Nothing }}
        style={{ background: 'none' }}
      />
    </div>
  )
}
/** A long title takes two lines, not the room of another column, and never more than two. */
const HEAD = { fontWeight: 650, lineHeight: 1.25, verticalAlign: 'bottom' } as const
const RESTING_MS = 150
/** Looks for what was typed when the typing rests: each search draws the whole table anew. */
const SearchField = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // Changed by somebody else: the way back, a saved view, the button that clears it.
    if (value !== sent) {
      setSent(value)
      setTyped(value)
    }
  }
  const send = useEffectEvent(onChange)
  useEffect(() => {
    if (typed === sent) return
    const timer = setTimeout(() => {
      setSent(typed)
      // The next letter goes before the table.
      startTransition(() => send(typed))
    }, RESTING_MS)
    return () => clearTimeout(timer)
  }, [typed, sent])
  return (
    <TextInput
      type="search"
      label={<span className="visually-hidden">{t('search')}</span>}
      placeholder={t('search')}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
    />
  )
}

/** What can be done stays in sight, however many columns there are; a line says that more lie beneath. */
const STICKY = {
  position: 'sticky',
  insetInlineEnd: 0,
  zIndex: 1,
  textAlign: 'end',
  whiteSpace: 'nowrap',
  background: 'var(--surface)',
} as const
const Plain = ({ children }: { children?: ReactNode }) => <div>{children}</div>
const Nothing = () => null

/** A list of rows: a table where there is room, cards on a phone; page, search and order live in the address. */
export const DataTable = <Row extends { id: string }>(props: DataTableProps<Row>) => {
  const { t } = useTranslation()
  const format = useFormat()
  const {
    rows: allRows,
    columns: allColumns,
    loading,
    error,
    onRetry,
    search,
    toolbar,
    empty,
    remote,
    label,
    defaults,
    id,
    exportAs,
    selection,
    steady,
  } = props
  const [state, setState] = useTableState(defaults)
  const { rows, left, waiting, release, holding } = useSteady(allRows, state)
  const [hidden, setHidden] = useHiddenColumns(id)
  const columns = allColumns.filter((column) => !hidden.has(column.id))
  const [dense, setDense] = useDense()
  const narrow = useNarrow()
  const chosen = selection ? rows.filter((row) => selection.selected.has(row.id)).length : 0
  const seen = remote
    ? pageOf(rows, columns, { ...state, page: 0, size: rows.length || 1 }, search)
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
      <Cards {...props} columns={columns} rows={seen.rows} />
    ) : (
      <Wide
        {...props}
        columns={columns}
        rows={seen.rows}
        dense={dense}
        left={left}
        state={state}
        onState={setState}
      />
    )
  }
  return (
    <section className={css.frame} aria-busy={loading || undefined}>
      {(search || toolbar || id || exportAs) && (
        <div className={css.toolbar}>
          {search && (
            <SearchField value={state.search} onChange={(text) => setState({ search: text })} />
          )}
          {toolbar}
          <div className={css.tools}>
            {id && <ViewsMenu id={id} hidden={hidden} onHidden={setHidden} />}
            {id && (
              <ColumnChooser
                columns={allColumns}
                hidden={hidden}
                onHidden={setHidden}
                dense={dense}
                onDense={setDense}
              />
            )}
            {exportAs && rows.length > 0 && (
              <ExportMenu
                exportAs={exportAs}
                title={label}
                rows={rows}
                columns={allColumns}
                matching={(all) =>
                  pageOf(all, columns, { ...state, page: 0, size: all.length || 1 }, search).rows
                }
              />
            )}
          </div>
        </div>
      )}
      {selection && chosen > 0 && (
        <div className={css.selected}>
          <strong role="status">{t('selected', { number: format.number(chosen) })}</strong>
          {selection.bar}
          <Button size="small" look="quiet" onClick={() => selection.onSelected(new Set())}>
            {t('select_none')}
          </Button>
        </div>
      )}
      {waiting > 0 && (
        <div className={css.selected}>
          <span role="status">{t('rows_waiting', { number: format.number(waiting) })}</span>
          <Button size="small" onClick={release}>
            {t('rows_show')}
          </Button>
        </div>
      )}
      <div {...(steady && holding)}>{body()}</div>
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
            <Icon name="forward" size={16} />
          </Button>
        </nav>
      )}
    </section>
  )
}
