import { useTranslation } from 'react-i18next'
import { translateError } from '~/src/i18n/errorTexts'
import { useReasonText } from '~/src/features/cancellationReasons/useCancellationReasons'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useConnectionProblem } from '~/src/store/connectionProblem'
import { screenPaths } from '~/src/store/screenPaths'
import { Button, ButtonLink } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { useCurrentBookings, useRecentBookings } from '../currentBookings'
import css from './OutboxBanner.module.css'
import { type RejectedEvent, refusalRead, selectOutbox } from './outbox'

/** Shows an event that the server refused: why, and what to do now. */
const RejectedEventNotice = ({ step: rejectedEvent }: { step: RejectedEvent }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { recent } = useRecentBookings()
  const getReason = useReasonText()
  const { booking_id, event, error, droppedEventCount } = rejectedEvent
  const booking = recent.find(({ id }) => id === booking_id)
  const status = error.key === 'event_not_possible' ? error.params?.status : undefined
  const isOver = status === 'CANCELLED'
  const why = () => {
    if (isOver)
      return booking?.reason
        ? t('refused_cancelled', { reason: getReason(booking.reason) })
        : t('refused_cancelled_no_reason')
    if (status !== undefined) return t('refused_status', { status: t(`status_${status}`) })
    return translateError(error, t)
  }
  const next = isOver
    ? t('refused_over')
    : droppedEventCount > 0
      ? t('refused_dropped', { count: droppedEventCount })
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
        <ButtonLink size="small" variant="quiet" to={screenPaths.booking(booking_id)}>
          {t('booking')}
        </ButtonLink>
      </div>
    </div>
  )
}

/** Shows unsent events, refused events and a lost connection. */
export const OutboxBanner = () => {
  const { t } = useTranslation()
  const { items, isOnline, failureCount, isOptimistic, rejectedEvents } =
    useAppSelector(selectOutbox)
  const { problem, onRetry, isRetrying } = useConnectionProblem()
  const { current } = useCurrentBookings()
  // A booking on the screen shows its own refusal.
  const showsOwnRefusal = (id: string) => current.some(({ booking }) => booking.id === id)
  const steps = items.filter(({ kind }) => kind === 'event').length
  const getStatus = () => {
    if (!isOnline && steps > 0) return t('offline_steps', { count: steps })
    if (problem === 'unreachable') return t('settings_fetch_error')
    if (!isOnline) return t('offline_driver')
    if (failureCount > 0 && items.length > 0) return t('outbox_retrying')
    if (isOptimistic && steps > 0) return t('outbox_sending', { count: steps })
    return null
  }
  const status = getStatus()
  const isFine = isOnline && problem !== 'unreachable'
  return (
    <div role="status">
      {status && (
        <div className={isFine ? css.sending : css.offline}>
          <Icon name={isFine ? 'send' : 'warning'} size={20} />
          <p>{status}</p>
          {!isFine && onRetry && (
            <Button size="small" busy={isRetrying} onClick={onRetry}>
              {t('try_again')}
            </Button>
          )}
        </div>
      )}
      {rejectedEvents
        .filter(
          ({ droppedEventCount, booking_id }) =>
            droppedEventCount > 0 || !showsOwnRefusal(booking_id),
        )
        .map((rejectedEvent) => (
          <RejectedEventNotice key={rejectedEvent.booking_id} step={rejectedEvent} />
        ))}
    </div>
  )
}
