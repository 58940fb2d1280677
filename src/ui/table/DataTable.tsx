import css from './DataTable.module.css'
import { useEffect, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, SelectInput } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { PHONE_QUERY } from '~/src/ui/screenWidths'
import { useMediaQuery } from '~/src/ui/useMediaQuery'
import { ColumnChooser } from './ColumnChooser'
import { ExportMenu } from './ExportMenu'
import { RowCards } from './RowCards'
import { SearchField } from './SearchField'
import { useStableRows } from './stableRows'
import { PAGE_SIZES, getPage, useIsDense, useHiddenColumns, useTableState } from './tableState'
import { ViewsMenu } from './ViewsMenu'
import { WideTable } from './WideTable'
import type { DataTableProps } from './tableProps'

/** Holds the state of a table, and returns the rows and columns that it shows. */
const useTable = <Row extends { id: string }>(props: DataTableProps<Row>) => {
  const { columns: allColumns, cursorPaging, toSearchText, onOrder } = props
  const [state, setState] = useTableState(props.defaults)
  const { rows, ...stable } = useStableRows(props.rows, state)
  const isNarrow = useMediaQuery(PHONE_QUERY)
  // A card has room for every column below its first lines.
  const extra = isNarrow ? [] : allColumns.filter(({ isExtra }) => isExtra).map((one) => one.id)
  const [hidden, setHidden] = useHiddenColumns(props.id, extra)
  const [isDense, setDense] = useIsDense()
  const columns = allColumns.filter((column) => !hidden.has(column.id))
  /** Returns those of the rows that match the search, in order, without pages. */
  const getMatching = (all: Row[]): Row[] =>
    getPage(all, columns, { ...state, page: 0, size: all.length || 1 }, toSearchText).rows
  const page = getPage(
    rows,
    columns,
    cursorPaging ? { ...state, sort: null, page: 0, size: rows.length || 1 } : state,
    toSearchText,
  )
  const order = page.rows.map((row) => row.id).join('\n')
  useEffect(() => onOrder?.(order), [order, onOrder])
  return {
    state,
    setState,
    rows,
    ...stable,
    isNarrow,
    hidden,
    setHidden,
    isDense,
    setDense,
    columns,
    getMatching,
    page,
  }
}
type Table<Row extends { id: string }> = ReturnType<typeof useTable<Row>>

interface PartProps<Row extends { id: string }> {
  table: Table<Row>
  props: DataTableProps<Row>
}

/**
 * Renders the search, the page's own tools, and those of every table. A table with one column has
 * nothing to choose.
 */
const Toolbar = <Row extends { id: string }>({ table, props }: PartProps<Row>) => {
  const { id, toSearchText, toolbar, exportAs, label, columns } = props
  const { state, setState, rows, hidden, setHidden } = table
  if (!toSearchText && !toolbar && !id && !exportAs) return null
  const isChoosing = columns.length > 1
  return (
    <div className={css.toolbar}>
      {toSearchText && (
        <SearchField value={state.search} onChange={(text) => setState({ search: text })} />
      )}
      {toolbar}
      <div className={css.tools}>
        {id && isChoosing && <ViewsMenu id={id} hidden={hidden} onHidden={setHidden} />}
        {id && isChoosing && (
          <ColumnChooser
            columns={columns}
            hidden={hidden}
            onHidden={setHidden}
            dense={table.isDense}
            onDense={table.setDense}
          />
        )}
        {exportAs && rows.length > 0 && (
          <ExportMenu
            exportAs={exportAs}
            title={label}
            rows={rows}
            columns={exportAs.columns ?? columns}
            matching={table.getMatching}
          />
        )}
      </div>
    </div>
  )
}

/** Shows how many rows are selected, and how many wait until the pointer leaves the table. */
const Notices = <Row extends { id: string }>({ table, props }: PartProps<Row>) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { rows, waiting, release } = table
  const { selection } = props
  const selectedCount = selection ? rows.filter((row) => selection.selected.has(row.id)).length : 0
  return (
    <>
      {selection && selectedCount > 0 && (
        <div className={css.selected}>
          <strong role="status">{t('selected', { number: format.number(selectedCount) })}</strong>
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
    </>
  )
}

interface SortNote {
  sortNote: string
  sortNoteId: string
}

/** Renders the rows, or why there are none. */
const Rows = <Row extends { id: string }>({
  table: { state, setState, columns, page, isNarrow, getMatching, ...table },
  props,
  ...note
}: PartProps<Row> & SortNote) => {
  const { t } = useTranslation()
  const { loading, error, onRetry, empty } = props
  const { rows } = page
  if (error) return <ErrorState {...(onRetry && { onRetry })}>{error}</ErrorState>
  if (loading && rows.length === 0) return <SkeletonLines lines={5} />
  if (rows.length === 0)
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
  const matching = columns.some((column) => column.total) ? getMatching(table.rows) : []
  const sharedProps = { ...props, columns, rows, matching }
  return isNarrow ? (
    <RowCards {...sharedProps} />
  ) : (
    <WideTable
      {...sharedProps}
      {...note}
      dense={table.isDense}
      left={table.removedIds}
      state={state}
      onState={setState}
    />
  )
}

/** Renders the buttons between pages, and the size of a page. */
const Paging = <Row extends { id: string }>({
  table: { state, setState, page },
  props: { cursorPaging, label },
  sortNote,
  sortNoteId,
}: PartProps<Row> & SortNote) => {
  const { t } = useTranslation()
  const first = page.page * state.size
  const { hasNext, hasPrevious, onNext, onPrevious } = cursorPaging ?? {
    hasNext: first + state.size < page.total,
    hasPrevious: page.page > 0,
    onNext: () => setState({ page: page.page + 1 }),
    onPrevious: () => setState({ page: page.page - 1 }),
  }
  if (page.total <= PAGE_SIZES[0]! && !hasNext && !hasPrevious) return null
  return (
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
            to: Math.min(first + state.size, page.total),
            total: page.total,
          })}
        </span>
      )}
      <Button size="small" disabled={!hasPrevious} onClick={onPrevious}>
        {t('previous_page')}
      </Button>
      <Button size="small" disabled={!hasNext} onClick={onNext}>
        {t('next_page')}
        <Icon name="forward" size={16} />
      </Button>
    </nav>
  )
}

/**
 * Renders a list of rows: a table on wide screens, cards on a phone. Page, search and order are in
 * the URL.
 */
export const DataTable = <Row extends { id: string }>(props: DataTableProps<Row>) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { columns, cursorPaging, loading, isPartial, hasStableRows } = props
  const table = useTable(props)
  const sortedBy = columns.find((column) => column.id === cursorPaging?.sortedBy?.column)
  const sortNote = sortedBy
    ? t('sorted_across_pages', { column: sortedBy.title })
    : cursorPaging
      ? t('unsorted_across_pages')
      : isPartial
        ? t('sorted_loaded', { number: format.number(table.rows.length) })
        : ''
  const parts = { table, props }
  const note = { sortNote, sortNoteId: useId() }
  return (
    <section className={css.frame} aria-busy={loading || undefined}>
      <Toolbar {...parts} />
      <Notices {...parts} />
      <div {...(hasStableRows && table.pointerHandlers)}>
        <Rows {...parts} {...note} />
      </div>
      <Paging {...parts} {...note} />
    </section>
  )
}
