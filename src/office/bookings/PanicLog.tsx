import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dbPaths } from '~/domain/data/databasePaths'
import { auditEntries } from '~/src/features/audit/audit'
import { useLive } from '~/src/store/live/liveSlice'
import { DateTime } from '~/src/ui/format/values'
import { AuditChanges } from '../audit/AuditChanges'
import { filterEntriesByPath, getActionTextKey } from '../audit/auditedRecords'
import { PersonName } from '../people/PersonName'
import css from './bookings.module.css'

/** Maximum number of entries read for one booking; few bookings have more changes. */
const MAX_FETCHED = 100

/**
 * Shows the presses of the emergency button in a booking and what admins did about them, oldest
 * first; nothing when there were none. Only admins may read them.
 */
export const PanicLog = ({
  booking,
  wrap,
}: {
  booking: string
  /** Renders the section around the log. */
  wrap: (log: ReactNode) => ReactNode
}) => {
  const { t } = useTranslation()
  const path = dbPaths.booking(booking)
  const { entries } = useLive(auditEntries, { size: MAX_FETCHED, path })
  const presses = filterEntriesByPath(path, entries)
    .filter(({ action }) => action.startsWith('booking_panic'))
    .sort((a, b) => a.at - b.at)
  if (presses.length === 0) return null
  return wrap(
    <ol className={css.timeline}>
      {presses.map((entry) => (
        <li key={entry.id}>
          <strong>{t(getActionTextKey(entry.action))}</strong>
          <span>
            <DateTime at={entry.at} /> · <PersonName id={entry.by} />
          </span>
          <AuditChanges entry={entry} />
        </li>
      ))}
    </ol>,
  )
}
