import type { Milliseconds } from '../language/units'

/** Database paths. Every read and write uses these. */
export const dbPaths = {
  settings: 'settings',
  /** A currency change in progress: its start time, ms. */
  currencyHold: 'currency/hold',
  endedCurrencies: 'currency/ended',
  endedCurrency: (ms: Milliseconds) => `currency/ended/${ms}`,
  user: (uid: string) => `users/${uid}`,
  /** The entry by which the back office finds a person. */
  directoryEntry: (uid: string) => `people/${uid}`,
  /** The role that rules and functions check: the user type while the account is approved. */
  role: (uid: string) => `roles/${uid}`,
  walletBalance: (uid: string) => `users/${uid}/walletBalance`,
  walletEntry: (uid: string, key: string) => `users/${uid}/walletHistory/${key}`,
  walletMove: (uid: string) => `users/${uid}/walletMove`,
  booking: (id: string) => `bookings/${id}`,
  /** The id of the booking that has a reference. */
  reference: (reference: string) => `booking_refs/${reference}`,
  /** The office's notes about a booking. */
  bookingNotes: (booking: string) => `booking_notes/${booking}`,
  bookingContacts: (booking: string) => `booking_contacts/${booking}`,
  offers: (booking: string) => `offers/${booking}`,
  offer: (booking: string, n: string) => `offers/${booking}/${n}`,
  bookingOtp: (id: string) => `booking_otps/${id}`,
  otpAttempts: (id: string) => `otp_attempts/${id}`,
  tasks: (driver: string) => `driver_tasks/${driver}`,
  driverTask: (driver: string, booking: string) => `driver_tasks/${driver}/${booking}`,
  availableDriver: (driver: string) => `available_drivers/${driver}`,
  nearbyCar: (shift: string) => `nearby_cars/${shift}`,
  busyDriver: (driver: string) => `busy_drivers/${driver}`,
  tracking: (booking: string) => `tracking/${booking}`,
  chat: (booking: string) => `chats/${booking}`,
  /**
   * The key of a user's newest entry in a booking's list. The rules enforce a minimum interval
   * after it.
   */
  newestEntryKey: (list: 'chats' | 'tracking', booking: string, uid: string) =>
    `newest/${list}/${booking}/${uid}`,
  cancellationReasons: 'cancel_reason',
  carType: (id: string) => `cartypes/${id}`,
  promo: (id: string) => `promos/${id}`,
  /** The number of a rider's open bookings, changed in the update that opens or ends one. */
  openBookings: (uid: string) => `open_bookings/${uid}`,
  /** One promo use per rider: the key is their uid, the value the booking that used it. */
  promoUse: (promo: string, uid: string) => `promo_uses/${promo}/${uid}`,
  inbox: (uid: string, id: string) => `inbox/${uid}/${id}`,
  withdraw: (id: string) => `withdraws/${id}`,
  closedAccount: (uid: string) => `closed_accounts/${uid}`,
  formerUser: (hash: string) => `former_users/${hash}`,
  /** The uid that has an email address; the key is the address's hash. */
  userEmail: (hash: string) => `user_emails/${hash}`,
  /** The uid that has a referral id, or had it before their first name was known. */
  referralId: (id: string) => `internal/referral_ids/${id}`,
  /** The devices that receive pushes; the key is the hash of the device's token. */
  pushTokens: 'push_tokens',
  pushToken: (hash: string) => `push_tokens/${hash}`,
  /** A sign-up whose phone number is not verified yet; the key is the number's hash. */
  pendingRegistration: (hash: string) => `pending_registrations/${hash}`,
  /** A stuck booking, for the back office to resolve. */
  stuckBooking: (booking: string) => `stuck_bookings/${booking}`,
  /** A flagged trip that needs a decision by the back office. */
  fareReview: (booking: string) => `fare_reviews/${booking}`,
  /** The last price that was offered for an amendment of a trip under way. */
  amendmentQuotes: 'internal/amendment_quotes',
  amendmentQuote: (booking: string) => `internal/amendment_quotes/${booking}`,
  /** Calls that ring in the office. The rules let the role that names the list read it. */
  officeCalls: 'internal/admin',
  officeCall: (id: string) => `internal/admin/${id}`,
  /** News and emergencies, in the same list as the calls. */
  officeAlert: (id: string) => `internal/admin/${id}`,
  /** Recurring bookings by customer. */
  recurring: 'internal/recurring',
  recurringFor: (customer: string) => `internal/recurring/${customer}`,
  notification: (id: string) => `notifications/${id}`,
  audit: (id: string) => `audit/${id}`,
  payment: (id: string) => `payments/${id}`,
  /** A payer's latest attempt for one purpose (a booking's id, or `wallet`) at one provider. */
  openPayment: (uid: string, purpose: string, gateway: string) =>
    `open_payments/${uid}/${purpose}/${gateway}`,
  share: (token: string) => `shares/${token}`,
  /** The tokens of a booking's share links, by person and level. */
  shareLinks: (booking: string) => `share_links/${booking}`,
  /** The token of a person's share link to a booking; one per level. */
  shareLink: (booking: string, uid: string, level: string) =>
    `share_links/${booking}/${uid}/${level}`,
  statsDay: (date: string) => `stats/days/${date}`,
  statsEarnings: (month: string) => `stats/earnings/${month}`,
  statsTotal: 'stats/total',
  statsCarType: (month: string, carType: string) => `stats/cartypes/${month}/${carType}`,
  statsStatus: (status: string) => `stats/status/${status}`,
  statsDriver: (uid: string, month: string) => `stats/driver_earnings/${uid}/${month}`,
  statsFleetDay: (fleetadmin: string, date: string) => `stats/fleet_days/${fleetadmin}/${date}`,
  statsFleetEarnings: (fleetadmin: string, month: string) =>
    `stats/fleet_earnings/${fleetadmin}/${month}`,
  statsFleetTotal: (fleetadmin: string) => `stats/fleet_total/${fleetadmin}`,
  statsFleetDriver: (fleetadmin: string, uid: string, month: string) =>
    `stats/fleet_driver_earnings/${fleetadmin}/${uid}/${month}`,
} as const

/** The uid under which bookings, payments and audit entries record what the system did. */
export const SERVER_UID = 'kerbside-server'
/**
 * The uid that the functions' Admin SDK writes as. The rules check its writes too. It is short,
 * because almost every rule names it and the rules file is limited to 64 KB.
 */
export const FUNCTIONS_UID = 'server'
