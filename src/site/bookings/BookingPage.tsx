import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router-dom'
import type { BookingEvent } from '~/domain/booking/transitions'
import { eventsFor } from '~/domain/booking/eventsFor'
import { cancelFee } from '~/domain/booking/cancelling'
import type { Booking, FareHistoryEntry, Settings } from '~/domain/entities'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { advanceBooking, booking as liveBooking } from '~/src/features/bookings/bookings'
import { TripCode } from '~/src/features/bookings/TripCode'
import { cancelReasons } from '~/src/features/cancelReasons/cancelReasons'
import { carTypes } from '~/src/features/carTypes/carTypes'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, ButtonLink } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/Dialog'
import { DateTime, Money, useFormat } from '~/src/ui/format'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { Icon } from '~/src/ui/Icon'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import { FareLines } from '../FareLines'
import css from './BookingPage.module.css'
import { PaymentDialog } from './PaymentDialog'
import { priceOf } from './price'
import { RatingPanel } from './RatingPanel'

const BookingMap = lazy(async () => ({ default: (await import('./BookingMap')).BookingMap }))

/** The way of a booking that goes well, as its rider sees it. */
const STAGES = ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PAID'] as const
const STAGE_OF: Record<Booking['status'], number> = {
  PAYMENT_PENDING: -1,
  NEW: 0,
  ACCEPTED: 1,
  ARRIVED: 2,
  STARTED: 3,
  REACHED: 4,
  PENDING: 4,
  PAID: 5,
  COMPLETE: 6,
  CANCELLED: -1,
}

const Progress = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const at = STAGE_OF[booking.status]
  if (booking.status === 'CANCELLED' || booking.status === 'PAYMENT_PENDING') return null
  return (
    <ol role="list" className={css.progress}>
      {STAGES.map((stage, index) => (
        <li
          key={stage}
          data-done={index < at || undefined}
          data-now={index === at || undefined}
          aria-current={index === at ? 'step' : undefined}
        >
          <span>{t(`status_${stage}`)}</span>
        </li>
      ))}
    </ol>
  )
}

const Code = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  return (
    <section className={css.code}>
      <h2>{t('your_code')}</h2>
      <p className={css.digits}>
        <TripCode booking={booking} />
      </p>
      <p>{t('your_code_hint')}</p>
    </section>
  )
}

const DriverCard = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  if (!booking.driver)
    return booking.status === 'NEW' ? (
      <p className={css.searching}>
        <Icon name="search" />
        {t('no_driver_yet')}
      </p>
    ) : null
  return (
    <section className={css.panel}>
      <h2>{t('your_driver')}</h2>
      <div className={css.driver}>
        {booking.driver_image ? (
          <img src={booking.driver_image} alt="" width="56" height="56" />
        ) : (
          <span className={css.face}>
            <Icon name="person" size={30} />
          </span>
        )}
        <div>
          <strong>{booking.driver_name}</strong>
          <p className={css.muted}>
            {booking.carType}
            {booking.driverRating !== undefined && booking.driverRating > 0 && (
              <>
                {' · '}
                {t('driver_rating', { rating: format.number(booking.driverRating) })}
              </>
            )}
          </p>
        </div>
        {booking.vehicle_number && <bdi className={css.plate}>{booking.vehicle_number}</bdi>}
      </div>
      {booking.driver_contact && STAGE_OF[booking.status] < 5 && booking.status !== 'CANCELLED' && (
        <a className={css.call} href={`tel:${booking.driver_contact}`}>
          <Icon name="phone" size={18} />
          {t('call_driver')}
        </a>
      )}
    </section>
  )
}

const CancelDialog = ({
  booking,
  settings,
  onClose,
}: {
  booking: Booking
  settings: Settings
  onClose: () => void
}) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const format = useFormat()
  const { complex: reasons } = useLive(cancelReasons)
  const { cars } = useLive(carTypes)
  const [chosen, setChosen] = useState<string | null>(null)
  // The fee of the moment in which the dialog was opened; the server charges that of the cancelling.
  const [now] = useState(() => Date.now())
  const slabs = cars.find(({ id }) => id === booking.carTypeId)?.cancelSlab
  const fee = cancelFee(booking, slabs, now, settings)
  const reason = chosen ?? reasons[0]?.label
  return (
    <ConfirmDialog
      danger
      title={t('cancel_title')}
      confirm={t('cancel_do')}
      onClose={onClose}
      onConfirm={() =>
        reason
          ? dispatch(advanceBooking({ booking_id: booking.id, event: 'cancel', reason })).unwrap()
          : Promise.reject(new Error('reason_required'))
      }
    >
      <p>{fee > 0 ? t('cancel_fee_note', { fee: format.money(fee) }) : t('cancel_free_note')}</p>
      <fieldset className={css.reasons}>
        <legend>{t('cancel_why')}</legend>
        {reasons.map(({ label }) => (
          <label key={label}>
            <input
              type="radio"
              name="reason"
              checked={label === reason}
              onChange={() => setChosen(label)}
            />
            {label}
          </label>
        ))}
      </fieldset>
    </ConfirmDialog>
  )
}

