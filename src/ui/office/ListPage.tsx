import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../controls'
import { Icon } from '../Icon'
import { DataTable, type DataTableProps } from './DataTable'
import css from './pages.module.css'

/** A page that is a list: a title, what can be added, the table. */
export const ListPage = <Row extends { id: string }>({
  title,
  newPath,
  newLabel,
  children,
  ...table
}: Omit<DataTableProps<Row>, 'label'> & {
  title: string
  newPath?: string
  newLabel?: string
  children?: ReactNode
}) => {
  const { t } = useTranslation()
  return (
    <div className={css.page}>
      <div className={css.head}>
        <h1>{title}</h1>
        {newPath && (
          <ButtonLink look="primary" to={newPath}>
            <Icon name="plus" size={18} />
            {newLabel ?? t('add')}
          </ButtonLink>
        )}
      </div>
      {children}
      <DataTable label={title} {...table} />
    </div>
  )
}
