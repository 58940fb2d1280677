import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { useDistanceItems, useDistanceNote } from '~/src/features/bookings/bookingDistances'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { useBookedExtras } from '~/src/features/vehicleTypes/useBookedExtras'
import { screenPaths } from '~/src/store/screenPaths'
import { Money } from '~/src/ui/format/format'
import { toTelLink } from '~/src/ui/format/telLink'
import css from './CurrentBooking.module.css'
import type { Booking } from '~/domain/booking/types'

const DetailRow = ({ label, children }: { label: string; children: React.ReactNode }) => (
  <div>
    <dt>{label}</dt>
    <dd>{children}</dd>
  </div>
)

/** Shows the people, the parcel, the notes and the driver's share of a booking. */
export const TripDetails = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const { parcelType, option } = useBookedExtras()(booking)
  const parcel = [parcelType, option].filter(Boolean).join(' · ')
  const getDistanceItems = useDistanceItems()
  const note = useDistanceNote()(booking)
  const { deliveryPerson } = booking
  const { deliveryPersonPhone, pickUpInstructions, deliveryInstructions } =
    useBookingContacts(booking)
  return (
    <>
      <dl className={css.facts}>
        <DetailRow label={t('customer')}>{booking.customer_name}</DetailRow>
        {parcel && <DetailRow label={t('parcel_type')}>{parcel}</DetailRow>}
        {pickUpInstructions && (
          <DetailRow label={t('pickUpInstructions')}>{pickUpInstructions}</DetailRow>
        )}
        {(deliveryPerson || deliveryPersonPhone) && (
          <DetailRow label={t('deliveryPerson')}>
            {deliveryPerson}{' '}
            {deliveryPersonPhone && (
              <a href={toTelLink(deliveryPersonPhone)}>
                <bdi className="typed">{deliveryPersonPhone}</bdi>
              </a>
            )}
          </DetailRow>
        )}
        {deliveryInstructions && (
          <DetailRow label={t('deliveryInstructions')}>{deliveryInstructions}</DetailRow>
        )}
        <DetailRow label={t('driver_share')}>
          <Money amount={booking.driver_share} />
        </DetailRow>
        {booking.driven_distance !== undefined &&
          getDistanceItems(booking).map(([name, value]) => (
            <DetailRow key={name} label={name}>
              {value}
            </DetailRow>
          ))}
        <DetailRow label={t('booking_reference')}>
          <Link to={screenPaths.booking(booking.id)}>
            <bdi dir="ltr">{booking.reference}</bdi>
          </Link>
        </DetailRow>
      </dl>
      {note && <p className={css.note}>{note}</p>}
    </>
  )
}
