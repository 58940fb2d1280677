import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Booking, Settings, User } from '~/domain/entities'
import { at, SERVER_UID } from '~/domain/paths'
import { BookingStatus } from '~/src/features/bookings/BookingStatus'
import { booking as liveBooking } from '~/src/features/bookings/bookings'
import { TripCode } from '~/src/features/bookings/TripCode'
import { messages as liveMessages } from '~/src/features/chats/chats'
import { reasonOf } from '~/src/i18n/reasons'
import { useLive } from '~/src/store/liveSlice'
import { Button } from '~/src/ui/controls'
import { Facts } from '~/src/ui/Facts'
import { DateTime, useFormat } from '~/src/ui/format'
import { Ago } from '~/src/ui/office/Ago'
import { EmptyState, ErrorState, SkeletonLines } from '~/src/ui/states'
import { AuditTrail } from '../audit/AuditTrail'
import { contactShown } from '../contacts'
import { Attempts } from '../payments/Attempts'
import { useOffice } from '../useOffice'
import { officeActions } from './actions'
import { useBookingDialog } from './BookingDialogs'
import { BookingMap } from './BookingMap'
import css from './bookings.module.css'

const Block = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={css.block}>
    <h3>{title}</h3>
    {children}
  </section>
)

const Timeline = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const nameOf = (uid: string) => {
    if (uid === booking.customer) return booking.customer_name || t('customer')
    if (uid === booking.driver) return booking.driver_name || t('driver')
    return t(uid === SERVER_UID || uid === 'system' ? 'by_system' : 'by_office')
  }
  const entries = Object.entries(booking.event_log).sort(
    ([, a], [, b]) => a.at - b.at || a.revision - b.revision,
  )
  if (entries.length === 0) return <p className={css.muted}>{t('no_rows')}</p>
  return (
    <ol className={css.timeline}>
      {entries.map(([key, entry]) => (
        <li key={key}>
          <strong>{t(`event_${entry.event}`)}</strong>
          <span>
            <DateTime at={entry.at} /> · {nameOf(entry.by)}
          </span>
        </li>
      ))}
    </ol>
  )
}

const FareHistory = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const entries = Object.entries(booking.fare_history).sort(([, a], [, b]) => a.at - b.at)
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

const Chat = ({ booking }: { booking: Booking }) => {
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

const Pictures = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const pictures = [
    { url: booking.pickup_image, name: t('pickup_image') },
    { url: booking.deliver_image, name: t('deliver_image') },
  ].filter(({ url }) => url)
  if (pictures.length === 0) return null
  return (
    <Block title={t('pictures')}>
      <div className={css.pictures}>
        {pictures.map(({ url, name }) => (
          <a key={name} href={url} target="_blank" rel="noreferrer">
            <img src={url} alt={name} loading="lazy" />
            <span>{name}</span>
          </a>
        ))}
      </div>
    </Block>
  )
}

