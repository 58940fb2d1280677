import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toShownTotals } from '~/domain/money/stats'
import { ownEarnings } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/live/liveSlice'
import { type Bar, BarChart } from '~/src/ui/charts/BarChart'
import { SegmentedControl } from '~/src/ui/controls'
import { Money, useFormat } from '~/src/ui/format/format'
import { SkeletonLines } from '~/src/ui/feedback/states'
import { useServerNow } from '../serverTime'
import { useDayFormatter } from '~/src/ui/format/dayFormat'
import {
  type PeriodEarnings,
  getDailyEarnings,
  getWeeklyEarnings,
  getLastMonths,
  getRecentEarnings,
} from './walletReports'
import { useWalletHistory } from './walletHistory'
import css from './WalletPage.module.css'
import type { Settings } from '~/domain/catalog/types'
import type { StatsRow } from '~/domain/money/types'

type Span = 'days' | 'weeks' | 'months'
const MONTHS_SHOWN = 6
const WEEKS_SHOWN = 6
/** The shown weeks, the current one included, and a day for the platform's time zone. */
const EARNINGS_DAYS = 7 * WEEKS_SHOWN + 1

/** Shows what the driver has earned, as numbers and bars. */
export const Earnings = ({ settings }: { settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const named = useDayFormatter()
  const now = useServerNow(60_000)
  const { months } = useLive(ownEarnings)
  const [span, setSpan] = useState<Span>('days')
  const { history, loading } = useWalletHistory(now, EARNINGS_DAYS)
  if (loading) return <SkeletonLines lines={3} height="4rem" />
  const periods = getRecentEarnings(history, settings, now)
  const drawn = (bars: PeriodEarnings[], options: Intl.DateTimeFormatOptions): Bar[] =>
    bars.map(({ from, amount, count }) => ({
      id: from,
      label: named(options).day(from),
      value: amount,
      text: t('chart_bar', {
        when: named({ dateStyle: 'medium' }).day(from),
        amount: format.money(amount),
        count,
      }),
    }))
  const bars: Record<Span, () => Bar[]> = {
    days: () => drawn(getDailyEarnings(history, settings, now), { weekday: 'short' }),
    weeks: () =>
      drawn(getWeeklyEarnings(history, settings, now, WEEKS_SHOWN), {
        day: 'numeric',
        month: 'numeric',
      }),
    months: () =>
      getLastMonths(now, settings, MONTHS_SHOWN)
        .map((id) => ({
          id,
          ...toShownTotals<StatsRow>(months.find((m) => m.id === id) ?? {}, settings),
        }))
        .map(({ id, driverShare = 0, total_rides = 0 }) => ({
          id,
          label: named({ month: 'short' }).day(`${id}-15`),
          value: driverShare,
          text: t('chart_bar', {
            when: named({ month: 'long', year: 'numeric' }).day(`${id}-15`),
            amount: format.money(driverShare),
            count: total_rides,
          }),
        })),
  }
  return (
    <section className={css.card} aria-labelledby="earnings-title">
      <h2 id="earnings-title">{t('earnings_title')}</h2>
      <dl className={css.periods}>
        {(['today', 'week', 'month'] as const).map((period) => (
          <div key={period}>
            <dt>{t(`period_${period}`)}</dt>
            <dd>
              <strong>
                <Money amount={periods[period].amount} />
              </strong>
              <small>{t('bookings_count', { count: periods[period].count })}</small>
            </dd>
          </div>
        ))}
      </dl>
      <SegmentedControl
        legend={t('chart_span')}
        value={span}
        onChange={setSpan}
        options={(['days', 'weeks', 'months'] as const).map((value) => ({
          value,
          label: t(`span_${value}`),
        }))}
      />
      <BarChart isCompact title={t('earnings_title')} bars={bars[span]()} format={format.money} />
    </section>
  )
}
