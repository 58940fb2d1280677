import { Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getStops } from '~/domain/booking/stops/bookingStops'
import { getNetPayment } from '~/domain/payments/paymentStatement'
import { dbPaths } from '~/domain/data/databasePaths'
import { BookingFeedback } from '~/src/features/bookings/BookingFeedback'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { liveBooking } from '~/src/features/bookings/bookings'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { toShownStop } from '~/src/features/bookings/stops/shownStops'
import { StopStateText } from '~/src/features/bookings/stops/StopList'
import { PaymentRows } from '~/src/widgets/PaymentRows'
import { TripCode } from '~/src/features/bookings/TripCode'
import { useLive } from '~/src/store/live/liveSlice'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { ErrorBoundary } from '~/src/ui/feedback/ErrorBoundary'
import { useFormat } from '~/src/ui/format/format'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { ErrorState } from '~/src/ui/feedback/ErrorState'
import { EmptyState, SkeletonLines } from '~/src/ui/feedback/states'
import { Rating } from '~/src/ui/format/values'
import { MarkedPlace } from '~/src/ui/PlaceMark'
import { BookingMap } from '~/src/widgets/BookingMap'
import { AuditTrail } from '../audit/AuditTrail'
import { formatContact } from '../contactFormat'
import { PaymentAttempts } from '../payments/PaymentAttempts'
import { useOfficeSession } from '../useOfficeSession'
import { useBookingTexts } from '~/src/widgets/useBookingTexts'
import { getAllowedActions } from './allowedActions'
import { BookingActions } from './BookingActions'
import { ChatTranscript, EventTimeline, FareHistory } from './BookingHistory'
import { BookingMessages } from './BookingMessages'
import { BookingOffers } from './BookingOffers'
import { DistanceReview } from './DistanceReview'
import { HelpCasePanel } from './HelpCasePanel'
import { PanicLog } from './PanicLog'
import css from './bookings.module.css'
import type { Booking } from '~/domain/booking/types'
import type { Settings } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const ComplaintPanel = lazyWithRetry(
  async () => (await import('./complaints/ComplaintPanel')).ComplaintPanel,
)

const DetailSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="ui-card">
    <h3>{title}</h3>
    {children}
  </section>
)

const BookingPhotos = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const pictures = [
    { url: booking.pickup_image, name: t('pickup_image') },
    { url: booking.deliver_image, name: t('deliver_image') },
  ].filter(({ url }) => url)
  if (pictures.length === 0) return null
  return (
    <DetailSection title={t('pictures')}>
      <div className={css.pictures}>
        {pictures.map(({ url, name }) => (
          <a key={name} href={url} target="_blank" rel="noreferrer">
            <img src={url} alt={name} loading="lazy" />
            <span>{name}</span>
          </a>
        ))}
      </div>
    </DetailSection>
  )
}

interface DetailProps {
  booking: Booking
  profile: User
  settings: Settings
}

/** Shows the state, the time and the price of the booking. */
const Summary = ({ booking }: Pick<DetailProps, 'booking'>) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={css.top}>
      <BookingStatus status={booking.status} />
      <RelativeTime at={booking.bookLater ? booking.tripdate : booking.bookingDate} />
      {booking.bookLater && <span className={css.muted}>{t('booked_for_later')}</span>}
      <span className={css.price}>{format.money(booking.trip_cost)}</span>
    </div>
  )
}

const Places = ({ booking }: Pick<DetailProps, 'booking'>) => (
  <ol role="list" className={css.places}>
    <li>
      <MarkedPlace kind="pickup">
        <bdi>{booking.pickupAddress}</bdi>
      </MarkedPlace>
    </li>
    {getStops(booking).map((stop, index) => (
      <li key={index}>
        <MarkedPlace kind="stop">
          <span>
            <bdi>{stop.place.add}</bdi> <StopStateText stop={toShownStop(stop)} isReasonShown />
          </span>
        </MarkedPlace>
      </li>
    ))}
    <li>
      <MarkedPlace kind="drop">
        <bdi>{booking.dropAddress}</bdi>
      </MarkedPlace>
    </li>
  </ol>
)