const Shown = ({
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
  const ask = useBookingDialog()
  const { assign, cancel } = officeActions(booking, profile, settings)
  const isAdmin = profile.usertype === 'admin'
  const money = (value: number | undefined) => (value === undefined ? null : format.money(value))
  const contact = (value: string | undefined) => (
    <bdi className="typed">{contactShown(value, settings, t)}</bdi>
  )
  return (
    <>
      <div className={css.top}>
        <BookingStatus status={booking.status} />
        <Ago at={booking.bookLater ? booking.tripdate : booking.bookingDate} />
        {booking.bookLater && <span className={css.muted}>{t('booked_for_later')}</span>}
        <span className={css.price}>{format.money(booking.trip_cost)}</span>
      </div>
      {(assign || cancel) && (
        <div className={css.buttons}>
          {assign && (
            <Button look="primary" onClick={() => ask('assign', booking.id)}>
              {t('assign_driver')}
            </Button>
          )}
          {cancel && (
            <Button look="danger" onClick={() => ask('cancel', booking.id)}>
              {t('cancel_booking')}
            </Button>
          )}
        </div>
      )}
      <div className={css.map}>
        <BookingMap booking={booking} />
      </div>
      <ol className={css.places}>
        <li>{booking.pickupAddress}</li>
        {booking.waypoints?.map((stop, index) => (
          <li key={index}>{stop.add}</li>
        ))}
        <li>{booking.dropAddress}</li>
      </ol>
      <div className={css.columns}>
        <Block title={t('customer')}>
          <Facts
            className={css.facts}
            facts={[
              [t('name'), booking.customer_name],
              [t('mobile'), contact(booking.customer_contact)],
              [t('email'), contact(booking.customer_email)],
              [
                t('trip_code'),
                isAdmin && booking.otp !== false ? <TripCode booking={booking} /> : null,
              ],
              [t('rating'), booking.rating && `★ ${booking.rating}`],
            ]}
          />
        </Block>
        <Block title={t('driver')}>
          {booking.driver ? (
            <Facts
              className={css.facts}
              facts={[
                [t('name'), booking.driver_name],
                [t('mobile'), booking.driver_contact && contact(booking.driver_contact)],
                [t('car_type'), booking.carType],
                [t('vehicle_no'), booking.vehicle_number],
                [t('rating'), booking.driverRating && `★ ${booking.driverRating}`],
              ]}
            />
          ) : (
            <p className={css.muted}>
              {t('no_driver_yet', { count: Object.keys(booking.requestedDrivers ?? {}).length })}
            </p>
          )}
        </Block>
        {settings.appcat === 'delivery' && (
          <Block title={t('delivery')}>
            <Facts
              className={css.facts}
              facts={[
                [t('deliveryPerson'), booking.deliveryPerson],
                [
                  t('deliveryPersonPhone'),
                  booking.deliveryPersonPhone && contact(booking.deliveryPersonPhone),
                ],
                [t('parcel_type'), booking.parcelTypeSelected?.description],
                [t('option'), booking.optionSelected?.description],
                [t('pickUpInstructions'), booking.pickUpInstructions],
                [t('deliveryInstructions'), booking.deliveryInstructions],
              ]}
            />
          </Block>
        )}
        <Block title={t('payment')}>
          <Facts
            className={css.facts}
            facts={[
              [t('trip_cost'), money(booking.trip_cost)],
              [t('driver_share'), money(booking.driver_share)],
              [t('convenience_fee'), money(booking.convenience_fees)],
              [t('discount'), money(booking.discount_amount)],
              [t('customer_paid'), money(booking.customer_paid)],
              [t('payment_mode'), booking.payment_mode && t(`payment_${booking.payment_mode}`)],
              [t('gateway'), booking.gateway],
              [t('cancellation_fee'), money(booking.cancellationFee)],
              [t('cancellation_reason'), booking.reason && reasonOf(booking.reason, t)],
            ]}
          />
          {isAdmin && <Attempts booking={booking.id} />}
        </Block>
        <Block title={t('timeline')}>
          <Timeline booking={booking} />
        </Block>
        <Block title={t('fare_history')}>
          <FareHistory booking={booking} />
        </Block>
      </div>
      <Pictures booking={booking} />
      {isAdmin && booking.driver && (
        <Block title={t('chat_transcript')}>
          <Chat booking={booking} />
        </Block>
      )}
      {isAdmin && (
        <Block title={t('audit_of_record')}>
          <AuditTrail path={at.booking(booking.id)} />
        </Block>
      )}
    </>
  )
}

/** All there is about one booking, live. */
export const BookingDetail = ({ id }: { id: string }) => {
  const { t } = useTranslation()
  const { profile, settings } = useOffice()
  const { booking, loading, error, retry } = useLive(liveBooking, id)
  if (error.flag) return <ErrorState onRetry={retry}>{t(error.msg ?? '')}</ErrorState>
  if (!profile || !settings || (loading && !booking)) return <SkeletonLines lines={6} />
  if (!booking) return <EmptyState title={t('not_found')} />
  return <Shown booking={booking} profile={profile} settings={settings} />
}
