import { OWN_CHANGES_A_DAY } from '~/domain/messages/sendingLimits'
import { MAX_REGISTRATIONS_PER_DAY } from '~/domain/accounts/pendingRegistration'

/**
 * The limits that do not belong to one endpoint or page, by the names of their counters. The
 * maintenance removes old counters of every name here.
 */
export const OTHER_LIMITS = {
  /**
   * The pairs of one caller in distance matrices. Map services bill each pair, so this limit counts
   * pairs. With 300 requests a minute, a caller could order 187,500 pairs.
   */
  matrixPairs: {
    name: 'googleapis-getdistancematrix-elements',
    limit: 1250,
    dailyLimit: 50_000,
  },
  /** The sign-ups from one network that wait for their number's verification. */
  pendingRegistrations: { name: 'pending_registration', dailyLimit: MAX_REGISTRATIONS_PER_DAY },
  /**
   * The runs for a driver who comes on duty or is free again, and for one who goes off duty, that
   * query the maps service. Above them, a run offers the same bookings by distance.
   */
  driverAvailable: { name: 'driver_available', limit: 6, dailyLimit: 500 },
  endOfShift: { name: 'end_of_shift', limit: 6, dailyLimit: 500 },
  /** The pushes about one sender's chat messages. Above it, the inbox still has the entry. */
  chatPushes: { name: 'notify_of_message', limit: 10, dailyLimit: 500 },
  /** The checks of one person's uploads. Above it, the hourly job removes those over the quota. */
  uploadChecks: { name: 'check_upload', limit: 60, dailyLimit: 1000 },
  /**
   * A person's changes of their own e-mail address, number and bank details. Each sends warnings,
   * and those of an admin's stolen session count too.
   */
  emailChanges: { name: 'email_changes', dailyLimit: OWN_CHANGES_A_DAY, bindsAdmins: true },
  mobileChanges: { name: 'mobile_changes', dailyLimit: OWN_CHANGES_A_DAY, bindsAdmins: true },
  bankChanges: { name: 'bank_changes', dailyLimit: OWN_CHANGES_A_DAY, bindsAdmins: true },
} as const
