import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'

/** The words for a page in the browser's tab, by its route. The back office's frame names its own pages. */
const titleOf = (route: string, t: (key: string) => string): string => {
  switch (route) {
    case screens.home:
      return t('site_title')
    case screens.about:
      return t('about_title')
    case screens.privacy:
      return t('privacy_title')
    case screens.login:
      return t('login_title')
    case screens.driverSignUp:
      return t('signup_title')
    case screens.setup:
      return t('setup_title')
    case screens.bookings:
      return t('bookings_title')
    case screens.booking(':id'):
      return t('booking')
    case screens.chat(':id'):
      return t('chat_driver')
    case screens.profile:
      return t('profile_title')
    case screens.wallet:
      return t('menu_wallet')
    case screens.trips:
      return t('menu_trips')
    case screens.track(':token'):
      return t('track_title')
    default:
      return ''
  }
}

/** Names the tab while the page is shown; null leaves its name to somebody else. */
export const useTitle = (route: string | null) => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  const appName = settings?.appName ?? 'Kerbside'
  const words = route === null ? '' : titleOf(route, t)
  useEffect(() => {
    // Without words yet, the page has the title it was made with.
    if (route === null || !words) return
    document.title = route === screens.home ? words : `${words} · ${appName}`
  }, [route, words, appName])
}
