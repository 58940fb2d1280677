import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import css from './DataTable.module.css'
import { Button } from '~/src/ui/controls'
import { Beneath, Cell, type Matching, RowLink, SelectRow } from './rowParts'
import type { Column, DataTableProps } from './tableProps'

const RowFields = <Row,>({ row, columns }: { row: Row; columns: Column<Row>[] }) => (
  <dl>
    {columns.map((column) => (
      <div key={column.id}>
        <dt>{column.title}</dt>
        {/* Overlong text is cut at its own end. */}
        <dd dir="auto">
          {column.beneath ? (
            <>
              <span>
                <Cell row={row} cell={column.cell} />
              </span>
              <Beneath row={row} cell={column.beneath} />
            </>
          ) : (
            <Cell row={row} cell={column.cell} />
          )}
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

/** Renders the buttons of a row; a card has room for those of its menu. */
const CardActions = <Row extends { id: string }>({
  row,
  actions,
  menu,
}: { row: Row } & { [Name in 'actions' | 'menu']: DataTableProps<Row>[Name] | undefined }) => {
  if (!actions && !menu) return null
  return (
    <div className={css.cardActions}>
      {actions?.(row)}
      {menu?.(row).actions.map(({ label, isDangerous, onAct }) => (
        <Button
          key={label}
          size="small"
          {...(isDangerous && { variant: 'danger' as const })}
          onClick={onAct}
        >
          {label}
        </Button>
      ))}
    </div>
  )
}

/** Columns that a phone card shows, including its headline; the others are collapsed. */
const CARD_COLUMNS = 5

/** Renders each row as a card, for a phone. */
export const RowCards = <Row extends { id: string }>({
  rows,
  matching,
  columns,
  actions,
  menu,
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
  const named = shownColumns.filter((column) => column.isName)
  const headlineColumns = named.length > 0 ? named : shownColumns.slice(0, 2)
  const fieldColumns = shownColumns.filter((column) => !headlineColumns.includes(column))
  const headline = (row: Row) =>
    headlineColumns.map((column) => (
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
            {headlineColumns.length === 1 && (
              <Beneath row={row} cell={headlineColumns[0]?.beneath} />
            )}
            {selection && <SelectRow row={row} selection={selection} />}
          </div>
          {fieldColumns.length > 0 && <RowFields row={row} columns={fieldColumns} />}
          {(rest.length > 0 || actions || menu) && (
            <details>
              <summary>{t('more')}</summary>
              <RowFields row={row} columns={rest} />
              <CardActions row={row} actions={actions} menu={menu} />
            </details>
          )}
        </li>
      ))}
      {totals.length > 0 && <TotalsCard columns={totals} matching={matching} />}
    </ul>
  )
}
