import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router-dom'
import { getTripEnd, isContactOpen } from '~/domain/booking/contactAccess'
import { getStopRows } from '~/domain/booking/stops/receiptStops'
import type { BookingEvent } from '~/domain/booking/transitions'
import { getDue } from '~/domain/payments/paymentStatement'
import { isHelpOpen } from '~/domain/help/helpCase'
import { ComplaintWords } from '~/src/features/bookings/ComplaintWords'
import { BookingFeedback } from '~/src/features/bookings/BookingFeedback'
import { EventName } from '~/src/features/bookings/EventName'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { booking as liveBooking } from '~/src/features/bookings/bookings'
import { useDistanceItems, useDistanceNote } from '~/src/features/bookings/bookingDistances'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { getShownStops } from '~/src/features/bookings/stops/shownStops'
import { StopList } from '~/src/features/bookings/stops/StopList'
import { TripCode } from '~/src/features/bookings/TripCode'
import { requestPosition } from '~/src/features/gps/gps'
import { PushPrompt } from '~/src/features/inbox/PushPrompt'
import { PaymentRows } from '~/src/widgets/PaymentRows'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { PanicButton } from '~/src/features/panic/PanicButton'
import { lastPosition } from '~/src/features/tracking/tracking'
import { translateFareCause } from '~/src/i18n/reasonTexts'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink } from '~/src/ui/controls'
import { type DescriptionItem, DescriptionList } from '~/src/ui/DescriptionList'
import { DateTime, Money, useFormat } from '~/src/ui/format'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { FromTo } from '~/src/ui/FromTo'
import { Icon } from '~/src/ui/Icon'
import { lazyWithRetry } from '~/src/ui/lazyWithRetry'
import { Link } from '~/src/ui/router'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import { toTelLink } from '~/src/ui/telLink'
import { useNow } from '~/src/ui/useNow'
import { FareLines } from '~/src/widgets/trip/FareLines'
import { useBookedVehicleTypeName } from '~/src/features/vehicleTypes/useVehicleTypeName'
import { useBookingTexts } from '~/src/widgets/useBookingTexts'
import { ArrivalTime } from './ArrivalTime'
import { BookAgainButton } from './BookAgainButton'
import css from './BookingPage.module.css'
import { getUnlistedDiscount, getCurrentFare, getFareHistory, getPrice } from './bookingPrice'
import { RatingPanel } from './RatingPanel'
import { Receipt } from './Receipt'
import { SharePanel } from './SharePanel'
import { useArrivalSeconds } from './useArrivalSeconds'
import { useBookingDialog } from './useBookingDialog'
import { WaitingNote } from './WaitingNote'
import type { Booking, BookingContacts } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'

const TripMap = lazyWithRetry(async () => (await import('./TripMap')).TripMap)

const HelpPanel = lazyWithRetry(async () => (await import('./HelpPanel')).HelpPanel)

const TipPanel = lazyWithRetry(async () => (await import('./tips/TipPanel')).TipPanel)

