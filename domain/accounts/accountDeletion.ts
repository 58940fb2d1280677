import { answerOffer } from '../booking/offers/offers'
import { increment, type DatabaseValue } from '../data/databaseValue'
import { domainError, type DomainError } from '../api/errors'
import { blurPosition } from '../geo/geo'
import { toPanicAlertId } from '../messages/officeAlert'
import { fromMinorUnits, toMinorUnits } from '../money/money'
import { dbPaths } from '../data/databasePaths'
import { internalPaths } from '../data/internalPaths'
import { err, ok, type Result } from '../api/result'
import { waivedDelta, type StatsSettings } from '../money/stats'
import type { Booking, Status } from '../booking/types'
import type { ClosedAccount, FormerUser, User } from './types'
import type { Settings } from '../catalog/types'
import type { Withdrawal } from '../money/types'

type Updates = Record<string, DatabaseValue>

const clearCustomerFields = (booking: Booking): Record<string, DatabaseValue> => ({
  customer_name: '',
  customer_image: null,
  pickup: { ...blurPosition(booking.pickup), add: '' },
  drop: { ...blurPosition(booking.drop), add: '' },
  pickupAddress: '',
  dropAddress: '',
  coords: booking.coords.map(blurPosition),
  waypoints: null,
  route: null,
  deliveryPerson: null,
  pickup_image: null,
  deliver_image: null,
})

const CLEARED_DRIVER_FIELDS: Record<string, DatabaseValue> = {
  driver_name: '',
  driver_image: null,
  vehicle_number: null,
}

/**
 * Statuses in which nothing is owed. A PAID booking may never be rated, so it must not block a
 * deletion.
 */
const SETTLED_STATUSES: readonly Status[] = ['PAID', 'COMPLETE', 'CANCELLED']

/**
 * Returns the reason an account cannot be deleted yet: event_not_possible, with the numbers of open
 * bookings and withdrawals in `params.bookings` and `params.withdraws`.
 */
export const checkDeletion = (
  uid: string,
  bookings: readonly Pick<Booking, 'status' | 'customer' | 'driver'>[],
  withdraws: readonly Pick<Withdrawal, 'uid' | 'processed'>[] = [],
): DomainError | undefined => {
  // A payout needs the bank account, which is deleted with the user.
  const pendingCount = withdraws.filter((one) => one.uid === uid && !one.processed).length
  const active = bookings.filter(
    ({ status, customer, driver }) =>
      !SETTLED_STATUSES.includes(status) && (customer === uid || driver === uid),
  ).length
  return active + pendingCount > 0
    ? domainError('event_not_possible', 'id', { bookings: active, withdraws: pendingCount })
    : undefined
}

/** Returns true for a reason of a cancellation that the office offers, and not a person's words. */
export type ReasonCheck = (reason: string) => boolean
/** The reason that replaces a person's own words. */
const OTHER_REASON = 'other'
const hasOwnReason = ({ reason }: Pick<Booking, 'reason'>, isListed: ReasonCheck): boolean =>
  reason !== undefined && reason !== OTHER_REASON && !isListed(reason)

/** Returns true when a booking holds no personal data of this user, and no words of its parties. */
export const isAnonymized = (
  booking: Pick<
    Booking,
    'customer' | 'customer_name' | 'driver' | 'driver_name' | 'pickupAddress'
  > &
    Partial<Pick<Booking, 'requestedDrivers' | 'words' | 'reason'>>,
  uid: string,
  isListed: ReasonCheck = () => true,
): boolean =>
  ((booking.customer !== uid && booking.driver !== uid) ||
    (booking.words === undefined && !hasOwnReason(booking, isListed))) &&
  (booking.customer !== uid || (booking.customer_name === '' && booking.pickupAddress === '')) &&
  (booking.driver !== uid || booking.driver_name === '') &&
  !booking.requestedDrivers?.[uid]

/**
 * Removes personal data from a booking and keeps money, times and status. Returns one atomic update
 * per booking. `withdrawn` is the user's open offer of this booking. The chat, the office's notes
 * and all words are removed with either party, also the reason of a cancellation that is not
 * `isListed`; the places are removed with the customer.
 */
