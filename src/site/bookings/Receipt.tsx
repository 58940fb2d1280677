import { useTranslation } from 'react-i18next'
import { getStopRows } from '~/domain/booking/stops/receiptStops'
import { linkTo } from '~/domain/language/links'
import { getChargedFare, getPaymentRows } from '~/domain/payments/paymentStatement'
import { useDistanceItems } from '~/src/features/bookings/bookingDistances'
import { usePaymentTexts } from '~/src/features/payments/paymentTexts'
import { useBookedVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { type DescriptionItem, DescriptionList } from '~/src/ui/DescriptionList'
import { Money } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import css from './Receipt.module.css'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

/** Renders the only part of the page that is printed; hidden on the screen. */
export const Receipt = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  usePaymentTexts()
  const { t } = useTranslation()
  const getDistanceItems = useDistanceItems()
  const getTypeName = useBookedVehicleTypeName()
  const { lines, total } = getChargedFare(booking)
  const facts: DescriptionItem[] = [
    [t('booking_reference'), <bdi key="reference">{booking.reference}</bdi>],
    [t('trip_date'), <DateTime key="date" at={booking.tripdate} />],
    [t('customer'), booking.customer_name],
    [t('pickup'), booking.pickupAddress],
    ...getStopRows(booking, (key) => t(key)),
    [t('drop'), booking.dropAddress],
    ...getDistanceItems(booking),
    [t('car_type'), getTypeName(booking)],
    [t('driver'), booking.driver_name],
    [t('vehicle_no'), booking.vehicle_number],
    [t('deliveryPerson'), booking.deliveryPerson],
    [t('status'), t(`status_${booking.status}`)],
  ]
  return (
    <section className={css.receipt} data-print aria-hidden="true">
      <header>
        <strong>{settings.CompanyName || settings.appName}</strong>
        <span>{settings.contact_email}</span>
        <span>{linkTo(settings.CompanyWebsite)}</span>
      </header>
      <h1>{t('receipt')}</h1>
      <DescriptionList facts={facts} />
      <table>
        <tbody>
          {lines.map(({ label, amount }) => (
            <tr key={label}>
              <td>{t(label)}</td>
              <td>
                <Money amount={amount} />
              </td>
            </tr>
          ))}
          <tr className={css.total}>
            <td>{t('total')}</td>
            <td>
              <Money amount={total} />
            </td>
          </tr>
          {getPaymentRows(booking, settings, (key) => t(key)).map(
            ({ label, cause, at, amount }) => (
              <tr key={`${label} ${cause} ${at} ${amount}`}>
                <td>
                  {label}
                  {cause && ` · ${cause}`}
                  {at !== undefined && (
                    <>
                      {' · '}
                      <DateTime at={at} />
                    </>
                  )}
                </td>
                <td>
                  <Money amount={amount} />
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </section>
  )
}
