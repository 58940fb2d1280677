import { useTranslation } from 'react-i18next'
import { dayOf } from '~/domain/clock'
import { STATUSES, type StatsTotals } from '~/domain/entities'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { carTypeCounts, dayRows, monthRows, statusCounts } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Segments } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format'
import { type Bar, BarChart } from '~/src/ui/office/BarChart'
import { Shares } from '~/src/ui/office/Shares'
import { useAddress } from '~/src/ui/office/tableState'
import { EmptyState } from '~/src/ui/states'
import { dayPlus, noonOf } from '../clock'
import css from './dashboard.module.css'

const DAYS = 30
const MONTHS = 12
const STEPS = ['day', 'month'] as const

/** The months up to one (yyyy-mm), oldest first. */
const monthsTo = (last: string): string[] => {
  const [year = 0, month = 1] = last.split('-').map(Number)
  return Array.from({ length: MONTHS }, (_, back) =>
    new Date(Date.UTC(year, month - MONTHS + back, 15)).toISOString().slice(0, 7),
  )
}
const middleOf = (month: string) => Date.parse(`${month}-15T12:00:00Z`)

const Divided = ({ month }: { month: string }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { counts } = useLive(statusCounts)
  const { byCarType } = useLive(carTypeCounts, month)
  const { cars } = useLive(carTypes)
  const types = Object.entries(byCarType ?? {}).map(([id, value]) => ({
    id,
    value,
    label: cars.find((car) => car.id === id)?.name ?? id,
    to: `${screens.bookings}?car=${id}`,
  }))
  return (
    <div className={css.charts}>
      <section className={css.box}>
        <Shares
          title={t('chart_status')}
          format={format.number}
          shares={STATUSES.map((status) => ({
            id: status,
            label: t(`status_${status}`),
            value: counts?.[status] ?? 0,
            to: `${screens.bookings}?status=${status}`,
          }))}
        />
      </section>
      <section className={css.box}>
        {types.length > 0 ? (
          <Shares title={t('chart_car_types')} format={format.number} shares={types} />
        ) : (
          <EmptyState title={t('chart_car_types')}>{t('no_data_available')}</EmptyState>
        )}
      </section>
    </div>
  )
}

/** How the last days or months went; for an admin also how the bookings divide. */
export const Charts = ({
  now,
  timezone,
  isAdmin,
}: {
  now: number
  timezone: string
  isAdmin: boolean
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [wanted, setStep] = useAddress('by')
  const step = STEPS.find((one) => one === wanted) ?? 'day'
  const { days } = useLive(dayRows, DAYS)
  const { months } = useLive(monthRows, step === 'month' ? MONTHS : 0)
  const today = dayOf(now, timezone)
  const thisMonth = today.slice(0, 7)
  // Days on which nothing happened have no row, and are shown all the same.
  const shown =
    step === 'month'
      ? monthsTo(thisMonth).map((id) => ({ id, label: format.month(middleOf(id)) }))
      : Array.from({ length: DAYS }, (_, index) => {
          const id = dayPlus(today, index + 1 - DAYS)
          return { id, label: format.dayMonth(noonOf(id, timezone)) }
        })
  const rows = new Map((step === 'month' ? months : days).map((row) => [row.id, row]))
  const bars = (value: (row: StatsTotals) => number): Bar[] =>
    shown.map(({ id, label }) => ({ id, label, value: value(rows.get(id) ?? {}) }))
  const share = (part = 0, whole = 0) => (whole > 0 ? part / whole : 0)
  const charts = [
    {
      title: t('menu_bookings'),
      bars: bars((row) => row.created ?? row.completed ?? 0),
      format: format.number,
    },
    {
      title: t('gross_earning'),
      tone: 'accent' as const,
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
      tone: 'accent' as const,
      bars: bars(({ waited, accepted }) => share(waited, accepted)),
      format: (value: number) => (value > 0 ? format.duration(value) : format.number(0)),
    },
  ]
  return (
    <>
      <div>
        <Segments
          legend={t('group_by')}
          value={step}
          onChange={setStep}
          options={STEPS.map((value) => ({ value, label: t(`group_${value}`) }))}
        />
      </div>
      <div className={css.charts}>
        {charts.map((chart) => (
          <section key={chart.title} className={css.box}>
            <BarChart {...chart} />
          </section>
        ))}
      </div>
      {isAdmin && <Divided month={thisMonth} />}
    </>
  )
}
