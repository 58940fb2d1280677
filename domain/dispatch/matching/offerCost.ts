import type { Seconds } from '../../language/units'

/** A sum of money in minor units and the seconds on duty in which it was earned. */
export interface Earnings {
  income: number
  active_s: Seconds
}

/** A driver's first hour counts partly as earned at the mean, because one trip says little. */
const PRIOR_SECONDS = 3600

/**
 * Returns a driver's income per active hour as a share above the fleet's mean: 0.2 is 20 % above,
 * at least -1 and at most 1. Returns 0 while the fleet has no income.
 */
export const getIncomeAboveMean = (driver: Earnings | undefined, fleet: Earnings): number => {
  if (!driver || fleet.income <= 0 || fleet.active_s <= 0) return 0
  const mean = fleet.income / fleet.active_s
  const own = (driver.income + mean * PRIOR_SECONDS) / (driver.active_s + PRIOR_SECONDS)
  return Math.max(-1, Math.min(1, own / mean - 1))
}

/**
 * Returns the cost in seconds of asking a driver: the time to the pickup, and `weight` seconds for
 * each 100 % of income per active hour above the fleet's mean.
 */
export const getOfferCost = (
  eta_s: Seconds,
  driver: Earnings | undefined,
  fleet: Earnings,
  weight: number,
): number => eta_s + Math.round(weight * getIncomeAboveMean(driver, fleet))
