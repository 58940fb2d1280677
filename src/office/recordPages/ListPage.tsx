import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fetchPersonNames } from '~/src/features/users/personNames'
import { useAppDispatch } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { EmptyState } from '~/src/ui/feedback/states'
import { DataTable } from '~/src/ui/table/DataTable'
import { Neighbors } from './neighbors'
import css from './pages.module.css'
import type { DataTableProps } from '~/src/ui/table/tableProps'

type Table<Row extends { id: string }> = DataTableProps<Row>

/** Returns what opens the rows before and after the open one, in the order of the table. */
const useNeighbors = <Row extends { id: string }>(
  { rows, onOpen }: Pick<Table<Row>, 'rows' | 'onOpen'>,
  openedId: string | null | undefined,
) => {
  const [order, setOrder] = useState('')
  const neighbors = useMemo(() => {
    const ids = order.split('\n')
    const at = openedId && onOpen ? ids.indexOf(openedId) : -1
    if (at < 0) return null
    const opening = (id: string | undefined) => {
      const row = rows.find((one) => one.id === id)
      return row && (() => onOpen?.(row))
    }
    return { previous: opening(ids[at - 1]), next: opening(ids[at + 1]) }
  }, [order, openedId, rows, onOpen])
  return { neighbors, setOrder }
}

/** Renders a list page: its title, an add button, the table, and overlays. */
export const ListPage = <Row extends { id: string }>({
  id,
  title,
  query: { loading, error, retry },
  empty,
  add,
  headActions,
  lead,
  openedId,
  children,
  ...table
}: Omit<Table<Row>, 'id' | 'label' | 'loading' | 'error' | 'onRetry' | 'empty' | 'onOrder'> & {
  /** The browser remembers the list's columns, views and density by this ID. */
  id: string
  title: string
  /** The state of the query for the rows, as `useLive` returns it. */
  query: { loading: boolean; error: { flag: boolean; msg: string | null }; retry: () => void }
  /** Shown when the list is empty: translated text, or a custom empty state with the next step. */
  empty: string | Exclude<ReactNode, string>
  add?: { label: string; onAdd: () => void } | undefined
  /** Further buttons beside the title. */
  headActions?: ReactNode
  /** Content between the title and the table. */
  lead?: ReactNode
  /** The row open in a drawer; the drawer links to the previous and the next row. */
  openedId?: string | null | undefined
  children?: ReactNode
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const readNames = (ids: readonly string[]) => dispatch(fetchPersonNames(ids)).unwrap()
  const adding = (buttonVariant: 'primary' | 'outline') =>
    add && (
      <Button variant={buttonVariant} onClick={add.onAdd}>
        <Icon name="plus" size={18} />
        {add.label}
      </Button>
    )
  const { neighbors, setOrder } = useNeighbors(table, openedId)
  return (
    <div className={css.page}>
      <div className={css.head}>
        <h1>{title}</h1>
        <div className={css.headActions}>
          {headActions}
          {adding('primary')}
        </div>
      </div>
      {lead}
      <DataTable
        {...(table as Table<Row>)}
        {...(table.exportAs && { exportAs: { readNames, ...table.exportAs } })}
        id={id}
        label={title}
        onOrder={setOrder}
        loading={loading}
        error={error.flag ? t(error.msg ?? '') : null}
        onRetry={retry}
        empty={
          typeof empty === 'string' ? (
            <EmptyState title={empty} action={adding('outline')} />
          ) : (
            empty
          )
        }
      />
      <Neighbors value={neighbors}>{children}</Neighbors>
    </div>
  )
}
