import { useTranslation } from 'react-i18next'
import { translateReason } from '~/src/i18n/reasonTexts'
import { DateTime } from '~/src/ui/format/values'
import { EventName } from './EventName'
import css from './ComplaintWords.module.css'
import type { Booking, EventLogEntry } from '~/domain/booking/types'

/** Returns true for an event by which a complaint moved money of this party. */
const isAbout = (
  { event, ref = '' }: EventLogEntry,
  { adjustments }: Booking,
  party: 'rider' | 'driver',
): boolean =>
  event === 'refund'
    ? party === 'rider'
    : event === 'compensate' && adjustments?.[ref]?.[party] !== undefined

/**
 * Shows what the office wrote to a party about complaints, oldest first; nothing without such
 * words.
 */
export const ComplaintWords = ({
  booking,
  party,
}: {
  booking: Booking
  party: 'rider' | 'driver'
}) => {
  const { t } = useTranslation()
  const { event_log, words = {} } = booking
  const entries = Object.entries(event_log)
    .filter(([key, entry]) => words[key] && isAbout(entry, booking, party))
    .sort(([, a], [, b]) => a.revision - b.revision)
  return entries.map(([key, entry]) => (
    <p key={key} className={css.words}>
      <small>
        <EventName entry={entry} booking={booking} /> · <DateTime at={entry.at} />
        {entry.reason && ` · ${translateReason(entry.reason, t)}`}
      </small>
      <q className="typed">{words[key]}</q>
    </p>
  ))
}