const Way = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const rows = [
    [t('trip_date'), <DateTime key="d" at={booking.tripdate} />],
    [t('pickup'), booking.pickupAddress],
    ...(booking.waypoints ?? []).map((place, index) => [`${t('stop')} ${index + 1}`, place.add]),
    [t('drop'), booking.dropAddress],
    [
      t('distance'),
      `${format.distance(booking.distance)} · ${format.duration(booking.total_trip_time ?? booking.estimateTime)}`,
    ],
    [t('car_type'), booking.carType],
    [t('parcel_type'), booking.parcelTypeSelected?.description],
    [t('option'), booking.optionSelected?.description],
    [t('deliveryPerson'), booking.deliveryPerson],
    [
      t('deliveryPersonPhone'),
      booking.deliveryPersonPhone && <bdi>{booking.deliveryPersonPhone}</bdi>,
    ],
    [t('pickUpInstructions'), booking.pickUpInstructions],
    [t('deliveryInstructions'), booking.deliveryInstructions],
    [t('payment_mode'), booking.payment_mode && t(`payment_${booking.payment_mode}`)],
    [t('cancellation_reason'), booking.reason],
  ] as const
  return (
    <section className={css.panel}>
      <h2>{t('booking')}</h2>
      <dl className={css.facts}>
        {rows
          .filter(([, value]) => value)
          .map(([label, value]) => (
            <div key={label as string}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

const Fare = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const entries: FareHistoryEntry[] = Object.values(booking.fare_history).sort(
    (a, b) => b.at - a.at,
  )
  const [last] = entries
  return (
    <section className={css.panel}>
      <h2>{t('fare_lines')}</h2>
      {last ? (
        <>
          <p className={css.muted}>
            {t(`fare_kind_${last.kind}`)} · <DateTime at={last.at} />
          </p>
          <FareLines lines={Object.values(last.lines ?? {})} total={last.total} />
        </>
      ) : (
        <strong>
          <Money amount={priceOf(booking)} />
        </strong>
      )}
    </section>
  )
}

const Timeline = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const entries = Object.values(booking.event_log).sort(
    (a, b) => a.at - b.at || a.revision - b.revision,
  )
  if (entries.length === 0) return null
  return (
    <section className={css.panel}>
      <h2>{t('timeline')}</h2>
      <ol role="list" className={css.timeline}>
        {entries.map((entry) => (
          <li key={`${entry.event} ${entry.revision}`}>
            <span>{t(`event_${entry.event}`)}</span>
            <DateTime at={entry.at} />
          </li>
        ))}
      </ol>
    </section>
  )
}

const Loaded = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const [dialog, setDialog] = useState<'cancel' | 'pay' | null>(null)
  const events: BookingEvent[] =
    profile && settings
      ? eventsFor(booking, { uid: profile.id, role: profile.usertype }, settings)
      : []
  const may = (event: BookingEvent) => events.includes(event)
  const isRiderOrAdmin = profile?.usertype === 'rider' || profile?.usertype === 'admin'
  const showsCode =
    booking.otp !== false &&
    isRiderOrAdmin &&
    STAGE_OF[booking.status] >= 0 &&
    STAGE_OF[booking.status] < 3
  return (
    <div className={css.page}>
      <div className={css.head}>
        <Link to={screens.bookings} className={css.back}>
          <Icon name="arrow" size={18} />
          {t('menu_bookings')}
        </Link>
        <BookingStatus status={booking.status} />
      </div>
      <h1>
        <bdi>{booking.pickupAddress.split(',')[0]}</bdi> →{' '}
        <bdi>{booking.dropAddress.split(',')[0]}</bdi>
      </h1>
      <p className={css.muted}>{t('booking_title', { id: booking.booking_id })}</p>
      <div aria-live="polite">
        <Progress booking={booking} />
      </div>
      <div className={css.columns}>
        <div className={css.first}>
          {may('pay') && (
            <section className={css.pay}>
              <strong>
                <Money amount={priceOf(booking)} />
              </strong>
              <Button look="accent" size="large" onClick={() => setDialog('pay')}>
                {t('pay_now')}
              </Button>
            </section>
          )}
          {showsCode && <Code booking={booking} />}
          <DriverCard booking={booking} />
        </div>
        <div className={css.main}>
          {may('rate') && <RatingPanel booking={booking} />}
          <div className={css.map}>
            <ErrorBoundary fallback={null}>
              <Suspense fallback={null}>
                <BookingMap booking={booking} />
              </Suspense>
            </ErrorBoundary>
          </div>
          <Timeline booking={booking} />
          <Fare booking={booking} />
        </div>
        <div className={css.rest}>
          <Way booking={booking} />
          {may('cancel') && (
            <Button look="danger" onClick={() => setDialog('cancel')}>
              {t('cancel_booking')}
            </Button>
          )}
        </div>
      </div>
      {dialog === 'cancel' && settings && (
        <CancelDialog booking={booking} settings={settings} onClose={() => setDialog(null)} />
      )}
      {dialog === 'pay' && (
        <PaymentDialog
          bookingId={booking.id}
          amount={priceOf(booking)}
          onPaid={() => setDialog(null)}
          onClose={() => setDialog(null)}
        />
      )}
    </div>
  )
}

/** One booking from its making to its rating: every part changes by itself. */
export const BookingPage = () => {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const { booking, loading, error } = useLive(liveBooking, id)
  if (booking) return <Loaded key={booking.id} booking={booking} />
  if (loading)
    return (
      <div className={css.page}>
        <SkeletonLines lines={4} height="6rem" />
      </div>
    )
  if (error.flag && error.msg !== 'not_allowed')
    return <ErrorState>{t(error.msg ?? 'something_failed', error.params ?? {})}</ErrorState>
  return (
    <EmptyState
      title={t('booking_missing')}
      action={<ButtonLink to={screens.bookings}>{t('to_my_bookings')}</ButtonLink>}
    />
  )
}
