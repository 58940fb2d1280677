import { Suspense, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getEventReason } from '~/domain/booking/eventWords'
import { getStops } from '~/domain/booking/stops/bookingStops'
import { isPaymentEntry } from '~/domain/booking/payment/paymentHistory'
import { getNetPayment } from '~/domain/payments/paymentStatement'
import { dbPaths, SERVER_UID } from '~/domain/data/databasePaths'
import { BookingFeedback } from '~/src/features/bookings/BookingFeedback'
import { EventName } from '~/src/features/bookings/EventName'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { booking as liveBooking } from '~/src/features/bookings/bookings'
import { useBookingContacts } from '~/src/features/bookings/bookingContacts'
import { toShownStop } from '~/src/features/bookings/stops/shownStops'
import { StopStateText } from '~/src/features/bookings/stops/StopList'
import { PaymentRows } from '~/src/widgets/PaymentRows'
import { TripCode } from '~/src/features/bookings/TripCode'
import { messages as liveMessages } from '~/src/features/chats/chats'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { useLive } from '~/src/store/live/liveSlice'
import { lazyWithRetry } from '~/src/ui/lazyWithRetry'
import { Button } from '~/src/ui/controls'
import { DescriptionList } from '~/src/ui/DescriptionList'
import { ErrorBoundary } from '~/src/ui/ErrorBoundary'
import { DateTime, useFormat } from '~/src/ui/format'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import { BookingMap } from '~/src/widgets/BookingMap'
import { AuditTrail } from '../audit/AuditTrail'
import { formatContact } from '../contactFormat'
import { PaymentAttempts } from '../payments/PaymentAttempts'
import { useOfficeSession } from '../useOfficeSession'
import { useBookingTexts } from '~/src/widgets/useBookingTexts'
import { getAllowedActions } from './allowedActions'
import { useOpenBookingDialog } from './BookingDialogs'
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
  <section className={css.block}>
    <h3>{title}</h3>
    {children}
  </section>
)

