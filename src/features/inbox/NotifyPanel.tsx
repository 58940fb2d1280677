import { useTranslation } from 'react-i18next'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import css from './Inbox.module.css'
import { startNotifying, stopNotifying, useNotifying } from './permission'

/** Switches notifications of this device on and off. */
export const NotifyPanel = () => {
  const { t } = useTranslation()
  const notifying = useNotifying()
  return (
    <section className={css.panel}>
      <h2>{t('notify_title')}</h2>
      <p>{t(`notify_${notifying}`)}</p>
      {notifying === 'off' && (
        <p>
          <Button onClick={() => void startNotifying()}>
            <Icon name="bell" size={18} />
            {t('notify_start')}
          </Button>
        </p>
      )}
      {notifying === 'on' && (
        <p>
          <Button onClick={stopNotifying}>{t('notify_stop')}</Button>
        </p>
      )}
    </section>
  )
}
