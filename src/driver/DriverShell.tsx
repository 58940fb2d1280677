import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router-dom'
import { signOut } from '~/src/features/auth/account'
import { goOffline } from '~/src/features/gps/availability'
import { InboxButton } from '~/src/widgets/InboxButton'
import { liveSettings } from '~/src/features/settings/settings'
import { liveOffers } from '~/src/features/offers/offers'
import { selectProfile } from '~/src/store/auth'
import { useAppDispatch, useAppSelector } from '~/src/store/hooks'
import { usePersistedCache, usePrecacheScreens } from '~/src/store/live/offlineCache'
import { useLive } from '~/src/store/live/liveSlice'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { ConfirmDialog } from '~/src/ui/dialogs/Dialog'
import { useFormat } from '~/src/ui/format/format'
import { Icon } from '~/src/ui/Icon'
import { StatusChip } from '~/src/ui/feedback/StatusChip'
import { ColorSchemeButton } from '~/src/ui/theme/ColorSchemeButton'
import { lazyWithRetry } from '~/src/ui/loading/lazyWithRetry'
import { TabBar, type TabBarItem } from '~/src/ui/navigation/TabBar'
import { useSoundUnlock } from '~/src/ui/feedback/sound'
import { usePersistedClockOffset } from './serverTime'
import { findTracked, mayAcceptOffer, useCurrentBookings } from './currentBookings'
import { useRingtone } from './ringtone'
import { driverCachePolicy } from './offlineCache'
import { selectOutbox } from './outbox/outbox'
import { OutboxBanner } from './outbox/OutboxBanner'
import { useEndedOfferNotice } from './offers/useOffers'
import { useDriverTexts } from './driverTexts'
import css from './DriverShell.module.css'
import { useWakeLock } from './wakeLock'
import { useConnectionStatus, useOutboxSender, usePositionReporting } from './backgroundWork'
import type { User } from '~/domain/accounts/types'

const OfferScreen = lazyWithRetry(async () => (await import('./offers/OfferScreen')).OfferScreen)

const TABS: Pick<TabBarItem, 'to' | 'label' | 'icon'>[] = [
  { to: screenPaths.trips, label: 'menu_trips', icon: 'compass' },
  { to: screenPaths.bookings, label: 'menu_bookings', icon: 'route' },
  { to: screenPaths.wallet, label: 'menu_earnings', icon: 'wallet' },
  { to: screenPaths.profile, label: 'menu_profile', icon: 'person' },
]

const TopBar = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  const onDuty = driver.driverActiveStatus === true
  return (
    <header className={css.bar}>
      <strong className="typed">{settings?.appName ?? ''}</strong>
      <StatusChip tone={driver.queue ? 'primary' : onDuty ? 'success' : 'muted'}>
        {t(driver.queue ? 'duty_busy' : onDuty ? 'duty_on' : 'duty_off')}
      </StatusChip>
      <span className={css.tools}>
        <InboxButton />
        <Link className={css.tool} to={screenPaths.vehicle} aria-label={t('your_vehicle')}>
          <Icon name="car" />
        </Link>
        <ColorSchemeButton />
      </span>
    </header>
  )
}

/** Ends the driver's session, and their duty first. */
const LogOut = ({ driver }: { driver: User }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { isOnline, items } = useAppSelector(selectOutbox)
  const [isAsking, setAsking] = useState(false)
  const hasUnsent = items.some(({ kind }) => kind === 'event')
  const onDuty = driver.driverActiveStatus === true
  const leave = async () => {
    // Goes off duty first, so that the platform sends no offers to a signed-out driver. This needs
    // a connection.
    if (onDuty) await dispatch(goOffline.quiet({ driver }))
    await dispatch(signOut())
  }
  return (
    <div className={css.logOut}>
      <Button
        wide
        disabled={onDuty && !isOnline}
        onClick={() => (hasUnsent ? setAsking(true) : void leave())}
      >
        <Icon name="out" size={18} />
        {t('logout')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          danger
          title={t('logout_unsent_title')}
          confirm={t('logout')}
          onConfirm={leave}
          onClose={() => setAsking(false)}
        >
          <p>{t('logout_unsent')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

/**
 * Runs the work that continues on every driver screen: connection, outbox, position reports,
 * ringtone and wake lock.
 */
const BackgroundWork = ({ driver }: { driver: User }) => {
  const { settings } = useLive(liveSettings)
  const { tasks } = useLive(liveOffers)
  const { current } = useCurrentBookings()
  const tracked = findTracked(current) ?? null
  useConnectionStatus()
  usePersistedClockOffset()
  usePersistedCache(driver.id, driverCachePolicy)
  usePrecacheScreens('trip')
  useOutboxSender(driver.id)
  usePositionReporting(driver, tracked)
  // There is no ringtone for offers that a busy driver cannot accept.
  const mayAccept = settings !== null && mayAcceptOffer(driver, current, settings)
  useRingtone(mayAccept ? (tasks ?? []) : [], settings?.CarHornRepeat === true)
  useEndedOfferNotice()
  useWakeLock(tracked !== null || driver.driverActiveStatus === true)
  return null
}

/**
 * Uses the driver's manifest, so that an app installed from here starts with the driver's requests.
 */
const useDriverManifest = () => {
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')
    const before = link?.href
    link?.setAttribute('href', '/driver.webmanifest')
    return () => {
      if (before) link.href = before
    }
  }, [])
}

/** Renders the frame of the driver's screens, with all controls within reach of one thumb. */
export const DriverShell = ({ children }: { children: ReactNode }) => {
  const { t } = useTranslation()
  const format = useFormat()
  useDriverTexts()
  useDriverManifest()
  const driver = useAppSelector(selectProfile)
  const { pathname: path } = useLocation()
  const { tasks } = useLive(liveOffers)
  const waiting = tasks?.length ?? 0
  useSoundUnlock()
  return (
    <div className={css.shell}>
      <a className={css.skip} href="#content">
        {t('skip_to_content')}
      </a>
      {driver && <TopBar driver={driver} />}
      {driver?.usertype === 'driver' && <BackgroundWork driver={driver} />}
      <OutboxBanner />
      <Suspense fallback={null}>
        <OfferScreen />
      </Suspense>
      <main id="content" tabIndex={-1} className={css.main}>
        {children}
        {/* Not in the bar above, where a thumb that misses the bell would end the duty. */}
        {driver && path === screenPaths.profile && <LogOut driver={driver} />}
      </main>
      <TabBar
        label={t('menu')}
        items={TABS.map(({ to, label, icon }) => ({
          to,
          icon,
          label: t(label),
          badge:
            to === screenPaths.trips && waiting > 0
              ? { count: format.number(waiting), meaning: t('tasks_waiting', { count: waiting }) }
              : undefined,
        }))}
      />
    </div>
  )
}
