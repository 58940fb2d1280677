import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useAppName } from '~/src/features/settings/appName'
import { screenPaths } from '~/src/store/screenPaths'

/**
 * Translation keys of the document titles, by route. The back-office shell sets the titles of its
 * own pages.
 */
const TITLE_KEYS: Record<string, string> = {
  [screenPaths.home]: 'site_title',
  [screenPaths.about]: 'about_title',
  [screenPaths.privacy]: 'privacy_title',
  [screenPaths.login]: 'login_title',
  [screenPaths.driverSignUp]: 'signup_title',
  [screenPaths.setup]: 'setup_title',
  [screenPaths.bookings]: 'bookings_title',
  [screenPaths.booking(':id')]: 'booking',
  [screenPaths.chat(':id')]: 'chat_driver',
  [screenPaths.profile]: 'profile_title',
  [screenPaths.wallet]: 'menu_wallet',
  [screenPaths.trips]: 'menu_trips',
  [screenPaths.vehicle]: 'your_vehicle',
  [screenPaths.sharedBooking(':token')]: 'track_title',
}

/** Sets the document title while the page is shown; with null, another component sets it. */
export const useDocumentTitle = (route: string | null) => {
  const { t } = useTranslation()
  const appName = useAppName()
  const key = route === null ? undefined : TITLE_KEYS[route]
  const words = key ? t(key, { appName }) : ''
  useEffect(() => {
    // Before the texts load, the prerendered title stays.
    if (route === null || !words) return
    document.title = route === screenPaths.home ? words : `${words} · ${appName}`
  }, [route, words, appName])
}

/** Sets the document title of a route. Render it after the page, which adds the texts. */
export const DocumentTitle = ({ route }: { route: string }) => {
  useDocumentTitle(route)
  return null
}
