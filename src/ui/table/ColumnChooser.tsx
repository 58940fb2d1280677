import { useTranslation } from 'react-i18next'
import { Button, Checkbox } from '~/src/ui/controls'
import { ToolMenu } from './ToolMenu'
import type { Column } from './tableProps'

/** Lets users choose the visible columns; the browser remembers them. */
export const ColumnChooser = <Row,>({
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
