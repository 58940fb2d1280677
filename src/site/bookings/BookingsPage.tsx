import { useTranslation } from 'react-i18next'
import { filterActive } from '~/src/features/bookings/bookings'
import { liveSettings } from '~/src/features/settings/settings'
import { useBookedVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink } from '~/src/ui/controls'
import { Address } from '~/src/ui/format/address'
import { Money } from '~/src/ui/format/format'
import { MarkedPlace } from '~/src/ui/PlaceMark'
import { EmptyState } from '~/src/ui/feedback/states'
import { BookingLinkCard, BookingsList } from '~/src/widgets/BookingsList'
import css from './BookingsPage.module.css'
import { getPrice } from './bookingPrice'
import { useBookingDialog } from './useBookingDialog'
import type { Booking, Status } from '~/domain/booking/types'

const TABS = ['active', 'past', 'cancelled', 'all'] as const
type Tab = (typeof TABS)[number]
const PAST_STATUSES: readonly Status[] = ['PAID', 'COMPLETE']

const filterByTab = (rows: Booking[], tab: Tab): Booking[] => {
  if (tab === 'all') return rows
  if (tab === 'cancelled') return rows.filter((b) => b.status === 'CANCELLED')
  if (tab === 'past') return rows.filter((b) => PAST_STATUSES.includes(b.status))
  return filterActive(rows).filter((b) => !PAST_STATUSES.includes(b.status))
}

const BookingCard = ({ booking }: { booking: Booking }) => {
  const getTypeName = useBookedVehicleTypeName()
  return (
    <BookingLinkCard booking={booking} to={screenPaths.booking(booking.id)}>
      <ol role="list" className={css.way}>
        <li>
          <MarkedPlace kind="pickup">
            <Address value={booking.pickupAddress} />
          </MarkedPlace>
        </li>
        <li>
          <MarkedPlace kind="drop">
            <Address value={booking.dropAddress} />
          </MarkedPlace>
        </li>
      </ol>
      <div className={css.foot}>
        {booking.carImage && <img src={booking.carImage} alt="" width="64" height="36" />}
        <span className="typed">
          {getTypeName(booking)}
          {booking.driver_name && <small>{booking.driver_name}</small>}
          <small>
            <bdi dir="ltr">{booking.reference}</bdi>
          </small>
        </span>
        <strong>
          <Money amount={getPrice(booking)} />
        </strong>
      </div>
    </BookingLinkCard>
  )
}

/** Renders all bookings of the signed-in user, as cards by status or as a table. */
export const BookingsPage = () => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  const dialog = useBookingDialog(settings)
  return (
    <BookingsList
      title={t('bookings_title')}
      tabs={TABS}
      initialTab="active"
      getTabLabel={(tab, count) => `${t(`tab_${tab}`)} ${count ?? ''}`}
      filterByTab={filterByTab}
      pageSize={50}
      settings={settings}
      renderCard={(booking) => <BookingCard booking={booking} />}
      renderEmpty={(hasNone) => (
        <EmptyState
          title={t(hasNone ? 'bookings_empty' : 'bookings_empty_tab')}
          action={
            <ButtonLink variant="primary" to={screenPaths.home}>
              {t('book_one')}
            </ButtonLink>
          }
        >
          {hasNone && t('bookings_empty_text')}
        </EmptyState>
      )}
      tableActions={(booking) => (
        <>
          {dialog.may(booking, 'pay') && (
            <Button size="small" variant="accent" onClick={() => dialog.open('pay', booking)}>
              {t('pay_now')}
            </Button>
          )}
          {dialog.may(booking, 'cancel') && (
            <Button size="small" variant="danger" onClick={() => dialog.open('cancel', booking)}>
              {t('cancel_booking')}
            </Button>
          )}
        </>
      )}
      renderDialog={dialog.dialogOver}
    />
  )
}
