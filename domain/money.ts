/**
 * Money is stored as numbers rounded to `settings.decimal`; every sum and every rounding happens in
 * whole minor units (cents), so nothing drifts. The rounding rule, half away from zero, is here only.
 */

/** 14 digits undo the last bits a multiplication leaves behind, so 1.15 × 3 is 3.45 and rounds up. */
const cleaned = (amount: number): number => Number(amount.toPrecision(14))

/** The amount in whole minor units, half away from zero. */
export const toMinor = (amount: number, decimal: number): number => {
  const size = cleaned(Math.abs(amount))
  const shifted = Number(`${size}e${decimal}`)
  // A size that prints as 1e-7 can't be shifted by text; multiplying is exact enough that far down.
  const units = Math.round(Number.isNaN(shifted) ? size * 10 ** decimal : shifted)
  return amount < 0 && units !== 0 ? -units : units
}

/** The amount that so many minor units are. */
export const fromMinor = (minor: number, decimal: number): number => minor / 10 ** decimal

/** The amount rounded to `decimal` places, half away from zero. */
export const round = (amount: number, decimal: number): number =>
  fromMinor(toMinor(amount, decimal), decimal)

/** The sum without float drift, rounded to `decimal` places. */
export const sum = (amounts: readonly number[], decimal: number): number =>
  fromMinor(
    amounts.reduce((total, amount) => total + toMinor(amount, decimal), 0),
    decimal,
  )

/** The difference without float drift, rounded to `decimal` places. */
export const minus = (amount: number, taken: number, decimal: number): number =>
  fromMinor(toMinor(amount, decimal) - toMinor(taken, decimal), decimal)

/** A flat amount as it is, or so many per cent of `base`; rounded to `decimal` places. */
export const portion = (
  base: number,
  { type, value }: { type: 'flat' | 'percentage'; value: number },
  decimal: number,
): number => round(type === 'flat' ? value : (base * value) / 100, decimal)

/**
 * Splits `total` minor units over exact amounts by the largest remainder, so that the rounded lines
 * add up to the rounded total. The exact amounts must add up to the total before rounding.
 */
export const allocate = (exact: readonly number[], total: number, decimal: number): number[] => {
  const scaled = exact.map((amount) => cleaned(amount * 10 ** decimal))
  const units = scaled.map(Math.floor)
  const left = total - units.reduce((a, b) => a + b, 0)
  const byRemainder = scaled
    .map((amount, index) => ({ index, rest: amount - Math.floor(amount) }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index)
  for (const { index } of byRemainder.slice(0, Math.max(0, left))) units[index]! += 1
  return units
}
