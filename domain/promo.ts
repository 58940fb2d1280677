import type { Promo } from './entities'
import { domainError, type DomainError } from './errors'
import { calculatePortion, roundAmount, toMinorUnits } from './money'
import { err, ok, type Result } from './result'

/**
 * Returns the discount of a promo on a trip cost, limited by its maximum (0: none) and by the cost.
 */
const calculateDiscount = (promo: Promo, tripCost: number, decimal: number): number => {
  const portion = calculatePortion(
    tripCost,
    { type: promo.promo_discount_type, value: promo.promo_discount_value },
    decimal,
  )
  const most = promo.max_promo_discount_value > 0 ? promo.max_promo_discount_value : portion
  return roundAmount(Math.max(0, Math.min(portion, most, tripCost)), decimal)
}

/** Returns the discount of a promo on a trip cost, or promo_min_order when the cost is too low. */
export const quoteDiscount = (
  promo: Promo,
  tripCost: number,
  decimal: number,
): Result<number, DomainError> =>
  toMinorUnits(tripCost, decimal) < toMinorUnits(promo.min_order, decimal)
    ? err(domainError('promo_min_order', 'promo', { min_order: promo.min_order }))
    : ok(calculateDiscount(promo, tripCost, decimal))

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
    decimal,
  }: { tripCost: number; usedBefore: boolean; now: number; decimal: number },
): Result<{ promo: Promo; discount: number }, DomainError> => {
  if (!promo) return err(domainError('promo_invalid', 'promo'))
  if (now > promo.promo_validity) return err(domainError('promo_expired', 'promo'))
  const discount = quoteDiscount(promo, tripCost, decimal)
  if (!discount.ok) return discount
  if (usedBefore) return err(domainError('promo_already_used', 'promo'))
  if ((promo.user_avail ?? 0) >= promo.promo_usage_limit)
    return err(domainError('promo_used_up', 'promo'))
  return ok({ promo, discount: discount.value })
}
