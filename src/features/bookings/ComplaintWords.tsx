import { useTranslation } from 'react-i18next'
import type { Booking } from '~/domain/entities'
import { translateReason } from '~/src/i18n/reasonTexts'
import { DateTime } from '~/src/ui/format'
import { EventName } from './EventName'
import css from './ComplaintWords.module.css'

/** Shows what the office wrote about complaints, oldest first; nothing without such words. */
export const ComplaintWords = ({ booking }: { booking: Booking }) => {
  const { t } = useTranslation()
  const { event_log, words = {} } = booking
  const entries = Object.entries(event_log)
    .filter(([key, { event }]) => /^(compensate|refund)$/.test(event) && words[key])
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
