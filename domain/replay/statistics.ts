/** A mean over runs and its standard error; the error of a single run is unknown and NaN. */
export interface Estimate {
  mean: number
  error: number
}

/** Returns the mean and its standard error. */
export const estimateMean = (values: readonly number[]): Estimate => {
  const n = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, error: n > 1 ? Math.sqrt(squares / (n - 1) / n) : Number.NaN }
}

/**
 * Returns the mean difference of pairs and its standard error. Pairs share their demand, so the
 * error is much smaller than that of two separate means.
 */
export const estimateDifference = (values: readonly number[], base: readonly number[]): Estimate =>
  estimateMean(values.map((value, i) => value - (base[i] ?? Number.NaN)))

/** Returns the value below which a share (0–1) of the numbers lies; NaN without numbers. */
export const getQuantile = (numbers: readonly number[], share: number): number => {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/**
 * Returns the Gini coefficient of amounts: 0 when all are equal, near 1 when one person has
 * everything. 0 without amounts or with a sum of 0.
 */
export const getGini = (amounts: readonly number[]): number => {
  const sorted = [...amounts].sort((a, b) => a - b)
  const n = sorted.length
  const sum = sorted.reduce((total, amount) => total + amount, 0)
  if (n === 0 || sum <= 0) return 0
  const weighted = sorted.reduce((total, amount, i) => total + (i + 1) * amount, 0)
  return (2 * weighted) / (n * sum) - (n + 1) / n
}
