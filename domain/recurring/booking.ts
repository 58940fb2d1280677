import type { DatabaseValue } from '../data/databaseValue'
import { dbPaths } from '../data/databasePaths'
import { domainError, type DomainError } from '../api/errors'
import type { FareQuote } from '../money/fare'
import { toMinorUnits } from '../money/money'
import { toOccurrenceKey } from './occurrences'
import {
  getSeriesRevision,
  isBookable,
  type BookedOccurrence,
  type OccurrenceToBook,
} from './series'
import type { EventContext } from '../booking/eventContext'
import type { Booking } from '../booking/types'
import type { User } from '../accounts/types'
import type { UserType } from '../access/types'

type SeriesContext = Pick<EventContext, 'recurring' | 'settings'>

/** Returns true when a booking must be paid before the trip: a rider's own parcel. */
const isPaidAhead = ({ settings }: SeriesContext, role: UserType | 'system'): boolean =>
  settings.appcat === 'delivery' && role === 'rider'

/**
 * Returns the reason an occurrence gets no booking, if any: its series has ended, was edited since
 * the job read it, is paused or skips it, or the wallet that shall pay has too little money.
 */
export const checkOccurrence = (
  occurrence: OccurrenceToBook,
  context: SeriesContext,
  { role, customer, priced }: { role: UserType | 'system'; customer: User; priced: FareQuote },
): DomainError | undefined => {
  const { settings, recurring } = context
  const series = recurring?.series?.[occurrence.series]
  if (!series || getSeriesRevision(series) !== occurrence.revision)
    return domainError('event_not_possible', 'series')
  if (!isBookable(series, occurrence)) return domainError('event_not_possible', 'series')
  const isTooLow =
    toMinorUnits(customer.walletBalance, settings.decimal) <
    toMinorUnits(priced.estimateFare, settings.decimal)
  return isPaidAhead(context, role) && series.payment === 'wallet' && isTooLow
    ? domainError('wallet_too_low', 'payment')
    : undefined
}

/**
 * Returns the updates that mark an occurrence as booked. The record's revision makes the whole
 * write fail when the series changes at the same moment.
 */
export const buildMadeUpdates = (
  occurrence: BookedOccurrence,
  context: SeriesContext,
  { id, customer, status, tripdate }: Pick<Booking, 'id' | 'customer' | 'status' | 'tripdate'>,
): Record<string, DatabaseValue> => {
  const base = dbPaths.recurringFor(customer)
  const key = toOccurrenceKey(occurrence)
  const series = `${base}/series/${occurrence.series}`
  return {
    [`${base}/revision`]: (context.recurring?.revision ?? 0) + 1,
    [`${series}/made/${key}`]: {
      booking: id,
      at: tripdate,
      ...(status === 'PAYMENT_PENDING' && { unpaid: true }),
    },
    [`${series}/problems/${key}`]: null,
  }
}
