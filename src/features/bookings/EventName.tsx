import { useTranslation } from 'react-i18next'
import type { EventLogEntry } from '~/domain/entities'
import { translateAmendedFields } from '~/src/i18n/reasonTexts'

/** Names an event of a booking's history; for an amendment, with the changed fields. */
export const EventName = ({ entry: { event, ref } }: { entry: EventLogEntry }) => {
  const { t } = useTranslation()
  const name = t(`event_${event}`)
  return event === 'amend' && ref ? `${name}: ${translateAmendedFields(ref, t)}` : name
}
