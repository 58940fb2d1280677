import { useTranslation } from 'react-i18next'
import { liveSettings } from '~/src/features/settings/settings'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { Money } from '~/src/ui/format/format'
import { Distance, Rating } from '~/src/ui/format/values'
import { EmptyState } from '~/src/ui/feedback/states'
import { BookingLinkCard, BookingsList } from '~/src/widgets/BookingsList'
import { BookingPlaces } from '../console/BookingPlaces'
import { RECENT_BOOKINGS_QUERY, getDriverEvents } from '../currentBookings'
import css from './DriverBookingsPage.module.css'
import type { Booking } from '~/domain/booking/types'

const TABS = ['all', 'open', 'done', 'cancelled'] as const
type Tab = (typeof TABS)[number]

const BookingCard = ({ booking, isOpen }: { booking: Booking; isOpen: boolean }) => {
  const { t } = useTranslation()
  const getReason = useReasonText()
  return (
    <BookingLinkCard
      booking={booking}
      to={isOpen ? screenPaths.trips : screenPaths.booking(booking.id)}
    >
      <BookingPlaces booking={booking} />
      <div className={css.foot}>
        <span className="typed">
          {booking.customer_name}
          <small>
            <Distance value={booking.distance} />
            {booking.rating !== undefined && (
              <>
                {' · '}
                <Rating value={booking.rating} />
              </>
            )}
            {' · '}
            <bdi dir="ltr">{booking.reference}</bdi>
          </small>
        </span>
        {booking.cancelled_at === undefined ? (
          <span className={css.share}>
            <strong>
              <Money amount={booking.driver_share} />
            </strong>
            <small>{t('driver_share')}</small>
          </span>
        ) : (
          <small className={`${css.reason} typed`}>
            {booking.reason && getReason(booking.reason)}
          </small>
        )}
      </div>
    </BookingLinkCard>
  )
}

/** Renders the driver's own bookings with their earnings, as cards or as a table. */
export const DriverBookingsPage = () => {
  const { t } = useTranslation()
  const driver = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const isOpen = (booking: Booking) =>
    driver !== null && settings !== null && getDriverEvents(booking, driver, settings).length > 0
  const filterByTab = (rows: Booking[], tab: Tab): Booking[] => {
    if (tab === 'open') return rows.filter(isOpen)
    if (tab === 'done') return rows.filter(({ paid_at }) => paid_at !== undefined)
    if (tab === 'cancelled') return rows.filter(({ cancelled_at }) => cancelled_at !== undefined)
    return rows
  }
  return (
    <BookingsList
      title={t('menu_bookings')}
      tabs={TABS}
      initialTab="all"
      getTabLabel={(tab) => t(`driver_tab_${tab}`)}
      filterByTab={filterByTab}
      pageSize={RECENT_BOOKINGS_QUERY.size}
      settings={settings}
      isReady={driver !== null && settings !== null}
      renderCard={(booking) => <BookingCard booking={booking} isOpen={isOpen(booking)} />}
      renderEmpty={(hasNone) => (
        <EmptyState
          title={t(hasNone ? 'driver_bookings_empty' : 'driver_bookings_none')}
          action={
            <ButtonLink to={screenPaths.trips} variant="primary">
              {t('to_console')}
            </ButtonLink>
          }
        />
      )}
    />
  )
}
