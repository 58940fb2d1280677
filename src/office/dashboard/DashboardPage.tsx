import { useTranslation } from 'react-i18next'
import { dayOf } from '~/domain/clock'
import type { StatsTotals } from '~/domain/entities'
import { allTotals, dayTotals, monthTotals } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/liveSlice'
import { useFormat } from '~/src/ui/format'
import { useMinute } from '~/src/ui/office/Ago'
import pages from '~/src/ui/office/pages.module.css'
import { Skeleton } from '~/src/ui/states'
import { BookingDialogs } from '../bookings/BookingDialogs'
import { useOffice } from '../useOffice'
import { Charts } from './Charts'
import css from './dashboard.module.css'
import { DriversMap } from './DriversMap'
import { Stuck } from './Stuck'
import { Unassigned } from './Unassigned'

const feesOf = (totals: StatsTotals | null) => totals?.convenienceFee ?? 0

const Card = ({ title, amount, loading }: { title: string; amount: number; loading: boolean }) => {
  const format = useFormat()
  return (
    <section className={css.card}>
      <h2>{title}</h2>
      {loading ? <Skeleton width="60%" height="2.5rem" /> : <p>{format.money(amount)}</p>}
    </section>
  )
}

/** What was earned today, this month and in all: by the platform, or by a fleet. */
const Cards = ({ today }: { today: string }) => {
  const { t } = useTranslation()
  const { day, loading: a } = useLive(dayTotals, today)
  const { month, loading: b } = useLive(monthTotals, today.slice(0, 7))
  const { total, loading: c } = useLive(allTotals)
  const loading = a || b || c
  return (
    <div className={css.cards} role="group" aria-label={t('gross_earning')}>
      <Card title={t('gross_today')} amount={feesOf(day)} loading={loading} />
      <Card title={t('gross_month')} amount={feesOf(month)} loading={loading} />
      <Card title={t('gross_total')} amount={feesOf(total)} loading={loading} />
    </div>
  )
}

/** How the day goes: earnings, where the drivers are, who still waits for one. */
export const DashboardPage = () => {
  const { t } = useTranslation()
  const { settings, isAdmin } = useOffice()
  const timezone = settings?.timezone
  const now = useMinute()
  return (
    <div className={pages.page}>
      <h1>{t('menu_dashboard')}</h1>
      {timezone && <Cards today={dayOf(now, timezone)} />}
      <div className={css.live} data-alone={!isAdmin || undefined}>
        <DriversMap />
        {isAdmin && <Unassigned />}
      </div>
      {isAdmin && <Stuck />}
      {timezone && <Charts now={now} timezone={timezone} isAdmin={isAdmin} />}
      <BookingDialogs />
    </div>
  )
}
