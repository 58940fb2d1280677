import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { settings as liveSettings } from '~/src/features/settings/settings'
import { useLive } from '~/src/store/liveSlice'
import { screens } from '~/src/store/screens'

/** The words for a page in the browser's tab, by its route. The back office's frame names its own pages. */
const TITLES: Record<string, string> = {
  [screens.home]: 'site_title',
  [screens.about]: 'about_title',
  [screens.privacy]: 'privacy_title',
  [screens.login]: 'login_title',
  [screens.driverSignUp]: 'signup_title',
  [screens.setup]: 'setup_title',
  [screens.bookings]: 'bookings_title',
  [screens.booking(':id')]: 'booking',
  [screens.chat(':id')]: 'chat_driver',
  [screens.profile]: 'profile_title',
  [screens.wallet]: 'menu_wallet',
  [screens.trips]: 'menu_trips',
  [screens.vehicle]: 'your_vehicle',
  [screens.track(':token')]: 'track_title',
}

/** Names the tab while the page is shown; null leaves its name to somebody else. */
export const useTitle = (route: string | null) => {
  const { t } = useTranslation()
  const { settings } = useLive(liveSettings)
  const appName = settings?.appName ?? 'Kerbside'
  const key = route === null ? undefined : TITLES[route]
  const words = key ? t(key) : ''
  useEffect(() => {
    // Without words yet, the page has the title it was made with.
    if (route === null || !words) return
    document.title = route === screens.home ? words : `${words} · ${appName}`
  }, [route, words, appName])
}
