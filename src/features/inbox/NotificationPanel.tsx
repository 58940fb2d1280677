import { useTranslation } from 'react-i18next'
import { useAppDispatch } from '~/src/store/hooks'
import { releasePushDevice } from '~/src/store/pushRegistration'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import css from './Inbox.module.css'
import {
  enableNotifications,
  disableNotifications,
  useNotificationState,
} from './deviceNotifications'

/** Turns notifications on this device on and off. */
export const NotificationPanel = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const notifying = useNotificationState()
  const stop = () => {
    disableNotifications()
    void dispatch(releasePushDevice())
  }
  return (
    <section className={css.panel}>
      <h2>{t('notify_title')}</h2>
      <p>{t(`notify_${notifying}`)}</p>
      {notifying === 'off' && (
        <p>
          <Button onClick={() => void enableNotifications()}>
            <Icon name="bell" size={18} />
            {t('notify_start')}
          </Button>
        </p>
      )}
      {notifying === 'on' && (
        <p>
          <Button onClick={stop}>{t('notify_stop')}</Button>
        </p>
      )}
    </section>
  )
}
