import { useTranslation } from 'react-i18next'
import { getStops } from '~/domain/booking/stops/bookingStops'
import { StopStateText } from '~/src/features/bookings/stops/StopList'
import { toShownStop } from '~/src/features/bookings/stops/shownStops'
import { Address } from '~/src/ui/format/address'
import { PlaceMark } from '~/src/ui/PlaceMark'
import css from './BookingPlaces.module.css'
import type { Booking } from '~/domain/booking/types'

/** Renders pickup, stops and drop-off in a column; the stops with what happened there. */
export const BookingPlaces = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  return (
    <ol role="list" className={css.places}>
      <li>
        <PlaceMark kind="pickup" />
        <span className="visually-hidden">{t('pickup')}: </span>
        <Address value={booking.pickupAddress} />
      </li>
      {getStops(booking).map((stop, index) => (
        <li key={index} className={css.stop} data-state={stop.state}>
          <PlaceMark kind="stop" />
          <span className="visually-hidden">{t('stop')}: </span>
          <span className={css.address}>
            <Address value={stop.place.add} />
          </span>{' '}
          <StopStateText stop={toShownStop(stop)} />
        </li>
      ))}
      <li>
        <PlaceMark kind="drop" />
        <span className="visually-hidden">{t('drop')}: </span>
        <Address value={booking.dropAddress} />
      </li>
    </ol>
  )
}
