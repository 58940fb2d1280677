import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls'
import { Icon } from '../Icon'
import css from './states.module.css'

/** Shows an error; `onRetry` tries again. */
export const ErrorState = ({
  children,
  onRetry,
}: {
  children: ReactNode
  onRetry?: () => void
}) => {
  const { t } = useTranslation()
  return (
    <div className={css.state} role="alert">
      <Icon name="warning" size={40} />
      <h2>{t('something_failed')}</h2>
      <p>{children}</p>
      {onRetry && <Button onClick={onRetry}>{t('try_again')}</Button>}
    </div>
  )
}
