import type { Value } from './booking/change'
import type { Booking, Status, Withdraw } from './entities'
import { refusal, type Refusal } from './errors'
import { at } from './paths'
import { err, ok, type Result } from './result'

type Updates = Record<string, Value>

/** About a kilometre: enough for a map of where bookings go, too little to find a door. */
const blurred = (degrees: number): number => Math.round(degrees * 100) / 100
const blurredPoint = ({ lat, lng }: { lat: number; lng: number }) => ({
  lat: blurred(lat),
  lng: blurred(lng),
})

const withoutCustomer = (booking: Booking): Record<string, Value> => ({
  customer_name: '',
  customer_email: '',
  customer_contact: '',
  customer_token: null,
  customer_image: null,
  pickup: { ...blurredPoint(booking.pickup), add: '' },
  drop: { ...blurredPoint(booking.drop), add: '' },
  pickupAddress: '',
  dropAddress: '',
  coords: booking.coords.map(blurredPoint),
  waypoints: null,
  deliveryPerson: null,
  deliveryPersonPhone: null,
  pickUpInstructions: null,
  deliveryInstructions: null,
  pickup_image: null,
  deliver_image: null,
})

const WITHOUT_DRIVER: Record<string, Value> = {
  driver_name: '',
  driver_contact: '',
  driver_image: null,
  driver_token: null,
  vehicle_number: null,
}

/** Nothing is owed any more; a PAID booking may never be rated, and must not hold an account for ever. */
const SETTLED: readonly Status[] = ['PAID', 'COMPLETE', 'CANCELLED']

/**
 * Why an account can't go yet: somebody still waits for something (event_not_possible, params.bookings and
 * params.withdraws: how many).
 */
export const deletionRefused = (
  uid: string,
  bookings: readonly Pick<Booking, 'status' | 'customer' | 'driver'>[],
  withdraws: readonly Pick<Withdraw, 'uid' | 'processed'>[] = [],
): Refusal | undefined => {
  // Paying out needs the bank account, which leaves with him.
  const asked = withdraws.filter((one) => one.uid === uid && !one.processed).length
  const active = bookings.filter(
    ({ status, customer, driver }) =>
      !SETTLED.includes(status) && (customer === uid || driver === uid),
  ).length
  return active + asked > 0
    ? refusal('event_not_possible', 'id', { bookings: active, withdraws: asked })
    : undefined
}

/** Whether a booking no longer says anything of a person, or never did. */
export const isAnonymous = (booking: Booking, uid: string): boolean =>
  (booking.customer !== uid || (booking.customer_name === '' && booking.pickupAddress === '')) &&
  (booking.driver !== uid || booking.driver_name === '') &&
  !booking.requestedDrivers?.[uid]

/**
 * A booking kept without what it says of a person: money, times and status stay. One atomic update a booking; what
 * the two wrote each other goes with either of them, where a customer was taken goes with him.
 */
export const anonymised = (booking: Booking, uid: string): Updates => {
  const isAsked = booking.requestedDrivers?.[uid] === true
  const fields: Record<string, Value> = {
    ...(booking.customer === uid && withoutCustomer(booking)),
    ...(booking.driver === uid && WITHOUT_DRIVER),
    ...(isAsked && { [`requestedDrivers/${uid}`]: null, [`askedDrivers/${uid}`]: null }),
    revision: booking.revision + 1,
  }
  return {
    ...Object.fromEntries(
      Object.entries(fields).map(([field, value]) => [`${at.booking(booking.id)}/${field}`, value]),
    ),
    ...(isAsked && { [at.task(uid, booking.id)]: null }),
    ...((booking.customer === uid || booking.driver === uid) && { [at.chat(booking.id)]: null }),
    ...(booking.customer === uid && {
      [at.tracking(booking.id)]: null,
      [at.otp(booking.id)]: null,
    }),
  }
}

/** A driver's rows of earnings kept without his name: `months` are the keys that are there. */
export const namelessRows = (
  uid: string,
  months: readonly string[],
  fleets: readonly { fleetadmin: string; months: readonly string[] }[],
): Updates =>
  Object.fromEntries(
    [
      ...months.map((month) => at.statsDriver(uid, month)),
      ...fleets.flatMap((fleet) =>
        fleet.months.map((month) => at.statsFleetDriver(fleet.fleetadmin, uid, month)),
      ),
    ].flatMap((row) => [
      [`${row}/driverName`, ''],
      [`${row}/driverVehicleNo`, ''],
    ]),
  )

/** The account itself: the record, what is listed of it, its inbox, and the name and bank on its withdraws. */
export const accountRemoved = (uid: string, withdraws: readonly Withdraw[] = []): Updates => ({
  [at.user(uid)]: null,
  [at.available(uid)]: null,
  [`driver_tasks/${uid}`]: null,
  [`inbox/${uid}`]: null,
  ...Object.fromEntries(
    withdraws
      .filter((withdraw) => withdraw.uid === uid)
      .flatMap(({ id }) => [
        [`${at.withdraw(id)}/name`, ''],
        [`${at.withdraw(id)}/bankName`, null],
        [`${at.withdraw(id)}/bankCode`, null],
        [`${at.withdraw(id)}/bankAccount`, null],
      ]),
  ),
})

/**
 * Everything a deletion does, as one update after another: first the bookings, then the account, so that one broken off can
 * be begun again. `bookings` are those he is customer or driver of, and those he is asked to drive. Refused while one of the
 * former is active.
 */
export const deletion = (
  uid: string,
  bookings: readonly Booking[],
  withdraws: readonly Withdraw[],
): Result<Updates[], Refusal> => {
  const refused = deletionRefused(uid, bookings, withdraws)
  if (refused) return err(refused)
  return ok([
    ...bookings.map((booking) => anonymised(booking, uid)),
    accountRemoved(uid, withdraws),
  ])
}
