import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DISPATCH_SECONDS } from '~/domain/dispatch'
import type { Booking, Settings } from '~/domain/entities'
import type { Refusal } from '~/domain/errors'
import { toUnit } from '~/domain/geo'
import { advanceBooking, booking as liveBooking } from '~/src/features/bookings/bookings'
import { selectGps } from '~/src/features/gps/gps'
import { selectUid } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { noticeRaised } from '~/src/store/notices'
import { Button } from '~/src/ui/controls'
import { DateTime, Money, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { Skeleton } from '~/src/ui/states'
import { running, useServerNow } from '../clock'
import { selectOutbox } from '../outbox/outbox'
import { TripMap } from '../TripMap'
import { useWay } from '../way'
import { Dotted } from './Dotted'
import css from './TaskCard.module.css'
import { Places } from './Places'

/** Another driver, the rider or the office has ended the request: nobody's fault, and no error. */
const LOST = new Set<string>([
  'booking_taken',
  'not_requested',
  'event_not_possible',
  'not_found',
  'not_allowed',
])

/** How long the request still waits when the platform asks by itself; else how long it has waited. */
const Countdown = ({ asked, settings }: { asked: number; settings: Settings }) => {
  const { t } = useTranslation()
  const now = useServerNow(500)
  const whole = (settings.dispatchSeconds ?? DISPATCH_SECONDS) * 1000
  const left = asked + whole - now
  if (!settings.autoDispatch || left <= 0)
    return (
      <span className={css.waited} role="timer">
        {t('task_waits', { time: running(now - asked) })}
      </span>
    )
  return (
    <span
      className={css.countdown}
      role="timer"
      aria-label={t('task_seconds_left', { count: Math.ceil(left / 1000) })}
      style={{ '--left': Math.max(0, Math.min(1, left / whole)) } as React.CSSProperties}
    >
      {Math.ceil(left / 1000)}
    </span>
  )
}

const Request = ({
  booking,
  settings,
  driving,
  open,
  onOpen,
  onAnswered,
}: {
  booking: Booking
  settings: Settings
  driving: boolean
  open: boolean
  onOpen: () => void
  onAnswered: (id: string) => void
}) => {
  const { t } = useTranslation()
  const format = useFormat()
  const dispatch = useAppDispatch()
  const uid = useAppSelector(selectUid)
  const { location } = useAppSelector(selectGps)
  const { online } = useAppSelector(selectOutbox)
  const way = useWay(location, booking.pickup)
  const [busy, setBusy] = useState<'accept' | 'decline' | null>(null)
  const [problem, setProblem] = useState<Refusal | null>(null)

  const answer = async (event: 'accept' | 'decline') => {
    setBusy(event)
    setProblem(null)
    onAnswered(booking.id)
    try {
      await dispatch(advanceBooking({ booking_id: booking.id, event, quiet: true })).unwrap()
    } catch (error) {
      const refused = error as Refusal
      if (LOST.has(refused.key)) {
        if (event === 'accept') dispatch(noticeRaised({ tone: 'news', text: 'task_lost' }))
      } else setProblem(refused)
    } finally {
      setBusy(null)
    }
  }
  const asked = uid ? (booking.askedDrivers?.[uid] ?? booking.bookingDate) : booking.bookingDate
  const facts = [
    booking.carType,
    format.distance(booking.estimateDistance),
    format.duration(booking.estimateTime),
    booking.parcelTypeSelected?.description,
    booking.optionSelected?.description,
  ].filter((fact): fact is string => Boolean(fact))
  return (
    <article className={css.card} aria-label={t('task_from', { place: booking.pickupAddress })}>
      <header className={css.head}>
        <div>
          <strong className={css.share}>
            <Money amount={booking.driver_share} />
          </strong>
          <small>{t('task_share')}</small>
        </div>
        <Countdown asked={asked} settings={settings} />
      </header>
      <div className={css.body}>
        {booking.bookLater && (
          <p className={css.later}>
            <Icon name="clock" size={18} /> {t('task_later')} <DateTime at={booking.tripdate} />
          </p>
        )}
        {open ? (
          <TripMap booking={booking} way={way} />
        ) : (
          <Button size="small" onClick={onOpen}>
            <Icon name="compass" size={18} />
            {t('task_map')}
          </Button>
        )}
        <p className={css.way}>
          <Icon name="compass" size={20} />
          {way
            ? t('task_way', {
                distance: format.distance(toUnit(way.km, settings)),
                time: format.duration(way.seconds),
              })
            : t('task_way_unknown')}
        </p>
        <Places booking={booking} />
        <p className={css.facts}>
          <Dotted parts={facts} />
        </p>
        {driving && <p className={css.busy}>{t('task_busy')}</p>}
        {problem && (
          <p role="alert" className={css.problem}>
            {t(problem.key, problem.params ?? {})}
          </p>
        )}
        <div className={css.answers}>
          <Button
            size="large"
            busy={busy === 'decline'}
            disabled={!online || busy === 'accept'}
            onClick={() => void answer('decline')}
          >
            {t('decline')}
          </Button>
          <Button
            look="primary"
            size="large"
            busy={busy === 'accept'}
            disabled={!online || driving || busy === 'decline'}
            onClick={() => void answer('accept')}
          >
            {t('accept')}
          </Button>
        </div>
      </div>
    </article>
  )
}

/** One booking the driver is asked to take. */
export const TaskCard = ({
  id,
  settings,
  ...rest
}: {
  id: string
  settings: Settings
  /** He is on a booking, and can take no other one until it is finished. */
  driving: boolean
  open: boolean
  onOpen: () => void
  onAnswered: (id: string) => void
}) => {
  const { booking, loading } = useLive(liveBooking, id)
  if (loading) return <Skeleton height="14rem" />
  // Given to somebody else a moment ago: its task goes in the same write, and with it this card.
  return booking ? <Request booking={{ ...booking, id }} settings={settings} {...rest} /> : null
}

/** Says so once when a request ends without this driver's answer. */
export const useGoneTasks = (ids: readonly string[]) => {
  const dispatch = useAppDispatch()
  const before = useRef<string[]>([])
  const answered = useRef(new Set<string>())
  const key = ids.join(' ')
  useEffect(() => {
    const now = key === '' ? [] : key.split(' ')
    const gone = before.current.filter((id) => !now.includes(id) && !answered.current.has(id))
    if (gone.length > 0) dispatch(noticeRaised({ tone: 'news', text: 'task_gone' }))
    before.current = now
  }, [key, dispatch])
  return useCallback((id: string) => void answered.current.add(id), [])
}
