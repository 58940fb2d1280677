import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Booking, Settings, User } from '~/domain/entities'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { tasks as liveTasks } from '~/src/features/tasks/tasks'
import { reasonOf } from '~/src/i18n/reasons'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Button, Checkbox, Tabs } from '~/src/ui/controls'
import { Money, useFormat } from '~/src/ui/format'
import { Icon } from '~/src/ui/Icon'
import { SkeletonLines } from '~/src/ui/states'
import { useServerNow } from '../clock'
import { type Current, useCurrent, useRecent } from '../current'
import { DutyCard } from '../duty/DutyCard'
import { GpsProblem } from '../duty/GpsProblem'
import { periodsOf } from '../earnings/figures'
import { isHornMuted, muteHorn } from '../horn'
import { TripMap } from '../TripMap'
import { CurrentBooking } from './CurrentBooking'
import { TaskCard, useGoneTasks } from './TaskCard'
import css from './TripsPage.module.css'

const Today = ({ driver, settings }: { driver: User; settings: Settings }) => {
  const { t } = useTranslation()
  const now = useServerNow(60_000)
  const { today } = periodsOf(driver.walletHistory, settings, now)
  return (
    <Link to={screens.wallet} className={css.today}>
      <span>
        <small>{t('earned_today')}</small>
        <strong>
          <Money amount={today.amount} />
        </strong>
      </span>
      <span>
        <small>{t('bookings_today')}</small>
        <strong>{today.count}</strong>
      </span>
      <span>
        <small>{t('wallet_balance')}</small>
        <strong data-low={driver.walletBalance < 0 || undefined}>
          <Money amount={driver.walletBalance} />
        </strong>
      </span>
    </Link>
  )
}

const Horn = () => {
  const { t } = useTranslation()
  const [muted, setMuted] = useState(isHornMuted)
  return (
    <Checkbox
      label={t('horn_sound')}
      checked={!muted}
      onChange={({ target }) => {
        muteHorn(!target.checked)
        setMuted(!target.checked)
      }}
    />
  )
}

/** On duty without a request, or off duty. */
const Standby = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  if (!driver.driverActiveStatus) return null
  return (
    <>
      <p className={css.waiting} role="status">
        <span className={css.pulse} aria-hidden="true" />
        {t('waiting_for_requests')}
      </p>
      <TripMap tall />
      <Horn />
    </>
  )
}

const Finished = ({ booking, onNext }: { booking: Booking; onNext: () => void }) => {
  const { t } = useTranslation()
  const format = useFormat()
  const { distance, total_trip_time, cashPaymentAmount } = booking
  const facts = [
    format.distance(distance),
    ...(total_trip_time === undefined ? [] : [format.duration(total_trip_time)]),
    ...(cashPaymentAmount ? [t('finished_cash', { amount: format.money(cashPaymentAmount) })] : []),
  ]
  return (
    <section className={css.finished} aria-label={t('finished_title')}>
      <span className={css.tick}>
        <Icon name="check" size={34} />
      </span>
      <h2>{t('finished_title')}</h2>
      <p>
        {t('finished_share')}
        <strong>
          <Money amount={booking.driver_share} />
        </strong>
      </p>
      <p className={css.finishedFacts}>
        {facts.map((fact, index) => (
          <span key={fact}>
            {index > 0 && ' · '}
            <bdi>{fact}</bdi>
          </span>
        ))}
      </p>
      <Button look="primary" size="large" wide onClick={onNext}>
        {t('finished_next')}
      </Button>
    </section>
  )
}

/** What the driver was on, and what somebody else gave up. */
const Cancelled = ({ booking, onNext }: { booking: Booking; onNext: () => void }) => {
  const { t } = useTranslation()
  return (
    <section className={css.finished} aria-labelledby="cancelled-title">
      <span className={css.cross}>
        <Icon name="close" size={34} />
      </span>
      <h2 id="cancelled-title">{t('push_cancelled_title')}</h2>
      <p className="typed">{booking.pickupAddress}</p>
      {booking.reason && (
        <p className={`${css.finishedFacts} typed`}>
          {t('push_cancelled_msg', { reason: reasonOf(booking.reason, t) })}
        </p>
      )}
      <Button look="primary" size="large" wide onClick={onNext}>
        {t('finished_next')}
      </Button>
    </section>
  )
}

