import MaterialTable, { type Column as TableColumn } from '@material-table/core'
import type { TFunction } from 'i18next'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { getTextDirection } from '~/domain/language/locales'
import css from './DataTable.module.css'
import { Beneath, Cell, type Matching, RowLink, SelectAll, SelectRow } from './rowParts'
import { RowMenu } from './RowMenu'
import type { Column, DataTableProps, TableState } from './tableProps'

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

/** Without a width, the library gives all columns the same. */
const CONTENT_WIDTH = { width: 'auto' } as const

/** Keeps the first column visible, because it identifies the row. */
const FIRST = {
  position: 'sticky',
  insetInlineStart: 0,
  zIndex: 1,
  background: 'var(--surface)',
} as const

/**
 * The actions stay visible however many columns exist; a line shows that more columns lie beneath.
 */
const STICKY_STYLE = {
  position: 'sticky',
  insetInlineEnd: 0,
  zIndex: 1,
  textAlign: 'end',
  whiteSpace: 'nowrap',
  background: 'var(--surface)',
} as const

const PlainContainer = ({ children }: { children?: ReactNode }) => <div>{children}</div>

const NoOverlay = () => null

// Cells scroll under the columns that stay. A border would scroll away with them; a shadow stays.
const getEdge = (side: 'start' | 'end', isRtl: boolean) => ({
  boxShadow: `inset ${(side === 'start') === isRtl ? -1 : 1}px 0 var(--line)`,
})

const getAlignment = <Row,>({ align }: Column<Row>) => ({
  textAlign: align === 'end' ? ('end' as const) : ('start' as const),
})

interface WideTableProps<Row extends { id: string }> extends DataTableProps<Row>, Matching<Row> {
  dense: boolean
  /** Deleted rows that still appear while the pointer is on the table. */
  left: ReadonlySet<string>
  /** Names the column that sorts all pages, if any; the pagination has the text with this ID. */
  sortNote: string
  sortNoteId: string
  state: TableState
  onState: (changes: Partial<TableState>) => void
}

/** Renders the title of a column; a button when the column can sort the rows. */
const renderTitle = <Row extends { id: string }>(
  t: TFunction,
  column: Column<Row>,
  { cursorPaging, state, onState, sortNote, sortNoteId }: WideTableProps<Row>,
) => {
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

/** Renders the content of a column in a row; that of the first column links to the row. */
const renderContent = <Row extends { id: string }>(
  row: Row,
  column: Column<Row>,
  isRtl: boolean,
  link: Pick<DataTableProps<Row>, 'linkTo' | 'onOpen'> | null,
) => {
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
  const named = link ? (
    <RowLink row={row} {...link} fallback={content}>
      {cell}
    </RowLink>
  ) : (
    content
  )
  if (!column.beneath) return named
  return (
    <>
      {named}
      <Beneath row={row} cell={column.beneath} />
    </>
  )
}

/** Returns the styles of the cells and of the header of a column. */
const getColumnStyles = <Row,>(column: Column<Row>, isFirst: boolean, isRtl: boolean) => {
  const first = { ...FIRST, ...getEdge('end', isRtl) }
  return {
    cellStyle: {
      ...(isFirst && first),
      ...getAlignment(column),
      ...(column.isFlexible
        ? { width: '100%', maxWidth: 0 }
        : { ...CONTENT_WIDTH, maxWidth: '17rem' }),
      ...(column.minWidth && { minWidth: column.minWidth }),
      overflowWrap: column.breaksWords ? ('anywhere' as const) : ('break-word' as const),
      // Numbers stay on one line; texts wrap, so that all usual columns are in sight.
      whiteSpace:
        column.align === 'end' || column.isOneLine ? ('nowrap' as const) : ('normal' as const),
    },
    headerStyle: {
      ...getAlignment(column),
      ...HEADER_STYLE,
      ...(isFirst && { ...first, zIndex: 3 }),
    },
  }
}

/** Returns the columns as the library has them, with those of the selection and the actions. */
const useTableColumns = <Row extends { id: string }>(
  table: WideTableProps<Row>,
): TableColumn<Row>[] => {
  const { t, i18n } = useTranslation()
  const isRtl = getTextDirection(i18n.language) === 'rtl'
  const { rows, columns, actions, menu, selection, linkTo, onOpen } = table
  // The table returns copies of its rows; the original rows let unchanged cells skip rendering.
  const byId = useMemo(() => new Map(rows.map((row) => [row.id, row])), [rows])
  const getOriginalRow = (copy: Row): Row => byId.get(copy.id) ?? copy
  const tableColumns: TableColumn<Row>[] = columns.map((column, index) => ({
    title: renderTitle(t, column, table),
    field: column.id,
    render: (copy: Row) =>
      renderContent(getOriginalRow(copy), column, isRtl, index === 0 ? { linkTo, onOpen } : null),
    // A line after the only column would end the table twice.
    ...getColumnStyles(column, index === 0 && columns.length > 1, isRtl),
    ...CONTENT_WIDTH,
    sorting: false,
  }))
  if (selection)
    tableColumns.unshift({
      title: <SelectAll rows={rows} selection={selection} />,
      field: 'selected',
      render: (copy: Row) => <SelectRow row={getOriginalRow(copy)} selection={selection} />,
      sorting: false,
      width: '2.25rem',
      headerStyle: HEADER_STYLE,
    })
  const sticky = { ...STICKY_STYLE, ...getEdge('start', isRtl) }
  if (actions || menu)
    tableColumns.push({
      title: <span className={actions ? '' : 'visually-hidden'}>{t('actions')}</span>,
      render: (copy: Row) => {
        const row = getOriginalRow(copy)
        return (
          <>
            {actions?.(row)}
            {menu && <RowMenu {...menu(row)} />}
          </>
        )
      },
      sorting: false,
      ...CONTENT_WIDTH,
      cellStyle: sticky,
      headerStyle: { ...sticky, ...HEADER_STYLE, zIndex: 3 },
    })
  return tableColumns
}

/** Renders the rows as a table, for wide screens. */
export const WideTable = <Row extends { id: string }>(table: WideTableProps<Row>) => {
  const { rows, matching, columns, label, dense, left: removedIds } = table
  const getTotal = ({ column: { field } }: { column: TableColumn<Row> }) => {
    const column = columns.find(({ id }) => id === field)
    const alignment = column && getAlignment(column)
    const style = { ...alignment, fontWeight: 650, whiteSpace: 'nowrap' as const }
    return { value: column?.total?.(matching), style }
  }
  return (
    <div
      className={css.wide}
      data-dense={dense || undefined}
      role="region"
      aria-label={label}
      tabIndex={0}
    >
      {/* Gets one page without its own paging, search or order, because it re-renders as a whole
          each time its rows change. */}
      <MaterialTable
        columns={useTableColumns(table)}
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
