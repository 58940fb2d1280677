import { useTranslation } from 'react-i18next'
import type { Booking, Settings } from '~/domain/entities'
import { type Fact, Facts } from '~/src/ui/Facts'
import { DateTime, Money, useFormat } from '~/src/ui/format'
import css from './Receipt.module.css'
import { discountBeside, faresOf, priceOf } from './price'

/** What is printed: nothing of the page but this. On the screen it is not to be seen. */
export const Receipt = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const [final] = faresOf(booking)
  const discount = discountBeside(booking)
  const paid = [
    ['payment_cash', booking.cashPaymentAmount],
    ['payment_card', booking.cardPaymentAmount],
    ['payment_wallet', booking.usedWalletMoney],
  ] as const
  const facts: Fact[] = [
    [t('booking_id'), booking.booking_id],
    [t('trip_date'), <DateTime key="date" at={booking.tripdate} />],
    [t('customer'), booking.customer_name],
    [t('pickup'), booking.pickupAddress],
    ...(booking.waypoints ?? []).map(({ add }, index): Fact => [`${t('stop')} ${index + 1}`, add]),
    [t('drop'), booking.dropAddress],
    [t('distance'), format.distance(booking.distance)],
    [t('car_type'), booking.carType],
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
        <span>{settings.CompanyWebsite}</span>
      </header>
      <h1>{t('receipt')}</h1>
      <Facts facts={facts} />
      <table>
        <tbody>
          {Object.values(final?.lines ?? {}).map(({ label, amount }) => (
            <tr key={label}>
              <td>{t(label)}</td>
              <td>
                <Money amount={amount} />
              </td>
            </tr>
          ))}
          {discount > 0 && (
            <tr>
              <td>{t('discount')}</td>
              <td>
                <Money amount={-discount} />
              </td>
            </tr>
          )}
          <tr className={css.total}>
            <td>{t('total')}</td>
            <td>
              <Money
                amount={
                  booking.status === 'CANCELLED'
                    ? priceOf(booking)
                    : (booking.customer_paid ?? priceOf(booking))
                }
              />
            </td>
          </tr>
          {paid
            .filter(([, amount]) => (amount ?? 0) > 0)
            .map(([mode, amount = 0]) => (
              <tr key={mode}>
                <td>
                  {t('receipt_paid')}: {t(mode)}
                </td>
                <td>
                  <Money amount={amount} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </section>
  )
}
