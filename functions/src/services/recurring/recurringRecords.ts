import { isDeepStrictEqual } from 'node:util'
import { getBookingProblems, getFirstProblem } from '~/domain/booking/bookingProblems'
import { checkMisplacedAddress } from '~/domain/booking/limits/limits'
import { toJson } from '~/domain/data/databaseValue'
import type { Actor } from '~/domain/booking/eventTypes'
import type { SaveRecurringInput } from '~/domain/api/inputs/recurring'
import { dbPaths } from '~/domain/data/databasePaths'
import { checkAction } from '~/domain/access/permissions'
import type { RecurringRecord, RecurringSeries } from '~/domain/recurring/series'
import { buildAuditEntry } from '../office/auditEntry'
import { fail, throwIfError, unwrap } from '../../domainException'
import { findMisplacedAddress, toEnteredPlaces } from '../maps/addressCheck'
import { readUser, WriteConflictError, type DatabasePort } from '../../ports/database'
import type { LazyMaps } from '../../ports/lazyMaps'
import { readSettings } from '../office/settings'
import { resolveExtras } from '~/domain/booking/bookedFields'
import type { UserRequestContext } from '../../ports/requestContext'
import type { AuditEntry } from '~/domain/office/types'
import type { Settings, VehicleType } from '~/domain/catalog/types'
import type { User } from '~/domain/accounts/types'

const MAX_TRIES = 20
/** Fifty runs of the job at once may each lose to all others. */
const MAX_JOB_TRIES = 60

/**
 * Returns the person for whom the job books: the admin who saved the series, while they are one,
 * otherwise the customer, with the limits of a rider.
 */
export const resolveSeriesOwner = async (
  db: DatabasePort,
  customer: string,
  { by, role }: RecurringSeries,
): Promise<Actor> =>
  role === 'admin' && (await db.read<string>(dbPaths.role(by))) === 'admin'
    ? { uid: by, role }
    : { uid: customer, role: 'rider' }

/** Refuses a trip that `create_booking` would refuse at any time. */
export const checkSeriesTrip = async (
  db: DatabasePort,
  customer: string,
  trip: RecurringSeries['trip'],
  { actor, settings, now }: { actor: Actor; settings: Settings; now: number },
): Promise<void> => {
  const [user, vehicleType] = await Promise.all([
    readUser<User>(db, customer),
    db.read<VehicleType>(dbPaths.carType(trip.carType)),
  ])
  // The time, the route and the drivers are those of each trip's own day.
  const context = { actor, customer: user, carType: vehicleType, settings }
  throwIfError(
    getFirstProblem(
      getBookingProblems(
        { ...trip, customer, bookLater: false },
        { ...context, hasRoute: true, isDriverNearby: true },
        now,
      ),
    ),
  )
  unwrap(resolveExtras(vehicleType ?? {}, trip, settings))
}

/**
 * Refuses the first of these places whose address lies far from its position, unless the office
 * confirms it.
 */
export const checkSeriesPlaces = async (
  input: Parameters<typeof toEnteredPlaces>[0] & Pick<SaveRecurringInput, 'addressesConfirmed'>,
  { restrictCountry }: Pick<Settings, 'restrictCountry'>,
  { role }: Actor,
  loadMaps: LazyMaps,
): Promise<void> => {
  const entered = input.addressesConfirmed ? [] : toEnteredPlaces(input)
  const misplaced = await findMisplacedAddress(loadMaps, entered, restrictCountry)
  throwIfError(checkMisplacedAddress(misplaced, input, role === 'admin'))
}

/**
 * Returns the customer whose recurring bookings the caller may change, and the settings: riders
 * their own, the office those of the named customer. Refuses with not_allowed, or with bad_input
 * when the office names no customer.
 */
export const authorizeRecurring = async (
  customer: string | undefined,
  { actor, db }: UserRequestContext,
) => {
  const settings = await readSettings(db)
  if (actor.role === 'rider') {
    if (customer !== undefined && customer !== actor.uid) fail('not_allowed', 'customer')
    return { customer: actor.uid, settings }
  }
  throwIfError(checkAction('booking_create', actor.role, settings))
  return { customer: customer ?? fail('bad_input', 'customer'), settings }
}

/**
 * Changes a customer's recurring bookings. `decide` returns the new record, null when there is
 * nothing to write, or throws a refusal; it decides again when another person changed the record in
 * the meantime. A change by the office is written with its audit entry.
 */
export const changeRecurringRecord = async (
  customer: string,
  { action, to }: Pick<AuditEntry, 'action' | 'to'>,
  { actor, db, now }: UserRequestContext,
  decide: (
    record: RecurringRecord | null,
  ) => RecurringRecord | null | Promise<RecurringRecord | null>,
): Promise<RecurringRecord | null> => {
  const path = dbPaths.recurringFor(customer)
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const record = await db.read<RecurringRecord>(path)
    const changed = await decide(record)
    if (!changed) return record
    const entry = { by: actor.uid, at: now, action, path: `recurring/${customer}`, to }
    try {
      await db.update({
        [path]: toJson(changed),
        ...(actor.role === 'admin' &&
          buildAuditEntry(entry, `${customer}/recurring/${changed.revision}`)),
      })
    } catch (error) {
      if (!(error instanceof WriteConflictError)) throw error
      continue
    }
    // The account may have been deleted since, and its recurring bookings must not outlive it.
    if ((await db.read(`${dbPaths.user(customer)}/usertype`)) === null)
      await db.update({ [path]: null })
    return changed
  }
  return fail('changed_meanwhile')
}

const isSameApartFromRevision = (a: RecurringRecord, b: RecurringRecord): boolean =>
  isDeepStrictEqual(toJson({ ...a, revision: 0 }), toJson({ ...b, revision: 0 }))

/**
 * Writes a change of a customer's record that no person asked for; after another change, from the
 * new state.
 */
export const updateRecurringRecord = async (
  db: DatabasePort,
  customer: string,
  change: (record: RecurringRecord) => RecurringRecord,
): Promise<void> => {
  const path = dbPaths.recurringFor(customer)
  for (let tries = 1; ; tries++) {
    const existingRecord = await db.read<RecurringRecord>(path)
    if (!existingRecord) return
    const changed = change(existingRecord)
    // Another run has done the same.
    if (isSameApartFromRevision(existingRecord, changed)) return
    try {
      return await db.update({ [path]: toJson(changed) })
    } catch (error) {
      if (!(error instanceof WriteConflictError) || tries >= MAX_JOB_TRIES) throw error
    }
  }
}
