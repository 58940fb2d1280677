import { useTranslation } from 'react-i18next'
import { formatDay } from '~/domain/language/zonedTime'
import { toShownTotals } from '~/domain/money/stats'
import { useVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { liveVehicleTypes } from '~/src/features/vehicleTypes/vehicleTypes'
import {
  vehicleTypeCounts,
  dayRows,
  monthRows,
  statusCounts,
} from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { SegmentedControl } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { type Bar, BarChart } from '~/src/ui/charts/BarChart'
import { BreakdownChart } from './BreakdownChart'
import { useQueryParam } from '~/src/ui/table/tableState'
import { EmptyState } from '~/src/ui/feedback/states'
import { addDays, getDayNoon } from '../dates'
import css from './dashboard.module.css'
import { SHOWN_DAYS } from './EarningsCards'
import { STATUSES } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { StatsTotals } from '~/domain/money/types'

const SHOWN_MONTHS = 12
const GROUPINGS = ['day', 'month'] as const

/** Returns the months (yyyy-mm) up to and including `last`, oldest first. */
const getMonthsUpTo = (last: string): string[] => {
  const [year = 0, month = 1] = last.split('-').map(Number)
  return Array.from({ length: SHOWN_MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - SHOWN_MONTHS + back, 15)).toISOString().slice(0, 7),
  )
}
const getMidMonth = (month: string) => Date.parse(`${month}-15T12:00:00Z`)

const BookingBreakdown = ({ month }: { month: string }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { counts } = useLive(statusCounts)
  const { byCarType } = useLive(vehicleTypeCounts, month)
  const { cars } = useLive(liveVehicleTypes)
  const getTypeName = useVehicleTypeName()
  const types = Object.entries(byCarType ?? {}).map(([id, value]) => ({
    id,
    value,
    label: getTypeName(cars.find((car) => car.id === id) ?? { name: id }),
    to: `${screenPaths.bookings}?car=${id}`,
  }))
  return (
    <div className={css.charts}>
      <section className={css.box}>
        <BreakdownChart
          title={t('chart_status')}
          format={format.number}
          shares={STATUSES.map((status) => ({
            id: status,
            label: t(`status_${status}`),
            value: counts?.[status] ?? 0,
            to: `${screenPaths.bookings}?status=${status}`,
          }))}
        />
      </section>
      <section className={css.box}>
        {types.length > 0 ? (
          <BreakdownChart title={t('chart_car_types')} format={format.number} shares={types} />
        ) : (
          <EmptyState title={t('chart_car_types')}>{t('no_data_available')}</EmptyState>
        )}
      </section>
    </div>
  )
}

/** Shows charts of the last days or months; admins also see the breakdown of bookings. */
export const DashboardCharts = ({
  now,
  settings,
  isAdmin,
}: {
  now: number
  settings: Settings
  isAdmin: boolean
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [requestedGrouping, setStep] = useQueryParam('by')
  const grouping = GROUPINGS.find((one) => one === requestedGrouping) ?? 'day'
  const { days } = useLive(dayRows, SHOWN_DAYS)
  const { months } = useLive(monthRows, grouping === 'month' ? SHOWN_MONTHS : 0)
  const { timezone } = settings
  const today = formatDay(now, timezone)
  const thisMonth = today.slice(0, 7)
  // Days without events have no row, but the chart shows them.
  const periods =
    grouping === 'month'
      ? getMonthsUpTo(thisMonth).map((id) => ({ id, label: format.month(getMidMonth(id)) }))
      : Array.from({ length: SHOWN_DAYS }, (_, index) => {
          const id = addDays(today, index + 1 - SHOWN_DAYS)
          return { id, label: format.dayMonth(getDayNoon(id, timezone)) }
        })
  const rows = new Map(
    (grouping === 'month' ? months : days).map((row) => [row.id, toShownTotals(row, settings)]),
  )
  const bars = (value: (row: StatsTotals) => number): Bar[] =>
    periods.map(({ id, label }) => ({ id, label, value: value(rows.get(id) ?? {}) }))
  const share = (part = 0, whole = 0) => (whole > 0 ? part / whole : 0)
  const charts = [
    {
      title: t('menu_bookings'),
      bars: bars((row) => row.created ?? row.completed ?? 0),
      format: format.number,
      wholeUnit: 1,
    },
    {
      title: t('gross_earning'),
      bars: bars((row) => row.convenienceFee ?? 0),
      format: format.money,
    },
    {
      title: t('chart_cancel_rate'),
      bars: bars(
        ({ cancelled = 0, completed = 0 }) => 100 * share(cancelled, cancelled + completed),
      ),
      format: (value: number) => `${format.number(value)} %`,
    },
    {
      title: t('chart_waiting'),
      wholeUnit: 60,
      bars: bars(({ waited, accepted }) => share(waited, accepted)),
      format: (value: number) => (value > 0 ? format.duration(value) : format.number(0)),
    },
  ]
  return (
    <>
      <div className={css.groupings}>
        <SegmentedControl
          legend={t('group_by')}
          value={grouping}
          onChange={setStep}
          options={GROUPINGS.map((value) => ({ value, label: t(`group_${value}`) }))}
        />
      </div>
      <div className={css.charts}>
        {charts.map((chart) => (
          <section key={chart.title} className={css.box}>
            <BarChart {...chart} />
          </section>
        ))}
      </div>
      {isAdmin && <BookingBreakdown month={thisMonth} />}
    </>
  )
}
