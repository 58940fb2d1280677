import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import type { BookingEvent } from '~/domain/booking/transitions'
import { eventsFor } from '~/domain/booking/eventsFor'
import { dueOf } from '~/domain/booking/packet'
import type { Booking, LatLng } from '~/domain/entities'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { booking as liveBooking } from '~/src/features/bookings/bookings'
import { TripCode } from '~/src/features/bookings/TripCode'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { lastPosition } from '~/src/features/tracking/tracking'
import { causeOf, reasonOf } from '~/src/i18n/reasons'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, ButtonLink } from '~/src/ui/controls'
import { type Fact, Facts } from '~/src/ui/Facts'
import { DateTime, Money, useFormat } from '~/src/ui/format'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { FromTo } from '~/src/ui/FromTo'
import { Icon } from '~/src/ui/Icon'
import { go, Link } from '~/src/ui/place'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import { FareLines } from '../FareLines'
import { EMPTY_DRAFT, saveDraft } from '../home/draft'
import css from './BookingPage.module.css'
import { CancelDialog } from './CancelDialog'
import { PaymentDialog } from './PaymentDialog'
import { discountBeside, faresOf, priceOf } from './price'
import { RatingPanel } from './RatingPanel'
import { Receipt } from './Receipt'
import { SharePanel } from './SharePanel'
import { useArrival } from './useArrival'

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

/** A driver has taken it and has not been paid yet. */
const isWithDriver = ({ status, driver }: Booking) =>
  driver !== undefined && STAGE_OF[status] > 0 && STAGE_OF[status] < 5
/** Nothing more will happen to the money. */
const isSettled = ({ status }: Booking) =>
  status === 'PAID' || status === 'COMPLETE' || status === 'CANCELLED'

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

const Contact = ({ booking, phone }: { booking: Booking; phone: string | undefined }) => {
  const { t } = useTranslation()
  return (
    <div className={css.buttons}>
      {phone && (
        <a className={css.call} href={`tel:${phone}`}>
          <Icon name="phone" size={18} />
          {t('call_driver')}
        </a>
      )}
      <Link className={css.call} to={screens.chat(booking.id)}>
        <Icon name="chat" size={18} />
        {t('chat_driver')}
      </Link>
    </div>
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
          <strong>
            <bdi className="typed">{booking.driver_name}</bdi>
          </strong>
          <p className={css.muted}>
            <bdi className="typed">{booking.carType}</bdi>
            {booking.driverRating !== undefined && booking.driverRating > 0 && (
              <>
                {' · '}
                {t('driver_rating', { rating: format.number(booking.driverRating) })}
              </>
            )}
          </p>
        </div>
        {booking.vehicle_number && (
          <bdi className={`${css.plate} typed`}>{booking.vehicle_number}</bdi>
        )}
      </div>
      {isWithDriver(booking) && <Contact booking={booking} phone={booking.driver_contact} />}
    </section>
  )
}

/** Whom the driver of a booking carries. */
const CustomerCard = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  return (
    <section className={css.panel}>
      <h2>{t('customer')}</h2>
      <div className={css.driver}>
        <span className={css.face}>
          <Icon name="person" size={30} />
        </span>
        <strong>
          <bdi className="typed">{booking.customer_name}</bdi>
        </strong>
      </div>
      {isWithDriver(booking) && <Contact booking={booking} phone={booking.customer_contact} />}
    </section>
  )
}

const Way = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const facts: Fact[] = [
    [t('trip_date'), <DateTime key="d" at={booking.tripdate} />],
    [t('pickup'), booking.pickupAddress],
    ...(booking.waypoints ?? []).map(({ add }, index): Fact => [`${t('stop')} ${index + 1}`, add]),
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
      booking.deliveryPersonPhone && <bdi className="typed">{booking.deliveryPersonPhone}</bdi>,
    ],
    [t('pickUpInstructions'), booking.pickUpInstructions],
    [t('deliveryInstructions'), booking.deliveryInstructions],
    [t('payment_mode'), booking.payment_mode && t(`payment_${booking.payment_mode}`)],
    [t('cancellation_reason'), booking.reason && reasonOf(booking.reason, t)],
  ]
  return (
    <section className={css.panel}>
      <h2>{t('booking')}</h2>
      <Facts facts={facts} className={css.facts} />
    </section>
  )
}

