import { useTranslation } from 'react-i18next'
import { roundAmount, sumAmounts } from '~/domain/money/money'
import { toShownTotals } from '~/domain/money/stats'
import { allTotals, dayRows, dayTotals, monthTotals } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/live/liveSlice'
import { Sparkline } from '~/src/ui/charts/Sparkline'
import { Skeleton } from '~/src/ui/feedback/states'
import { useFormat } from '~/src/ui/format/format'
import { addDays } from '../dates'
import css from './dashboard.module.css'
import type { Settings } from '~/domain/catalog/types'
import type { StatsRow } from '~/domain/money/types'

/** The days that the charts of the dashboard show; its figures are compared with some of them. */
export const SHOWN_DAYS = 30
/** The days of a line, and those of the average that today is compared with. */
const [LINE_DAYS, AVERAGE_DAYS] = [14, 7]

const getConvenienceFees = (row: StatsRow | null | undefined, settings: Settings): number =>
  toShownTotals(row ?? {}, settings).convenienceFee ?? 0

/** Returns the month (yyyy-mm) before this one. */
const getMonthBefore = (month: string): string => addDays(`${month}-01`, -1).slice(0, 7)

const EarningsCard = ({
  title,
  amount,
  loading,
  compared = [],
  line,
}: {
  title: string
  amount: number
  loading: boolean
  /** The amounts of other days or months, in words; one line each. */
  compared?: readonly string[]
  line?: readonly number[]
}) => {
  const format = useFormat()
  return (
    <section className={css.card}>
      <h2>{title}</h2>
      {loading ? (
        <Skeleton width="60%" height="2.5rem" />
      ) : (
        <>
          <div className={css.figure}>
            <p>{format.money(amount)}</p>
            {line && <Sparkline values={line} />}
          </div>
          {compared.map((text) => (
            <small key={text}>{text}</small>
          ))}
        </>
      )}
    </section>
  )
}

/**
 * Shows the earnings of today, this month and all time, for the platform or a fleet, with those of
 * the days and the month before.
 */
export const EarningsCards = ({ today, settings }: { today: string; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const thisMonth = today.slice(0, 7)
  const { day, loading: isDayLoading } = useLive(dayTotals, today)
  const { month, loading: isMonthLoading } = useLive(monthTotals, thisMonth)
  const { month: monthBefore } = useLive(monthTotals, getMonthBefore(thisMonth))
  const { total, loading: isTotalLoading } = useLive(allTotals)
  const { days } = useLive(dayRows, SHOWN_DAYS)
  const rows = new Map(days.map((row) => [row.id, row]))
  const getFees = (back: number) => getConvenienceFees(rows.get(addDays(today, -back)), settings)
  const week = Array.from({ length: AVERAGE_DAYS }, (_, index) => getFees(index + 1))
  const average = roundAmount(sumAmounts(week, settings.decimal) / AVERAGE_DAYS, settings.decimal)
  const daysOfMonth = Number(today.slice(8))
  const toLine = (length: number) =>
    Array.from({ length }, (_, index) => getFees(length - 1 - index))
  const loading = isDayLoading || isMonthLoading || isTotalLoading
  return (
    <div className={css.cards} role="group" aria-label={t('gross_earning')}>
      <EarningsCard
        title={t('gross_today')}
        amount={getConvenienceFees(day, settings)}
        loading={loading}
        compared={[
          t('compared_yesterday', { amount: format.money(getFees(1)) }),
          t('compared_average', { amount: format.money(average) }),
        ]}
        line={toLine(LINE_DAYS)}
      />
      <EarningsCard
        title={t('gross_month')}
        amount={getConvenienceFees(month, settings)}
        loading={loading}
        compared={[
          t('compared_month', { amount: format.money(getConvenienceFees(monthBefore, settings)) }),
        ]}
        line={toLine(Math.min(daysOfMonth, SHOWN_DAYS))}
      />
      <EarningsCard
        title={t('gross_total')}
        amount={getConvenienceFees(total, settings)}
        loading={loading}
      />
    </div>
  )
}
