import { useTranslation } from 'react-i18next'
import { signOut } from '~/src/features/auth/operations'
import { useAppDispatch } from '~/src/store/hooks'
import { useKept, useScreensKept } from '~/src/store/kept'
import { screens } from '~/src/store/screens'
import { Button } from '~/src/ui/controls'
import { Icon } from '~/src/ui/Icon'
import { NavLink } from '~/src/ui/place'
import { riderKeepsake } from './kept'
import css from './SiteShell.module.css'

/** The rider's own screens, one tap apart; what was seen on them is kept for the time without a connection. */
export const AccountBar = ({ uid }: { uid: string }) => {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  useKept(uid, riderKeepsake)
  useScreensKept('booking')
  return (
    <div className={css.account}>
      <nav aria-label={t('my_account')}>
        <NavLink to={screens.bookings}>{t('menu_bookings')}</NavLink>
        <NavLink to={screens.wallet}>{t('menu_wallet')}</NavLink>
        <NavLink to={screens.profile}>{t('menu_profile')}</NavLink>
      </nav>
      <Button look="quiet" size="small" onClick={() => void dispatch(signOut())}>
        <Icon name="out" size={18} />
        <span>{t('logout')}</span>
      </Button>
    </div>
  )
}
