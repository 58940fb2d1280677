import { useTranslation } from 'react-i18next'
import { Button } from '../controls'
import { Icon } from '../Icon'
import css from './OfflineBanner.module.css'

/**
 * Explains why content may be outdated or missing; `onRetry` requests the missing content again.
 */
export const OfflineBanner = ({
  problem,
  onRetry,
  isRetrying,
}: {
  /** Either no network at all, or a database that does not respond. */
  problem: 'offline' | 'unreachable' | null
  onRetry?: () => void
  isRetrying: boolean
}) => {
  const { t } = useTranslation()
  return (
    <div role="status">
      {problem && (
        <div className={css.banner}>
          <p>
            <Icon name="warning" size={18} />
            {t(problem === 'offline' ? 'offline' : 'settings_fetch_error')}
          </p>
          {onRetry && (
            <Button size="small" busy={isRetrying} onClick={onRetry}>
              {t('try_again')}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}
