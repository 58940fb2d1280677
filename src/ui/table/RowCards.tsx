import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import css from './DataTable.module.css'
import { Button } from '~/src/ui/controls'
import { Cell, type Matching, RowLink, SelectRow } from './rowParts'
import type { Column, DataTableProps } from './tableProps'

const Beneath = <Row,>({ row, column }: { row: Row; column: Column<Row> | undefined }) =>
  column?.beneath && (
    <small className={css.beneath}>
      <Cell row={row} cell={column.beneath} />
    </small>
  )

const RowFields = <Row,>({ row, columns }: { row: Row; columns: Column<Row>[] }) => (
  <dl>
    {columns.map((column) => (
      <div key={column.id}>
        <dt>{column.title}</dt>
        {/* Overlong text is cut at its own end. */}
        <dd dir="auto">
          <Cell row={row} cell={column.cell} />
          <Beneath row={row} column={column} />
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
  const headlineCount = shownColumns[0]?.isName ? 1 : 2
  const headline = (row: Row) =>
    shownColumns.slice(0, headlineCount).map((column) => (
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
            <Beneath row={row} column={shownColumns[0]} />
            {selection && <SelectRow row={row} selection={selection} />}
          </div>
          {shownColumns.length > headlineCount && (
            <RowFields row={row} columns={shownColumns.slice(headlineCount)} />
          )}
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
