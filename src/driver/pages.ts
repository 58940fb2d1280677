import type { PageLoaders, ShellLoader } from '~/src/store/pageLoaders'
import { screenPaths } from '~/src/store/screenPaths'

/** The driver's working screens by route. The wallet and the chat serve several user types. */
export const driverPages = {
  [screenPaths.trips]: () => import('./console/TripsPage').then((m) => m.TripsPage),
  [screenPaths.bookings]: () =>
    import('./bookings/DriverBookingsPage').then((m) => m.DriverBookingsPage),
  [screenPaths.vehicle]: () => import('./vehicle/VehiclePage').then((m) => m.VehiclePage),
  [screenPaths.wallet]: () => import('./earnings/WalletPage').then((m) => m.WalletPage),
  [screenPaths.chat(':id')]: () => import('./chat/ChatPage').then((m) => m.ChatPage),
} satisfies PageLoaders

export const driverShell: ShellLoader = () => import('./DriverShell').then((m) => m.DriverShell)
