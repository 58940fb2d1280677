import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { monthParts } from '~/domain/clock'
import { round } from '~/domain/money'
import { type MonthTotals, earningReports } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/liveSlice'
import { useFormat } from '~/src/ui/format'
import { BarChart } from '~/src/ui/office/BarChart'
import type { Column } from '~/src/ui/office/DataTable'
import { ListPage } from '~/src/ui/office/ListPage'
import dashboard from '../dashboard/dashboard.module.css'
import { useOffice } from '../useOffice'

/** Specification 9: what stays of a month's money. */
const profitOf = ({ convenienceFee = 0, cancellationFee = 0, discountAmount = 0 }: MonthTotals) =>
  convenienceFee + cancellationFee - discountAmount
const adminEarningOf = ({ customerPaid = 0, cancellationFee = 0, driverShare = 0 }: MonthTotals) =>
  customerPaid + cancellationFee - driverShare
const grossOf = ({ tripCost = 0, cancellationFee = 0 }: MonthTotals) => tripCost + cancellationFee

/** The platform's months: rides, what they cost and what was earned by them. */
export const EarningReportsPage = () => {
  const { t } = useTranslation()
  const format = useFormat()
  const { settings, may } = useOffice()
  const decimal = settings?.decimal ?? 2
  const { reports, ...look } = useLive(earningReports)
  const columns = useMemo((): Column<MonthTotals>[] => {
    const money = (
      id: string,
      title: string,
      value: (row: MonthTotals) => number | undefined,
    ): Column<MonthTotals> => ({
      id,
      title,
      align: 'end',
      sort: (row) => value(row) ?? 0,
      text: (row) => round(value(row) ?? 0, decimal),
      cell: (row) => format.money(value(row) ?? 0),
    })
    return [
      {
        id: 'year',
        title: t('year'),
        sort: (row) => row.id,
        text: (row) => monthParts(row.id).year,
        cell: (row) => monthParts(row.id).year,
        main: true,
      },
      {
        id: 'monthsName',
        title: t('month'),
        sort: (row) => row.id.slice(5),
        text: (row) => monthParts(row.id).monthsName,
        cell: (row) => t(`month_${monthParts(row.id).monthsName}`),
        main: true,
      },
      {
        id: 'total_rides',
        title: t('total_rides'),
        align: 'end',
        sort: (row) => row.total_rides ?? 0,
        cell: (row) => format.number(row.total_rides ?? 0),
        main: true,
      },
      { ...money('tripCost', t('trip_cost'), (row) => row.tripCost), main: true },
      money('rideCost', t('ride_cost'), (row) => row.rideCost),
      money('cancellationFee', t('cancellation_fee'), (row) => row.cancellationFee),
      money('gross', t('gross_trip_cost'), grossOf),
      { ...money('convenienceFee', t('convenience_fee'), (row) => row.convenienceFee), main: true },
      money('discountAmount', t('discount'), (row) => row.discountAmount),
      money('admin', t('admin_earning'), adminEarningOf),
      { ...money('profit', t('profit'), profitOf), main: true },
    ]
  }, [t, format, decimal])
  const months = [...reports].reverse().slice(-12)
  return (
    <ListPage
      id="earningreports"
      title={t('menu_earning_reports')}
      look={look}
      empty={t('no_data_available')}
      lead={
        months.length > 0 && (
          <div className={dashboard.charts}>
            <section className={dashboard.box}>
              <BarChart
                title={t('chart_rides_month')}
                format={format.number}
                bars={months.map((row) => ({
                  id: row.id,
                  label: format.month(Date.parse(`${row.id}-15T12:00:00Z`)),
                  value: row.total_rides ?? 0,
                }))}
              />
            </section>
            <section className={dashboard.box}>
              <BarChart
                title={t('chart_profit_month')}
                tone="accent"
                format={format.money}
                bars={months.map((row) => ({
                  id: row.id,
                  label: format.month(Date.parse(`${row.id}-15T12:00:00Z`)),
                  value: profitOf(row),
                }))}
              />
            </section>
          </div>
        )
      }
      rows={reports}
      columns={columns}
      defaults={{ size: 25 }}
      {...(may('table_export') && { exportAs: { name: 'earningreports' } })}
    />
  )
}
