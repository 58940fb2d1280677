import { domainError, type DomainError } from '../api/errors'
import { floorToFareStep, roundToFareStep, type StepSettings } from '../payments/fareStep'
import { getPortion, roundAmount, toMinorUnits } from './money'
import { err, ok, type Result } from '../api/result'
import type { Promo } from '../catalog/types'

/**
 * Returns the discount of a promo on a trip cost, limited by its maximum (0: none) and by the cost.
 * It is on the step of fares, so that a card or cash can pay the rest.
 */
const calculateDiscount = (promo: Promo, tripCost: number, settings: StepSettings): number => {
  const portion = roundToFareStep(
    getPortion(tripCost, {
      type: promo.promo_discount_type,
      value: promo.promo_discount_value,
    }),
    settings,
  )
  const most =
    promo.max_promo_discount_value > 0
      ? floorToFareStep(promo.max_promo_discount_value, settings)
      : portion
  return roundAmount(Math.max(0, Math.min(portion, most, tripCost)), settings.decimal)
}

/** Returns the discount of a promo on a trip cost, or promo_min_order when the cost is too low. */
export const quoteDiscount = (
  promo: Promo,
  tripCost: number,
  settings: StepSettings,
): Result<number, DomainError> =>
  toMinorUnits(tripCost, settings.decimal) < toMinorUnits(promo.min_order, settings.decimal)
    ? err(domainError('promo_min_order', 'promo', { min_order: promo.min_order }))
    : ok(calculateDiscount(promo, tripCost, settings))

/**
 * Returns the discount of a promo on a trip cost, or the refusal: promo_invalid, promo_expired,
 * promo_min_order, promo_already_used (once per rider), promo_used_up (its limit).
 */
export const redeemPromo = (
  promo: Promo | null,
  {
    tripCost,
    usedBefore,
    now,
    settings,
  }: { tripCost: number; usedBefore: boolean; now: number; settings: StepSettings },
): Result<{ promo: Promo; discount: number }, DomainError> => {
  if (!promo) return err(domainError('promo_invalid', 'promo'))
  if (now > promo.promo_validity) return err(domainError('promo_expired', 'promo'))
  const discount = quoteDiscount(promo, tripCost, settings)
  if (!discount.ok) return discount
  if (usedBefore) return err(domainError('promo_already_used', 'promo'))
  if ((promo.user_avail ?? 0) >= promo.promo_usage_limit)
    return err(domainError('promo_used_up', 'promo'))
  return ok({ promo, discount: discount.value })
}