export const anonymizeBooking = (
  booking: Booking,
  uid: string,
  withdrawn?: { offer: string; at: number },
  isListed: ReasonCheck = () => true,
): Updates => {
  const isAsked = booking.requestedDrivers?.[uid] === true
  const fields: Record<string, DatabaseValue> = {
    ...(booking.customer === uid && clearCustomerFields(booking)),
    ...(booking.driver === uid && CLEARED_DRIVER_FIELDS),
    ...(isAsked && { [`requestedDrivers/${uid}`]: null, [`askedDrivers/${uid}`]: null }),
    ...((booking.customer === uid || booking.driver === uid) && {
      words: null,
      ...(hasOwnReason(booking, isListed) && { reason: OTHER_REASON }),
    }),
    revision: booking.revision + 1,
  }
  return {
    ...Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [
        `${dbPaths.booking(booking.id)}/${field}`,
        value,
      ]),
    ),
    ...(isAsked && { [dbPaths.driverTask(uid, booking.id)]: null }),
    [dbPaths.officeAlert(toPanicAlertId(booking.id, uid))]: null,
    ...(withdrawn && answerOffer(booking.id, withdrawn.offer, 'withdrawn', withdrawn.at)),
    ...(booking.customer === uid
      ? {
          [dbPaths.tracking(booking.id)]: null,
          ...(booking.driver && {
            [dbPaths.newestEntryKey('tracking', booking.id, booking.driver)]: null,
          }),
          [dbPaths.bookingOtp(booking.id)]: null,
          [internalPaths.helpCase(booking.id)]: null,
          [dbPaths.bookingContacts(booking.id)]: null,
        }
      : booking.driver === uid && {
          [`${dbPaths.bookingContacts(booking.id)}/driver_contact`]: null,
        }),
    ...((booking.customer === uid || booking.driver === uid) && {
      [dbPaths.chat(booking.id)]: null,
      [dbPaths.bookingNotes(booking.id)]: null,
      ...Object.fromEntries(
        [booking.customer, booking.driver].flatMap((party) =>
          party === undefined
            ? []
            : [
                [dbPaths.newestEntryKey('chats', booking.id, party), null],
                [internalPaths.chatNotice(booking.id, party), null],
              ],
        ),
      ),
    }),
  }
}

/** Removes the driver's name from their earning rows. `months` lists the existing keys. */
export const anonymizeEarningRows = (
  uid: string,
  months: readonly string[],
  fleets: readonly { fleetadmin: string; months: readonly string[] }[],
): Updates =>
  Object.fromEntries(
    [
      ...months.map((month) => dbPaths.statsDriver(uid, month)),
      ...fleets.flatMap((fleet) =>
        fleet.months.map((month) => dbPaths.statsFleetDriver(fleet.fleetadmin, uid, month)),
      ),
    ].flatMap((row) => [
      [`${row}/driverName`, ''],
      [`${row}/driverVehicleNo`, ''],
    ]),
  )

/** The owner's decision about the remaining wallet balance. */
interface BalanceDecision {
  waive_balance?: boolean | undefined
  /** The balance shown to the owner. */
  balance?: number | undefined
}

/**
 * Returns the reason the wallet blocks a deletion: `balance_owed` for a debt, `balance_left` for
 * money that was not waived. `params.amount` is the amount. A waiver counts only for the balance in
 * the request, if it has one.
 */
export const checkRemainingBalance = (
  { walletBalance = 0 }: Pick<User, 'walletBalance'>,
  { waive_balance: isWaived = false, balance: shownBalance }: BalanceDecision,
  { decimal }: Pick<Settings, 'decimal'>,
): DomainError | undefined => {
  const minor = toMinorUnits(walletBalance, decimal)
  const amount = fromMinorUnits(Math.abs(minor), decimal)
  if (minor < 0) return domainError('balance_owed', 'id', { amount })
  const isOther = shownBalance !== undefined && toMinorUnits(shownBalance, decimal) !== minor
  return minor > 0 && (!isWaived || isOther)
    ? domainError('balance_left', 'waive_balance', { amount })
    : undefined
}

/**
 * Returns the promos that a person has used with this account or an earlier one, except on canceled
 * bookings.
 */
export const listUsedPromos = (
  { id: uid, formerPromos = {} }: Pick<User, 'id' | 'formerPromos'>,
  bookings: readonly Pick<Booking, 'customer' | 'status' | 'promo_details'>[],
): string[] => [
  ...new Set([
    ...Object.keys(formerPromos),
    ...bookings.flatMap(({ customer, status, promo_details }) =>
      customer === uid && status !== 'CANCELLED' && promo_details ? [promo_details.id] : [],
    ),
  ]),
]

/**
 * Returns the paths that record the used promos and the referral bonus under each hash, or none
 * when there is nothing to record.
 */
