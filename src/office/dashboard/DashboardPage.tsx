import { useTranslation } from 'react-i18next'
import { formatDay } from '~/domain/language/zonedTime'
import { useCurrentMinute } from '~/src/ui/table/RelativeTime'
import pages from '~/src/office/recordPages/pages.module.css'
import { BookingDialogs } from '../bookings/BookingDialogs'
import { useOfficeSession } from '../useOfficeSession'
import { DashboardCharts } from './DashboardCharts'
import css from './dashboard.module.css'
import { DriversMap } from './DriversMap'
import { EarningsCards } from './EarningsCards'
import { FareReviews } from './FareReviews'
import { HelpCases } from './HelpCases'
import { SetupChecklist } from './SetupChecklist'
import { StuckBookings } from './StuckBookings'
import { UnassignedBookings } from './UnassignedBookings'

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
