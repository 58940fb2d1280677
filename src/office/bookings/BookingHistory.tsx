import { useTranslation } from 'react-i18next'
import { getEventReason } from '~/domain/booking/eventWords'
import { isPaymentEntry } from '~/domain/booking/payment/paymentHistory'
import { SERVER_UID } from '~/domain/data/databasePaths'
import { EventName } from '~/src/features/bookings/EventName'
import { liveMessages } from '~/src/features/chats/chats'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { useLive } from '~/src/store/live/liveSlice'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import css from './bookings.module.css'
import type { Booking } from '~/domain/booking/types'

/** Lists the events of a booking, and who caused them. */
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

/** Shows each fare that the booking has had, with its lines. */
export const FareHistory = ({ booking }: { booking: Booking }) => {
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

/** Shows the messages between rider and driver. */
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
