/** Where things are in the database. Every reader and writer names a place through these. */
export const at = {
  settings: 'settings',
  user: (uid: string) => `users/${uid}`,
  /** What the office finds him by. */
  listed: (uid: string) => `people/${uid}`,
  wallet: (uid: string) => `users/${uid}/walletBalance`,
  walletEntry: (uid: string, key: string) => `users/${uid}/walletHistory/${key}`,
  booking: (id: string) => `bookings/${id}`,
  otp: (id: string) => `booking_otps/${id}`,
  otpAttempts: (id: string) => `otp_attempts/${id}`,
  task: (driver: string, booking: string) => `driver_tasks/${driver}/${booking}`,
  available: (driver: string) => `available_drivers/${driver}`,
  busy: (driver: string) => `busy_drivers/${driver}`,
  tracking: (booking: string) => `tracking/${booking}`,
  chat: (booking: string) => `chats/${booking}`,
  carType: (id: string) => `cartypes/${id}`,
  promo: (id: string) => `promos/${id}`,
  /** One use a rider: the key is his uid, the value the booking that holds it. */
  promoUse: (promo: string, uid: string) => `promo_uses/${promo}/${uid}`,
  inbox: (uid: string, id: string) => `inbox/${uid}/${id}`,
  withdraw: (id: string) => `withdraws/${id}`,
  /** Whose an e-mail is; the key is its hash. */
  userEmail: (hash: string) => `user_emails/${hash}`,
  /** A booking that stands still, for the office to look at. */
  stuck: (booking: string) => `stuck_bookings/${booking}`,
  notification: (id: string) => `notifications/${id}`,
  audit: (id: string) => `audit/${id}`,
  payment: (id: string) => `payments/${id}`,
  share: (token: string) => `shares/${token}`,
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

/** The uid the functions' Admin SDK writes as; the rules check its writes too (design: commit by revision). */
export const SERVER_UID = 'kerbside-server'
