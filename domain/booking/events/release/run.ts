import { dbPaths } from '../../../data/databasePaths'
import { domainError, type DomainError } from '../../../api/errors'
import { err, ok, type Result } from '../../../api/result'
import { acceptedDelta, negateDelta } from '../../../money/stats'
import { createEventDraft, type Draft } from '../../changeDraft'
import type { BookingChange, BookingError } from '../../eventTypes'
import { releaseDriver } from '../../offers/followOn'
import type { EventArgs, TransitionArgs } from '../../eventArgs'
import type { EventInputFor } from '../../eventInput'
import { askDriver, checkAssignment } from '../assign/askedDriver'
import type { Booking } from '../../types'

/** The fields that an acceptance and an arrival add to a booking. */
const DRIVER_FIELDS = [
  'driver',
  'driver_name',
  'driver_image',
  'vehicle_number',
  'driverRating',
  'fleetadmin',
  'accepted_at',
  'driver_arrive_time',
] as const satisfies (keyof Booking)[]

const checkRelease = (
  {
    booking,
    actor,
    context,
  }: TransitionArgs<'customer' | 'nextDriver' | 'referrer' | 'openRequests'>,
  { reason, driver }: EventInputFor<'release'>,
): DomainError | undefined => {
  const { settings, nextDriver } = context
  if (actor.role === 'admin' && !settings.AllowCriticalEditsAdmin) return domainError('demo_mode')
  if (!reason.trim()) return domainError('reason_required', 'reason')
  if (driver === undefined) return undefined
  if (actor.role !== 'admin') return domainError('not_allowed', 'driver')
  // The rules refuse a request to a driver in the update that frees them.
  if (driver === booking.driver) return domainError('driver_busy', 'driver')
  return checkAssignment(booking, { ...context, driver: nextDriver })
}

/** Removes everything that the acceptance has added, so that another driver can accept. */
const removeDriver = (
  draft: Draft,
  args: TransitionArgs<'otpAttempts' | 'driver' | 'followed'>,
) => {
  const { booking, context } = args
  draft.setFields(
    Object.fromEntries(
      DRIVER_FIELDS.filter((field) => booking[field] !== undefined).map((field) => [field, null]),
    ),
  )
  draft.set(`${dbPaths.bookingContacts(booking.id)}/driver_contact`, null)
  // The next driver has their own attempts. The code stays: the customer knows it, and only the
  // booking's driver can use it.
  if (context.otpAttempts) draft.set(dbPaths.otpAttempts(booking.id), null)
  releaseDriver(draft, args)
  if (booking.accepted_at !== undefined)
    draft.addDelta(negateDelta(acceptedDelta(booking, context.settings.timezone)))
}

/**
 * Takes an accepted booking from its driver. It is NEW and first in the queue, its money, promo and
 * price stay, and its driver is free. The system does not ask that driver again. Safe because the
 * booking's revision lets only one of two events at the same moment through.
 */
export const releaseBooking = (
  args: EventArgs<'release'>,
  input: EventInputFor<'release'>,
): Result<BookingChange, BookingError> => {
  const { booking, actor, context, now } = args
  const refused = checkRelease(args, input)
  if (refused) return err(refused)
  const words = input.reason.trim()
  const draft = createEventDraft(args, 'release', 'NEW', { ref: booking.driver, words })
  removeDriver(draft, args)
  draft.setFields({ requeued_at: now })
  if (context.nextDriver) askDriver(draft, args, context.nextDriver)
  draft.addAuditEntry('booking_release', {
    from: { status: booking.status, driver: booking.driver },
    ...(input.driver !== undefined && { to: { driver: input.driver } }),
  })
  draft.notifyCustomer('released', booking)
  if (actor.role === 'admin') draft.notify('unassigned', 'driver', booking.driver)
  draft.notifyOffice('booking_released', {
    reference: booking.reference,
    driver: booking.driver_name ?? '',
  })
  return ok(draft.done())
}
