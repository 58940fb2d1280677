import type { Booking } from './types'

type WordsSource = Partial<Pick<Booking, 'event_log' | 'words'>>

/** Returns why an event happened: its actor's words, or else a key of COMPLAINT_REASONS. */
export const getEventReason = (
  { event_log = {}, words = {} }: WordsSource,
  key: string,
): string | undefined => words[key] ?? event_log[key]?.reason

/**
 * Returns the words to store with a booking that has ended: none once the account of a party is
 * deleted, because nothing would remove them.
 */
export const keepWords = (
  { driver }: Pick<Booking, 'driver'>,
  parties: { customer: object | null; driver: object | null | undefined },
  text: string | undefined,
): string | undefined => {
  const isLeft = parties.customer === null || (driver !== undefined && parties.driver === null)
  return isLeft || text === '' ? undefined : text
}

/** Returns the key of the words of a refund that is not settled yet. */
export const toOpenRefundKey = (payment: string, refund: string): string => `${payment}_${refund}`