/** Statuses of a successful booking, as the rider sees them. */
const STAGES = ['NEW', 'ACCEPTED', 'ARRIVED', 'STARTED', 'REACHED', 'PAID'] as const
const STAGE_BY_STATUS: Record<Booking['status'], number> = {
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

/** Milliseconds between checks for the end of the contact hour. */
const CONTACT_RECHECK_MS = 30_000
/** Returns true when the booking's money is final. */
const isSettled = ({ status }: Booking) =>
  status === 'PAID' || status === 'COMPLETE' || status === 'CANCELLED'

const BookingProgress = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const at = STAGE_BY_STATUS[booking.status]
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

const TripCodePanel = ({ booking }: { booking: Booking }) => {
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

/** Shows call and chat from ACCEPTED until one hour after the end. */
const ContactButtons = ({ booking, of }: { booking: Booking; of: keyof BookingContacts }) => {
  const { t } = useTranslation()
  const { [of]: phone } = useBookingContacts(booking)
  const isOpen = isContactOpen(booking, useNow(CONTACT_RECHECK_MS))
  if (!isOpen) return null
  return (
    <div className={css.buttons}>
      {phone && (
        <a className={css.call} href={toTelLink(phone)}>
          <Icon name="phone" size={18} />
          {t('call_driver')}
        </a>
      )}
      <Link className={css.call} to={screenPaths.chat(booking.id)}>
        <Icon name="chat" size={18} />
        {t('chat_driver')}
      </Link>
    </div>
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

const DriverCard = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const getTypeName = useBookedVehicleTypeName()
  if (!booking.driver) return booking.status === 'NEW' ? <WaitingNote booking={booking} /> : null
  return (
    <section className={css.panel}>
      <h2>{t('your_driver')}</h2>
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
                {t('driver_rating', { rating: format.number(booking.driverRating) })}
              </>
            )}
          </p>
        </div>
        {booking.vehicle_number && (
          <bdi className={`${css.plate} typed`}>{booking.vehicle_number}</bdi>
        )}
      </div>
      <ContactButtons booking={booking} of="driver_contact" />
    </section>
  )
}

/** Shows the booking's rider to the driver. */
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
      <ContactButtons booking={booking} of="customer_contact" />
    </section>
  )
}

const BookingSummary = ({ booking }: { booking: Booking }) => {
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

type Party = 'rider' | 'driver'

const FarePanel = ({
  booking,
  settings,
  party,
}: {
  booking: Booking
  settings: Settings | null
  party: Party
}) => {
  const { t } = useTranslation()
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
            {last.cause !== last.kind && ` · ${translateFareCause(last.cause, t)}`}
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
              {entry.cause !== entry.kind && (
                <p className={css.muted}>{translateFareCause(entry.cause, t)}</p>
              )}
              <FareLines lines={Object.values(entry.lines ?? {})} total={entry.total} />
            </details>
          ))}
        </div>
      )}
    </section>
  )
}

