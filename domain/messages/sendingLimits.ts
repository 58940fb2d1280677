/**
 * Limits on the messages that riders, drivers and visitors cause at the platform's cost. Messages
 * that the office causes have no limits.
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
  by?: string
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

/** A person's own changes in a day of each kind of data that they are warned about. */
export const OWN_CHANGES_A_DAY = 3

/**
 * Warnings to one number or address in a day. More than an account's own changes of a day cause
 * (OWN_CHANGES_A_DAY of each kind), so that none of them can be hidden behind the others.
 */
const MAX_WARNINGS_A_DAY = 12

/** A booking, as far as it tells who has caused its messages. */
type CausingBooking = Pick<Booking, 'booking_type_admin' | 'customer' | 'event_log'>

/**
 * Returns true for a booking that an admin made. Once its customer has amended it, numbers and
 * texts may be theirs.
 */
export const isOfficeBooking = (booking: CausingBooking | null): boolean =>
  booking?.booking_type_admin === true &&
  Object.values(booking.event_log ?? {}).every(
    ({ event, by }) => event !== 'amend' || by !== booking.customer,
  )

/**
 * Returns true for a message that the office itself causes: it is about a booking of the office,
 * and no event of its driver or customer has led to it.
 */
const isCausedByOffice = (
  { by }: Pick<LimitedMessage, 'by'>,
  booking: CausingBooking | null,
): boolean => by === undefined && isOfficeBooking(booking)

/** Returns true for a message that the monthly budget may stop. */
export const isBudgeted = (
  message: Pick<LimitedMessage, 'by'>,
  row: Pick<MessageRow, 'optional' | 'isWarning' | 'isUnlimited'>,
  booking: CausingBooking | null,
): boolean =>
  !row.isWarning &&
  !row.isUnlimited &&
  (row.optional === true || !isCausedByOffice(message, booking))

/** A counter that a message must not exceed. */
export interface MessageCounter {
  path: string
  limit: number
}

/**
 * Returns whose messages a message counts among. The addresses of the office have no counter,
 * because one person could use it up for all others.
 */
const getCountedKeys = (
  { audience, uid, by }: LimitedMessage,
  booking: (CausingBooking & Pick<Booking, 'driver'>) | null,
  addressHash: string,
): Partial<Record<LimitedSubject, string | undefined>> => {
  const driver = by === booking?.customer ? undefined : by
  // The office has chosen the customer and the number, so that only the cause counts.
  if (isOfficeBooking(booking)) return driver === undefined ? { customer: by } : { driver }
  return {
    customer: booking?.customer ?? by ?? uid,
    driver: booking ? (driver ?? booking.driver) : undefined,
    address: audience === 'office' ? undefined : addressHash,
  }
}

/**
 * Returns the counters of a message: of its booking's customer, of the driver whose event caused
 * it, and of its address. A warning has one of its own for each address, and what the office causes
 * has none.
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
    row: Pick<MessageRow, 'isWarning' | 'isUnlimited'>
    addressHash: string
    limits?: Partial<DailyLimits> | undefined
    now: number
    timezone: string
  },
): MessageCounter[] => {
  if (row.isUnlimited) return []
  const day = formatDay(now, timezone)
  const toPath = (subject: LimitedSubject | 'warning', key: string) =>
    internalPaths.messageCount(`${day}_${subject}_${key}`)
  if (row.isWarning) return [{ path: toPath('warning', addressHash), limit: MAX_WARNINGS_A_DAY }]
  if (isCausedByOffice(message, booking)) return []
  const keys = getCountedKeys(message, booking, addressHash)
  return LIMITED_SUBJECTS.flatMap((subject) => {
    const key = keys[subject]
    if (key === undefined) return []
    return [{ path: toPath(subject, key), limit: limits[subject] ?? DEFAULT_DAILY_LIMITS[subject] }]
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
