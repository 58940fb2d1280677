import type { RecurringRecord } from '~/domain/recurring/series'
import type { PaymentAttempt } from '~/domain/payments/paymentAttempt'
import type { AmendmentNotice } from '~/domain/booking/amendmentNotice'
import type { FreeActions } from '~/domain/booking/freeActions'
import type { AmendmentQuote, Booking, BookingContacts, TrackingPoint } from '~/domain/entities'
import { dbPaths } from '~/domain/databasePaths'
import { internalPaths } from '~/domain/internalPaths'
import type { DatabasePort } from '../database'
import type { Lookups } from './lookups'
import { readSharedRecipientLink } from './sharedRecipientLink'
import { type LoadIfRequired, type LoadSubject, getCustomerId, readWithId } from './loadSubject'
import type { EventInput } from '~/domain/booking/eventInput'
import type { EventContext } from '~/domain/booking/eventContext'

/** The maximum number of track positions read: five hours at one every four seconds. */
const MAX_TRACK_POINTS = 5000

export const loadByBookingId = async (
  db: DatabasePort,
  id: string,
  { event }: EventInput,
  lookups: Lookups,
  ask: LoadIfRequired,
): Promise<
  Pick<EventContext, 'otp' | 'tracking' | 'contacts' | 'amendmentQuote' | 'amendmentNotice'>
> => {
  const isNew = event === 'create'
  const [otp, contacts, amendmentQuote, amendmentNotice, points] = await Promise.all([
    ask('otp', async () => (isNew ? lookups.otp : db.read<number>(dbPaths.bookingOtp(id)))),
    ask('contacts', () => db.read<BookingContacts>(dbPaths.bookingContacts(id))),
    ask('amendmentQuote', () => db.read<AmendmentQuote>(dbPaths.amendmentQuote(id))),
    ask('amendmentNotice', () => db.read<AmendmentNotice>(internalPaths.amendmentNotice(id))),
    // Drivers may write any number of positions; the newest ones belong to this booking.
    ask('tracking', () =>
      db.list<TrackingPoint>(dbPaths.tracking(id), { by: '$key', last: MAX_TRACK_POINTS }),
    ),
  ])
  const tracking = (points ?? []).map(([key, point]) => ({ ...point, id: key }))
  return { otp, contacts, amendmentQuote, amendmentNotice, tracking }
}

/**
 * Reads the records that only the event itself needs. They are read after the booking, so that a
 * lock of the code set with its last revision is visible. A later lock changes the revision, and
 * the rules then refuse our write.
 */
export const loadRecords = async (
  db: DatabasePort,
  subject: LoadSubject,
  ask: LoadIfRequired,
): Promise<
  Pick<
    EventContext,
    | 'otpAttempts'
    | 'openBookings'
    | 'recurring'
    | 'cardPayments'
    | 'freeActions'
    | 'sharedRecipientLink'
  >
> => {
  const [otpAttempts, openBookings, recurring, payments, freeActions, sharedRecipientLink] =
    await Promise.all([
      ask('otpAttempts', () =>
        db.read<NonNullable<EventContext['otpAttempts']>>(dbPaths.otpAttempts(subject.id)),
      ),
      ask('openBookings', () =>
        db.read<NonNullable<EventContext['openBookings']>>(
          dbPaths.openBookings(getCustomerId(subject) ?? ''),
        ),
      ),
      ask('recurring', () => readRecurring(db, subject)),
      ask('cardPayments', () => readCardPayments(db, subject.booking)),
      ask('freeActions', () => readFreeActions(db, subject)),
      ask('sharedRecipientLink', () => readSharedRecipientLink(db, subject)),
    ])
  const cardPayments = payments ?? []
  return { otpAttempts, openBookings, recurring, cardPayments, freeActions, sharedRecipientLink }
}

/**
 * Reads a rider's latest free actions, and the limits if there are any; null for the office and the
 * job.
 */
const readFreeActions = async (
  db: DatabasePort,
  subject: LoadSubject,
): Promise<FreeActions | null> => {
  const { actor, input } = subject
  const uid = getCustomerId(subject)
  const isOwn = actor.role !== 'admin' && actor.role !== 'system' && actor.uid === uid
  if (!isOwn || (input.event === 'create' && input.occurrence)) return null
  const times = await db.read<FreeActions['times']>(internalPaths.freeActions(uid))
  const limits =
    times && input.event !== 'cancel'
      ? await db.read<FreeActions['limits']>(`${internalPaths.messageSettings}/hourlyLimits`)
      : null
  return { times, limits: limits ?? {} }
}

/** Reads the series of an occurrence that the job books; null for other bookings. */
const readRecurring = async (db: DatabasePort, subject: LoadSubject) => {
  const { input } = subject
  return input.event === 'create' && input.occurrence
    ? db.read<RecurringRecord>(dbPaths.recurringFor(getCustomerId(subject) ?? ''))
    : null
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
