import { createHmac } from 'node:crypto'
import { encodeTime, PUSH_KEY_ALPHABET } from '~/domain/data/pushKeys'
import type { BookedOccurrence } from '~/domain/recurring/series'
import { DAY_MS } from '~/domain/language/timeUnits'
import { getSalt, type Config } from '../../config'

/** Characters of a push key after its time. */
const TAIL_LENGTH = 12

/** Returns the beginning of a push key from two days before the date, which no zone has ahead. */
const encodeDay = (date: string): string => encodeTime(Date.parse(`${date}T00:00Z`) - 2 * DAY_MS)

/**
 * Returns the id of the booking of an occurrence, in the form of a push key. The same occurrence
 * always has the same id, so it is booked once however often the job runs. Only the salt makes
 * the id foreseeable. A stranger who foresaw it would create a booking under it first, and the
 * customer's own booking would be refused.
 */
export const getOccurrenceBookingId = (
  config: Pick<Config, 'salt'>,
  customer: string,
  { series, date, leg }: BookedOccurrence,
): string => {
  const hash = createHmac('sha256', getSalt(config))
    .update(`occurrence:${customer}/${series}/${date}/${leg}`)
    .digest()
  const tail = Array.from(hash.subarray(0, TAIL_LENGTH), (byte) =>
    PUSH_KEY_ALPHABET.charAt(byte % PUSH_KEY_ALPHABET.length),
  )
  return encodeDay(date) + tail.join('')
}
