import { sumAmounts } from './money'
import type { MoneyTotals } from './types'

/**
 * Returns what went back to cards after the payment, by refunds and chargebacks: the part of the
 * price that the customers have not paid in the end.
 */
export const getRefunds = (
  { tripCost = 0, discountAmount = 0, customerPaid = 0 }: MoneyTotals,
  decimal: number,
): number => sumAmounts([tripCost, -discountAmount, -customerPaid], decimal)

/** Returns what complaints gave to riders. */
export const getRiderCompensation = (
  { compensation = 0, driverCompensation = 0 }: MoneyTotals,
  decimal: number,
): number => sumAmounts([compensation, -driverCompensation], decimal)

/** Returns what compensation and refunds have cost the platform. */
export const getComplaintCosts = (totals: MoneyTotals, decimal: number): number =>
  sumAmounts([totals.compensation ?? 0, getRefunds(totals, decimal)], decimal)

/** Returns the fees less the discounts and what compensation and refunds have cost. */
export const getProfit = (totals: MoneyTotals, decimal: number): number => {
  const { convenienceFee = 0, cancellationFee = 0, discountAmount = 0 } = totals
  return sumAmounts(
    [convenienceFee, cancellationFee, -discountAmount, -getComplaintCosts(totals, decimal)],
    decimal,
  )
}

/**
 * Returns what customers have paid less what drivers have got. Equals the profit, because refunds
 * lower both.
 */
export const getAdminEarnings = (totals: MoneyTotals, decimal: number): number => {
  const { customerPaid = 0, cancellationFee = 0, driverShare = 0, compensation = 0 } = totals
  return sumAmounts([customerPaid, cancellationFee, -driverShare, -compensation], decimal)
}

/** Returns the fares with the cancellation fees. */
export const getGrossTripCost = (
  { tripCost = 0, cancellationFee = 0 }: MoneyTotals,
  decimal: number,
): number => sumAmounts([tripCost, cancellationFee], decimal)
