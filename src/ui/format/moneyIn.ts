import { useCallback } from 'react'
import { getDecimals } from '~/domain/payments/currencyUnits'
import { useFormat } from './format'

/**
 * Returns a function that formats an amount in a currency, by its ISO 4217 code. A currency other
 * than the platform's shows its code, because the symbol would be wrong.
 */
export const useFormatMoneyIn = (platformCurrency: string | undefined) => {
  const format = useFormat()
  return useCallback(
    (amount: number, currency: string | undefined) =>
      currency === undefined || currency === platformCurrency
        ? format.money(amount)
        : format.moneyWith({
            symbol: currency,
            symbolAfter: true,
            decimal: getDecimals(currency),
          })(amount),
    [format, platformCurrency],
  )
}
