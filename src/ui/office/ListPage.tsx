import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls'
import { Icon } from '../Icon'
import { EmptyState } from '../states'
import { DataTable, type DataTableProps } from './DataTable'
import css from './pages.module.css'

type Table<Row extends { id: string }> = DataTableProps<Row>

/** A page that is a list: its title, what can be added, the table, and what stands open over it. */
export const ListPage = <Row extends { id: string }>({
  id,
  title,
  look: { loading, error, retry },
  empty,
  add,
  lead,
  children,
  ...table
}: Omit<Table<Row>, 'id' | 'label' | 'loading' | 'error' | 'onRetry' | 'empty'> & {
  /** Its columns, views and density are remembered by it. */
  id: string
  title: string
  /** How the question for the rows goes, as `useLive` says it. */
  look: { loading: boolean; error: { flag: boolean; msg: string | null }; retry: () => void }
  /** When there is nothing: already translated, or a state of its own with the next step. */
  empty: string | Exclude<ReactNode, string>
  add?: { label: string; onAdd: () => void } | undefined
  /** Between the title and the table. */
  lead?: ReactNode
  children?: ReactNode
}) => {
  const { t } = useTranslation()
  const adding = (look: 'primary' | 'outline') =>
    add && (
      <Button look={look} onClick={add.onAdd}>
        <Icon name="plus" size={18} />
        {add.label}
      </Button>
    )
  return (
    <div className={css.page}>
      <div className={css.head}>
        <h1>{title}</h1>
        {adding('primary')}
      </div>
      {lead}
      <DataTable
        {...(table as Table<Row>)}
        id={id}
        label={title}
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
      {children}
    </div>
  )
}
