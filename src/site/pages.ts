import type { Pages } from '~/src/store/pages'
import { screens } from '~/src/store/screens'

/** The rider's and everybody's own screens. The public pages are in `app`, because they are in the first load. */
export const sitePages = {
  [screens.login]: () => import('./login/LoginPage').then((m) => m.LoginPage),
  [screens.driverSignUp]: () => import('./login/DriverSignUpPage').then((m) => m.DriverSignUpPage),
  [screens.setup]: () => import('./SetupPage').then((m) => m.SetupPage),
  [screens.bookings]: () => import('./bookings/BookingsPage').then((m) => m.BookingsPage),
  [screens.booking(':id')]: () => import('./bookings/BookingPage').then((m) => m.BookingPage),
  [screens.paymentReturn]: () =>
    import('./payments/PaymentReturnPage').then((m) => m.PaymentReturnPage),
  [screens.track(':token')]: () => import('./TrackPage').then((m) => m.TrackPage),
  [screens.profile]: () => import('./profile/ProfilePage').then((m) => m.ProfilePage),
} satisfies Pages