const Fare = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const [last, ...earlier] = faresOf(booking)
  const discount = discountBeside(booking)
  return (
    <section className={css.panel}>
      <h2>{t('fare_lines')}</h2>
      {last ? (
        <>
          <p className={css.muted}>
            {t(`fare_kind_${last.kind}`)} · <DateTime at={last.at} />
            {last.cause !== last.kind && ` · ${causeOf(last.cause, t)}`}
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
          <Money amount={priceOf(booking)} />
        </strong>
      )}
      {earlier.length > 0 && (
        <div className={css.history}>
          <h3 className="visually-hidden">{t('fare_history')}</h3>
          {earlier.map((entry) => (
            <details key={`${entry.kind} ${entry.at}`}>
              <summary>
                <span>
                  {t(`fare_kind_${entry.kind}`)} · <DateTime at={entry.at} />
                </span>
                <Money amount={entry.total} />
              </summary>
              {entry.cause !== entry.kind && <p className={css.muted}>{causeOf(entry.cause, t)}</p>}
              <FareLines lines={Object.values(entry.lines ?? {})} total={entry.total} />
            </details>
          ))}
        </div>
      )}
    </section>
  )
}
const Arrival = ({
  booking,
  car,
  isRider,
}: {
  booking: Booking
  car: LatLng | undefined
  isRider: boolean
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const seconds = useArrival(booking, car)
  if (seconds === null) return null
  return (
    <p className={css.eta} aria-live="polite">
      <strong>{format.duration(seconds)}</strong>
      {t(booking.status !== 'ACCEPTED' ? 'eta_drop' : isRider ? 'eta_pickup' : 'eta_to_pickup')}
    </p>
  )
}

const Photos = ({ booking }: { booking: Booking }) => {
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

/** Fills the booking form with this booking's places and vehicle. */
const bookAgain = ({ pickup, drop, waypoints = [], carTypeId }: Booking) => {
  saveDraft(EMPTY_DRAFT, { pickup, drop, waypoints, carType: carTypeId, selected: 'pickup' })
  go(screens.home)
}

/** From here on what happened without a connection says when it was heard of. */
const LATE_MS = 60_000

const Timeline = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
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
            <span>
              <DateTime at={entry.at} />
              {entry.received_at !== undefined && entry.received_at - entry.at >= LATE_MS && (
                <>
                  {' · '}
                  {t('timeline_received', {
                    time:
                      format.date(entry.at) === format.date(entry.received_at)
                        ? format.time(entry.received_at)
                        : format.dateTime(entry.received_at),
                  })}
                </>
              )}
            </span>
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
  const isMoving = booking.status === 'ACCEPTED' || booking.status === 'STARTED'
  const { coords } = useLive(lastPosition, isMoving ? booking.id : null)
  const isRider = profile?.usertype === 'rider'
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
          <Icon name="back" size={18} />
          {t('menu_bookings')}
        </Link>
        <BookingStatus status={booking.status} />
      </div>
      <h1>
        <FromTo
          from={booking.pickupAddress.split(',')[0] ?? ''}
          to={booking.dropAddress.split(',')[0] ?? ''}
        />
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
          <Arrival booking={booking} car={coords[0]} isRider={isRider} />
          {showsCode && <Code booking={booking} />}
          {profile?.usertype === 'driver' ? (
            <CustomerCard booking={booking} />
          ) : (
            <DriverCard booking={booking} />
          )}
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
          <Photos booking={booking} />
          {isRider && booking.status !== 'PAYMENT_PENDING' && !isSettled(booking) && (
            <SharePanel booking={booking} />
          )}
          <div className={css.buttons}>
            {isSettled(booking) && (
              <Button onClick={() => window.print()}>
                <Icon name="note" size={18} />
                {t('receipt_print')}
              </Button>
            )}
            {isRider && isSettled(booking) && (
              <Button look="primary" onClick={() => bookAgain(booking)}>
                <Icon name="swap" size={18} />
                {t('book_again')}
              </Button>
            )}
          </div>
          {may('cancel') && (
            <Button look="danger" onClick={() => setDialog('cancel')}>
              {t('cancel_booking')}
            </Button>
          )}
        </div>
      </div>
      {dialog === 'cancel' && settings && (
        <CancelDialog
          booking={booking}
          settings={settings}
          isRider={isRider}
          onClose={() => setDialog(null)}
        />
      )}
      {isSettled(booking) && settings && <Receipt booking={booking} settings={settings} />}
      {dialog === 'pay' && settings && (
        <PaymentDialog
          bookingId={booking.id}
          owed={dueOf(booking, settings.decimal).due}
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
  const { booking, loading, error, retry } = useLive(liveBooking, id)
  if (booking) return <Loaded key={booking.id} booking={booking} />
  if (loading)
    return (
      <div className={css.page}>
        <SkeletonLines lines={4} height="6rem" />
      </div>
    )
  if (error.flag && error.msg !== 'not_allowed')
    return (
      <ErrorState onRetry={retry}>
        {t(error.msg ?? 'something_failed', error.params ?? {})}
      </ErrorState>
    )
  return (
    <EmptyState
      level="h1"
      title={t('booking_missing')}
      action={<ButtonLink to={screens.bookings}>{t('to_my_bookings')}</ButtonLink>}
    />
  )
}
