import { RelativeTime } from './RelativeTime'
import type { Column } from '~/src/ui/table/tableProps'

/**
 * Creates a column of times. The table sorts by them, and an export has them in the platform's
 * time zone. `at` returns the time (ms); undefined for a row without one.
 */
export const createTimeColumn = <Row,>({
  at,
  ...column
}: Pick<Column<Row>, 'id' | 'title' | 'isOnCard'> &
  Partial<Pick<Column<Row>, 'cell'>> & {
    at: (row: Row) => number | undefined
  }): Column<Row> => ({
  sortValue: (row) => at(row) ?? 0,
  exportTime: at,
  cell: (row) => {
    const time = at(row)
    return time === undefined ? null : <RelativeTime at={time} />
  },
  ...column,
})
