import { useTranslation } from 'react-i18next'
import { formatDay } from '~/domain/language/zonedTime'
import { toShownTotals } from '~/domain/money/stats'
import { allTotals, dayTotals, monthTotals } from '~/src/features/earnings/earnings'
import { useLive } from '~/src/store/live/liveSlice'
import { useFormat } from '~/src/ui/format/format'
import { useCurrentMinute } from '~/src/ui/table/RelativeTime'
import pages from '~/src/office/recordPages/pages.module.css'
import { Skeleton } from '~/src/ui/feedback/states'
import { BookingDialogs } from '../bookings/BookingDialogs'
import { useOfficeSession } from '../useOfficeSession'
import { DashboardCharts } from './DashboardCharts'
import css from './dashboard.module.css'
import { DriversMap } from './DriversMap'
import { FareReviews } from './FareReviews'
import { HelpCases } from './HelpCases'
import { SetupChecklist } from './SetupChecklist'
import { StuckBookings } from './StuckBookings'
import { UnassignedBookings } from './UnassignedBookings'
import type { Settings } from '~/domain/catalog/types'
import type { StatsRow } from '~/domain/money/types'

const getConvenienceFees = (row: StatsRow | null, settings: Settings) =>
  toShownTotals(row ?? {}, settings).convenienceFee ?? 0

const EarningsCard = ({
  title,
  amount,
  loading,
}: {
  title: string
  amount: number
  loading: boolean
}) => {
  const format = useFormat()
  return (
    <section className={css.card}>
      <h2>{title}</h2>
      {loading ? <Skeleton width="60%" height="2.5rem" /> : <p>{format.money(amount)}</p>}
    </section>
  )
}

/** Shows the earnings of today, this month and all time, for the platform or a fleet. */
const EarningsCards = ({ today, settings }: { today: string; settings: Settings }) => {
  const { t } = useTranslation()
  const { day, loading: a } = useLive(dayTotals, today)
  const { month, loading: b } = useLive(monthTotals, today.slice(0, 7))
  const { total, loading: c } = useLive(allTotals)
  const loading = a || b || c
  return (
    <div className={css.cards} role="group" aria-label={t('gross_earning')}>
      <EarningsCard
        title={t('gross_today')}
        amount={getConvenienceFees(day, settings)}
        loading={loading}
      />
      <EarningsCard
        title={t('gross_month')}
        amount={getConvenienceFees(month, settings)}
        loading={loading}
      />
      <EarningsCard
        title={t('gross_total')}
        amount={getConvenienceFees(total, settings)}
        loading={loading}
      />
    </div>
  )
}

/**
 * Shows the state of the day: earnings, driver positions, and bookings that still need a driver.
 */
export const DashboardPage = () => {
  const { t } = useTranslation()
  const { settings, isAdmin } = useOfficeSession()
  const now = useCurrentMinute()
  return (
    <div className={pages.page}>
      <h1>{t('menu_dashboard')}</h1>
      {isAdmin && settings?.setupChecklist && <SetupChecklist settings={settings} />}
      {settings && <EarningsCards today={formatDay(now, settings.timezone)} settings={settings} />}
      <div className={css.live} data-alone={!isAdmin || undefined}>
        <DriversMap />
        {isAdmin && <UnassignedBookings />}
      </div>
      {isAdmin && <HelpCases />}
      {isAdmin && <FareReviews />}
      {isAdmin && <StuckBookings />}
      {settings && <DashboardCharts now={now} settings={settings} isAdmin={isAdmin} />}
      <BookingDialogs />
    </div>
  )
}