/** When a booking ended, ms, unless by the driver's own hand. */
const endOf = ({ paid_at, cancelled_at, cancelledBy }: Booking): number | undefined =>
  paid_at ?? (cancelledBy === 'driver' ? undefined : cancelled_at)

/** A booking is told as ended for so long. */
const JUST_MS = 10 * 60_000
const DISMISSED = 'kerbside.finished-read'

/** The booking that ended a moment ago, until the driver has read how. */
const useEnded = (): [Booking | null, () => void] => {
  const { recent } = useRecent()
  const now = useServerNow(60_000)
  const [read, setRead] = useState(() => localStorage.getItem(DISMISSED))
  const newest = recent
    .filter((booking) => now - (endOf(booking) ?? 0) < JUST_MS)
    .sort((a, b) => (endOf(b) ?? 0) - (endOf(a) ?? 0))[0]
  const dismiss = () => {
    if (!newest) return
    localStorage.setItem(DISMISSED, newest.id)
    setRead(newest.id)
  }
  return [newest && newest.id !== read ? newest : null, dismiss]
}

const Currents = ({
  current,
  driver,
  settings,
}: {
  current: Current[]
  driver: User
  settings: Settings
}) => {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = current.find(({ booking }) => booking.id === chosen) ?? current[0]
  if (!shown) return null
  return (
    <>
      {current.length > 1 && (
        <Tabs
          label={t('current_bookings')}
          value={shown.booking.id}
          onChange={setChosen}
          tabs={current.map(({ booking }) => ({
            value: booking.id,
            label: `${booking.customer_name.split(' ')[0] ?? ''} · ${t(`status_${booking.status}`)}`,
          }))}
        />
      )}
      <CurrentBooking key={shown.booking.id} current={shown} driver={driver} settings={settings} />
    </>
  )
}

const Requests = ({
  ids,
  settings,
  driving,
  onAnswered,
}: {
  ids: string[]
  settings: Settings
  driving: boolean
  onAnswered: (id: string) => void
}) => {
  const { t } = useTranslation()
  const [open, setOpen] = useState<string | null>(null)
  const shown = open && ids.includes(open) ? open : ids[0]
  if (ids.length === 0) return null
  return (
    <section className={css.requests} aria-labelledby="requests-title">
      <h2 id="requests-title">{t('tasks_waiting', { count: ids.length })}</h2>
      {ids.map((id) => (
        <TaskCard
          key={id}
          id={id}
          settings={settings}
          driving={driving}
          open={id === shown}
          onOpen={() => setOpen(id)}
          onAnswered={onAnswered}
        />
      ))}
    </section>
  )
}

/** The driver's console: requests, the booking he is on, and his duty. */
export const TripsPage = () => {
  const { t } = useTranslation()
  const driver = useAppSelector(selectProfile)
  const { settings } = useLive(liveSettings)
  const { tasks } = useLive(liveTasks)
  const { current, loading } = useCurrent()
  const [ended, dismiss] = useEnded()
  const ids = useMemo(() => tasks ?? [], [tasks])
  // Here, and not in the list: that one moves when a request becomes the current booking, and would forget who answered.
  const onAnswered = useGoneTasks(ids)
  if (!driver || !settings || (loading && current.length === 0))
    return (
      <div className={css.page}>
        <SkeletonLines lines={3} height="7rem" />
      </div>
    )
  // Whoever is driving has that before his eyes, and not the next request.
  const requests = (
    <Requests
      ids={ids}
      settings={settings}
      driving={driver.queue === true}
      onAnswered={onAnswered}
    />
  )
  const Ended = ended?.paid_at === undefined ? Cancelled : Finished
  const idle = current.length === 0 && ids.length === 0
  return (
    <div className={css.page}>
      <h1 className="visually-hidden">{t('menu_trips')}</h1>
      <GpsProblem />
      {current.length === 0 && requests}
      {ended && idle && <Ended booking={ended} onNext={dismiss} />}
      <Currents current={current} driver={driver} settings={settings} />
      {current.length > 0 && requests}
      {idle && (
        <>
          <DutyCard driver={driver} />
          <Today driver={driver} settings={settings} />
          <Standby driver={driver} />
        </>
      )}
    </div>
  )
}
