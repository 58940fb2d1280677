import type { ChangeRecurringInput, EditRecurringInput } from '~/domain/api/inputs/recurring'
import { dbPaths } from '~/domain/data/databasePaths'
import type { Actor } from '~/domain/booking/eventTypes'
import { changeSeries, editSeries } from '~/domain/recurring/changes'
import { toOccurrenceKey } from '~/domain/recurring/occurrences'
import {
  listUpcomingBookings,
  replaceSeries,
  type RecurringRecord,
  type RecurringSeries,
  type UpcomingBooking,
} from '~/domain/recurring/series'
import type { AmendedTrip } from '~/domain/recurring/view'
import { DomainException, fail, unwrap } from '../../domainException'
import { toCallersSeriesView } from '../../services/bookings/demoContacts'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { MAPS_SECRETS } from '../../deployment'
import {
  authorizeRecurring,
  changeRecurringRecord,
  checkSeriesPlaces,
  checkSeriesTrip,
  resolveSeriesOwner,
  updateRecurringRecord,
} from '../../services/recurring/recurringRecords'
import { toBookingAmendment } from '~/domain/recurring/bookedSeries'
import type { UserHandlerContext } from '../../ports/handlerContext'
import type { Settings } from '~/domain/catalog/types'

/** Skips trips of a recurring booking, pauses, resumes, edits or ends it. */
export const change_recurring = defineUserEndpoint({
  name: 'change_recurring',
  summary:
    'Changes a recurring booking of the caller; an admin names the `customer`. `skip` leaves out one trip and `unskip` takes it back; `pause` makes no bookings for the days from `from` to `to`, without `to` until `resume`; `end` removes the recurring booking, and a repeat of it succeeds. `edit` gives it new days, times, places, vehicle, recipient, notes or first day from the next trip without a booking on; an edit made since the `revision` that the caller saw refuses it with changed_meanwhile, and a repeat changes nothing. Bookings that exist stay: they are amended and canceled like any other, and `skip` is refused for them with event_not_possible. With `booked: amend`, an edit also amends those of upcoming trips, except where that raises the price; `amended` says which and why not.',
  allow: ['rider', 'admin'],
  limit: 60,
  spends: ['maps', 'messages'],
  dailyLimit: 500,
  needsFreshSignIn: false,
  errors: [
    'not_found',
    'event_not_possible',
    'past_booking_error',
    'too_far_ahead',
    'too_many_skipped',
    'series_empty',
    'user_issue_contact_admin',
    'require_approval',
    'profile_incomplete',
    'incomplete_user',
    'select_proper',
    'address_too_long',
    'too_many_stops',
    'same_place',
    'place_to_coords_error',
    'address_elsewhere',
    'not_allowed',
    'deliveryDetailMissing',
    'changed_meanwhile',
  ],
  secrets: MAPS_SECRETS,
  async handle(input, context) {
    const { customer, settings } = await authorizeRecurring(input.customer, context)
    if (input.action === 'edit') return edit(input, customer, settings, context)
    const { now } = context
    const { series_id: id } = input
    const { timezone } = settings
    const changed = await changeRecurringRecord(customer, toAudit(input), context, (record) => {
      const series = record?.series?.[id]
      if (!series) return input.action === 'end' ? null : fail('not_found', 'series_id')
      const after = unwrap(changeSeries(series, input, timezone, now))
      return replaceSeries(record, { id, series: after }, timezone, now)
    })
    const series = changed?.series?.[id]
    return { series: series ? toCallersSeriesView(customer, series, settings, context) : null }
  },
})

const listEdited = (details: object): string[] =>
  Object.keys(details).filter((field) => field !== 'revision' && field !== 'booked')

/** Returns the audit entry, which names the edited fields but no contact details or addresses. */
const toAudit = ({ action, series_id: series, customer: _, ...details }: ChangeRecurringInput) => ({
  action: `recurring_${action}`,
  to: { series, ...(action === 'edit' ? { fields: listEdited(details).join(', ') } : details) },
})

/** Returns the fields that the edit changes, with the revision that it is based on. */
const toEdit = (input: EditRecurringInput) => {
  const details: Partial<EditRecurringInput> & { revision: number } = { ...input }
  delete details.series_id
  delete details.customer
  delete details.action
  delete details.booked
  return details
}

