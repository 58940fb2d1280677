import { useTranslation } from 'react-i18next'
import { selectProfile } from '~/src/store/auth'
import { useAppSelector } from '~/src/store/hooks'
import { screens } from '~/src/store/screens'

/** The four routes of the public site, with the words for who looks. */
export const useSiteLinks = () => {
  const { t } = useTranslation()
  const profile = useAppSelector(selectProfile)
  return [
    { to: screens.home, label: t('menu_home') },
    { to: screens.about, label: t('about_us') },
    { to: screens.privacy, label: t('privacy_policy') },
    // The last one, so that its other words move nothing when somebody is known.
    { to: screens.bookings, label: t(profile ? 'my_account' : 'login_or_sign_up') },
  ]
}
