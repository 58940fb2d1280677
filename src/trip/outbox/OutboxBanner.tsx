import { useTranslation } from 'react-i18next'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { useCurrent } from '../current'
import css from './OutboxBanner.module.css'
import { refusalRead, selectOutbox } from './outbox'

/** What has not reached the server yet, and what it did not take. */
export const OutboxBanner = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { items, online, failures, assuming, refused } = useAppSelector(selectOutbox)
  const { current } = useCurrent()
  // A booking on screen says itself what its last step was told.
  const saysItself = (id: string) => current.some(({ booking }) => booking.id === id)
  const steps = items.filter(({ kind }) => kind === 'event').length
  const line = () => {
    if (!online) return steps > 0 ? t('offline_steps', { count: steps }) : t('offline_driver')
    if (failures > 0 && items.length > 0) return t('outbox_retrying')
    if (assuming && steps > 0) return t('outbox_sending', { count: steps })
    return null
  }
  const said = line()
  return (
    <div role="status">
      {said && (
        <p className={online ? css.sending : css.offline}>
          <Icon name={online ? 'send' : 'warning'} size={20} />
          <span>{said}</span>
        </p>
      )}
      {refused
        .filter(({ dropped, booking_id }) => dropped > 0 || !saysItself(booking_id))
        .map(({ booking_id, event, refusal, dropped }) => (
          <div key={booking_id} className={css.refused}>
            <p>
              <strong>{t(`refused_${event}`)}</strong> {t(refusal.key, refusal.params ?? {})}{' '}
              {dropped > 0 && t('refused_dropped', { count: dropped })}
            </p>
            <Button size="small" onClick={() => dispatch(refusalRead(booking_id))}>
              {t('understood')}
            </Button>
          </div>
        ))}
    </div>
  )
}
