import { combineSteps, isMultipleOf } from './fareStep'
import { fromMinorUnits, MAX_DECIMALS, toMinorUnits } from '../money/money'
import type { ChargeLimits } from './types'

/** Returns true when a provider with these limits can charge the amount, in the same currency. */
export const isChargeable = (amount: number, { step, minimum }: ChargeLimits): boolean =>
  amount > 0 &&
  isMultipleOf(amount, step) &&
  toMinorUnits(amount, MAX_DECIMALS) >= toMinorUnits(minimum, MAX_DECIMALS)

/**
 * Returns the nearest amounts below and above that one of the providers can charge, in ascending
 * order; the one below is missing when the amount is below every minimum.
 */
export const findNearestCharges = (amount: number, limits: readonly ChargeLimits[]): number[] => {
  const size = toMinorUnits(amount, MAX_DECIMALS)
  const nearest = limits.map((each) => {
    const stepSize = toMinorUnits(each.step, MAX_DECIMALS)
    const least = Math.max(1, Math.ceil(toMinorUnits(each.minimum, MAX_DECIMALS) / stepSize))
    const below = Math.floor(size / stepSize)
    return {
      below: below < least ? 0 : below * stepSize,
      above: Math.max(least, Math.ceil(size / stepSize)) * stepSize,
    }
  })
  if (nearest.length === 0) return []
  const below = Math.max(...nearest.map((each) => each.below))
  const above = Math.min(...nearest.map((each) => each.above))
  return [...new Set([below, above])]
    .filter((units) => units > 0)
    .map((units) => fromMinorUnits(units, MAX_DECIMALS))
}

/** Returns the step that all providers can charge, or null when they take every amount. */
export const combineChargeSteps = (
  limits: readonly ChargeLimits[],
  currencyStep: number,
): number | null => {
  const commonStep = combineSteps(limits.map((each) => each.step))
  return limits.length > 0 && commonStep > currencyStep ? commonStep : null
}
