const MOST = 1e9
/** Digits with a decimal point: a comma separates the amounts. */
const AMOUNT = /^\d{1,10}(?:\.(\d+))?$/

const toEntries = (text: string) => text.split(',').map((entry) => entry.trim())

const isOffer = (entry: string, decimal: number): boolean => {
  const [whole, fraction = ''] = AMOUNT.exec(entry) ?? []
  const amount = Number(whole)
  return amount > 0 && amount <= MOST && fraction.length <= decimal
}

/** Returns whether the text is empty, or amounts above zero with at most `decimal` decimals. */
export const areOffers = (text: string, decimal: number): boolean =>
  text.trim() === '' || toEntries(text).every((entry) => isOffer(entry, decimal))

/**
 * Returns the amounts that `walletMoneyField` offers, each once and in its order. Leaves out
 * entries that are not valid amounts of the currency, which may have changed since they were saved.
 */
export const offeredAmounts = (text: string | undefined, decimal: number): number[] => [
  ...new Set(
    toEntries(text ?? '')
      .filter((entry) => isOffer(entry, decimal))
      .map(Number),
  ),
]
