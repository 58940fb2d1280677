import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { quoteFare } from './fare'
import { getFareStep, isMultipleOf } from '../payments/fareStep'
import { roundAmount, sumAmounts } from './money'
import { aVehicleType } from '../testing/builders'

const settings = { convert_to_mile: false, code: 'USD', decimal: 2 }
const carType = aVehicleType({
  base_fare: 0,
  rate_per_unit_distance: 2,
  rate_per_hour: 30,
  min_fare: 0,
  convenience_fees: 0,
  convenience_fee_type: 'flat',
})
const of = (car: Partial<typeof carType>, rest: object = {}) =>
  quoteFare({ carType: { ...carType, ...car }, distanceKm: 10, seconds: 1800, settings, ...rest })

describe('the fare of a trip', () => {
  test.each([
    ['charges distance and hours', {}, {}, 35, 0, 35],
    ['adds a base fare above 0', { base_fare: 4.5 }, {}, 39.5, 0, 39.5],
    ['ignores a base fare below 0', { base_fare: -4 }, {}, 35, 0, 35],
    ['charges at least the minimum fare', { min_fare: 50 }, {}, 50, 0, 50],
    ['ignores a minimum fare below the total', { min_fare: 34.99 }, {}, 35, 0, 35],
    [
      'adds the amounts of the parcel type and the option',
      {},
      { parcelType: { description: '', amount: 3 }, option: { description: '', amount: 1.25 } },
      39.25,
      0,
      39.25,
    ],
    [
      'includes extras in the minimum fare',
      { min_fare: 50 },
      { option: { description: '', amount: 5 } },
      50,
      0,
      50,
    ],
    ['adds a flat convenience fee', { convenience_fees: 7 }, {}, 35, 7, 42],
    [
      'adds a percentage of the total as the convenience fee',
      { convenience_fees: 12.5, convenience_fee_type: 'percentage' },
      {},
      35,
      4.38,
      39.38,
    ],
    [
      'adds a percentage of the minimum fare as the convenience fee',
      { min_fare: 50, convenience_fees: 10, convenience_fee_type: 'percentage' },
      {},
      50,
      5,
      55,
    ],
    [
      'rounds to whole units in a currency without decimals',
      { convenience_fees: 10, convenience_fee_type: 'percentage' },
      { settings: { ...settings, code: 'JPY', decimal: 0 } },
      35,
      4,
      39,
    ],
    [
      'rounds to three decimals in a currency with three decimals',
      { rate_per_unit_distance: 0.12345 },
      { settings: { ...settings, code: 'KWD', decimal: 3 } },
      16.235,
      0,
      16.235,
    ],
    ['charges nothing for no distance and no time', {}, { distanceKm: 0, seconds: 0 }, 0, 0, 0],
  ] as const)('%s', (_, car, rest, total, fee, grand) => {
    const priced = of(car, rest)
    expect([priced.total, priced.convenience_fees, priced.estimateFare]).toEqual([
      total,
      fee,
      grand,
    ])
    expect(priced.driver_share).toBe(total)
  })

  test('converts a mile as 1.609344 km, and applies the rate per mile', () => {
    const priced = of(
      { rate_per_hour: 0 },
      { distanceKm: 16.09344, settings: { ...settings, convert_to_mile: true } },
    )
    expect(priced.distance).toBeCloseTo(10, 12)
    expect(priced.total).toBe(20)
  })
})

/** Generates amounts from 0 to `most` parts, `parts` of which are a whole unit. */
const amounts = (most: number, parts: number) =>
  fc.integer({ min: 0, max: most }).map((amount) => amount / parts)

test('splits the fare into driver share and convenience fee, and the lines add up at any rate', () => {
  const trips = fc.record({
    carType: fc.record({
      base_fare: amounts(999, 100),
      rate_per_unit_distance: amounts(9999, 1000),
      rate_per_hour: amounts(99999, 1000),
      min_fare: amounts(4000, 100),
      convenience_fees: amounts(3000, 100),
      convenience_fee_type: fc.constantFrom('flat', 'percentage'),
    }),
    distanceKm: amounts(100000, 997),
    seconds: fc.nat(9000),
    settings: fc.record({
      code: fc.constantFrom('JPY', 'USD', 'KWD', 'CHF', 'HUF', 'COP'),
      decimal: fc.constantFrom(0, 2, 3),
      providerStep: fc.constantFrom(0, 0.01, 1),
      fareStep: fc.constantFrom(0.01, 0.25, 1, 50),
      convert_to_mile: fc.boolean(),
    }),
    parcelType: fc.option(
      fc.record({ description: fc.constant(''), amount: amounts(9999, 1000) }),
      { nil: undefined, freq: 2 },
    ),
  })
  const addsUp = fc.property(trips, (trip) => {
    const { settings } = trip
    const { decimal } = settings
    const priced = quoteFare(trip)
    expect(
      sumAmounts(
        priced.lines.map(({ amount }) => amount),
        decimal,
      ),
    ).toBe(priced.estimateFare)
    expect(sumAmounts([priced.driver_share, priced.convenience_fees], decimal)).toBe(
      priced.estimateFare,
    )
    expect(priced.lines.every(({ amount }) => amount > 0)).toBe(true)
    expect(priced.lines.every(({ amount }) => isMultipleOf(amount, getFareStep(settings)))).toBe(
      true,
    )
    expect(priced.total).toBeGreaterThanOrEqual(roundAmount(trip.carType.min_fare, decimal))
  })
  fc.assert(addsUp, { seed: 7, numRuns: 5000 })
})

test('lists the parts of the fare in its lines', () => {
  expect(of({ base_fare: 1, min_fare: 40, convenience_fees: 2 }).lines).toEqual([
    { label: 'fare_distance', amount: 20 },
    { label: 'fare_time', amount: 15 },
    { label: 'fare_base', amount: 1 },
    { label: 'fare_minimum', amount: 4 },
    { label: 'fare_convenience', amount: 2 },
  ])
})
