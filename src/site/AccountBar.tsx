import { useTranslation } from 'react-i18next'
import { signOut } from '~/src/features/auth/account'
import { useAppDispatch } from '~/src/store/hooks'
import { usePersistedCache, usePrecacheScreens } from '~/src/store/live/offlineCache'
import { screenPaths } from '~/src/store/screenPaths'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { NavLink } from '~/src/ui/navigation/router'
import { riderCachePolicy } from './riderCachePolicy'
import css from './SiteShell.module.css'

/** Links the rider's own screens, and keeps visited data for offline use. */
export const AccountBar = ({ uid }: { uid: string }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  usePersistedCache(uid, riderCachePolicy)
  usePrecacheScreens('booking')
  return (
    <div className={css.account}>
      <nav aria-label={t('my_account')}>
        <NavLink to={screenPaths.bookings}>{t('menu_bookings')}</NavLink>
        <NavLink to={screenPaths.recurring}>{t('menu_recurring')}</NavLink>
        <NavLink to={screenPaths.wallet}>{t('menu_wallet')}</NavLink>
        <NavLink to={screenPaths.profile}>{t('menu_profile')}</NavLink>
      </nav>
      <Button variant="quiet" size="small" onClick={() => void dispatch(signOut())}>
        <Icon name="out" size={18} />
        <span>{t('logout')}</span>
      </Button>
    </div>
  )
}
