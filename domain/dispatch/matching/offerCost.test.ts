import { expect, it } from 'vitest'
import { getIncomeAboveMean, getOfferCost } from './offerCost'

const fleet = { income: 100_000, active_s: 100 * 3600 }

it('adds seconds for income above the mean and takes them away below it', () => {
  const rich = { income: 30_000, active_s: 9 * 3600 }
  const poor = { income: 0, active_s: 9 * 3600 }
  expect(getIncomeAboveMean(rich, fleet)).toBeCloseTo(1)
  expect(getIncomeAboveMean(poor, fleet)).toBeCloseTo(-0.9)
  expect(getOfferCost(240, rich, fleet, 100)).toBe(340)
  expect(getOfferCost(240, poor, fleet, 100)).toBe(150)
})

it('costs only the time without a weight, without income or without a record', () => {
  const rich = { income: 30_000, active_s: 9 * 3600 }
  expect(getOfferCost(240, rich, fleet, 0)).toBe(240)
  expect(getOfferCost(240, rich, { income: 0, active_s: 0 }, 100)).toBe(240)
  expect(getOfferCost(240, undefined, fleet, 100)).toBe(240)
})

it('trusts the income of the first hour only partly', () => {
  const afterOneTrip = { income: 1000, active_s: 600 }
  expect(getIncomeAboveMean(afterOneTrip, fleet)).toBeCloseTo(0.714, 3)
  expect(getIncomeAboveMean({ income: 0, active_s: 0 }, fleet)).toBe(0)
})

it('bounds the share at 100 %', () => {
  expect(getIncomeAboveMean({ income: 1e9, active_s: 3600 }, fleet)).toBe(1)
})
