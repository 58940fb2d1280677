import type { Pages, Shell } from '~/src/store/pages'
import { screens } from '~/src/store/screens'

const people = () => import('./people/PeoplePage')

/** The back office, page by route. */
export const officePages: Pages = {
  [screens.dashboard]: () => import('./dashboard/DashboardPage').then((m) => m.DashboardPage),
  [screens.bookings]: () => import('./bookings/BookingsPage').then((m) => m.BookingsPage),
  [screens.booking(':id')]: () => import('./bookings/BookingPage').then((m) => m.BookingPage),
  [screens.addBooking]: () => import('./addBooking/AddBookingPage').then((m) => m.AddBookingPage),
  [screens.riders]: () => people().then((m) => m.RidersPage),
  [screens.drivers]: () => people().then((m) => m.DriversPage),
  [screens.fleetAdmins]: () => people().then((m) => m.FleetAdminsPage),
  [screens.admins]: () => people().then((m) => m.AdminsPage),
  [screens.carTypes]: () => import('./carTypes/CarTypesPage').then((m) => m.CarTypesPage),
  [screens.cancelReasons]: () =>
    import('./cancelReasons/CancelReasonsPage').then((m) => m.CancelReasonsPage),
  [screens.promos]: () => import('./promos/PromosPage').then((m) => m.PromosPage),
  [screens.notifications]: () =>
    import('./notifications/NotificationsPage').then((m) => m.NotificationsPage),
  [screens.withdraws]: () => import('./wallet/WithdrawsPage').then((m) => m.WithdrawsPage),
  [screens.addToWallet]: () => import('./wallet/AddToWalletPage').then((m) => m.AddToWalletPage),
  [screens.driverEarning]: () =>
    import('./wallet/DriverEarningPage').then((m) => m.DriverEarningPage),
  [screens.earningReports]: () =>
    import('./wallet/EarningReportsPage').then((m) => m.EarningReportsPage),
  [screens.payments]: () => import('./payments/PaymentsPage').then((m) => m.PaymentsPage),
  [screens.audit]: () => import('./audit/AuditPage').then((m) => m.AuditPage),
  [screens.settings]: () => import('./settings/SettingsPage').then((m) => m.SettingsPage),
  [screens.appInfo]: () => import('./settings/AppInfoPage').then((m) => m.AppInfoPage),
  [screens.languages]: () => import('./languages/LanguagesPage').then((m) => m.LanguagesPage),
}

/** The office's own frame with its side menu. */
export const officeShell: Shell = () => {
  // Its texts come beside it; it would ask for them only when it is there.
  import('~/src/i18n/locales/en/office.json').catch(() => undefined)
  return import('./OfficeShell').then((m) => m.OfficeShell)
}
