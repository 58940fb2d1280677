import { getOfferMs } from '../../dispatch/dispatch'
import { dbPaths } from '../../data/databasePaths'
import { toJson, type DatabaseValue } from '../../data/databaseValue'
import { addToDriverMonth } from '../../dispatch/matching/driverMonth'
import { formatMonth } from '../../language/zonedTime'
import { type Draft } from '../changeDraft'
import type { OpenOffers } from '../eventContext'
import type { TransitionArgs } from '../eventArgs'
import type { Offer, OfferAnswer } from '../../dispatch/types'
import type { Settings } from '../../catalog/types'

/** Returns the paths that add the answer to one offer. */
export const answerOffer = (
  booking: string,
  offer: string,
  outcome: OfferAnswer,
  now: number,
): Record<string, DatabaseValue> => ({
  [`${dbPaths.offer(booking, offer)}/answer`]: outcome,
  [`${dbPaths.offer(booking, offer)}/answeredAt`]: now,
})

/**
 * Adds an answer to each open offer of the booking for which `toAnswer` returns one. A request from
 * before offers were stored has no offer and gets none.
 */
export const answerOpenOffers = (
  draft: Draft,
  { booking, context, now }: TransitionArgs<'offers'>,
  toAnswer: (driver: string) => OfferAnswer | undefined,
) => {
  for (const [offer, { driver, at }] of Object.entries(context.offers.open)) {
    const outcome = toAnswer(driver)
    if (outcome === undefined) continue
    if (outcome !== 'withdrawn') countOffer(draft, { driver, at }, outcome, context.settings)
    for (const [path, value] of Object.entries(answerOffer(booking.id, offer, outcome, now)))
      draft.set(path, value)
  }
}

/** Counts an offer, or its answer, in the month in which the offer was made. */
const countOffer = (
  draft: Draft,
  { driver, at }: Pick<Offer, 'driver' | 'at'>,
  field: 'offers' | Exclude<OfferAnswer, 'withdrawn'>,
  { timezone }: Pick<Settings, 'timezone'>,
) => {
  const counted = addToDriverMonth(driver, formatMonth(at, timezone), { [field]: 1 })
  for (const [path, value] of Object.entries(counted)) draft.set(path, value)
}

/** Adds the offers of a request to drivers, in order, after those the booking already has. */
export const addOffers = (
  draft: Draft,
  { booking, actor, context, now }: TransitionArgs<'offers'>,
  drivers: readonly Pick<Offer, 'driver' | 'eta_s' | 'rank' | 'cost'>[],
) => {
  for (const [i, driver] of drivers.entries()) {
    const offer: Offer = {
      ...driver,
      at: now,
      expires: now + getOfferMs(context.settings),
      by: actor.role === 'admin' ? 'admin' : 'system',
    }
    draft.set(dbPaths.offer(booking.id, `${context.offers.next + i}`), toJson(offer))
    countOffer(draft, offer, 'offers', context.settings)
  }
}

/** Returns the open offers of a booking and the number of its next one. */
export const toOpenOffers = (
  open: readonly (readonly [string, Offer])[],
  lastKey: string | undefined,
): OpenOffers => ({
  open: Object.fromEntries(open.filter(([, { answer }]) => answer === undefined)),
  next: lastKey === undefined ? 0 : Number(lastKey) + 1,
})
