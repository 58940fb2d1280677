import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toYearAndMonthName } from '~/domain/language/zonedTime'
import { roundAmount } from '~/domain/money/money'
import {
  getAdminEarnings,
  getComplaintCosts,
  getGrossTripCost,
  getProfit,
  getRefunds,
  getRiderCompensation,
} from '~/domain/money/platformEarnings'
import { toShownTotals } from '~/domain/money/stats'
import {
  type MonthTotals,
  earningsReports,
  formerCurrencies,
} from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/live/liveSlice'
import { type Format, useFormat } from '~/src/ui/format/format'
import { BarChart } from '~/src/ui/charts/BarChart'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { ListPage } from '~/src/office/recordPages/ListPage'
import pages from '~/src/office/recordPages/pages.module.css'
import dashboard from '../dashboard/dashboard.module.css'
import { useOfficeSession } from '../useOfficeSession'
import type { Column } from '~/src/ui/table/tableProps'

/** An amount of each month. Extra columns are hidden until the reader chooses them. */
interface AmountColumn {
  id: string
  title: string
  amount: (row: MonthTotals, decimal: number) => number | undefined
  isOnCard?: boolean
  isExtra?: true
}
const listAmounts = (t: TFunction): AmountColumn[] => [
  { id: 'tripCost', title: t('trip_cost'), amount: (row) => row.tripCost, isOnCard: true },
  { id: 'rideCost', title: t('ride_cost'), amount: (row) => row.rideCost, isExtra: true },
  { id: 'cancellationFee', title: t('cancellation_fee'), amount: (row) => row.cancellationFee },
  { id: 'gross', title: t('gross_trip_cost'), amount: getGrossTripCost, isExtra: true },
  {
    id: 'convenienceFee',
    title: t('convenience_fee'),
    amount: (row) => row.convenienceFee,
    isOnCard: true,
  },
  {
    id: 'discountAmount',
    title: t('discount'),
    amount: (row) => row.discountAmount,
    isExtra: true,
  },
  { id: 'complaints', title: t('report_complaints'), amount: getComplaintCosts },
  {
    id: 'riderCompensation',
    title: t('report_compensation_riders'),
    amount: getRiderCompensation,
    isExtra: true,
  },
  {
    id: 'driverCompensation',
    title: t('report_compensation_drivers'),
    amount: (row) => row.driverCompensation,
    isExtra: true,
  },
  { id: 'refunds', title: t('report_refunds'), amount: getRefunds, isExtra: true },
  { id: 'tips', title: t('tips'), amount: (row) => row.tips, isExtra: true },
  { id: 'admin', title: t('admin_earning'), amount: getAdminEarnings },
  { id: 'profit', title: t('profit'), amount: getProfit, isOnCard: true },
]

const getMonthName = ({ id }: MonthTotals, t: TFunction): string =>
  t(`month_${toYearAndMonthName(id).monthsName}`)

const makeColumns = (
  t: TFunction,
  format: Format,
  currency: string | undefined,
  decimal: number,
): Column<MonthTotals>[] => [
  {
    id: 'year',
    title: t('year'),
    sortValue: (row) => row.id,
    exportValue: (row) => toYearAndMonthName(row.id).year,
    cell: (row) => toYearAndMonthName(row.id).year,
    isOnCard: true,
    total: () => t('total'),
  },
  {
    id: 'monthsName',
    title: t('month'),
    sortValue: (row) => row.id.slice(5),
    exportValue: (row) => getMonthName(row, t),
    cell: (row) => getMonthName(row, t),
    isOnCard: true,
  },
  {
    id: 'total_rides',
    title: t('total_rides'),
    align: 'end',
    sortValue: (row) => row.total_rides ?? 0,
    cell: (row) => format.number(row.total_rides ?? 0),
    isOnCard: true,
    total: (rows) => format.number(rows.reduce((count, row) => count + (row.total_rides ?? 0), 0)),
  },
  ...listAmounts(t).map(({ id, title, amount, isOnCard = false, isExtra }) => ({
    ...createMoneyColumn<MonthTotals>({
      id,
      title,
      isOnCard,
      currency,
      amount: (row) => roundAmount(amount(row, decimal) ?? 0, decimal),
      totalDecimals: decimal,
    }),
    ...(isExtra && { isExtra }),
  })),
]

/** Shows the bookings and the profit of the last twelve months as bars. */
const MonthCharts = ({ months, decimal }: { months: MonthTotals[]; decimal: number }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const makeBars = (value: (row: MonthTotals) => number) =>
    months.map((row) => ({
      id: row.id,
      label: format.month(Date.parse(`${row.id}-15T12:00:00Z`)),
      value: value(row),
    }))
  return (
    <div className={dashboard.charts}>
      <section className={dashboard.box}>
        <BarChart
          title={t('chart_rides_month')}
          format={format.number}
          wholeUnit={1}
          bars={makeBars((row) => row.total_rides ?? 0)}
        />
      </section>
      <section className={dashboard.box}>
        <BarChart
          title={t('chart_profit_month')}
          format={format.money}
          bars={makeBars((row) => getProfit(row, decimal))}
        />
      </section>
    </div>
  )
}

/** Shows the platform's months: the number of bookings, their fares and the profit. */
export const EarningsReportsPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings, can } = useOfficeSession()
  const decimal = settings?.decimal ?? 2
  const currency = settings?.code
  const { reports: stored, ...listQuery } = useLive(earningsReports)
  const reports = useMemo(
    () => (settings ? stored.map((row): MonthTotals => toShownTotals(row, settings)) : []),
    [stored, settings],
  )
  const { ended } = useLive(formerCurrencies)
  const [[since, earlier] = []] = Object.entries(ended ?? {})
  const columns = useMemo(
    () => makeColumns(t, format, currency, decimal),
    [t, format, currency, decimal],
  )
  const months = [...reports].reverse().slice(-12)
  return (
    <ListPage
      id="earningreports"
      title={t('menu_earning_reports')}
      query={listQuery}
      empty={t('no_data_available')}
      lead={
        months.length > 0 && (
          <>
            {earlier && (
              <p className={pages.lead}>
                {t('earlier_currency_left_out', {
                  date: format.date(Number(since)),
                  code: earlier.code,
                })}
              </p>
            )}
            <MonthCharts months={months} decimal={decimal} />
          </>
        )
      }
      rows={reports}
      columns={columns}
      defaults={{ size: 25 }}
      toSearchText={(row) => `${toYearAndMonthName(row.id).year} ${getMonthName(row, t)}`}
      {...(can('table_export') && { exportAs: { name: 'earningreports' } })}
    />
  )
}
