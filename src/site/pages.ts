import type { PageLoaders } from '~/src/store/pageLoaders'
import { screenPaths } from '~/src/store/screenPaths'

/**
 * Screens of riders and of all users, by route. The public pages are in `app`, because they belong
 * to the initial bundle.
 */
export const sitePages = {
  [screenPaths.driverSignUp]: () =>
    import('./login/DriverSignUpPage').then((m) => m.DriverSignUpPage),
  [screenPaths.setup]: () => import('./SetupPage').then((m) => m.SetupPage),
  [screenPaths.bookings]: () => import('./bookings/BookingsPage').then((m) => m.BookingsPage),
  [screenPaths.booking(':id')]: () => import('./bookings/BookingPage').then((m) => m.BookingPage),
  [screenPaths.paymentReturn]: () =>
    import('./payments/PaymentReturnPage').then((m) => m.PaymentReturnPage),
  [screenPaths.sharedBooking(':token')]: () =>
    import('./SharedBookingPage').then((m) => m.SharedBookingPage),
  [screenPaths.recurring]: () => import('./recurring/RecurringPage').then((m) => m.RecurringPage),
  [screenPaths.profile]: () => import('./profile/ProfilePage').then((m) => m.ProfilePage),
} satisfies PageLoaders
