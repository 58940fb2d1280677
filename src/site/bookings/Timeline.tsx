import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { EventName } from '~/src/features/bookings/EventName'
import { useFormat } from '~/src/ui/format/format'
import { DateTime } from '~/src/ui/format/values'
import css from './BookingPage.module.css'
import type { Party } from './TripPanels'
import type { Booking, EventLogEntry } from '~/domain/booking/types'

/** Delay in ms from which an offline event also shows when the server received it. */
const LATE_RECEIPT_MS = 60_000

/** Events about the rider's card, which the driver does not see. */
const CARD_EVENTS: readonly string[] = ['refund', 'reinstate']
/** Events of the search for a driver, of which the rider sees the result. */
const SEARCH_EVENTS: readonly string[] = ['dispatch', 'assign', 'decline', 'withdraw']

/** Returns true for an event that means something to a party. */
const isShownTo = (
  party: Party,
  { event, status }: EventLogEntry,
  { payment_mode }: Booking,
): boolean => {
  if (party === 'driver') return !CARD_EVENTS.includes(event)
  // Cash is paid at the end, when the driver collects it.
  const isCashChoice = event === 'pay' && status === 'NEW' && payment_mode === 'cash'
  return !SEARCH_EVENTS.includes(event) && !isCashChoice
}

const EventTime = ({ entry: { at, received_at } }: { entry: EventLogEntry }) => {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <span>
      <DateTime at={at} only="time" />
      {received_at !== undefined && received_at - at >= LATE_RECEIPT_MS && (
        <>
          {' · '}
          {t('timeline_received', {
            time:
              format.date(at) === format.date(received_at)
                ? format.time(received_at)
                : format.dateTime(received_at),
          })}
        </>
      )}
    </span>
  )
}

/** Lists what has happened to a booking, with each date once. */
export const Timeline = ({ booking, party }: { booking: Booking; party: Party }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const entries = Object.values(booking.event_log)
    .filter((entry) => isShownTo(party, entry, booking))
    .sort((a, b) => a.at - b.at || a.revision - b.revision)
  if (entries.length === 0) return null
  const days = new Map<string, EventLogEntry[]>()
  for (const entry of entries) {
    const day = format.date(entry.at)
    days.set(day, [...(days.get(day) ?? []), entry])
  }
  return (
    <section className={css.panel}>
      <h2>{t('timeline')}</h2>
      {[...days].map(([day, events]) => (
        <Fragment key={day}>
          <h3 className={css.day}>{day}</h3>
          <ol role="list" className={css.timeline}>
            {events.map((entry) => (
              <li key={`${entry.event} ${entry.revision}`}>
                <span>
                  <EventName entry={entry} booking={booking} />
                </span>
                <EventTime entry={entry} />
              </li>
            ))}
          </ol>
        </Fragment>
      ))}
    </section>
  )
}