export const EventTimeline = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const getReason = useReasonText()
  const getName = (uid: string) => {
    if (uid === booking.customer) return booking.customer_name || t('customer')
    if (uid === booking.driver) return booking.driver_name || t('driver')
    if (earlierDrivers.has(uid)) return t('driver')
    return t(uid === SERVER_UID || uid === 'system' ? 'by_system' : 'by_office')
  }
  const entries = Object.entries(booking.event_log).sort(
    ([, a], [, b]) => a.at - b.at || a.revision - b.revision,
  )
  // Only drivers accept and decline. Those who no longer have the booking are known by these.
  const earlierDrivers = new Set(
    entries.flatMap(([, { event, by }]) => (/^(accept|decline)$/.test(event) ? [by] : [])),
  )
  if (entries.length === 0) return <p className={css.muted}>{t('no_rows')}</p>
  return (
    <ol className={css.timeline}>
      {entries.map(([key, entry]) => {
        const reason = getEventReason(booking, key)
        return (
          <li key={key}>
            <strong>
              <EventName entry={entry} booking={booking} />
            </strong>
            <span>
              <DateTime at={entry.at} /> · {getName(entry.by)}
              {reason && ` · ${getReason(reason)}`}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

const FareHistory = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const entries = Object.entries(booking.fare_history)
    .filter(([, entry]) => !isPaymentEntry(entry))
    .sort(([, a], [, b]) => a.at - b.at)
  if (entries.length === 0) return <p className={css.muted}>{t('no_rows')}</p>
  return entries.map(([key, { kind, at, lines = [], total }]) => (
    <table key={key} className={css.fare}>
      <caption>
        {t(`fare_kind_${kind}`)} <DateTime at={at} />
      </caption>
      <tbody>
        {lines.map(({ label, amount }, index) => (
          <tr key={index}>
            <th scope="row">{t(label)}</th>
            <td>{format.money(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('total')}</th>
          <td>{format.money(total)}</td>
        </tr>
      </tfoot>
    </table>
  ))
}

export const ChatTranscript = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const { messages } = useLive(liveMessages, booking.id)
  if (messages.length === 0) return <p className={css.muted}>{t('no_messages')}</p>
  return (
    <ul role="list" className={css.chat}>
      {messages.map(({ id, message, from, source, at }) => (
        <li key={id} data-side={source}>
          <strong>
            {(from === booking.customer ? booking.customer_name : booking.driver_name) || t(source)}
          </strong>
          <p>{message}</p>
          <DateTime at={at} />
        </li>
      ))}
    </ul>
  )
}

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

const BookingDetailContent = ({
  booking,
  profile,
  settings,
}: {
  booking: Booking
  profile: User
  settings: Settings
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const ask = useOpenBookingDialog()
  const texts = useBookingTexts()
  const { parcelType, option } = texts.getExtras(booking)
  const { assign, amend, release, cancel, compensate } = getAllowedActions(
    booking,
    profile,
    settings,
  )
  const isAdmin = profile.usertype === 'admin'
  const { customer_contact, customer_email, driver_contact, ...recipient } =
    useBookingContacts(booking)
  const { deliveryPersonPhone, pickUpInstructions, deliveryInstructions } = recipient
  const money = (value: number | undefined) => (value === undefined ? null : format.money(value))
  const contact = (value: string | undefined) => {
    const text = formatContact(value, settings, t)
    return text && <bdi className="typed">{text}</bdi>
  }
  return (
    <>
      <div className={css.top}>
        <BookingStatus status={booking.status} />
        <RelativeTime at={booking.bookLater ? booking.tripdate : booking.bookingDate} />
        {booking.bookLater && <span className={css.muted}>{t('booked_for_later')}</span>}
        <span className={css.price}>{format.money(booking.trip_cost)}</span>
      </div>
      {(assign || amend || release || cancel) && (
        <div className={css.buttons}>
          {assign && (
            <Button variant="primary" onClick={() => ask('assign', booking.id)}>
              {t('assign_driver')}
            </Button>
          )}
          {amend && <Button onClick={() => ask('amend', booking.id)}>{t('change_booking')}</Button>}
          {release && (
            <Button onClick={() => ask('release', booking.id)}>{t('release_booking')}</Button>
          )}
          {cancel && (
            <Button variant="danger" onClick={() => ask('cancel', booking.id)}>
              {t('cancel_booking')}
            </Button>
          )}
        </div>
      )}
      <div className={css.map}>
        <BookingMap isTrackLive booking={booking} label={t('booking_map_office')} />
      </div>
      <ol className={css.places}>
        <li>{booking.pickupAddress}</li>
        {getStops(booking).map((stop, index) => (
          <li key={index}>
            {stop.place.add} <StopStateText stop={toShownStop(stop)} isReasonShown />
          </li>
        ))}
        <li>{booking.dropAddress}</li>
      </ol>
      <div className={css.columns}>
        <DetailSection title={t('customer')}>
          <DescriptionList
            className={css.facts}
            facts={[
              [t('name'), booking.customer_name],
              [t('mobile'), contact(customer_contact)],
              [t('email'), contact(customer_email)],
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
                [t('mobile'), contact(driver_contact)],
                [t('car_type'), texts.getTypeName(booking)],
                [t('vehicle_no'), booking.vehicle_number],
                [t('rating'), booking.driverRating && `★ ${booking.driverRating}`],
              ]}
            />
          ) : (
            <p className={css.muted}>
              {t('no_driver_yet', { count: Object.keys(booking.requestedDrivers ?? {}).length })}
            </p>
          )}
        </DetailSection>
        {isAdmin && (
          <DetailSection title={t('offers_title')}>
            <BookingOffers booking={booking} />
          </DetailSection>
        )}
        {settings.appcat === 'delivery' && (
          <DetailSection title={t('delivery')}>
            <DescriptionList
              className={css.facts}
              facts={[
                [t('deliveryPerson'), booking.deliveryPerson],
                [
                  t('deliveryPersonPhone'),
                  (deliveryPersonPhone || booking.deliveryPerson) && contact(deliveryPersonPhone),
                ],
                [t('parcel_type'), parcelType],
                [t('option'), option],
                [t('pickUpInstructions'), pickUpInstructions],
                [t('deliveryInstructions'), deliveryInstructions],
              ]}
            />
          </DetailSection>
        )}
        <DetailSection title={t('payment')}>
          <DescriptionList
            className={css.facts}
            facts={[
              [t('trip_cost'), money(booking.trip_cost)],
              [t('driver_share'), money(booking.driver_share)],
              [t('convenience_fee'), money(booking.convenience_fees)],
              [t('discount'), money(booking.discount_amount)],
              [t('customer_paid'), money(getNetPayment(booking, settings.decimal))],
              [t('payment_mode'), booking.payment_mode && t(`payment_${booking.payment_mode}`)],
              [t('gateway'), booking.gateway && texts.getProvider(booking.gateway)],
              [t('cancellation_fee'), money(booking.cancellationFee)],
              [t('cancellation_reason'), booking.reason && texts.getReason(booking.reason)],
            ]}
          />
          {isAdmin && <PaymentAttempts booking={booking.id} />}
        </DetailSection>
        {compensate && (
          <DetailSection title={t('complaint')}>
            <ErrorBoundary>
              <Suspense fallback={<SkeletonLines lines={4} />}>
                <ComplaintPanel booking={booking} settings={settings} />
              </Suspense>
            </ErrorBoundary>
          </DetailSection>
        )}
        {booking.distance_review && (
          <DetailSection title={t('review_heading')}>
            <DistanceReview booking={booking} isAdmin={isAdmin} />
          </DetailSection>
        )}
        <DetailSection title={t('timeline')}>
          <EventTimeline booking={booking} />
        </DetailSection>
        {isAdmin && (
          <HelpCasePanel
            booking={booking.id}
            wrap={(content) => <DetailSection title={t('help_cases')}>{content}</DetailSection>}
          />
        )}
        {isAdmin && (
          <PanicLog
            booking={booking.id}
            wrap={(log) => <DetailSection title={t('panic_alerts')}>{log}</DetailSection>}
          />
        )}
        {isAdmin && (
          <DetailSection title={t('messages_sent')}>
            <BookingMessages booking={booking} />
          </DetailSection>
        )}
        <DetailSection title={t('payments_of_booking')}>
          <PaymentRows booking={booking} settings={settings} viewer="office" />
        </DetailSection>
        <DetailSection title={t('fare_history')}>
          <FareHistory booking={booking} />
        </DetailSection>
      </div>
      <BookingPhotos booking={booking} />
      {isAdmin && booking.driver && (
        <DetailSection title={t('chat_transcript')}>
          <ChatTranscript booking={booking} />
        </DetailSection>
      )}
      {isAdmin && (
        <DetailSection title={t('audit_of_record')}>
          <AuditTrail path={dbPaths.booking(booking.id)} />
        </DetailSection>
      )}
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
