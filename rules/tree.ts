import type { Rule } from './language'
import { server } from './who'
import {
  bookingOtps,
  bookings,
  chats,
  driverTasks,
  otpAttempts,
  stuckBookings,
  tracking,
} from './tree/bookings'
import { availableDrivers, busyDrivers } from './tree/drivers'
import {
  paymentEvents,
  payments,
  promoUses,
  rateLimits,
  shares,
  stats,
  withdraws,
} from './tree/money'
import {
  audit,
  cancelReasons,
  carTypes,
  inbox,
  languages,
  notifications,
  promos,
  settings,
} from './tree/office'
import { people, userEmails, users } from './tree/users'

/**
 * The whole database, closed except for what is said here. The functions read everything; they write, like
 * everybody, only what a path's own rule allows.
 */
export const tree: Rule = {
  read: server,
  children: {
    audit,
    available_drivers: availableDrivers,
    booking_otps: bookingOtps,
    bookings,
    busy_drivers: busyDrivers,
    cancel_reason: cancelReasons,
    cartypes: carTypes,
    chats,
    driver_tasks: driverTasks,
    inbox,
    languages,
    notifications,
    otp_attempts: otpAttempts,
    payment_events: paymentEvents,
    payments,
    people,
    promo_uses: promoUses,
    promos,
    rate_limits: rateLimits,
    settings,
    shares,
    stats,
    stuck_bookings: stuckBookings,
    tracking,
    user_emails: userEmails,
    users,
    withdraws,
    $other: { validate: 'false' },
  },
}
