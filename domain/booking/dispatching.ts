import type { Booking, BusyDriver, EventLogEntry, User } from '../entities'
import { refusal, type Refusal } from '../errors'
import { toMinor } from '../money'
import { at } from '../paths'
import { err, ok, type Result } from '../result'
import { acceptedMove } from '../stats'
import { endWithoutFee } from './cancelling'
import type { BookingRefusal, Change, InputOf } from './change'
import { draftOf, type Step } from './draft'

const requestedOf = ({ requestedDrivers = {} }: Booking): string[] => Object.keys(requestedDrivers)

/** The last time drivers were asked: by the office (`assign`) or by itself (`dispatch`). */
const lastAsk = ({ event_log = {} }: Booking): EventLogEntry | undefined =>
  Object.values(event_log)
    .filter(({ event }) => event === 'assign' || event === 'dispatch')
    .sort((a, b) => b.revision - a.revision)[0]

/** A wave of requests: from now on exactly these drivers are asked. */
export const dispatch = (
  step: Step,
  input: InputOf<'dispatch'>,
): Result<Change, BookingRefusal> => {
  const { booking, world, now } = step
  if (!world.settings.autoDispatch) return err(refusal('event_not_possible'))
  const drivers = [...new Set(input.drivers)]
  if (drivers.length === 0) return err(refusal('no_driver_found_alert_messege', 'drivers'))
  const draft = draftOf(step, 'dispatch', 'NEW')
  const before = requestedOf(booking)
  draft.book({
    requestedDrivers: Object.fromEntries(drivers.map((uid): [string, true] => [uid, true])),
    askedDrivers: {
      ...booking.askedDrivers,
      ...Object.fromEntries(drivers.map((uid) => [uid, now])),
    },
  })
  for (const uid of before) if (!drivers.includes(uid)) draft.set(at.task(uid, booking.id), null)
  for (const uid of drivers) {
    draft.set(at.task(uid, booking.id), true)
    draft.tell(uid, 'task', { carType: booking.carType }, 'DriverTrips')
  }
  return ok(draft.done())
}

/** Whether the office may give this booking to this driver. */
const assignRefused = (booking: Booking, driver: User | null): Refusal | undefined => {
  if (!driver || driver.usertype !== 'driver' || !driver.approved)
    return refusal('driver_not_available', 'driver')
  if (driver.carType !== booking.carTypeId) return refusal('driver_not_available', 'driver')
  if (driver.queue) return refusal('driver_busy', 'driver')
  if (!driver.driverActiveStatus) return refusal('driver_not_available', 'driver')
  return undefined
}

/** The office asks one driver by hand; who was asked before stays asked. */
export const assign = (step: Step, input: InputOf<'assign'>): Result<Change, BookingRefusal> => {
  const { booking, world, now } = step
  if (world.settings.autoDispatch) return err(refusal('auto_dispatch_on'))
  const { driver } = world
  const refused = assignRefused(booking, driver)
  if (refused) return err(refused)
  const draft = draftOf(step, 'assign', 'NEW')
  draft.set(`${at.booking(booking.id)}/requestedDrivers/${input.driver}`, true)
  draft.set(`${at.booking(booking.id)}/askedDrivers/${input.driver}`, now)
  draft.set(at.task(input.driver, booking.id), true)
  draft.audit('booking_assign', { to: { driver: input.driver } })
  draft.tell(input.driver, 'task', { carType: booking.carType }, 'DriverTrips')
  return ok(draft.done())
}

const acceptRefused = ({ booking, actor, world }: Step): Refusal | undefined => {
  const { driver, settings } = world
  if (!booking.requestedDrivers?.[actor.uid]) return refusal('not_requested')
  if (!driver || driver.id !== actor.uid || driver.usertype !== 'driver' || !driver.approved)
    return refusal('driver_not_available')
  if (driver.queue) return refusal('driver_busy')
  if (!settings.negativeBalance && toMinor(driver.walletBalance ?? 0, settings.decimal) < 0)
    return refusal('driver_wallet_negative')
  return undefined
}

/** A requested driver takes the booking. Safe because the booking's revision lets only one accept through. */
export const accept = (step: Step): Result<Change, BookingRefusal> => {
  const { booking, world, now } = step
  const refused = acceptRefused(step)
  const { driver } = world
  if (refused || !driver) return err(refused ?? refusal('driver_not_available'))
  const draft = draftOf(step, 'accept', 'ACCEPTED')
  const driver_name = `${driver.firstName} ${driver.lastName}`.trim()
  draft.book({
    driver: driver.id,
    driver_name,
    driver_image: driver.profile_image,
    driver_contact: driver.mobile,
    driver_token: driver.pushToken,
    vehicle_number: driver.vehicleNumber,
    driverRating: driver.ratings?.userrating,
    fleetadmin: driver.fleetadmin,
    accepted_at: now,
    requestedDrivers: null,
    askedDrivers: null,
  })
  for (const uid of requestedOf(booking)) draft.set(at.task(uid, booking.id), null)
  draft.set(`${at.user(driver.id)}/queue`, true)
  const busy: BusyDriver = { booking: booking.id, carType: booking.carTypeId, name: driver_name }
  draft.set(at.busy(driver.id), {
    ...busy,
    ...(driver.fleetadmin && { fleetadmin: driver.fleetadmin }),
  })
  draft.set(at.available(driver.id), null)
  const accepted = { ...booking, accepted_at: now, fleetadmin: driver.fleetadmin }
  draft.addAll(acceptedMove(accepted, world.settings.timezone))
  draft.track(driver.location)
  draft.tell(booking.customer, 'accepted', {
    driver: driver_name,
    vehicle: driver.vehicleNumber ?? '',
  })
  return ok(draft.done())
}

/** A requested driver says no. The last one's no ends a booking that the office had given by hand. */
export const decline = (step: Step): Result<Change, BookingRefusal> => {
  const { booking, actor } = step
  const requested = requestedOf(booking)
  if (!requested.includes(actor.uid)) return err(refusal('not_requested'))
  const ends = requested.length === 1 && lastAsk(booking)?.event !== 'dispatch'
  const draft = draftOf(step, 'decline', ends ? 'CANCELLED' : 'NEW')
  if (ends) {
    endWithoutFee(draft, step, { reason: 'no_driver', cancelledBy: 'driver' })
    draft.tell(booking.customer, 'no_driver')
  } else {
    draft.set(`${at.booking(booking.id)}/requestedDrivers/${actor.uid}`, null)
    draft.set(at.task(actor.uid, booking.id), null)
  }
  return ok(draft.done())
}
