import type { SaveRecurringInput } from '~/domain/api/inputs/recurring'
import { checkPattern } from '~/domain/recurring/changes'
import {
  getSettledTime,
  MAX_SERIES,
  replaceSeries,
  type RecurringSeries,
} from '~/domain/recurring/series'
import { fail, throwIfError } from '../../domainException'
import { toCallersSeriesView } from '../../services/bookings/demoContacts'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { MAPS_SECRETS } from '../../deployment'
import {
  authorizeRecurring,
  changeRecurringRecord,
  checkSeriesPlaces,
  checkSeriesTrip,
} from '../../services/recurring/recurringRecords'
import type { UserRequestContext } from '../../ports/requestContext'

/** Saves a recurring booking. */
export const save_recurring = defineUserEndpoint({
  name: 'save_recurring',
  summary:
    'Saves a recurring booking for the caller; an admin saves one for `customer`. The scheduled job makes a booking for each of its trips 24 hours ahead, at the price of that day. Local times are in the settings’ time zone: one that a clock change skips is as much later as the clocks jump, and one that the clocks show twice is the first of the two. Repeating the request with the same series_id saves nothing more and returns the series as it is; after its end it is refused with series_ended.',
  allow: ['rider', 'admin'],
  limit: 60,
  spends: ['maps'],
  dailyLimit: 500,
  needsFreshSignIn: false,
  errors: [
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
    'past_booking_error',
    'too_far_ahead',
    'series_empty',
    'too_many_series',
    'booking_exists',
    'series_ended',
    'changed_meanwhile',
  ],
  fieldErrors: { pickup: 'select_proper', drop: 'select_proper', carType: 'select_proper' },
  secrets: MAPS_SECRETS,
  async handle(input, context) {
    const { actor, db, maps, now } = context
    const { customer, settings } = await authorizeRecurring(input.customer, context)
    await checkSeriesTrip(db, customer, input, { actor, settings, now })
    await checkSeriesPlaces(input, settings, actor, maps)
    throwIfError(checkPattern(input, settings.timezone, now))
    const series = toSeries(input, context)
    const audit = { action: 'recurring_save', to: { series: series.id } }
    const saved = await changeRecurringRecord(customer, audit, context, (record) => {
      const before = record?.series?.[series.id]
      if (before) return before.by === series.by ? null : fail('booking_exists', 'series_id')
      // A repeat that arrives after the series was ended must not begin it again.
      if (record?.ended?.[series.id] !== undefined) fail('series_ended', 'series_id')
      if (Object.keys(record?.series ?? {}).length >= MAX_SERIES)
        fail('too_many_series', undefined, { most: MAX_SERIES })
      return replaceSeries(record, { id: series.id, series }, settings.timezone, now)
    })
    const stored = saved?.series?.[series.id] ?? series
    return { series: toCallersSeriesView(customer, stored, settings, context) }
  },
})

const toSeries = (
  input: SaveRecurringInput,
  { actor, now }: UserRequestContext,
): RecurringSeries => {
  const { series_id, days, time, back, from, until, payment, ...trip } = input
  delete trip.customer
  return {
    id: series_id,
    by: actor.uid,
    role: actor.role === 'admin' ? 'admin' : 'rider',
    created_at: now,
    trip,
    days: days.toSorted((a, b) => a - b),
    time,
    ...(back !== undefined && { back }),
    from,
    ...(until !== undefined && { until }),
    ...(payment !== undefined && { payment }),
    settled: getSettledTime(now),
  }
}
