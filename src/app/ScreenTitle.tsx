import { screenPaths } from '~/src/store/screenPaths'
import { useDocumentTitle } from './documentTitle'

/**
 * Translation keys of the document titles, by route. The app sets those of the public pages, and
 * the back-office shell those of its own.
 */
const TITLE_KEYS: Record<string, string> = {
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

/** Sets the document title of a route. Render it after the page, which adds the texts. */
export const ScreenTitle = ({ route }: { route: string }) => {
  useDocumentTitle(TITLE_KEYS[route])
  return null
}
