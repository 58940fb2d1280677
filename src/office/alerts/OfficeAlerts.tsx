import { useEffect, useEffectEvent, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { toPushText } from '~/domain/booking/pushMessages'
import { formatPosition, type OfficeAlert, type PanicAlert } from '~/domain/messages/officeAlert'
import { showDeviceNotification } from '~/src/features/inbox/deviceNotifications'
import { isPanic, officeAlerts } from '~/src/features/panic/officeAlerts'
import { answerPanic } from '~/src/features/panic/panic'
import { useAppDispatch } from '~/src/store/hooks'
import { useLive } from '~/src/store/live/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { RelativeTime } from '~/src/ui/table/RelativeTime'
import { useSoundUnlock } from '~/src/ui/feedback/sound'
import { playOfficeSound } from '../officeSound'
import { useSingleRun } from '~/src/ui/useSingleRun'
import css from './OfficeAlerts.module.css'

/** Milliseconds between repeats of the alarm. */
const ALARM_REPEAT_MS = 5_000

/** Returns the page on which the office acts on an alert. */
const getAlertPath = ({ event, booking_id }: OfficeAlert): string => {
  if (booking_id !== undefined) return screenPaths.booking(booking_id)
  if (event === 'driver_message') return screenPaths.board
  return event === 'driver_signed_up' ? screenPaths.drivers : screenPaths.payments
}

/** Calls back once with each alert that arrives, or that changes, while the page is open. */
const useNewAlerts = (
  alerts: readonly (OfficeAlert & { id: string })[],
  loading: boolean,
  onNew: (alert: OfficeAlert) => void,
) => {
  const knownKeys = useRef<Set<string> | null>(null)
  const notify = useEffectEvent(onNew)
  useEffect(() => {
    if (loading) return
    const before = knownKeys.current
    knownKeys.current = new Set(alerts.map(({ id, at }) => `${id} ${at}`))
    // Alerts that existed at page load are not new.
    if (before)
      for (const alert of alerts) if (!before.has(`${alert.id} ${alert.at}`)) notify(alert)
  }, [alerts, loading])
}

/** Repeats the alarm until it is off. */
const useAlarm = (isOn: boolean) => {
  useEffect(() => {
    if (!isOn) return
    playOfficeSound('alarm')
    const timer = setInterval(() => playOfficeSound('alarm'), ALARM_REPEAT_MS)
    return () => clearInterval(timer)
  }, [isOn])
}

const Panic = ({ alert }: { alert: PanicAlert }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const { busy, run } = useSingleRun()
  const { booking_id, by, role, name, reference, position, presses, revision, taken_by } = alert
  const respond = (how: 'take' | 'close') =>
    run(async () => {
      const { first } = await dispatch(answerPanic({ booking_id, uid: by, how, revision })).unwrap()
      if (!first) dispatch(noticeRaised({ tone: 'news', text: 'panic_changed' }))
      // The refusal is already shown as a notice.
    }).catch(() => undefined)
  return (
    <div className={css.panic} data-taken={taken_by !== undefined || undefined}>
      <Icon name="warning" />
      <p>
        <strong>{t('panic_alert', { name })}</strong>
        <span>
          {t(role)} · <RelativeTime at={alert.at} />
          {presses > 1 && ` · ${t('panic_presses', { number: format.number(presses) })}`}
        </span>
        <Link to={screenPaths.booking(booking_id)}>{t('booking_title', { id: reference })}</Link>
        {position && (
          <a
            href={`https://www.google.com/maps/search/?api=1&query=${position.lat},${position.lng}`}
            target="_blank"
            rel="noreferrer"
          >
            <bdi dir="ltr">{formatPosition(position)}</bdi>
          </a>
        )}
        {taken_by !== undefined && <span>{t('panic_taken', { name: alert.taken_name })}</span>}
      </p>
      <div className={css.actions}>
        {taken_by === undefined ? (
          <Button size="small" variant="primary" busy={busy} onClick={() => void respond('take')}>
            {t('panic_take')}
          </Button>
        ) : (
          <Button size="small" busy={busy} onClick={() => void respond('close')}>
            {t('panic_close')}
          </Button>
        )}
      </div>
    </div>
  )
}

/**
 * Shows emergencies on every page of the back office until an admin closes them, and news as
 * notices. Both have a sound.
 */
export const OfficeAlerts = () => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { pathname } = useLocation()
  const { alerts, loading } = useLive(officeAlerts)
  const panics = alerts.filter(isPanic)
  useSoundUnlock()
  useAlarm(panics.some(({ taken_by }) => taken_by === undefined))
  useNewAlerts(alerts, loading, (alert) => {
    const keys = toPushText(alert.event)
    const to = getAlertPath(alert)
    const title = t(keys.title, alert.params)
    const text = t(keys.msg, { position: '–', ...alert.params })
    if (alert.event !== 'panic') {
      dispatch(noticeRaised({ tone: 'news', title, text, to }))
      // The board sounds by itself, at the times of its settings.
      if (alert.event !== 'booking_waits' || pathname !== screenPaths.board)
        playOfficeSound('chime')
    }
    void showDeviceNotification(title, text, to)
  })
  return (
    <section className={css.alerts} aria-label={t('panic_alerts')} aria-live="assertive">
      {panics.map((alert) => (
        <Panic key={alert.id} alert={alert} />
      ))}
    </section>
  )
}
