import { describe, expect, it } from 'vitest'
import { estimateDifference, estimateMean, getGini, getQuantile } from './statistics'

describe('statistics of a replay', () => {
  it('estimates a mean with its standard error', () => {
    const { mean, error } = estimateMean([2, 4, 6])
    expect(mean).toBe(4)
    // The standard deviation is 2.
    expect(error).toBeCloseTo(2 / Math.sqrt(3), 12)
    expect(estimateMean([5])).toEqual({ mean: 5, error: Number.NaN })
  })

  it('pairs values of one seed, so that what they share cancels out', () => {
    expect(estimateDifference([101, 202, 303], [100, 201, 302])).toEqual({ mean: 1, error: 0 })
  })

  it('measures inequality from 0 for equal incomes to nearly 1 for a single one', () => {
    expect(getGini([7, 7, 7])).toBeCloseTo(0, 12)
    expect(getGini([0, 0, 0, 8])).toBeCloseTo(0.75, 12)
    expect(getGini([1, 3])).toBeCloseTo(0.25, 12)
    expect(getGini([])).toBe(0)
    expect(getGini([0, 0])).toBe(0)
  })

  it('finds quantiles in any order', () => {
    expect(getQuantile([5, 1, 4, 2, 3], 0.5)).toBe(3)
    expect(getQuantile([5, 1, 4, 2, 3], 1)).toBe(5)
    expect(getQuantile([], 0.5)).toBeNaN()
  })
})
