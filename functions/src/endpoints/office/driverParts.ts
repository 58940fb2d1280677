import { dbPaths } from '~/domain/data/databasePaths'
import { listConsiderations } from '~/domain/dispatch/matching/considerations'
import { explainAbsence, type DriverPart } from '~/domain/dispatch/matching/missedOffers'
import { listDecisions, readDecision } from '../../services/dispatch/decisionRecords'
import { fail } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { type DatabasePort, readUser } from '../../ports/database'
import type { Booking } from '~/domain/booking/types'
import type { Offer } from '~/domain/dispatch/types'
import type { User } from '~/domain/accounts/types'

/** Number of a booking's last offers that are explained. */
const MAX_OFFERS = 20
/** Number of a driver's last bookings among which a trip at the time of an offer is found. */
const MAX_TRIPS = 50

/** Explains why a driver did or did not get the offers of bookings. */
export const driver_parts = defineUserEndpoint({
  name: 'driver_parts',
  summary:
    "Explains which decisions considered a driver, and why they or another driver got the offer. With `booking_id`, explains the last 20 offers of that booking, newest first, also when the driver was not considered. Otherwise searches 250 decisions at or before `before`, newest first; `next` is the following page's `before`, and a page may be empty.",
  allow: ['admin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found'],
  async handle({ driver, booking_id, before }, { db, now }) {
    if (booking_id !== undefined)
      return { rows: await explainBooking(db, booking_id, driver), next: null }
    const { decisions, next } = await listDecisions(db, before ?? now)
    const rows = decisions.flatMap(({ input, booking, offer }) =>
      listConsiderations(input, driver, booking).map((part): DriverPart => ({
        ...part,
        ...(offer !== undefined && { offer }),
      })),
    )
    return { rows, next }
  },
})

const explainBooking = async (
  db: DatabasePort,
  id: string,
  driver: string,
): Promise<DriverPart[]> => {
  const [stored, user, offers, trips] = await Promise.all([
    db.read<Booking>(dbPaths.booking(id)),
    readUser<User>(db, driver),
    db.list<Offer>(dbPaths.offers(id), { by: '$key', last: MAX_OFFERS }),
    db.list<Booking>('bookings', { by: 'driver', equalTo: driver, last: MAX_TRIPS }),
  ])
  if (!stored) return fail('not_found', 'booking_id')
  if (user?.usertype !== 'driver') return fail('not_found', 'driver')
  const booking = { ...stored, id }
  const own = trips.map(([key, trip]) => ({ ...trip, id: key }))
  const rows = await Promise.all(
    offers.map(async ([offer, { driver: askedDriver, at, eta_s, answer }]): Promise<DriverPart> => {
      const decision = await readDecision(db, id, offer)
      const input = decision?.input
      const [part] = input ? listConsiderations(input, driver, id) : []
      const common = { offer, at, ...(answer && { answer }) }
      if (part) return { ...part, ...common }
      const chosenDriver = { driver: askedDriver, eta_s }
      const none = {
        booking: id,
        ...common,
        eta_s: null,
        cost: null,
        total: null,
        chosen: chosenDriver,
      }
      if (askedDriver === driver) return { ...none, outcome: 'offered', eta_s }
      const record = decision?.record ?? null
      return { ...none, ...explainAbsence(at, { booking, user, record, trips: own }) }
    }),
  )
  return rows.sort((a, b) => Number(b.offer) - Number(a.offer))
}
