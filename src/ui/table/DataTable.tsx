import css from './DataTable.module.css'
import MaterialTable, { type Column as TableColumn } from '@material-table/core'
import {
  Fragment,
  type ReactNode,
  memo,
  startTransition,
  useEffect,
  useEffectEvent,
  useId,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { getTextDirection } from '~/domain/language/locales'
import { Button, Checkbox, SelectInput, TextInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import { ExportMenu } from './ExportMenu'
import { useStableRows } from './stableRows'
import { PAGE_SIZES, getPage, useIsDense, useHiddenColumns, useTableState } from './tableState'
import { ToolMenu } from './ToolMenu'
import { ViewsMenu } from './ViewsMenu'
import type { Column, DataTableProps } from './tableProps'
import type { TableState } from '~/src/ui/table/tableProps'

const NARROW_QUERY = '(max-width: 700px)'

const useIsNarrow = () =>
  useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia?.(NARROW_QUERY)
      query?.addEventListener('change', onChange)
      return () => query?.removeEventListener('change', onChange)
    },
    () => window.matchMedia?.(NARROW_QUERY).matches ?? false,
  )

/** One cell; memoized, so that it renders only when its row or its column changes. */
const Cell = memo(function Cell<Row>({ row, cell }: { row: Row; cell: Column<Row>['cell'] }) {
  return cell(row)
}) as <Row>(props: { row: Row; cell: Column<Row>['cell'] }) => ReactNode

const RowFields = <Row,>({ row, columns }: { row: Row; columns: Column<Row>[] }) => (
  <dl>
    {columns.map((column) => (
      <div key={column.id}>
        <dt>{column.title}</dt>
        {/* Overlong text is cut at its own end. */}
        <dd dir="auto">
          <Cell row={row} cell={column.cell} />
        </dd>
      </div>
    ))}
  </dl>
)

/**
 * Links the content that names a row to the row's address. A click opens the row on this page; with
 * a key held down the browser opens a tab or a window, or saves the page.
 */
const RowLink = <Row extends { id: string }>({
  row,
  linkTo,
  onOpen,
  fallback,
  children,
}: Pick<DataTableProps<Row>, 'linkTo' | 'onOpen'> & {
  row: Row
  /** Shown instead for a row without an address. */
  fallback: ReactNode
  children: ReactNode
}) => {
  const address = linkTo?.(row)
  if (!address) return fallback
  return (
    <Link
      to={address}
      className={css.opener}
      onClick={(event) => {
        if (!onOpen || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        onOpen(row)
      }}
    >
      {children}
    </Link>
  )
}

/** The rows of all pages that match the search. */
interface Matching<Row> {
  matching: Row[]
}

/** Columns that a phone card shows, including two as its headline; the others are collapsed. */
const CARD_COLUMNS = 5

const RowCards = <Row extends { id: string }>({
  rows,
  matching,
  columns,
  actions,
  onOpen,
  linkTo,
  label,
  selection,
}: DataTableProps<Row> & Matching<Row>) => {
  const { t } = useTranslation()
  const main = columns.filter((column) => column.isOnCard)
  const shown = (main.length > 0 ? main : columns).slice(0, CARD_COLUMNS)
  const rest = columns.filter((column) => !shown.includes(column))
  const totals = columns.filter((column) => column.total)
  const headline = (row: Row) =>
    shown.slice(0, 2).map((column) => (
      <Fragment key={column.id}>
        <Cell row={row} cell={column.cell} />{' '}
      </Fragment>
    ))
  return (
    <ul role="list" aria-label={label} className={css.cards}>
      {rows.map((row) => (
        <li key={row.id} className={css.card}>
          <div className={css.headline}>
            <RowLink
              row={row}
              linkTo={linkTo}
              onOpen={onOpen}
              fallback={<strong>{headline(row)}</strong>}
            >
              {headline(row)}
            </RowLink>
            {selection && <SelectRow row={row} selection={selection} />}
          </div>
          {shown.length > 2 && <RowFields row={row} columns={shown.slice(2)} />}
          {(rest.length > 0 || actions) && (
            <details>
              <summary>{t('more')}</summary>
              <RowFields row={row} columns={rest} />
              {actions && <div className={css.cardActions}>{actions(row)}</div>}
            </details>
          )}
        </li>
      ))}
      {totals.length > 0 && (
        <li className={css.card}>
          <dl>
            {totals.map((column) => (
              <div key={column.id}>
                <dt>{column.title}</dt>
                <dd>{column.total?.(matching)}</dd>
              </div>
            ))}
          </dl>
        </li>
      )}
    </ul>
  )
}

/** Lets users choose the visible columns; the browser remembers them. */
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
          // The first column identifies the row, so it cannot be hidden.
          disabled={index === 0}
          onChange={() => toggle(id)}
        />
      ))}
      {hidden.size > 0 && (
        <Button size="small" variant="quiet" onClick={() => onHidden([])}>
          {t('table_all_columns')}
        </Button>
      )}
    </ToolMenu>
  )
}

