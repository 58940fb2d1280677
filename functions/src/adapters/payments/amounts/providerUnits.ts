import { getDecimals, rescaleUnits } from '~/domain/payments/currencyUnits'
import { ProviderRejectedError, type ChargeRules } from '../../../ports/paymentAdapter'
import type { MinorUnits } from '~/domain/language/units'

/**
 * Returns an amount in the units that a provider takes, with their decimals: none for a currency
 * that is charged in whole units. Throws when the amount cannot be written in them.
 */
export const toProviderUnits = (
  provider: string,
  rules: ChargeRules,
  minor: MinorUnits,
  currency: string,
): { units: number; places: number } => {
  const places = rules[currency]?.step === 1 ? 0 : getDecimals(currency)
  const units = rescaleUnits(minor, getDecimals(currency), places)
  if (units === null)
    throw new ProviderRejectedError(
      `${provider} accepts no decimals for this currency. Use a whole amount.`,
    )
  return { units, places }
}
