import { type ReactNode, memo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import css from './DataTable.module.css'
import type { Column, DataTableProps } from './tableProps'

/** One cell; memoized, so that it renders only when its row or its column changes. */
export const Cell = memo(function Cell<Row>({
  row,
  cell,
}: {
  row: Row
  cell: Column<Row>['cell']
}) {
  return cell(row)
}) as <Row>(props: { row: Row; cell: Column<Row>['cell'] }) => ReactNode

/** The second line of a cell, if its column has one. */
export const Beneath = <Row,>({ row, cell }: { row: Row; cell: Column<Row>['beneath'] }) =>
  cell && (
    <small className={css.beneath}>
      <Cell row={row} cell={cell} />
    </small>
  )

/**
 * Links the content that names a row to the row's address. A click opens the row on this page; with
 * a key held down the browser opens a tab or a window, or saves the page.
 */
export const RowLink = <Row extends { id: string }>({
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
export interface Matching<Row> {
  matching: Row[]
}

const toggleId = (set: ReadonlySet<string>, id: string) => {
  const next = new Set(set)
  if (!next.delete(id)) next.add(id)
  return next
}

export const SelectRow = <Row extends { id: string }>({
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

export const SelectAll = <Row extends { id: string }>({
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
