import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, NavLink } from 'react-router-dom'
import type { User } from '~/domain/entities'
import { signOut } from '~/src/features/auth/operations'
import { goOffline } from '~/src/features/gps/duty'
import { InboxBell } from '~/src/features/inbox/InboxBell'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { tasks as liveTasks } from '~/src/features/tasks/tasks'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { useKept, useScreensKept } from '~/src/store/kept'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'
import { IconButton, StatusChip } from '~/src/ui/controls'
import { Icon, type IconName } from '~/src/ui/Icon'
import { SchemeButton } from '~/src/ui/SchemeButton'
import { useClockKept } from './clock'
import { isTracked, useCurrent } from './current'
import { allowHorn, useHorn } from './horn'
import { driverKeepsake } from './kept'
import { selectOutbox } from './outbox/outbox'
import { OutboxBanner } from './outbox/OutboxBanner'
import { useTripTexts } from './texts'
import css from './TripShell.module.css'
import { useWakeLock } from './wakeLock'
import { useConnection, useOutbox, useWhereabouts } from './work'

const TABS: { to: string; label: string; icon: IconName }[] = [
  { to: screens.trips, label: 'menu_trips', icon: 'compass' },
  { to: screens.bookings, label: 'menu_bookings', icon: 'route' },
  { to: screens.wallet, label: 'menu_earnings', icon: 'wallet' },
  { to: screens.profile, label: 'menu_profile', icon: 'person' },
]

const Bar = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { settings } = useLive(liveSettings)
  const { online } = useAppSelector(selectOutbox)
  const onDuty = driver.driverActiveStatus === true
  const leave = async () => {
    // Nobody is offered a booking who has gone home; without a connection nobody would hear of it.
    if (onDuty) await dispatch(goOffline({ driver, quiet: true }))
    await dispatch(signOut())
  }
  return (
    <header className={css.bar}>
      <strong className="typed">{settings?.appName ?? ''}</strong>
      <StatusChip tone={driver.queue ? 'primary' : onDuty ? 'success' : 'muted'}>
        {t(driver.queue ? 'duty_busy' : onDuty ? 'duty_on' : 'duty_off')}
      </StatusChip>
      <span className={css.tools}>
        <InboxBell />
        <Link className={css.tool} to={screens.vehicle} aria-label={t('your_vehicle')}>
          <Icon name="car" />
        </Link>
        <SchemeButton />
        <IconButton label={t('logout')} disabled={onDuty && !online} onClick={() => void leave()}>
          <Icon name="out" />
        </IconButton>
      </span>
    </header>
  )
}

/** What goes on whichever screen is open: connection, outbox, whereabouts, horn, a screen that stays on. */
const Work = ({ driver }: { driver: User }) => {
  const { settings } = useLive(liveSettings)
  const { tasks } = useLive(liveTasks)
  const { current } = useCurrent()
  const tracked = current.map(({ booking }) => booking).find(isTracked) ?? null
  useConnection()
  useClockKept()
  useKept(driver.id, driverKeepsake)
  useScreensKept('trip')
  useOutbox(driver.id)
  useWhereabouts(driver, tracked)
  // Who is driving can take no other one: his horn is silent.
  useHorn(driver.queue ? [] : (tasks ?? []), settings?.CarHornRepeat === true)
  useWakeLock(tracked !== null || driver.driverActiveStatus === true)
  return null
}

/** Installed from here it is the driver's app, and begins with his requests. */
const useOwnManifest = () => {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')
    const before = link?.href
    link?.setAttribute('href', '/driver.webmanifest')
    return () => {
      if (before) link.href = before
    }
  }, [])
}

/** The frame of the driver's screens: everything he presses is within reach of one thumb. */
export const TripShell = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation()
  useTripTexts()
  useOwnManifest()
  const driver = useAppSelector(selectProfile)
  const { tasks } = useLive(liveTasks)
  const waiting = tasks?.length ?? 0
  useEffect(() => {
    document.addEventListener('pointerdown', allowHorn, { once: true })
    return () => document.removeEventListener('pointerdown', allowHorn)
  }, [])
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#content">
        {t('skip_to_content')}
      </a>
      {driver && <Bar driver={driver} />}
      {driver?.usertype === 'driver' && <Work driver={driver} />}
      <OutboxBanner />
      <main id="content" tabIndex={-1} className={css.main}>
        {children}
      </main>
      <nav className={css.tabs} aria-label={t('menu')}>
        {TABS.map(({ to, label, icon }) => (
          <NavLink key={to} to={to}>
            <Icon name={icon} size={24} />
            <span>{t(label)}</span>
            {to === screens.trips && waiting > 0 && (
              <b className={css.badge}>
                {waiting}
                <span className="visually-hidden"> {t('tasks_waiting', { count: waiting })}</span>
              </b>
            )}
          </NavLink>
        ))}
      </nav>
    </div>
  )
}
