import { dbPaths } from '~/domain/data/databasePaths'
import { explainOffer } from '~/domain/dispatch/matching/explainOffer'
import { fail } from '../../domainException'
import { defineUserEndpoint } from '../../http/endpointTypes'
import { readDecision } from '../../services/dispatch/decisionRecords'
import type { DatabasePort } from '../../ports/database'
import type { UserRequestContext } from '../../ports/requestContext'
import type { Offer } from '~/domain/dispatch/types'

/** Number of a booking's last offers among which a driver's latest one is found. */
const MAX_OFFERS = 50

/** Explains why an offer went to its driver. */
export const explain_offer = defineUserEndpoint({
  name: 'explain_offer',
  summary:
    'Explains an offer by deciding again from its recorded inputs. `explanation` is null after 90 days, and for offers to several drivers at once. Admins see all drivers who could be asked, with their time to the pickup, cost and income above the mean; drivers see themselves, and fleet admins the driver of their fleet.',
  allow: ['admin', 'driver', 'fleetadmin'],
  limit: 120,
  spends: [],
  needsFreshSignIn: false,
  errors: ['not_found', 'not_allowed'],
  async handle({ booking_id, offer: n }, { actor, db }) {
    const offerEntry = await findOffer(db, booking_id, n, actor.uid)
    if (!offerEntry) return fail('not_found', n === undefined ? 'booking_id' : 'offer')
    const [key, { driver }] = offerEntry
    if (!(await mayRead(db, actor, driver))) return fail('not_allowed')
    const decision = await readDecision(db, booking_id, key)
    const explained = decision?.input && explainOffer(decision.input, booking_id)
    if (!explained) return { explanation: null }
    const total = explained.drivers.length
    const drivers =
      actor.role === 'admin'
        ? explained.drivers
        : explained.drivers.filter((one) => one.driver === driver)
    return { explanation: { ...explained, total, drivers } }
  },
})

const findOffer = async (
  db: DatabasePort,
  booking: string,
  n: string | undefined,
  caller: string,
): Promise<[string, Offer] | undefined> => {
  if (n !== undefined) {
    const offer = await db.read<Offer>(dbPaths.offer(booking, n))
    return offer ? [n, offer] : undefined
  }
  const offers = await db.list<Offer>(dbPaths.offers(booking), { by: '$key', last: MAX_OFFERS })
  return offers.filter(([, { driver }]) => driver === caller).at(-1)
}

const mayRead = async (
  db: DatabasePort,
  { uid, role }: UserRequestContext['actor'],
  driver: string,
): Promise<boolean> => {
  if (role === 'admin' || driver === uid) return true
  return (await db.read<string>(`${dbPaths.user(driver)}/fleetadmin`)) === uid
}
