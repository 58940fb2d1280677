import { bookingText, hasWords } from '~/domain/booking/search/bookingSearch'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { asParty } from './exportBookings'
import type { Booking } from '~/domain/booking/types'

/** Maximum number of bookings that one call searches. */
const PAGE = 200

/** Searches the caller's own bookings, one page per call. */
export const find_bookings = defineUserEndpoint({
  name: 'find_bookings',
  summary:
    "Returns the caller's own bookings that have all `words` in their id, places, names, vehicle or number plate. A call searches 200 of them, oldest first, and returns how many it searched; `cursor` is the last response's `next`.",
  allow: ['rider', 'driver'],
  limit: 240,
  spends: [],
  needsFreshSignIn: false,
  errors: [],
  async handle({ words, cursor }, { actor, db }) {
    const page = await db.list<Booking>('bookings', {
      ...asParty(actor),
      ...(cursor !== undefined && { afterKey: cursor }),
      first: PAGE,
    })
    return {
      rows: page
        .map(([, booking]) => booking)
        .filter((booking) => hasWords(bookingText(booking), words)),
      looked: page.length,
      next: page.length < PAGE ? null : (page.at(-1)?.[0] ?? null),
    }
  },
})
