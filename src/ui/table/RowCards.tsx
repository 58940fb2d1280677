import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import css from './DataTable.module.css'
import { Cell, type Matching, RowLink, SelectRow } from './rowParts'
import type { Column, DataTableProps } from './tableProps'

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

const TotalsCard = <Row,>({ columns, matching }: { columns: Column<Row>[] } & Matching<Row>) => (
  <li className={css.card}>
    <dl>
      {columns.map((column) => (
        <div key={column.id}>
          <dt>{column.title}</dt>
          <dd>{column.total?.(matching)}</dd>
        </div>
      ))}
    </dl>
  </li>
)

/** Columns that a phone card shows, including two as its headline; the others are collapsed. */
const CARD_COLUMNS = 5

/** Renders each row as a card, for a phone. */
export const RowCards = <Row extends { id: string }>({
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
  const shownColumns = (main.length > 0 ? main : columns).slice(0, CARD_COLUMNS)
  const rest = columns.filter((column) => !shownColumns.includes(column))
  const totals = columns.filter((column) => column.total)
  const headline = (row: Row) =>
    shownColumns.slice(0, 2).map((column) => (
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
          {shownColumns.length > 2 && <RowFields row={row} columns={shownColumns.slice(2)} />}
          {(rest.length > 0 || actions) && (
            <details>
              <summary>{t('more')}</summary>
              <RowFields row={row} columns={rest} />
              {actions && <div className={css.cardActions}>{actions(row)}</div>}
            </details>
          )}
        </li>
      ))}
      {totals.length > 0 && <TotalsCard columns={totals} matching={matching} />}
    </ul>
  )
}
