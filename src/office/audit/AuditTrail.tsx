import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import { audit } from '~/src/features/audit/audit'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Ago } from '~/src/ui/office/Ago'
import { PersonName } from '../people/PersonName'
import css from './audit.module.css'
import { Changes } from './Changes'
import { actionText, entriesOf } from './records'

const SHOWN = 10
/** One record is seldom changed oftener. */
const LOOKED = 100

/** The last changes of one record, newest first, with the way to all of them. Only admins may read it. */
export const AuditTrail = ({ path }: { path: string }) => {
  const { t } = useTranslation()
  const { entries: found, loading } = useLive(audit, { size: LOOKED, path })
  const entries = entriesOf(path, found)
  if (entries.length === 0) return loading ? null : <p className={css.none}>{t('audit_none')}</p>
  return (
    <div className={css.trail}>
      <ol role="list">
        {entries.slice(0, SHOWN).map((entry) => (
          <li key={entry.id}>
            <strong>{t(actionText(entry.action))}</strong>
            <span>
              <Ago at={entry.at} /> · <PersonName id={entry.by} />
            </span>
            <Changes entry={entry} />
          </li>
        ))}
      </ol>
      <Link to={`${screens.audit}?path=${encodeURIComponent(path)}`}>{t('audit_all')}</Link>
    </div>
  )
}
