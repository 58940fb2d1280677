import type { MinorUnits } from '../language/units'

/**
 * Amounts of money are numbers rounded to `settings.decimal`. Sums and rounding use whole minor
 * units (cents), so nothing drifts. The rounding rule, half away from zero, is only in this file.
 */

/**
 * Rounds to 14 digits, which removes the noise of a multiplication: 1.15 × 3 is 3.45 and rounds up.
 */
const removeFloatNoise = (amount: number): number => Number(amount.toPrecision(14))

/**
 * Returns the amount in whole units of `unitSize` minor units each, rounded half away from zero:
 * 13.03 with 2 decimals and units of 5 is 261.
 */
export const toUnits = (amount: number, decimal: number, unitSize: number): number => {
  const size = removeFloatNoise(Math.abs(amount))
  const shifted = Number(`${size}e${decimal}`)
  // A size that prints as 1e-7 cannot be shifted by text; multiplication is exact enough at that
  // scale.
  const units = Math.round((Number.isNaN(shifted) ? size * 10 ** decimal : shifted) / unitSize)
  return amount < 0 && units !== 0 ? -units : units
}

/** Returns the amount in whole minor units, rounded half away from zero. */
export const toMinorUnits = (amount: number, decimal: number): MinorUnits =>
  toUnits(amount, decimal, 1)

/**
 * Maximum number of decimals in the settings. Amounts of different currencies are summed with this
 * many.
 */
export const MAX_DECIMALS = 4

/**
 * Returns the amount of a number of minor units; never negative zero, which would look like debt.
 */
export const fromMinorUnits = (minor: MinorUnits, decimal: number): number =>
  minor === 0 ? 0 : minor / 10 ** decimal

/** Returns the amount rounded to `decimal` places, half away from zero. */
export const roundAmount = (amount: number, decimal: number): number =>
  fromMinorUnits(toMinorUnits(amount, decimal), decimal)

/** Returns the sum without float drift, rounded to `decimal` places. */
export const sumAmounts = (amounts: readonly number[], decimal: number): number =>
  fromMinorUnits(
    amounts.reduce((total, amount) => total + toMinorUnits(amount, decimal), 0),
    decimal,
  )

/** Returns the difference without float drift, rounded to `decimal` places. */
export const subtractAmount = (amount: number, deduction: number, decimal: number): number =>
  fromMinorUnits(toMinorUnits(amount, decimal) - toMinorUnits(deduction, decimal), decimal)

/** Returns a flat amount, or a percentage of `base`, not rounded. */
export const getPortion = (
  base: number,
  { type, value }: { type: 'flat' | 'percentage'; value: number },
): number => (type === 'flat' ? value : (base * value) / 100)

/**
 * Splits `total` units of `unitSize` minor units each by the largest remainder, so that the
 * rounded lines add up to the rounded total. The exact amounts must add up to the total before
 * rounding.
 */
export const allocateUnits = (
  exact: readonly number[],
  total: number,
  decimal: number,
  unitSize: number,
): number[] => {
  const scaled = exact.map((amount) => removeFloatNoise((amount * 10 ** decimal) / unitSize))
  const units = scaled.map(Math.floor)
  const left = total - units.reduce((a, b) => a + b, 0)
  const byRemainder = scaled
    .map((amount, index) => ({ index, rest: amount - Math.floor(amount) }))
    .sort((a, b) => b.rest - a.rest || a.index - b.index)
  for (const { index } of byRemainder.slice(0, Math.max(0, left))) units[index]! += 1
  return units
}
