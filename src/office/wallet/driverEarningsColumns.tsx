import type { TFunction } from 'i18next'
import { Link } from 'react-router-dom'
import type { Format } from '~/src/ui/format/format'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { getPersonPath } from '../people/personPaths'
import { type EarningsRow, getDriverUid, type GroupBy } from './driverEarningsRows'
import type { Column } from '~/src/ui/table/tableProps'

const createMonthColumns = (t: TFunction): Column<EarningsRow>[] => [
  {
    id: 'year',
    title: t('year'),
    sortValue: (row) => row.id,
    isOnCard: true,
    exportValue: (row) => row.year,
    cell: (row) => row.year,
  },
  {
    id: 'monthsName',
    title: t('month'),
    sortValue: (row) => row.id.slice(5, 7),
    isOnCard: true,
    exportValue: (row) => t(`month_${row.monthsName}`),
    cell: (row) => t(`month_${row.monthsName}`),
  },
]

const createDriverColumns = (t: TFunction, by: GroupBy): Column<EarningsRow>[] => [
  {
    id: 'driverName',
    title: t('driver_name'),
    sortValue: (row) => row.driverName,
    isOnCard: true,
    cell: (row) => (
      <Link to={getPersonPath({ id: getDriverUid(row), usertype: 'driver' })}>
        {row.driverName}
      </Link>
    ),
  },
  {
    id: 'driverVehicleNo',
    title: t('vehicle_no'),
    sortValue: (row) => row.driverVehicleNo,
    // The months' cards have no room for it.
    isOnCard: by === 'driver',
    cell: (row) => row.driverVehicleNo,
  },
]

/** Creates the columns of driver earnings. Each amount has a total. */
export const createEarningsColumns = ({
  t,
  format,
  by,
  decimal,
  currency,
  isPart,
}: {
  t: TFunction
  format: Format
  by: GroupBy
  decimal: number
  currency: string | undefined
  /** True when the table has only a page of the drivers, which its totals cover. */
  isPart: boolean
}): Column<EarningsRow>[] => {
  const [heading, ...others] = [
    ...(by === 'driver' ? [] : createMonthColumns(t)),
    ...(by === 'month' ? [] : createDriverColumns(t, by)),
  ]
  const money = (id: 'driverShare' | 'compensation' | 'tips', title: string) =>
    createMoneyColumn<EarningsRow>({
      id,
      title,
      isOnCard: id === 'driverShare',
      currency,
      amount: (row) => row[id],
      totalDecimals: decimal,
    })
  return [
    ...(heading ? [{ ...heading, total: () => t(isPart ? 'total_of_page' : 'total') }] : []),
    ...others,
    {
      id: 'total_rides',
      title: t('total_rides'),
      align: 'end',
      sortValue: (row) => row.total_rides,
      isOnCard: true,
      cell: (row) => format.number(row.total_rides),
      total: (rows) => format.number(rows.reduce((count, row) => count + row.total_rides, 0)),
    },
    money('driverShare', t('driver_share')),
    money('compensation', t('compensation')),
    money('tips', t('tips')),
  ]
}