const edit = async (
  input: EditRecurringInput,
  customer: string,
  settings: Settings,
  context: UserHandlerContext<'maps' | 'messages'>,
) => {
  const { actor, db, maps, now } = context
  const { timezone } = settings
  const { series_id: id, booked = 'keep' } = input
  const details = toEdit(input)
  const editKnown = async (record: RecurringRecord | null) => {
    const before = record?.series?.[id] ?? fail('not_found', 'series_id')
    const { series, changed } = unwrap(editSeries(before, details, timezone, now))
    const isOrphan =
      before.role === 'admin' && (await resolveSeriesOwner(db, customer, before)).role !== 'admin'
    const updatedSeries = changed.size > 0 || isOrphan ? takeOver(series, actor, isOrphan) : series
    return { series: updatedSeries, isChanged: changed.size > 0 || updatedSeries.by !== before.by }
  }
  const { series: plannedSeries } = await editKnown(
    await db.read<RecurringRecord>(dbPaths.recurringFor(customer)),
  )
  // The job books for the owner of the series, so their rules apply to an edit by the office.
  const owner = await resolveSeriesOwner(db, customer, plannedSeries)
  await checkSeriesTrip(db, customer, plannedSeries.trip, { actor: owner, settings, now })
  await checkSeriesPlaces(details, settings, actor, maps)
  const after = await changeRecurringRecord(customer, toAudit(input), context, async (record) => {
    const { series, isChanged } = await editKnown(record)
    return isChanged ? replaceSeries(record, { id, series }, timezone, now) : null
  })
  const series = after?.series?.[id] ?? plannedSeries
  if (booked === 'keep') return { series: toCallersSeriesView(customer, series, settings, context) }
  const fields = new Set(listEdited(details))
  const trips = await amendBooked(series, fields, settings, context)
  const view = toCallersSeriesView(customer, withTimes(series, trips), settings, context)
  await updateRecurringRecord(db, customer, (record) => {
    const storedSeries = record.series?.[id]
    return storedSeries
      ? replaceSeries(record, { id, series: withTimes(storedSeries, trips) }, timezone, now)
      : record
  })
  return { series: view, amended: trips.map(({ trip }) => trip) }
}

/**
 * Returns a series of the office as the rider's own once they have edited it: its details are now
 * theirs, so the limits of a rider apply to its bookings. A series whose admin has left is that of
 * the next admin who edits it.
 */
const takeOver = (
  series: RecurringSeries,
  { uid, role }: Actor,
  isOrphan: boolean,
): RecurringSeries => {
  if (role === 'rider') return { ...series, by: uid, role }
  return isOrphan ? { ...series, by: uid } : series
}

interface TriedTrip {
  trip: AmendedTrip
  /** The new pickup time, ms; missing when the booking stays as it is. */
  at?: number
}

/**
 * Amends the upcoming bookings of an edited series, each for itself. A repeat finds nothing to
 * change, so a request that died in the middle is completed by its repeat.
 */
const amendBooked = async (
  series: RecurringSeries,
  fields: ReadonlySet<string>,
  { timezone }: Pick<Settings, 'timezone'>,
  { actor, bookings, now }: UserHandlerContext<'maps' | 'messages'>,
): Promise<TriedTrip[]> => {
  const amendOne = async (trip: UpcomingBooking): Promise<TriedTrip> => {
    const amendment = toBookingAmendment(series, trip, fields, timezone)
    if (!amendment) return { trip: { ...trip, key: 'series_trip_dropped' } }
    try {
      await bookings.applyEvent(trip.booking, { event: 'amend', ...amendment }, actor)
      const at = amendment.tripdate ?? trip.at
      return { trip: { ...trip, at }, at }
    } catch (error) {
      if (!(error instanceof DomainException)) throw error
      const { key, params } = error.error
      return { trip: { ...trip, key, ...(params && { params }) } }
    }
  }
  const tried: TriedTrip[] = []
  for (const trip of listUpcomingBookings(series, now)) tried.push(await amendOne(trip))
  return tried
}

/** Returns the series with the new times of its amended bookings. */
const withTimes = (series: RecurringSeries, trips: readonly TriedTrip[]): RecurringSeries => {
  const bookedOccurrences = { ...series.made }
  for (const { trip, at } of trips) {
    const key = toOccurrenceKey(trip)
    const entry = bookedOccurrences[key]
    if (entry && at !== undefined) bookedOccurrences[key] = { ...entry, at }
  }
  return { ...series, ...(series.made && { made: bookedOccurrences }) }
}
