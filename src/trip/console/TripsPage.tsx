import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router-dom'
import type { Settings, User } from '~/domain/entities'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { tasks as liveTasks } from '~/src/features/tasks/tasks'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { Checkbox, Tabs } from '~/src/ui/controls'
import { Money } from '~/src/ui/format'
import { SkeletonLines } from '~/src/ui/states'
import { useServerNow } from '../clock'
import { type Current, useCurrent } from '../current'
import { DutyCard } from '../duty/DutyCard'
import { GpsProblem } from '../duty/GpsProblem'
import { periodsOf } from '../earnings/figures'
import { isHornMuted, muteHorn } from '../horn'
import { TripMap } from '../TripMap'
import { CurrentBooking } from './CurrentBooking'
import { Ended, useEnded } from './Ended'
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

/** On duty, without a request yet. */
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
