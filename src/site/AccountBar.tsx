import { useTranslation } from 'react-i18next'
import { signOut } from '~/src/features/auth/account'
import { useAppDispatch } from '~/src/store/hooks'
import { usePersistedCache, usePrecacheScreens } from '~/src/store/live/offlineCache'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Icon, type IconName } from '~/src/ui/Icon'
import { NavLink } from '~/src/ui/navigation/router'
import { TabBar } from '~/src/ui/navigation/TabBar'
import { PHONE_QUERY } from '~/src/ui/screenWidths'
import { useMediaQuery } from '~/src/ui/useMediaQuery'
import { riderCachePolicy } from './riderCachePolicy'
import css from './SiteShell.module.css'

const SCREENS: { to: string; label: string; shortLabel?: string; icon: IconName }[] = [
  { to: screenPaths.bookings, label: 'menu_bookings', icon: 'route' },
  {
    to: screenPaths.recurring,
    label: 'menu_recurring',
    shortLabel: 'menu_recurring_short',
    icon: 'repeat',
  },
  { to: screenPaths.wallet, label: 'menu_wallet', icon: 'wallet' },
  { to: screenPaths.profile, label: 'menu_profile', icon: 'person' },
]

/** Links the rider's own screens, and keeps visited data for offline use. */
export const AccountBar = ({ uid }: { uid: string }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const isPhone = useMediaQuery(PHONE_QUERY)
  usePersistedCache(uid, riderCachePolicy)
  usePrecacheScreens('booking')
  if (isPhone)
    return (
      <TabBar
        label={t('my_account')}
        items={SCREENS.map(({ to, label, shortLabel = label, icon }) => ({
          to,
          icon,
          label: t(shortLabel),
        }))}
      />
    )
  return (
    <div className={css.account}>
      <nav aria-label={t('my_account')}>
        {SCREENS.map(({ to, label }) => (
          <NavLink key={to} to={to}>
            {t(label)}
          </NavLink>
        ))}
      </nav>
      <Button variant="quiet" size="small" onClick={() => void dispatch(signOut())}>
        <Icon name="out" size={18} />
        {t('logout')}
      </Button>
    </div>
  )
}