export const buildFormerUserUpdates = (
  hashes: readonly string[],
  promos: readonly string[],
  { referralRewarded }: Pick<User, 'referralRewarded'>,
  now: number,
): Updates =>
  promos.length === 0 && !referralRewarded
    ? {}
    : Object.fromEntries(
        hashes.flatMap((hash): [string, DatabaseValue][] => [
          [`${dbPaths.formerUser(hash)}/at`, now],
          ...promos.map((promo): [string, DatabaseValue] => [
            `${dbPaths.formerUser(hash)}/promos/${promo}`,
            true,
          ]),
          ...(referralRewarded
            ? [[`${dbPaths.formerUser(hash)}/referred`, true] as [string, DatabaseValue]]
            : []),
        ]),
      )

/** Returns the fields of a new record that list the benefits its owner has already used. */
export const getFormerBenefits = (
  former: readonly FormerUser[],
): Pick<User, 'formerPromos' | 'referralRewarded'> => {
  const promos = former.flatMap((one) => Object.keys(one.promos ?? {}))
  return {
    ...(promos.length > 0 && {
      formerPromos: Object.fromEntries(promos.map((promo): [string, true] => [promo, true])),
    }),
    ...(former.some(({ referred }) => referred) && { referralRewarded: true }),
  }
}

/**
 * Returns the update that removes the record, role, directory entry and inbox, and the name and
 * bank details in withdrawals. It also records the waived balance. The rules compare this amount
 * with the wallet, so a last-moment credit stops the removal and is not lost.
 */
export const buildAccountRemoval = (
  { id: uid, walletBalance = 0 }: Pick<User, 'id' | 'walletBalance'>,
  withdraws: readonly Withdrawal[],
  settings: StatsSettings,
  now: number,
): Updates => {
  const closed: ClosedAccount = { at: now, open: true, waived: walletBalance }
  return {
    [dbPaths.user(uid)]: null,
    [dbPaths.role(uid)]: null,
    [dbPaths.availableDriver(uid)]: null,
    [dbPaths.openBookings(uid)]: null,
    [dbPaths.recurringFor(uid)]: null,
    [`inbox/${uid}`]: null,
    [`open_payments/${uid}`]: null,
    [dbPaths.closedAccount(uid)]: { ...closed },
    ...Object.fromEntries(
      Object.entries(waivedDelta(closed, settings)).map(([path, amount]) => [
        path,
        increment(amount),
      ]),
    ),
    ...Object.fromEntries(
      withdraws
        .filter((withdraw) => withdraw.uid === uid)
        .flatMap(({ id }) => [
          [`${dbPaths.withdraw(id)}/name`, ''],
          [`${dbPaths.withdraw(id)}/bankName`, null],
          [`${dbPaths.withdraw(id)}/bankCode`, null],
          [`${dbPaths.withdraw(id)}/bankAccount`, null],
        ]),
    ),
  }
}

/** Returns the update that marks a closed account as cleared. */
export const markAccountCleared = (uid: string): Updates => ({
  [`driver_tasks/${uid}`]: null,
  [internalPaths.personNote(uid)]: null,
  [internalPaths.driverShift(uid)]: null,
  [internalPaths.bankChange(uid)]: null,
  [internalPaths.approvalDecision(uid)]: null,
  [internalPaths.messagePreferences(uid)]: null,
  [`${dbPaths.closedAccount(uid)}/open`]: null,
})

/**
 * Returns the updates of a deletion in order: first the account, because the wallet may block it,
 * then the bookings. After an interruption the scheduled job finds the mark `open`. `bookings` are
 * those the person booked, drives or has an offer for. Refused while a booking is active, a
 * withdrawal is unpaid, or the wallet blocks it.
 */
export const planAccountDeletion = (
  user: Pick<User, 'id' | 'walletBalance'>,
  bookings: readonly Booking[],
  withdraws: readonly Withdrawal[],
  context: { balanceDecision: BalanceDecision; settings: StatsSettings; now: number },
): Result<Updates[], DomainError> => {
  const { balanceDecision, settings, now } = context
  const refused =
    checkDeletion(user.id, bookings, withdraws) ??
    checkRemainingBalance(user, balanceDecision, settings)
  if (refused) return err(refused)
  return ok([
    buildAccountRemoval(user, withdraws, settings, now),
    ...bookings.map((booking) => anonymizeBooking(booking, user.id)),
    markAccountCleared(user.id),
  ])
}
