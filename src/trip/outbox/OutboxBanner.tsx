import { useTranslation } from 'react-i18next'
import { reasonOf } from '~/src/i18n/reasons'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { screens } from '~/src/store/screens'
import { Button, ButtonLink } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { useCurrent, useRecent } from '../current'
import css from './OutboxBanner.module.css'
import { type RefusedStep, refusalRead, selectOutbox } from './outbox'

/** A step the server did not take: why, and what is to be done now. */
const Refused = ({ step }: { step: RefusedStep }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { recent } = useRecent()
  const { booking_id, event, refusal, dropped } = step
  const booking = recent.find(({ id }) => id === booking_id)
  const status = refusal.key === 'event_not_possible' ? refusal.params?.status : undefined
  const isOver = status === 'CANCELLED'
  const why = () => {
    if (isOver) return t('refused_cancelled', { reason: reasonOf(booking?.reason ?? '', t) })
    if (status !== undefined) return t('refused_status', { status: t(`status_${status}`) })
    return t(refusal.key, refusal.params ?? {})
  }
  const next = isOver
    ? t('refused_over')
    : dropped > 0
      ? t('refused_dropped', { count: dropped })
      : null
  return (
    <div className={css.refused}>
      <p className="typed">
        <strong>{t(`refused_${event}`)}</strong> {why()} <span className={css.next}>{next}</span>
      </p>
      <div className={css.answers}>
        <Button size="small" onClick={() => dispatch(refusalRead(booking_id))}>
          {t('understood')}
        </Button>
        <ButtonLink size="small" look="quiet" to={screens.booking(booking_id)}>
          {t('booking')}
        </ButtonLink>
      </div>
    </div>
  )
}

/** What has not reached the server yet, and what it did not take. */
export const OutboxBanner = () => {
  const { t } = useTranslation()
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
        .map((step) => (
          <Refused key={step.booking_id} step={step} />
        ))}
    </div>
  )
}