const toggleId = (set: ReadonlySet<string>, id: string) => {
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
      onChange={() => onSelected(toggleId(selected, row.id))}
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

const WideTable = <Row extends { id: string }>({
  rows,
  matching,
  columns,
  actions,
  onOpen,
  linkTo,
  label,
  state,
  onState,
  cursorPaging,
  selection,
  dense,
  left: removedIds,
  sortNote,
  sortNoteId,
}: DataTableProps<Row> &
  Matching<Row> & {
    dense: boolean
    /** Deleted rows that still appear while the pointer is on the table. */
    left: ReadonlySet<string>
    /** Names the column that sorts all pages, if any; the pagination has the text with this ID. */
    sortNote: string
    sortNoteId: string
    state: TableState
    onState: (changes: Partial<TableState>) => void
  }) => {
  const { t, i18n } = useTranslation()
  const isRtl = getTextDirection(i18n.language) === 'rtl'
  const header = (column: Column<Row>) => {
    if (!column.sortValue) return column.title
    // Sorting one page of many would give a wrong order.
    const sort = cursorPaging
      ? cursorPaging.sortedBy
      : { column: state.sort, descending: state.descending }
    const isSorted = sort?.column === column.id
    if (cursorPaging && !isSorted)
      return (
        <span title={sortNote} aria-describedby={sortNoteId}>
          {column.title}
        </span>
      )
    return (
      <button
        type="button"
        className={css.sort}
        aria-label={t('sort_by', { column: column.title })}
        aria-pressed={isSorted}
        onClick={() => onState({ sort: column.id, descending: isSorted && !sort.descending })}
      >
        {column.title}
        {/* An empty one would still add the gap and move the heading off its numbers. */}
        {isSorted && <span aria-hidden="true">{sort.descending ? '↓' : '↑'}</span>}
      </button>
    )
  }
  const align = (column: Column<Row>) => ({
    textAlign: column.align === 'end' ? ('end' as const) : ('start' as const),
  })
  // The table returns copies of its rows; the original rows let unchanged cells skip rendering.
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const getOriginalRow = (copy: Row): Row => byId.get(copy.id) ?? copy
  const renderCell = (column: Column<Row>, index: number) => (copy: Row) => {
    const row = getOriginalRow(copy)
    const whole = <Cell row={row} cell={column.cell} />
    const cell = column.isLong ? (
      <div className={css.long} title={String(column.sortValue?.(row) ?? '')}>
        {whole}
      </div>
    ) : (
      whole
    )
    // A text in another direction than the page's stays at the page's side.
    const content = isRtl ? (
      <div dir="auto" className={css.directed} data-end={column.align === 'end' || undefined}>
        {cell}
      </div>
    ) : (
      cell
    )
    if (index > 0) return content
    return (
      <RowLink row={row} linkTo={linkTo} onOpen={onOpen} fallback={content}>
        {cell}
      </RowLink>
    )
  }
  // Cells scroll under the columns that stay. A border would scroll away with them; a shadow stays.
  const edge = (side: 'start' | 'end') => ({
    boxShadow: `inset ${(side === 'start') === isRtl ? -1 : 1}px 0 var(--line)`,
  })
  const first = { ...FIRST, ...edge('end') }
  const shown: TableColumn<Row>[] = columns.map((column, index) => ({
    title: header(column),
    field: column.id,
    render: renderCell(column, index),
    cellStyle: {
      ...(index === 0 && first),
      ...align(column),
      // The library would give every column the same width.
      width: 'auto',
      maxWidth: '17rem',
      ...(column.minWidth && { minWidth: column.minWidth }),
      overflowWrap: column.breaksWords ? 'anywhere' : 'break-word',
      // Numbers stay on one line; texts wrap, so that all usual columns are in sight.
      whiteSpace: column.align === 'end' || column.isOneLine ? 'nowrap' : 'normal',
    },
    headerStyle: {
      ...align(column),
      ...HEADER_STYLE,
      ...(index === 0 && { ...first, zIndex: 3 }),
      width: 'auto',
    },
    sorting: false,
  }))
  if (selection)
    shown.unshift({
      title: <SelectAll rows={rows} selection={selection} />,
      field: 'selected',
      render: (copy: Row) => <SelectRow row={getOriginalRow(copy)} selection={selection} />,
      sorting: false,
      cellStyle: { width: '2.25rem' },
      headerStyle: HEADER_STYLE,
    })
  const getTotal = ({ column: { field } }: { column: TableColumn<Row> }) => {
    const column = columns.find(({ id }) => id === field)
    const style = { ...(column && align(column)), fontWeight: 650, whiteSpace: 'nowrap' as const }
    return { value: column?.total?.(matching), style }
  }
  const sticky = { ...STICKY_STYLE, ...edge('start') }
  if (actions)
    shown.push({
      title: t('actions'),
      render: (copy: Row) => actions(getOriginalRow(copy)),
      sorting: false,
      cellStyle: sticky,
      headerStyle: { ...sticky, ...HEADER_STYLE, zIndex: 3 },
    })
  return (
    <div className={css.wide} role="region" aria-label={label} tabIndex={0}>
      {/* Gets one page without its own paging, search or order, because it re-renders as a whole
          each time its rows change. */}
      <MaterialTable
        columns={shown}
        data={rows}
        options={{
          paging: false,
          search: false,
          toolbar: false,
          maxColumnSort: 0,
          draggable: false,
          // The library's types call this value 'default', but its code expects 'normal'.
          padding: (dense ? 'dense' : 'normal') as 'dense',
          rowStyle: (copy: Row) => (removedIds.has(copy.id) ? { opacity: 0.45 } : {}),
          showTitle: false,
        }}
        components={{ Container: PlainContainer, OverlayLoading: NoOverlay }}
        {...(columns.some((column) => column.total) && { renderSummaryRow: getTotal })}
        style={{ background: 'none' }}
      />
    </div>
  )
}

/** A long title wraps to at most two lines, so that it does not widen its column. */
const HEADER_STYLE = {
  fontWeight: 650,
  lineHeight: 1.25,
  verticalAlign: 'bottom',
  position: 'sticky',
  insetBlockStart: 0,
  zIndex: 2,
  background: 'var(--surface)',
} as const

/** Keeps the first column visible, because it identifies the row. */
const FIRST = {
  position: 'sticky',
  insetInlineStart: 0,
  zIndex: 1,
  background: 'var(--surface)',
} as const

const SEARCH_DELAY_MS = 150

/** Searches when typing pauses, because each search renders the whole table. */
const SearchField = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(value)
  const [sent, setSent] = useState(value)
  const [seen, setSeen] = useState(value)
  if (value !== seen) {
    setSeen(value)
    // Something else changed the value: the Back button, a saved view, or the clear button.
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
      // A transition lets the next keystroke go before the table's rendering.
      startTransition(() => send(typed))
    }, SEARCH_DELAY_MS)
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

