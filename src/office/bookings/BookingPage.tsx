import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { BookingReference } from '~/src/features/bookings/BookingReference'
import { liveBooking } from '~/src/features/bookings/bookings'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { ButtonLink } from '~/src/ui/controls'
import { TripEnds } from '~/src/ui/PlaceMark'
import { BookingDetail } from './BookingDetail'
import { BookingDialogs } from './BookingDialogs'
import css from './bookings.module.css'

/** Shows one booking on its own page, which links in messages open. */
export const BookingPage = () => {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const { booking } = useLive(liveBooking, id)
  return (
    <div className={css.alone}>
      <div className={css.aloneHead}>
        <h1>
          {booking ? (
            <TripEnds from={booking.pickupAddress} to={booking.dropAddress} />
          ) : (
            t('booking')
          )}
        </h1>
        <h2 className={css.id}>
          {t('booking')} <BookingReference id={id} />
        </h2>
        <ButtonLink to={screenPaths.bookings} size="small">
          {t('all_bookings')}
        </ButtonLink>
      </div>
      <BookingDetail key={id} id={id} />
      <BookingDialogs />
    </div>
  )
}
