import type { Pages, Shell } from '~/src/store/pages'
import { screens } from '~/src/store/screens'

/** The driver's working screens, page by route. The wallet and the chat serve whoever has one. */
export const tripPages = {
  [screens.trips]: () => import('./console/TripsPage').then((m) => m.TripsPage),
  [screens.bookings]: () =>
    import('./bookings/DriverBookingsPage').then((m) => m.DriverBookingsPage),
  [screens.vehicle]: () => import('./vehicle/VehiclePage').then((m) => m.VehiclePage),
  [screens.wallet]: () => import('./earnings/WalletPage').then((m) => m.WalletPage),
  [screens.chat(':id')]: () => import('./chat/ChatPage').then((m) => m.ChatPage),
} satisfies Pages

export const tripShell: Shell = () => import('./TripShell').then((m) => m.TripShell)
