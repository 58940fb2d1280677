/**
 * Limits on the messages that riders, drivers and visitors cause at the platform's cost. The office
 * is not limited by them.
 */
import { internalPaths } from '../data/internalPaths'
import type { DatabaseValue } from '../data/databaseValue'
import { formatDay } from '../language/zonedTime'
import type { Audience, MessageRow } from './messageTable'
import { DAY_MS } from '../language/timeUnits'
import type { Booking } from '../booking/types'

/** A message of the outbox, as far as the limits need it. */
interface LimitedMessage {
  audience: Audience
  uid?: string
}

/** Each subject whose messages of a day are counted. `address` is who receives them. */
export const LIMITED_SUBJECTS = ['customer', 'driver', 'address'] as const
export type LimitedSubject = (typeof LIMITED_SUBJECTS)[number]
export type DailyLimits = Record<LimitedSubject, number>

/** Limits of a day without a setting: more than ordinary people cause. */
export const DEFAULT_DAILY_LIMITS: DailyLimits = { customer: 30, driver: 100, address: 10 }

/** Messages of one subject on one day, at internal/message_counts/{day}_{subject}_{key}. */
export interface MessageCount {
  count: number
  /** Time at which the record may be removed, ms. */
  due: number
  revision: number
}

/** A booking, as far as it tells who has caused its messages. */
type CausingBooking = Pick<Booking, 'booking_type_admin' | 'customer' | 'event_log'>

/**
 * Returns true for a message that the office itself causes: it is for the office, or about a
 * booking that an admin made. Once its customer has amended it, numbers and texts may be theirs.
 */
export const isCausedByOffice = (
  { audience }: Pick<LimitedMessage, 'audience'>,
  booking: CausingBooking | null,
): boolean =>
  audience === 'office' ||
  (booking?.booking_type_admin === true &&
    Object.values(booking.event_log ?? {}).every(
      ({ event, by }) => event !== 'amend' || by !== booking.customer,
    ))

/** Returns true for a message that the monthly budget may stop. */
export const isBudgeted = (
  message: Pick<LimitedMessage, 'audience'>,
  row: Pick<MessageRow, 'optional' | 'isWarning'>,
  booking: CausingBooking | null,
): boolean => !row.isWarning && (row.optional === true || !isCausedByOffice(message, booking))

/** A counter that a message must not exceed. */
export interface MessageCounter {
  path: string
  limit: number
}

/**
 * Returns the counters of a message: of its booking's customer and driver, and of its address. A
 * message of the office and a warning have none.
 */
export const getMessageCounters = (
  message: LimitedMessage,
  booking: (CausingBooking & Pick<Booking, 'driver'>) | null,
  {
    row,
    addressHash,
    limits = {},
    now,
    timezone,
  }: {
    row: Pick<MessageRow, 'isWarning'>
    addressHash: string
    limits?: Partial<DailyLimits> | undefined
    now: number
    timezone: string
  },
): MessageCounter[] => {
  if (row.isWarning || isCausedByOffice(message, booking)) return []
  const keys: Record<LimitedSubject, string | undefined> = {
    customer: booking?.customer ?? message.uid,
    driver: booking?.driver,
    address: addressHash,
  }
  const day = formatDay(now, timezone)
  return LIMITED_SUBJECTS.flatMap((subject) => {
    const key = keys[subject]
    if (key === undefined) return []
    const path = internalPaths.messageCount(`${day}_${subject}_${key}`)
    return [{ path, limit: limits[subject] ?? DEFAULT_DAILY_LIMITS[subject] }]
  })
}

/** Returns the update that counts one more message. The rules refuse it after another count. */
export const countMessage = (
  { path }: MessageCounter,
  before: MessageCount | null,
  now: number,
): Record<string, DatabaseValue> => ({
  [path]: {
    count: (before?.count ?? 0) + 1,
    due: before?.due ?? now + 2 * DAY_MS,
    revision: (before?.revision ?? 0) + 1,
  },
})