/** Shows the customer's rating with what they said about it. */
const FeedbackPanel = ({ booking }: { booking: Booking }) => {
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
const StopsPanel = ({ booking }: { booking: Booking }) => {
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

const PhotosPanel = ({ booking }: { booking: Booking }) => {
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

/** Delay in ms from which an offline event also shows when the server received it. */
const LATE_RECEIPT_MS = 60_000

/** Events about the rider's card, which the driver does not see. */
const CARD_EVENTS: readonly string[] = ['refund', 'reinstate']

const Timeline = ({ booking, party }: { booking: Booking; party: Party }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const entries = Object.values(booking.event_log)
    .filter(({ event }) => party === 'rider' || !CARD_EVENTS.includes(event))
    .sort((a, b) => a.at - b.at || a.revision - b.revision)
  if (entries.length === 0) return null
  return (
    <section className={css.panel}>
      <h2>{t('timeline')}</h2>
      <ol role="list" className={css.timeline}>
        {entries.map((entry) => (
          <li key={`${entry.event} ${entry.revision}`}>
            <span>
              <EventName entry={entry} booking={booking} />
            </span>
            <span>
              <DateTime at={entry.at} />
              {entry.received_at !== undefined &&
                entry.received_at - entry.at >= LATE_RECEIPT_MS && (
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

/** Shows the emergency button from the acceptance until the trip is paid. */
const EmergencyPanel = ({ booking, phone }: { booking: Booking; phone: string | undefined }) => {
  const dispatch = useAppDispatch()
  const isOpen = isContactOpen(booking, useNow(CONTACT_RECHECK_MS))
  if (!isOpen || isSettled(booking)) return null
  return (
    <PanicButton booking={booking.id} phone={phone} locate={() => dispatch(requestPosition())} />
  )
}

const BookingDetails = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { may: mayOn, open, dialogOver } = useBookingDialog(settings)
  const now = useNow(CONTACT_RECHECK_MS)
  const canTrigger = (event: BookingEvent) => mayOn(booking, event)
  const isMoving = booking.status === 'ACCEPTED' || booking.status === 'STARTED'
  const { coords } = useLive(lastPosition, isMoving ? booking.id : null)
  const car = coords[0]
  const seconds = useArrivalSeconds(booking, car)
  const isRider = profile?.usertype === 'rider'
  const isDriver = profile?.usertype === 'driver'
  const party = booking.driver === profile?.id ? 'driver' : 'rider'
  const isParty = booking.customer === profile?.id || booking.driver === profile?.id
  const isRiderOrAdmin = profile?.usertype === 'rider' || profile?.usertype === 'admin'
  const isCodeShown =
    booking.otp !== false &&
    isRiderOrAdmin &&
    STAGE_BY_STATUS[booking.status] >= 0 &&
    STAGE_BY_STATUS[booking.status] < 3
  // Told at the pickup: until the driver is there, the map matters more on a small screen.
  const isCodeLast = booking.status === 'NEW' || booking.status === 'ACCEPTED'
  const code = isCodeShown && <TripCodePanel booking={booking} />
  const arrival = <ArrivalTime {...{ booking, car, seconds, isRider }} />
  return (
    <div className={css.page}>
      <div className={css.head}>
        <Link to={screenPaths.bookings} className={css.back}>
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
      <p className={css.muted}>{t('booking_title', { id: booking.reference })}</p>
      <div aria-live="polite">
        <BookingProgress booking={booking} />
      </div>
      <div className={css.columns}>
        <div className={css.first}>
          {canTrigger('pay') && (
            <section className={css.pay}>
              <strong>
                <Money amount={settings ? getDue(booking, settings) : getPrice(booking)} />
              </strong>
              <Button variant="accent" size="large" onClick={() => open('pay', booking)}>
                {t('pay_now')}
              </Button>
            </section>
          )}
          {arrival}
          <StopsPanel booking={booking} />
          {isDriver ? <CustomerCard booking={booking} /> : <DriverCard booking={booking} />}
          {!isCodeLast && code}
        </div>
        <div className={css.main}>
          {canTrigger('rate') && <RatingPanel booking={booking} />}
          <FeedbackPanel booking={booking} />
          {canTrigger('tip') && profile && settings && (
            <ErrorBoundary fallback={null}>
              <Suspense fallback={null}>
                <TipPanel booking={booking} profile={profile} settings={settings} />
              </Suspense>
            </ErrorBoundary>
          )}
          <div className={css.map}>
            <ErrorBoundary fallback={null}>
              <Suspense fallback={null}>
                <TripMap booking={booking} status={isMoving && arrival} />
              </Suspense>
            </ErrorBoundary>
          </div>
          {isCodeLast && code}
          <Timeline booking={booking} party={party} />
          <FarePanel booking={booking} settings={settings} party={party} />
        </div>
        <div className={css.rest}>
          {isRider && !isSettled(booking) && <PushPrompt reason="rider" />}
          {isParty && <EmergencyPanel booking={booking} phone={settings?.panic} />}
          <BookingSummary booking={booking} />
          <PhotosPanel booking={booking} />
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
            {isRider && isSettled(booking) && <BookAgainButton booking={booking} />}
          </div>
          {isRider && getTripEnd(booking) !== undefined && (
            <Suspense fallback={null}>
              <HelpPanel booking={booking} isOpen={isHelpOpen(booking, now)} />
            </Suspense>
          )}
          {profile?.usertype === 'rider' && canTrigger('amend') && (
            <Button onClick={() => open('amend', booking)}>
              <Icon name="note" size={18} />
              {t('change_booking')}
            </Button>
          )}
          {canTrigger('cancel') && (
            <Button variant="danger" onClick={() => open('cancel', booking)}>
              {t('cancel_booking')}
            </Button>
          )}
        </div>
      </div>
      {dialogOver([booking])}
      {isSettled(booking) && settings && <Receipt booking={booking} settings={settings} />}
    </div>
  )
}

/** Renders one booking live, from its creation to its rating. */
export const BookingPage = () => {
  const { t } = useTranslation()
  const { id = '' } = useParams()
  const { booking, loading, error, retry } = useLive(liveBooking, id)
  if (booking) return <BookingDetails key={booking.id} booking={booking} />
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
      action={<ButtonLink to={screenPaths.bookings}>{t('to_my_bookings')}</ButtonLink>}
    />
  )
}
