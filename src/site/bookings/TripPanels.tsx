import { useTranslation } from 'react-i18next'
import { getStopRows } from '~/domain/booking/stops/receiptStops'
import { ComplaintWords } from '~/src/features/bookings/ComplaintWords'
import { BookingFeedback } from '~/src/features/bookings/BookingFeedback'
import { useDistanceItems, useDistanceNote } from '~/src/features/bookings/bookingDistances'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { getShownStops } from '~/src/features/bookings/stops/shownStops'
import { StopList } from '~/src/features/bookings/stops/StopList'
import { PaymentRows } from '~/src/widgets/PaymentRows'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { translateFareCause } from '~/src/i18n/reasonTexts'
import { type DescriptionItem, DescriptionList } from '~/src/ui/DescriptionList'
import { Money } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { FareLines } from '~/src/widgets/trip/FareLines'
import { useBookingTexts } from '~/src/widgets/useBookingTexts'
import css from './BookingPage.module.css'
import { getUnlistedDiscount, getCurrentFare, getFareHistory, getPrice } from './bookingPrice'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

export const BookingSummary = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const getDistanceItems = useDistanceItems()
  const texts = useBookingTexts()
  const { parcelType, option } = texts.getExtras(booking)
  const note = useDistanceNote()(booking)
  const { deliveryPersonPhone, pickUpInstructions, deliveryInstructions } =
    useBookingContacts(booking)
  const facts: DescriptionItem[] = [
    [t('trip_date'), <DateTime key="d" at={booking.tripdate} />],
    [t('pickup'), booking.pickupAddress],
    ...getStopRows(booking, (key) => t(key)),
    [t('drop'), booking.dropAddress],
    ...getDistanceItems(booking),
    [t('car_type'), texts.getTypeName(booking)],
    [t('parcel_type'), parcelType],
    [t('option'), option],
    [t('deliveryPerson'), booking.deliveryPerson],
    [
      t('deliveryPersonPhone'),
      deliveryPersonPhone && <bdi className="typed">{deliveryPersonPhone}</bdi>,
    ],
    [t('pickUpInstructions'), pickUpInstructions],
    [t('deliveryInstructions'), deliveryInstructions],
    [t('payment_mode'), booking.payment_mode && t(`payment_${booking.payment_mode}`)],
    [t('cancellation_reason'), booking.reason && texts.getReason(booking.reason)],
  ]
  return (
    <section className={css.panel}>
      <h2>{t('booking')}</h2>
      <DescriptionList facts={facts} className={css.facts} />
      {note && <p className={css.muted}>{note}</p>}
    </section>
  )
}

export type Party = 'rider' | 'driver'

export const FarePanel = ({
  booking,
  settings,
  party,
}: {
  booking: Booking
  settings: Settings | null
  party: Party
}) => {
  const { t } = useTranslation()
  const getReason = useReasonText()
  const getCause = (cause: string) => translateFareCause(cause, t, getReason)
  const last = getCurrentFare(booking)
  const others = getFareHistory(booking).filter((entry) => entry !== last)
  const discount = getUnlistedDiscount(booking)
  return (
    <section className={css.panel}>
      <h2>{t('fare_lines')}</h2>
      {last ? (
        <>
          <p className={css.muted}>
            {t(`fare_kind_${last.kind}`)} · <DateTime at={last.at} />
            {last.cause !== last.kind && ` · ${getCause(last.cause)}`}
          </p>
          <FareLines lines={Object.values(last.lines ?? {})} total={last.total} />
          {discount > 0 && (
            <p className={css.muted}>
              {t('discount')}{' '}
              {booking.promo_details?.promo_name && <bdi>{booking.promo_details.promo_name}</bdi>}:{' '}
              <Money amount={-discount} />
            </p>
          )}
        </>
      ) : (
        <strong>
          <Money amount={getPrice(booking)} />
        </strong>
      )}
      {settings && <PaymentRows booking={booking} settings={settings} viewer={party} />}
      <ComplaintWords booking={booking} party={party} />
      {others.length > 0 && (
        <div className={css.history}>
          <h3 className="visually-hidden">{t('fare_history')}</h3>
          {others.map((entry) => (
            <details key={`${entry.kind} ${entry.at}`}>
              <summary>
                <span>
                  {t(`fare_kind_${entry.kind}`)} · <DateTime at={entry.at} />
                </span>
                <Money amount={entry.total} />
              </summary>
              {entry.cause !== entry.kind && <p className={css.muted}>{getCause(entry.cause)}</p>}
              <FareLines lines={Object.values(entry.lines ?? {})} total={entry.total} />
            </details>
          ))}
        </div>
      )}
    </section>
  )
}

/** Shows the customer's rating with what they said about it. */
export const FeedbackPanel = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  if (!booking.rating) return null
  return (
    <section className={css.panel}>
      <h2>{t('feedback')}</h2>
      <p>
        <BookingFeedback booking={booking} />
      </p>
    </section>
  )
}

/** Shows which stops the driver has passed, from the start of the trip on. */
export const StopsPanel = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const stops = getShownStops(booking)
  if (stops.length === 0) return null
  return (
    <section className={css.panel} aria-live="polite">
      <h2>{t('stops')}</h2>
      <StopList stops={stops} />
    </section>
  )
}

export const PhotosPanel = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const photos = (['pickup_image', 'deliver_image'] as const).filter((kind) => booking[kind])
  if (photos.length === 0) return null
  return (
    <section className={css.panel}>
      <h2>{t('photos')}</h2>
      <div className={css.photos}>
        {photos.map((kind) => (
          <figure key={kind}>
            <a href={booking[kind]} target="_blank" rel="noreferrer">
              <img src={booking[kind]} alt={t(kind)} />
            </a>
            <figcaption>{t(kind)}</figcaption>
          </figure>
        ))}
      </div>
    </section>
  )
}
