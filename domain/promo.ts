import type { Promo } from './entities'
import { refusal, type Refusal } from './errors'
import { portion, round, toMinor } from './money'
import { err, ok, type Result } from './result'

/** What a promo takes off a trip cost: capped by its maximum (0: none) and by the cost itself. */
const discountOf = (promo: Promo, tripCost: number, decimal: number): number => {
  const asked = portion(
    tripCost,
    { type: promo.promo_discount_type, value: promo.promo_discount_value },
    decimal,
  )
  const most = promo.max_promo_discount_value > 0 ? promo.max_promo_discount_value : asked
  return round(Math.max(0, Math.min(asked, most, tripCost)), decimal)
}

/**
 * The discount a promo gives on a trip cost, or why not: promo_invalid, promo_expired, promo_min_order,
 * promo_already_used (once per rider), promo_used_up (its limit).
 */
export const redeem = (
  promo: Promo | null,
  {
    tripCost,
    usedBefore,
    now,
    decimal,
  }: { tripCost: number; usedBefore: boolean; now: number; decimal: number },
): Result<{ promo: Promo; discount: number }, Refusal> => {
  if (!promo) return err(refusal('promo_invalid', 'promo'))
  if (now > promo.promo_validity) return err(refusal('promo_expired', 'promo'))
  if (toMinor(tripCost, decimal) < toMinor(promo.min_order, decimal))
    return err(refusal('promo_min_order', 'promo', { min_order: promo.min_order }))
  if (usedBefore) return err(refusal('promo_already_used', 'promo'))
  if ((promo.user_avail ?? 0) >= promo.promo_usage_limit)
    return err(refusal('promo_used_up', 'promo'))
  return ok({ promo, discount: discountOf(promo, tripCost, decimal) })
}
