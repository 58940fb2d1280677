import type { RecurringRecord } from '~/domain/recurring/series'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import type { AmendmentNotice } from '~/domain/booking/limits/amendmentNotice'
import type { FreeActions } from '~/domain/booking/limits/freeActions'
import { dbPaths } from '~/domain/data/databasePaths'
import { internalPaths } from '~/domain/data/internalPaths'
import type { DatabasePort } from '../../../ports/database'
import { readSharedRecipientLink } from './sharedRecipientLink'
import { type EventReads, getCustomerId, type Loaders, readWithId } from './eventReads'
import type { EventContext } from '~/domain/booking/eventContext'
import type {
  AmendmentQuote,
  Booking,
  BookingContacts,
  TrackingPoint,
} from '~/domain/booking/types'

/** The maximum number of track positions read: five hours at one every four seconds. */
const MAX_TRACK_POINTS = 5000

/**
 * Reads a rider's latest free actions, and the limits if there are any; null for the office, except
 * for a no-show. A booking of the rider's own recurring booking counts as theirs.
 */
const readFreeActions = async (reads: EventReads): Promise<FreeActions | null> => {
  const { db, actor, input } = reads
  const uid = getCustomerId(reads)
  const isOwn = actor.role !== 'admin' && actor.role !== 'system' && actor.uid === uid
  // The driver or the office says that the customer did not come.
  if (uid === undefined || (!isOwn && input.event !== 'no_show')) return null
  const times = await db.read<FreeActions['times']>(internalPaths.freeActions(uid))
  const limits =
    times && input.event !== 'cancel' && input.event !== 'no_show'
      ? await db.read<FreeActions['limits']>(`${internalPaths.messageSettings}/hourlyLimits`)
      : null
  return { times, limits: limits ?? {} }
}

/** Reads the attempts that paid for a booking by card: at most one before and one after it. */
export const readCardPayments = async (
  db: DatabasePort,
  booking: Booking | null,
): Promise<PaymentAttempt[]> => {
  const refs = Object.values(booking?.event_log ?? {}).flatMap(({ event, ref }) =>
    event === 'pay' && ref ? [ref] : [],
  )
  const attempts = await Promise.all(
    refs.map((ref) => readWithId<PaymentAttempt>(db, ref, dbPaths.payment)),
  )
  return attempts.filter((attempt) => attempt !== null)
}

/** The loaders of records about the booking and its customer. */
export const RECORD_LOADERS: Loaders<
  | 'otp'
  | 'otpAttempts'
  | 'contacts'
  | 'tracking'
  | 'amendmentQuote'
  | 'amendmentNotice'
  | 'openBookings'
  | 'recurring'
  | 'cardPayments'
  | 'freeActions'
  | 'sharedRecipientLink'
> = {
  otp: async ({ db, id, input, lookups }) =>
    input.event === 'create' ? lookups.otp : db.read<number>(dbPaths.bookingOtp(id)),
  otpAttempts: ({ db, id }) =>
    db.read<NonNullable<EventContext['otpAttempts']>>(dbPaths.otpAttempts(id)),
  contacts: ({ db, id }) => db.read<BookingContacts>(dbPaths.bookingContacts(id)),
  // Drivers may write any number of positions; the newest ones belong to this booking.
  tracking: async ({ db, id }) => {
    const query = { by: '$key', last: MAX_TRACK_POINTS } as const
    const points = await db.list<TrackingPoint>(dbPaths.tracking(id), query)
    return points.map(([key, point]) => ({ ...point, id: key }))
  },
  amendmentQuote: ({ db, id }) => db.read<AmendmentQuote>(dbPaths.amendmentQuote(id)),
  amendmentNotice: ({ db, id }) => db.read<AmendmentNotice>(internalPaths.amendmentNotice(id)),
  openBookings: (reads) =>
    reads.db.read<NonNullable<EventContext['openBookings']>>(
      dbPaths.openBookings(getCustomerId(reads) ?? ''),
    ),
  // Only for an occurrence that the job books.
  recurring: async (reads) =>
    reads.input.event === 'create' && reads.input.occurrence
      ? reads.db.read<RecurringRecord>(dbPaths.recurringFor(getCustomerId(reads) ?? ''))
      : null,
  cardPayments: ({ db, booking }) => readCardPayments(db, booking),
  freeActions: readFreeActions,
  sharedRecipientLink: readSharedRecipientLink,
}
