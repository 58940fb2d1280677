import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Settings, User } from '~/domain/entities'
import { ownEarnings } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/liveSlice'
import { Segments } from '~/src/ui/controls'
import { Money, useFormat } from '~/src/ui/format'
import { useServerNow } from '../clock'
import { BarChart, type ChartBar } from './BarChart'
import { useDayNames } from './days'
import { type Bar, byDay, byWeek, lastMonths, periodsOf } from './figures'
import css from './WalletPage.module.css'

type Span = 'days' | 'weeks' | 'months'
const MONTHS_SHOWN = 6

/** What the driver has earned, in numbers and bars. */
export const Earnings = ({ driver, settings }: { driver: User; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const named = useDayNames()
  const now = useServerNow(60_000)
  const { months } = useLive(ownEarnings)
  const [span, setSpan] = useState<Span>('days')
  const periods = periodsOf(driver.walletHistory, settings, now)
  const drawn = (bars: Bar[], options: Intl.DateTimeFormatOptions): ChartBar[] =>
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
  const bars: Record<Span, () => ChartBar[]> = {
    days: () => drawn(byDay(driver.walletHistory, settings, now), { weekday: 'short' }),
    weeks: () =>
      drawn(byWeek(driver.walletHistory, settings, now, 6), { day: 'numeric', month: 'numeric' }),
    months: () =>
      lastMonths(now, settings, MONTHS_SHOWN)
        .map((id) => ({ driverShare: 0, total_rides: 0, ...months.find((m) => m.id === id), id }))
        .map(({ id, driverShare, total_rides }) => ({
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
      <Segments
        legend={t('chart_span')}
        value={span}
        onChange={setSpan}
        options={(['days', 'weeks', 'months'] as const).map((value) => ({
          value,
          label: t(`span_${value}`),
        }))}
      />
      <BarChart title={t('earnings_title')} bars={bars[span]()} />
    </section>
  )
}
