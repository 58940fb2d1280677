import { sumAmounts } from '~/domain/money'
import { Money, useFormat } from '~/src/ui/format'
import type { Column } from './DataTable'

type Amount<Row> = (row: Row) => number | undefined

interface MoneyColumn<Row> extends Pick<Column<Row>, 'id' | 'title' | 'isOnCard'> {
  /** The code of the platform's currency, which the export adds to the title. */
  currency: string | undefined
  /** Returns the amount; undefined for a row without one. */
  amount: Amount<Row>
  /** The translated text for a row without an amount; nothing by default. */
  none?: string
  /** Returns true for a row with a percentage instead of an amount. */
  isPercentage?: (row: Row) => boolean
  /** The decimal places of the total of all rows; when absent, the column has no total. */
  totalDecimals?: number
}

const Percentage = ({ value }: { value: number }) => <bdi>{`${useFormat().number(value)} %`}</bdi>

/** Creates a column of amounts in the platform's currency. */
export const createMoneyColumn = <Row,>({
  id,
  title,
  isOnCard = false,
  currency,
  amount,
  none,
  isPercentage = () => false,
  totalDecimals,
}: MoneyColumn<Row>): Column<Row> => ({
  id,
  title,
  isOnCard,
  align: 'end',
  unit: currency,
  sortValue: (row) => amount(row) ?? 0,
  exportValue: (row) => {
    const value = amount(row)
    if (value === undefined) return ''
    return isPercentage(row) ? `${value} %` : value
  },
  cell: (row) => {
    const value = amount(row)
    if (value === undefined) return none
    return isPercentage(row) ? <Percentage value={value} /> : <Money amount={value} />
  },
  ...(totalDecimals !== undefined && {
    total: (rows) => (
      <Money
        amount={sumAmounts(
          rows.map((row) => amount(row) ?? 0),
          totalDecimals,
        )}
      />
    ),
  }),
})
