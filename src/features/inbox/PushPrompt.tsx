import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { readPreference, savePreference } from '~/src/ui/preferences'
import css from './Inbox.module.css'
import { enableNotifications, useNotificationState } from './deviceNotifications'

const DISMISSED_KEY = 'kerbside.push-dismissed'

/**
 * Offers notifications when they become useful: after a driver goes on duty, and after a booking.
 * The browser asks only after a press of the button.
 */
export const PushPrompt = ({ reason }: { reason: 'driver' | 'rider' }) => {
  const { t } = useTranslation()
  const state = useNotificationState()
  const [isDismissed, setDismissed] = useState(() => readPreference(DISMISSED_KEY) === 'yes')
  if (state === 'on' || state === 'impossible' || isDismissed) return null
  const dismiss = () => {
    savePreference(DISMISSED_KEY, 'yes')
    setDismissed(true)
  }
  return (
    <section className={css.panel} aria-label={t('notify_title')}>
      <p>{t(state === 'off' ? `notify_ask_${reason}` : `notify_${state}`)}</p>
      <div className={css.choices}>
        {state === 'off' && (
          <Button onClick={() => void enableNotifications()}>
            <Icon name="bell" size={18} />
            {t('notify_start')}
          </Button>
        )}
        <Button variant="quiet" onClick={dismiss}>
          {t('notify_later')}
        </Button>
      </div>
    </section>
  )
}
