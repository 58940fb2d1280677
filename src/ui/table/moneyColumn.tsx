import { getNumberFormat } from '~/domain/language/intlFormats'
import { sumAmounts } from '~/domain/money/money'
import { Money, useFormat } from '~/src/ui/format/format'
import { useFormatMoneyIn } from '~/src/ui/format/moneyIn'
import type { Column } from '~/src/ui/table/tableProps'

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
  /** Returns the code of the row's own currency; all rows are in the platform's by default. */
  rowCurrency?: (row: Row) => string | undefined
  /** The decimal places of the total of all rows; when absent, the column has no total. */
  totalDecimals?: number
}

const Percentage = ({ value }: { value: number }) => (
  <bdi>{`${getNumberFormat(useFormat().locale, { maximumFractionDigits: 4 }).format(value)} %`}</bdi>
)

const MoneyIn = ({
  amount,
  currency,
  platformCurrency,
}: {
  amount: number
  currency: string | undefined
  platformCurrency: string | undefined
}) => <bdi>{useFormatMoneyIn(platformCurrency)(amount, currency)}</bdi>

/** Creates a column of amounts. */
export const createMoneyColumn = <Row,>({
  id,
  title,
  isOnCard = false,
  currency,
  amount,
  none,
  isPercentage = () => false,
  rowCurrency = () => currency,
  totalDecimals,
}: MoneyColumn<Row>): Column<Row> => {
  /** Returns the unit of a row that differs from the column's. */
  const getOwnUnit = (row: Row): string | undefined => {
    if (isPercentage(row)) return '%'
    const own = rowCurrency(row)
    return own === currency ? undefined : own
  }
  return {
    id,
    title,
    isOnCard,
    align: 'end',
    unit: currency,
    sortValue: (row) => amount(row) ?? 0,
    exportValue: (row) => {
      const value = amount(row)
      if (value === undefined) return ''
      const unit = getOwnUnit(row)
      return unit === undefined ? value : `${value} ${unit}`
    },
    cell: (row) => {
      const value = amount(row)
      if (value === undefined) return none
      if (isPercentage(row)) return <Percentage value={value} />
      return <MoneyIn amount={value} currency={rowCurrency(row)} platformCurrency={currency} />
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
  }
}
