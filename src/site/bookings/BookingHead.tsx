import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { sumAmounts } from '~/domain/money/money'
import { getNetPayment, getPaymentLines } from '~/domain/payments/paymentStatement'
import { TripCode } from '~/src/features/bookings/TripCode'
import { Money, useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import { MarkedPlace } from '~/src/ui/PlaceMark'
import { useBookingTexts } from '~/src/widgets/useBookingTexts'
import css from './BookingPage.module.css'
import { isSettled } from './bookingPrice'
import { STAGE_BY_STATUS, STAGES } from './bookingStages'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const BookingProgress = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const at = STAGE_BY_STATUS[booking.status]
  if (at < 0) return null
  return (
    <ol role="list" className={css.progress}>
      {STAGES.map((stage, index) => (
        <li
          key={stage}
          data-done={index < at || undefined}
          data-now={index === at || undefined}
          aria-current={index === at ? 'step' : undefined}
        >
          <span className="visually-hidden">{t(`status_${stage}`)}</span>
        </li>
      ))}
    </ol>
  )
}

/** Says what the rider of an ended booking paid, and whether they got it back. */
const PaidText = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { decimal } = settings
  const paid = getNetPayment(booking, decimal)
  const charges = getPaymentLines(booking).filter(({ kind }) => kind === 'charge')
  const charged = sumAmounts(
    charges.map(({ amount }) => amount),
    decimal,
  )
  if (paid > 0)
    return (
      <>
        {t('paid_in_all')} <Money amount={paid} />
      </>
    )
  return charged > 0 ? t('all_returned', { amount: format.money(charged) }) : t('not_charged')
}

/** Says why a booking ended without a trip, and what its rider paid. */
const Outcome = ({ booking, settings }: { booking: Booking; settings: Settings }) => {
  const { t } = useTranslation()
  const { getReason } = useBookingTexts()
  const hasExpired = Object.values(booking.event_log).some(({ event }) => event === 'expire')
  return (
    <p className={css.outcome}>
      {booking.status === 'CANCELLED' && hasExpired && `${t('booking_expired')} `}
      {booking.status === 'CANCELLED' && booking.reason && !hasExpired && (
        <>
          {t('cancellation_reason')}: {getReason(booking.reason)}
          <br />
        </>
      )}
      <strong>
        <PaidText booking={booking} settings={settings} />
      </strong>
    </p>
  )
}

/** Shows the start and the end of the trip without the city, which its map shows. */
const Ends = ({ booking }: { booking: Booking }) => (
  <ol role="list" className={css.ends}>
    {(['pickup', 'drop'] as const).map((kind) => (
      <li key={kind}>
        <MarkedPlace kind={kind}>
          <bdi>{booking[`${kind}Address`].split(',')[0]}</bdi>
        </MarkedPlace>
      </li>
    ))}
  </ol>
)

/** Shows the code that the rider tells the driver at the pickup. */
export const TripCodePanel = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  return (
    <section className={css.code} data-now={booking.status === 'ARRIVED' || undefined}>
      <h2>{t('your_code')}</h2>
      <p className={css.digits}>
        <TripCode booking={booking} />
      </p>
      <p>{t('your_code_hint')}</p>
    </section>
  )
}

/** Says what happens with a booking now; `arrival` is the time until the driver is there. */
export const BookingHead = ({
  booking,
  settings,
  isRider,
  arrival,
}: {
  booking: Booking
  settings: Settings | null
  isRider: boolean
  arrival: ReactNode
}) => {
  const { t } = useTranslation()
  const { status, bookLater, tripdate, bookingDate, reference } = booking
  return (
    <header className={css.head}>
      <div aria-live="polite">
        <h1>{t(`status_${status}`)}</h1>
        <BookingProgress booking={booking} />
      </div>
      {arrival}
      {isRider && settings && isSettled(booking) && (
        <Outcome booking={booking} settings={settings} />
      )}
      <Ends booking={booking} />
      <p className={css.muted}>
        {t('booking_title', { id: reference })} ·{' '}
        <DateTime at={bookLater ? tripdate : bookingDate} />
      </p>
    </header>
  )
}
