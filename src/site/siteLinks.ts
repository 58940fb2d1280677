import { useTranslation } from 'react-i18next'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { screenPaths } from '~/src/store/screenPaths'

/** Returns the four links of the public site, labeled for the current user. */
export const useSiteLinks = () => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  return [
    { to: screenPaths.home, label: t('menu_home') },
    { to: screenPaths.about, label: t('about_us') },
    { to: screenPaths.privacy, label: t('privacy_policy') },
    // The last link, because its label changes with the session and would move the others.
    { to: screenPaths.bookings, label: t(profile ? 'my_account' : 'login_or_sign_up') },
  ]
}
