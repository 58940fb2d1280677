import type { PendingBonus } from '../bonuses/pendingBonus'
import type { HelpCase } from '../help/helpCase'
import type { PaymentTree } from '../payments/paymentViolations'
import type {
  Booking,
  BookingContacts,
  BookingNote,
  FareReview,
  OpenBookings,
} from '../booking/types'
import type { AvailableDriver, BusyDriver, NearbyCar } from '../dispatch/types'
import type { ClosedAccount, DirectoryEntry, User } from '../accounts/types'
import type { EndedCurrencies, Promo, Settings } from '../catalog/types'
import type { Withdrawal } from '../money/types'

/** The parts of the database that the invariants check. */
export interface DatabaseTree {
  settings?: Settings
  currency?: { hold?: number; ended?: EndedCurrencies }
  users?: Record<string, User>
  people?: Record<string, DirectoryEntry>
  roles?: Record<string, string>
  bookings?: Record<string, Booking>
  booking_refs?: Record<string, string>
  booking_contacts?: Record<string, BookingContacts>
  booking_notes?: Record<string, Record<string, BookingNote>>
  'internal/help_cases'?: Record<string, HelpCase>
  'internal/pending_bonuses'?: Record<string, PendingBonus>
  promos?: Record<string, Promo>
  promo_uses?: Record<string, Record<string, string>>
  driver_tasks?: Record<string, Record<string, true>>
  busy_drivers?: Record<string, BusyDriver>
  fare_reviews?: Record<string, FareReview>
  available_drivers?: Record<string, AvailableDriver>
  nearby_cars?: Record<string, NearbyCar>
  open_bookings?: Record<string, Partial<OpenBookings>>
  withdraws?: Record<string, Withdrawal>
  closed_accounts?: Record<string, ClosedAccount>
  stats?: Record<string, unknown>
  internal?: Record<string, unknown>
  payments?: PaymentTree['payments']
  payment_events?: PaymentTree['payment_events']
}
