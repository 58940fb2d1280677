import type { Pages, Shell } from '~/src/store/pages'
import { screens } from '~/src/store/screens'

/** The back office, page by route. */
export const officePages: Pages = {
  [screens.bookings]: () => import('./bookings/BookingsPage').then((m) => m.BookingsPage),
  [screens.booking(':id')]: () => import('./bookings/BookingPage').then((m) => m.BookingPage),
}

/** The office's own frame with its side menu. */
export const officeShell: Shell = () => import('./OfficeShell').then((m) => m.OfficeShell)
