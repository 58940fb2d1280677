import { isAnonymized } from './accountDeletion'
import type { HelpCase } from '../help/helpCase'
import { COMPLAINT_REASONS } from '../money/types'
import type { Booking, BookingNote } from '../booking/types'
import type { ClosedAccount } from './types'

/** The records in which words of a person may be left. */
interface WordsTree {
  bookings: Record<string, Booking>
  booking_notes?: Record<string, Record<string, BookingNote>>
  closed_accounts?: Record<string, ClosedAccount>
  'internal/help_cases'?: Record<string, HelpCase>
}

const REASONS: readonly string[] = COMPLAINT_REASONS

/** Checks that the log names kinds of reasons only, because nothing can remove words from it. */
export const findLoggedWords = ({ bookings }: WordsTree): string[] =>
  Object.entries(bookings).flatMap(([id, { event_log = {} }]) =>
    Object.entries(event_log)
      .filter(([, { reason }]) => reason !== undefined && !REASONS.includes(reason))
      .map(([key]) => `bookings/${id}: the log has the words of ${key}`),
  )

/** Checks that nothing is left of a person whose account is closed and cleared. */
export const findPersonalData = ({ bookings, closed_accounts = {} }: WordsTree): string[] => {
  const cleared = new Set(
    Object.keys(closed_accounts).filter((uid) => closed_accounts[uid]?.open !== true),
  )
  return Object.entries(bookings).flatMap(([id, booking]) =>
    [booking.customer, booking.driver]
      .filter((uid) => uid !== undefined && cleared.has(uid) && !isAnonymized(booking, uid))
      .map((uid) => `bookings/${id} has personal data of the deleted account ${uid}`),
  )
}

/** Checks that notes and questions went with the account of the customer. */
export const findLeftTexts = ({
  bookings,
  booking_notes: notes = {},
  'internal/help_cases': cases = {},
}: WordsTree): string[] => {
  const isLeft = (id: string) => {
    const booking = bookings[id]
    return !booking || isAnonymized(booking, booking.customer)
  }
  return [
    ...Object.keys(notes)
      .filter(isLeft)
      .map((id) => `booking_notes/${id} outlives the account`),
    ...Object.keys(cases)
      .filter(isLeft)
      .map((id) => `internal/help_cases/${id} outlives the account`),
  ]
}
