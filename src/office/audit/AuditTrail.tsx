import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { auditEntries } from '~/src/features/audit/audit'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { PersonName } from '../people/PersonName'
import css from './audit.module.css'
import { AuditChanges } from './AuditChanges'
import { getActionTextKey, filterEntriesByPath } from './auditedRecords'

const MAX_SHOWN = 10
/** Maximum number of entries read for one record; few records have more changes. */
const MAX_FETCHED = 100

/**
 * Shows the latest changes of one record, newest first, with a link to all of them. Only admins may
 * read them.
 */
export const AuditTrail = ({ path }: { path: string }) => {
  const { t } = useTranslation()
  const { entries: fetchedEntries, loading } = useLive(auditEntries, { size: MAX_FETCHED, path })
  const entries = filterEntriesByPath(path, fetchedEntries)
  if (entries.length === 0) return loading ? null : <p className={css.none}>{t('audit_none')}</p>
  return (
    <div className={css.trail}>
      <ol role="list">
        {entries.slice(0, MAX_SHOWN).map((entry) => (
          <li key={entry.id}>
            <strong>{t(getActionTextKey(entry.action))}</strong>
            <span>
              <RelativeTime at={entry.at} /> · <PersonName id={entry.by} />
            </span>
            <AuditChanges entry={entry} />
          </li>
        ))}
      </ol>
      <Link to={`${screenPaths.audit}?path=${encodeURIComponent(path)}`}>{t('audit_all')}</Link>
    </div>
  )
}
