import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isContactOpen } from '~/domain/booking/contactAccess'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { requestPosition } from '~/src/features/gps/gps'
import { PanicButton } from '~/src/features/panic/PanicButton'
import { useAppDispatch } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'
import { Icon } from '~/src/ui/Icon'
import { Link } from '~/src/ui/navigation/router'
import { Rating } from '~/src/ui/format/values'
import { toTelLink } from '~/src/ui/format/telLink'
import { useNow } from '~/src/ui/useNow'
import { useBookedVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import css from './BookingPage.module.css'
import { WaitingNote } from './WaitingNote'
import type { Booking, BookingContacts } from '~/domain/booking/types'
import { isSettled } from './bookingPrice'

/** Milliseconds between checks for the end of the contact hour. */
export const CONTACT_RECHECK_MS = 30_000
/** Links to call and to chat with the other party, from ACCEPTED until one hour after the end. */
export const ContactActions = ({
  booking,
  of,
}: {
  booking: Booking
  of: keyof BookingContacts
}) => {
  const { t } = useTranslation()
  const { [of]: phone } = useBookingContacts(booking)
  const isOpen = isContactOpen(booking, useNow(CONTACT_RECHECK_MS))
  if (!isOpen) return null
  return (
    <>
      {phone && (
        <a href={toTelLink(phone)}>
          <Icon name="phone" size={24} />
          <span>{t('call_driver')}</span>
        </a>
      )}
      <Link to={screenPaths.chat(booking.id)}>
        <Icon name="chat" size={24} />
        <span>{t('chat_driver')}</span>
      </Link>
    </>
  )
}

/**
 * Shows the driver's picture from the booking; the file of a picture replaced long ago may be gone.
 */
const DriverPicture = ({ src }: { src: string | undefined }) => {
  const [isGone, setGone] = useState(false)
  return src && !isGone ? (
    <img src={src} alt="" width="56" height="56" onError={() => setGone(true)} />
  ) : (
    <span className={css.face}>
      <Icon name="person" size={30} />
    </span>
  )
}

export const DriverCard = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const getTypeName = useBookedVehicleTypeName()
  if (!booking.driver) return booking.status === 'NEW' ? <WaitingNote booking={booking} /> : null
  return (
    <section className={css.panel}>
      <h2 className="visually-hidden">{t('your_driver')}</h2>
      <div className={css.driver}>
        <DriverPicture src={booking.driver_image} />
        <div>
          <strong>
            <bdi className="typed">{booking.driver_name}</bdi>
          </strong>
          <p className={css.muted}>
            <bdi className="typed">{getTypeName(booking)}</bdi>
            {booking.driverRating !== undefined && booking.driverRating > 0 && (
              <>
                {' · '}
                <Rating value={booking.driverRating} />
              </>
            )}
          </p>
        </div>
        {booking.vehicle_number && (
          <bdi className={`${css.plate} typed`}>{booking.vehicle_number}</bdi>
        )}
      </div>
    </section>
  )
}

/** Shows the booking's rider to the driver. */
export const CustomerCard = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  return (
    <section className={css.panel}>
      <h2 className="visually-hidden">{t('customer')}</h2>
      <div className={css.driver}>
        <span className={css.face}>
          <Icon name="person" size={30} />
        </span>
        <strong>
          <bdi className="typed">{booking.customer_name}</bdi>
        </strong>
      </div>
    </section>
  )
}

/** Opens the emergency dialog, from the acceptance until the trip is paid. */
export const EmergencyAction = ({
  booking,
  phone,
}: {
  booking: Booking
  phone: string | undefined
}) => {
  const dispatch = useAppDispatch()
  const isOpen = isContactOpen(booking, useNow(CONTACT_RECHECK_MS))
  if (!isOpen || isSettled(booking)) return null
  return (
    <PanicButton
      isInRow
      booking={booking.id}
      phone={phone}
      locate={() => dispatch(requestPosition())}
    />
  )
}