/**
 * The actions stay visible however many columns exist; a line shows that more columns lie beneath.
 */
const STICKY_STYLE = {
  position: 'sticky',
  insetInlineEnd: 0,
  zIndex: 1,
  textAlign: 'end',
  whiteSpace: 'nowrap',
  width: 'auto',
  background: 'var(--surface)',
} as const

const PlainContainer = ({ children }: { children?: ReactNode }) => <div>{children}</div>

const NoOverlay = () => null

/**
 * Renders a list of rows: a table on wide screens, cards on a phone. Page, search and order are in
 * the URL.
 */
export const DataTable = <Row extends { id: string }>(props: DataTableProps<Row>) => {
  const { t } = useTranslation()
  const format = useFormat()
  const {
    rows: allRows,
    columns: allColumns,
    loading,
    error,
    onRetry,
    toSearchText,
    toolbar,
    empty,
    cursorPaging,
    label,
    defaults,
    id,
    exportAs,
    selection,
    hasStableRows,
    onOrder,
    isPartial,
  } = props
  const [state, setState] = useTableState(defaults)
  const { rows, removedIds, waiting, release, pointerHandlers } = useStableRows(allRows, state)
  const narrow = useIsNarrow()
  // A card has room for every column below its first lines.
  const extra = narrow ? [] : allColumns.filter(({ isExtra }) => isExtra).map((one) => one.id)
  const [hidden, setHidden] = useHiddenColumns(id, extra)
  const columns = allColumns.filter((column) => !hidden.has(column.id))
  const [dense, setDense] = useIsDense()
  const chosen = selection ? rows.filter((row) => selection.selected.has(row.id)).length : 0
  const seen = cursorPaging
    ? getPage(
        rows,
        columns,
        { ...state, sort: null, page: 0, size: rows.length || 1 },
        toSearchText,
      )
    : getPage(rows, columns, state, toSearchText)
  const order = seen.rows.map((row) => row.id).join('\n')
  useEffect(() => onOrder?.(order), [order, onOrder])
  const sortedBy = allColumns.find((column) => column.id === cursorPaging?.sortedBy?.column)
  const sortNote = sortedBy
    ? t('sorted_across_pages', { column: sortedBy.title })
    : cursorPaging
      ? t('unsorted_across_pages')
      : isPartial
        ? t('sorted_loaded', { number: format.number(rows.length) })
        : ''
  const sortNoteId = useId()
  const first = seen.page * state.size
  const hasNext = cursorPaging ? cursorPaging.hasNext : first + state.size < seen.total
  const hasPrevious = cursorPaging ? cursorPaging.hasPrevious : seen.page > 0
  const next = cursorPaging ? cursorPaging.onNext : () => setState({ page: seen.page + 1 })
  const previous = cursorPaging ? cursorPaging.onPrevious : () => setState({ page: seen.page - 1 })

  const body = () => {
    if (error) return <ErrorState {...(onRetry && { onRetry })}>{error}</ErrorState>
    if (loading && seen.rows.length === 0) return <SkeletonLines lines={5} />
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
    const all = { ...state, page: 0, size: rows.length || 1 }
    const matching = columns.some((column) => column.total)
      ? getPage(rows, columns, all, toSearchText).rows
      : []
    return narrow ? (
      <RowCards {...props} columns={columns} rows={seen.rows} matching={matching} />
    ) : (
      <WideTable
        {...props}
        columns={columns}
        rows={seen.rows}
        matching={matching}
        dense={dense}
        left={removedIds}
        sortNote={sortNote}
        sortNoteId={sortNoteId}
        state={state}
        onState={setState}
      />
    )
  }
  return (
    <section className={css.frame} aria-busy={loading || undefined}>
      {(toSearchText || toolbar || id || exportAs) && (
        <div className={css.toolbar}>
          {toSearchText && (
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
                  getPage(all, columns, { ...state, page: 0, size: all.length || 1 }, toSearchText)
                    .rows
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
          <Button size="small" variant="quiet" onClick={() => selection.onSelected(new Set())}>
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
      <div {...(hasStableRows && pointerHandlers)}>{body()}</div>
      {(seen.total > PAGE_SIZES[0]! || hasNext || hasPrevious) && (
        <nav className={css.paging} aria-label={label}>
          <SelectInput
            label={<span className="visually-hidden">{t('rows_per_page')}</span>}
            value={state.size}
            onChange={(event) => setState({ size: Number(event.target.value) })}
          >
            {PAGE_SIZES.map((size) => (
              <option key={size}>{size}</option>
            ))}
          </SelectInput>
          {sortNote && (
            <small id={sortNoteId} className={css.sortNote}>
              {sortNote}
            </small>
          )}
          {!cursorPaging && (
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