/** Shows the rider, the driver, the offers, and the recipient of a parcel. */
const PeopleSections = ({ booking, profile, settings }: DetailProps) => {
  const { t } = useTranslation()
  const texts = useBookingTexts()
  const isAdmin = profile.usertype === 'admin'
  const contacts = useBookingContacts(booking)
  const renderContact = (value: string | undefined) => {
    const text = formatContact(value, settings, t)
    return text && <bdi className="typed">{text}</bdi>
  }
  return (
    <>
      <DetailSection title={t('customer')}>
        <DescriptionList
          className={css.facts}
          facts={[
            [t('name'), booking.customer_name],
            [t('mobile'), renderContact(contacts.customer_contact)],
            [t('email'), renderContact(contacts.customer_email)],
            [
              t('trip_code'),
              isAdmin && booking.otp !== false ? <TripCode booking={booking} /> : null,
            ],
            [t('rating'), booking.rating && <BookingFeedback key="f" booking={booking} />],
          ]}
        />
      </DetailSection>
      <DetailSection title={t('driver')}>
        {booking.driver ? (
          <DescriptionList
            className={css.facts}
            facts={[
              [t('name'), booking.driver_name],
              [t('mobile'), renderContact(contacts.driver_contact)],
              [t('car_type'), texts.getTypeName(booking)],
              [t('vehicle_no'), booking.vehicle_number],
              [t('rating'), booking.driverRating && <Rating value={booking.driverRating} />],
            ]}
          />
        ) : (
          <p className={css.muted}>
            {t('no_driver_yet', { count: Object.keys(booking.requestedDrivers ?? {}).length })}
          </p>
        )}
      </DetailSection>
      {settings.appcat === 'delivery' && (
        <DeliverySection booking={booking} contacts={contacts} renderContact={renderContact} />
      )}
    </>
  )
}

/** Shows the recipient, the extras and the notes of a parcel. */
const DeliverySection = ({
  booking,
  contacts: { deliveryPersonPhone, pickUpInstructions, deliveryInstructions },
  renderContact,
}: Pick<DetailProps, 'booking'> & {
  contacts: ReturnType<typeof useBookingContacts>
  renderContact: (value: string | undefined) => ReactNode
}) => {
  const { t } = useTranslation()
  const { parcelType, option } = useBookingTexts().getExtras(booking)
  return (
    <DetailSection title={t('delivery')}>
      <DescriptionList
        className={css.facts}
        facts={[
          [t('deliveryPerson'), booking.deliveryPerson],
          [
            t('deliveryPersonPhone'),
            (deliveryPersonPhone || booking.deliveryPerson) && renderContact(deliveryPersonPhone),
          ],
          [t('parcel_type'), parcelType],
          [t('option'), option],
          [t('pickUpInstructions'), pickUpInstructions],
          [t('deliveryInstructions'), deliveryInstructions],
        ]}
      />
    </DetailSection>
  )
}

/** Shows what the booking costs and how it is paid. */
const PaymentSection = ({ booking, profile, settings }: DetailProps) => {
  const { t } = useTranslation()
  const format = useFormat()
  const texts = useBookingTexts()
  const money = (value: number | undefined) => (value === undefined ? null : format.money(value))
  /** A part of the fare, which a canceled booking has no more. */
  const part = (value: number | undefined) => (booking.status === 'CANCELLED' ? null : money(value))
  return (
    <DetailSection title={t('payment')}>
      <DescriptionList
        className={css.facts}
        facts={[
          [t('trip_cost'), money(booking.trip_cost)],
          [t('driver_share'), part(booking.driver_share)],
          [t('convenience_fee'), part(booking.convenience_fees)],
          [t('discount'), part(booking.discount_amount)],
          [t('customer_paid'), money(getNetPayment(booking, settings.decimal))],
          [t('payment_mode'), booking.payment_mode && t(`payment_${booking.payment_mode}`)],
          [t('gateway'), booking.gateway && texts.getProvider(booking.gateway)],
          [t('cancellation_fee'), money(booking.cancellationFee)],
          [t('cancellation_reason'), booking.reason && texts.getReason(booking.reason)],
        ]}
      />
      {profile.usertype === 'admin' && <PaymentAttempts booking={booking.id} />}
    </DetailSection>
  )
}

