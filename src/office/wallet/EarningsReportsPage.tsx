import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { toYearAndMonthName } from '~/domain/zonedTime'
import { roundAmount } from '~/domain/money'
import {
  getAdminEarnings,
  getComplaintCosts,
  getGrossTripCost,
  getProfit,
  getRefunds,
  getRiderCompensation,
} from '~/domain/platformEarnings'
import { toShownTotals } from '~/domain/stats'
import {
  type MonthTotals,
  earningsReports,
  formerCurrencies,
} from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/liveSlice'
import { useFormat } from '~/src/ui/format'
import { BarChart } from '~/src/ui/charts/BarChart'
import type { Column } from '~/src/ui/table/DataTable'
import { createMoneyColumn } from '~/src/ui/table/moneyColumn'
import { ListPage } from '~/src/office/recordPages/ListPage'
import pages from '~/src/office/recordPages/pages.module.css'
import dashboard from '../dashboard/dashboard.module.css'
import { useOfficeSession } from '../useOfficeSession'

/** The ids of the amounts that a phone shows. */
const COLUMNS_ON_CARD = ['tripCost', 'convenienceFee', 'profit']

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
  const columns = useMemo((): Column<MonthTotals>[] => {
    const money = (
      id: string,
      title: string,
      value: (row: MonthTotals, decimal: number) => number | undefined,
    ) =>
      createMoneyColumn<MonthTotals>({
        id,
        title,
        isOnCard: COLUMNS_ON_CARD.includes(id),
        currency,
        amount: (row) => roundAmount(value(row, decimal) ?? 0, decimal),
        totalDecimals: decimal,
      })
    return [
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
        exportValue: (row) => t(`month_${toYearAndMonthName(row.id).monthsName}`),
        cell: (row) => t(`month_${toYearAndMonthName(row.id).monthsName}`),
        isOnCard: true,
      },
      {
        id: 'total_rides',
        title: t('total_rides'),
        align: 'end',
        sortValue: (row) => row.total_rides ?? 0,
        cell: (row) => format.number(row.total_rides ?? 0),
        isOnCard: true,
        total: (rows) =>
          format.number(rows.reduce((count, row) => count + (row.total_rides ?? 0), 0)),
      },
      money('tripCost', t('trip_cost'), (row) => row.tripCost),
      { ...money('rideCost', t('ride_cost'), (row) => row.rideCost), isExtra: true },
      money('cancellationFee', t('cancellation_fee'), (row) => row.cancellationFee),
      { ...money('gross', t('gross_trip_cost'), getGrossTripCost), isExtra: true },
      money('convenienceFee', t('convenience_fee'), (row) => row.convenienceFee),
      { ...money('discountAmount', t('discount'), (row) => row.discountAmount), isExtra: true },
      money('complaints', t('report_complaints'), getComplaintCosts),
      {
        ...money('riderCompensation', t('report_compensation_riders'), getRiderCompensation),
        isExtra: true,
      },
      {
        ...money(
          'driverCompensation',
          t('report_compensation_drivers'),
          (row) => row.driverCompensation,
        ),
        isExtra: true,
      },
      { ...money('refunds', t('report_refunds'), getRefunds), isExtra: true },
      { ...money('tips', t('tips'), (row) => row.tips), isExtra: true },
      money('admin', t('admin_earning'), getAdminEarnings),
      money('profit', t('profit'), getProfit),
    ]
  }, [t, format, decimal, currency])
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
            <div className={dashboard.charts}>
              <section className={dashboard.box}>
                <BarChart
                  title={t('chart_rides_month')}
                  format={format.number}
                  isCount
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
                    value: getProfit(row, decimal),
                  }))}
                />
              </section>
            </div>
          </>
        )
      }
      rows={reports}
      columns={columns}
      defaults={{ size: 25 }}
      toSearchText={(row) =>
        `${toYearAndMonthName(row.id).year} ${t(`month_${toYearAndMonthName(row.id).monthsName}`)}`
      }
      {...(can('table_export') && { exportAs: { name: 'earningreports' } })}
    />
  )
}
