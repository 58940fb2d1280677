import type { PageLoaders, ShellLoader } from '~/src/store/pageLoaders'
import { screenPaths } from '~/src/store/screenPaths'

const importPeoplePages = () => import('./people/PeoplePage')

/** The pages of the back office by route. */
export const officePages: PageLoaders = {
  [screenPaths.board]: () => import('./board/BoardPage').then((m) => m.BoardPage),
  [screenPaths.dashboard]: () => import('./dashboard/DashboardPage').then((m) => m.DashboardPage),
  [screenPaths.bookings]: () => import('./bookings/BookingsPage').then((m) => m.BookingsPage),
  [screenPaths.booking(':id')]: () => import('./bookings/BookingPage').then((m) => m.BookingPage),
  [screenPaths.addBooking]: () =>
    import('./addBooking/AddBookingPage').then((m) => m.AddBookingPage),
  [screenPaths.recurring]: () => import('./recurring/RecurringPage').then((m) => m.RecurringPage),
  [screenPaths.riders]: () => importPeoplePages().then((m) => m.RidersPage),
  [screenPaths.drivers]: () => importPeoplePages().then((m) => m.DriversPage),
  [screenPaths.fleetAdmins]: () => importPeoplePages().then((m) => m.FleetAdminsPage),
  [screenPaths.admins]: () => importPeoplePages().then((m) => m.AdminsPage),
  [screenPaths.vehicleTypes]: () =>
    import('./vehicleTypes/VehicleTypesPage').then((m) => m.VehicleTypesPage),
  [screenPaths.cancellationReasons]: () =>
    import('./cancellationReasons/CancellationReasonsPage').then((m) => m.CancellationReasonsPage),
  [screenPaths.promos]: () => import('./promos/PromosPage').then((m) => m.PromosPage),
  [screenPaths.notifications]: () =>
    import('./notifications/NotificationsPage').then((m) => m.NotificationsPage),
  [screenPaths.withdrawals]: () =>
    import('./wallet/WithdrawalsPage').then((m) => m.WithdrawalsPage),
  [screenPaths.addToWallet]: () =>
    import('./wallet/AddToWalletPage').then((m) => m.AddToWalletPage),
  [screenPaths.driverEarnings]: () =>
    import('./wallet/DriverEarningsPage').then((m) => m.DriverEarningsPage),
  [screenPaths.earningsReports]: () =>
    import('./wallet/EarningsReportsPage').then((m) => m.EarningsReportsPage),
  [screenPaths.payments]: () => import('./payments/PaymentsPage').then((m) => m.PaymentsPage),
  [screenPaths.audit]: () => import('./audit/AuditPage').then((m) => m.AuditPage),
  [screenPaths.settings]: () => import('./settings/SettingsPage').then((m) => m.SettingsPage),
  [screenPaths.appInfo]: () => import('./settings/AppInfoPage').then((m) => m.AppInfoPage),
  [screenPaths.messages]: () => import('./messages/MessagesPage').then((m) => m.MessagesPage),
  [screenPaths.languages]: () => import('./languages/LanguagesPage').then((m) => m.LanguagesPage),
}

/** Loads the shell of the back office with its side menu. */
export const officeShell: ShellLoader = () => import('./OfficeShell').then((m) => m.OfficeShell)