/** Shows the complaint form where a compensation is possible. */
const ComplaintSection = ({ booking, profile, settings }: DetailProps) => {
  const { t } = useTranslation()
  if (!getAllowedActions(booking, profile, settings).compensate) return null
  return (
    <DetailSection title={t('complaint')}>
      <ErrorBoundary>
        <Suspense fallback={<SkeletonLines lines={4} />}>
          <ComplaintPanel booking={booking} settings={settings} />
        </Suspense>
      </ErrorBoundary>
    </DetailSection>
  )
}

/** Shows the help cases and the panic alerts, which only admins read. */
const AlertSections = ({ booking }: Pick<DetailProps, 'booking'>) => {
  const { t } = useTranslation()
  return (
    <>
      <HelpCasePanel
        booking={booking.id}
        wrap={(content) => <DetailSection title={t('help_cases')}>{content}</DetailSection>}
      />
      <PanicLog
        booking={booking.id}
        wrap={(log) => <DetailSection title={t('panic_alerts')}>{log}</DetailSection>}
      />
    </>
  )
}

/** Shows what was booked: the places, the people and the money. */
const Facts = (props: DetailProps) => {
  const { t } = useTranslation()
  const { booking, settings } = props
  return (
    <div className={css.column}>
      <div className={css.map}>
        <BookingMap isTrackLive booking={booking} label={t('booking_map_office')} />
      </div>
      <Places booking={booking} />
      <PeopleSections {...props} />
      <PaymentSection {...props} />
      <DetailSection title={t('payments_of_booking')}>
        <PaymentRows booking={booking} settings={settings} viewer="office" />
      </DetailSection>
      <DetailSection title={t('fare_history')}>
        <FareHistory booking={booking} />
      </DetailSection>
      <BookingPhotos booking={booking} />
    </div>
  )
}

/** Shows open decisions first, then the events, offers, messages and changes of the booking. */
const Activity = (props: DetailProps) => {
  const { t } = useTranslation()
  const { booking, profile } = props
  const isAdmin = profile.usertype === 'admin'
  return (
    <div className={css.column}>
      {booking.distance_review && (
        <DetailSection title={t('review_heading')}>
          <DistanceReview booking={booking} isAdmin={isAdmin} />
        </DetailSection>
      )}
      {isAdmin && <AlertSections booking={booking} />}
      <DetailSection title={t('timeline')}>
        <EventTimeline booking={booking} />
      </DetailSection>
      <ComplaintSection {...props} />
      {isAdmin && (
        <>
          <DetailSection title={t('offers_title')}>
            <BookingOffers booking={booking} />
          </DetailSection>
          <DetailSection title={t('messages_sent')}>
            <BookingMessages booking={booking} />
          </DetailSection>
          {booking.driver && (
            <DetailSection title={t('chat_transcript')}>
              <ChatTranscript booking={booking} />
            </DetailSection>
          )}
          <DetailSection title={t('audit_of_record')}>
            <AuditTrail path={dbPaths.booking(booking.id)} />
          </DetailSection>
        </>
      )}
    </div>
  )
}

const BookingDetailContent = (props: DetailProps) => {
  const { booking } = props
  return (
    <>
      <Summary booking={booking} />
      <BookingActions booking={booking} className={css.buttons} />
      <div className={css.detail}>
        <div className={css.columns}>
          <Facts {...props} />
          <Activity {...props} />
        </div>
      </div>
    </>
  )
}

/** Shows all details of one booking, live. */
export const BookingDetail = ({ id }: { id: string }) => {
  const { t } = useTranslation()
  const { profile, settings } = useOfficeSession()
  const { booking, loading, error, retry } = useLive(liveBooking, id)
  if (error.flag) return <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
  if (!profile || !settings || (loading && !booking)) return <SkeletonLines lines={6} />
  if (!booking) return <EmptyState title={t('not_found')} />
  return <BookingDetailContent booking={booking} profile={profile} settings={settings} />
}
