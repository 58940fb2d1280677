import type { AmendmentNotice } from '../booking/limits/amendmentNotice'
import type { PendingBonus } from '../bonuses/pendingBonus'
import type { FreeActionTimes } from '../booking/limits/freeActions'
import type { HelpCase } from '../help/helpCase'
import type { MessagePreferences } from '../messages/messagePreferences'
import type { MessageSettings, MessageTotal } from '../messages/messageSettings'
import type { MessageCount } from '../messages/sendingLimits'
import type { OfficeAlert, PanicAlert } from '../messages/officeAlert'
import type { OutboxMessage } from '../messages/outbox'
import type { PaymentAttempt, UnmatchedPayment } from '../payments/paymentAttempt'
import type { RecurringRecord } from '../recurring/series'
import type { SchemaNode } from './schemaVersion'
import type { Share } from '../access/shares'
import type {
  AmendmentQuote,
  Booking,
  BookingContacts,
  BookingNote,
  FareReview,
  OpenBookings,
  StuckBooking,
  TrackingPoint,
} from '../booking/types'
import type {
  ApprovalDecision,
  BankChange,
  ClosedAccount,
  DirectoryEntry,
  FormerUser,
  NamedDevice,
  PendingRegistration,
  PersonNote,
  PushDevice,
  User,
} from '../accounts/types'
import type { AuditEntry, OfficeCall } from '../office/types'
import type {
  AvailableDriver,
  BusyDriver,
  DecisionRecord,
  DriverMonth,
  DriverShift,
  NearbyCar,
  Offer,
} from '../dispatch/types'
import type {
  CancellationReason,
  Currency,
  Language,
  Promo,
  Settings,
  VehicleType,
} from '../catalog/types'
import type {
  ChatMessage,
  ChatNotice,
  InboxEntry,
  MessageOptOut,
  PushNotification,
} from '../messages/types'
import type { StatsRow, Withdrawal } from '../money/types'
import type { UserType } from '../access/types'

/**
 * The database's content: the type of the value at each path. `npm run --prefix lab check:shape`
 * derives the shape of the stored data from this interface and refuses a change without a
 * migration. The progress of scheduled jobs (`internal/jobs`, `internal/broadcasts`) is left out,
 * because it is never old.
 */
export interface StoredData {
  'audit/{entry}': AuditEntry
  'available_drivers/{driver}': AvailableDriver
  'booking_contacts/{booking}': BookingContacts
  'booking_notes/{booking}/{note}': BookingNote
  /** The code that starts the trip. */
  'booking_otps/{booking}': number
  /** The id of the booking that has the reference. */
  'booking_refs/{reference}': string
  'bookings/{booking}': Booking
  'busy_drivers/{driver}': BusyDriver
  'cancel_reason/{index}': CancellationReason
  'cartypes/{carType}': VehicleType
  'chats/{booking}/{message}': ChatMessage
  'closed_accounts/{uid}': ClosedAccount
  'currency/ended/{time}': Currency
  'currency/hold': number
  'driver_tasks/{driver}/{booking}': true
  'fare_reviews/{booking}': FareReview
  'former_users/{phoneHash}': FormerUser
  'inbox/{uid}/{entry}': InboxEntry
  'internal/admin/{entry}': OfficeCall | OfficeAlert | PanicAlert
  'internal/amendment_notices/{booking}': AmendmentNotice
  'internal/amendment_quotes/{booking}': AmendmentQuote
  'internal/approval_decisions/{uid}': ApprovalDecision
  'internal/bank_changes/{uid}': BankChange
  'internal/chat_notices/{booking_uid}': ChatNotice
  'internal/driver_months/{month_uid}': DriverMonth
  'internal/driver_shifts/{uid}': DriverShift
  'internal/free_actions/{uid}': FreeActionTimes
  'internal/help_cases/{booking}': HelpCase
  'internal/message_counts/{day_subject_key}': MessageCount
  'internal/message_opt_outs/{addressHash}': MessageOptOut
  'internal/message_preferences/{uid}': MessagePreferences
  'internal/message_settings/current': MessageSettings
  'internal/message_totals/{month_currency}': MessageTotal
  'internal/named_devices/{uid}': NamedDevice
  'internal/offer_decisions/{booking_n}': DecisionRecord
  'internal/outbox/{message}': OutboxMessage
  'internal/pending_bonuses/{uid_referred}': PendingBonus
  'internal/person_notes/{uid}': PersonNote
  'internal/recurring/{customer}': RecurringRecord
  /** The uid that has the id, or had it before their first name was known. */
  'internal/referral_ids/{referralId}': string
  'languages/{language}': Language
  'nearby_cars/{shift}': NearbyCar
  /** The key of the person's newest entry in the list. */
  'newest/{list}/{booking}/{uid}': string
  'notifications/{notification}': PushNotification
  'offers/{booking}/{n}': Offer
  'open_bookings/{uid}': OpenBookings
  /** The id of the newest attempt. */
  'open_payments/{uid}/{purpose}/{gateway}': string
  'otp_attempts/{booking}': { tries: number; locked_until: number }
  'payment_events/{event}': UnmatchedPayment
  'payments/{payment}': PaymentAttempt
  'pending_registrations/{phoneHash}': PendingRegistration
  'people/{uid}': DirectoryEntry
  /** The booking that used the promo. */
  'promo_uses/{promo}/{uid}': string
  'promos/{promo}': Promo
  'push_tokens/{tokenHash}': PushDevice
  /** Calls by minute, and by day (days since 1970) where an endpoint has a limit of a day. */
  'rate_limits/{endpoint}/{caller}/{minute}': number
  'roles/{uid}': UserType
  schema: SchemaNode
  settings: Settings
  /** The token of the link. */
  'share_links/{booking}/{uid}/{level}': string
  'shares/{token}': Share
  'stats/{total}': StatsRow
  'stuck_bookings/{booking}': StuckBooking
  'tracking/{booking}/{point}': TrackingPoint
  /** The uid of the person who has the address. */
  'user_emails/{addressHash}': string
  'users/{uid}': User
  'withdraws/{withdrawal}': Withdrawal
}
