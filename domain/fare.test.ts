import { describe, expect, test } from 'vitest'
import { quote } from './fare'
import { sum } from './money'
import { aCarType } from './testing/builders'
import { randomFrom } from './testing/random'

const settings = { convert_to_mile: false, decimal: 2 }
const carType = aCarType({
  base_fare: 0,
  rate_per_unit_distance: 2,
  rate_per_hour: 30,
  min_fare: 0,
  convenience_fees: 0,
  convenience_fee_type: 'flat',
})
const of = (car: Partial<typeof carType>, rest: object = {}) =>
  quote({ carType: { ...carType, ...car }, distanceKm: 10, seconds: 1800, settings, ...rest })

describe('the fare of specification 9', () => {
  test.each([
    ['distance and hours', {}, {}, 35, 0, 35],
    ['a base fare above 0', { base_fare: 4.5 }, {}, 39.5, 0, 39.5],
    ['a base fare below 0 counts nothing', { base_fare: -4 }, {}, 35, 0, 35],
    ['the minimum fare', { min_fare: 50 }, {}, 50, 0, 50],
    ['a minimum fare that is passed', { min_fare: 34.99 }, {}, 35, 0, 35],
    [
      'parcel type and option',
      {},
      { parcelType: { description: '', amount: 3 }, option: { description: '', amount: 1.25 } },
      39.25,
      0,
      39.25,
    ],
    [
      'extras below the minimum',
      { min_fare: 50 },
      { option: { description: '', amount: 5 } },
      50,
      0,
      50,
    ],
    ['a flat convenience fee', { convenience_fees: 7 }, {}, 35, 7, 42],
    [
      'a percentage of the total',
      { convenience_fees: 12.5, convenience_fee_type: 'percentage' },
      {},
      35,
      4.38,
      39.38,
    ],
    [
      'a percentage of the minimum fare',
      { min_fare: 50, convenience_fees: 10, convenience_fee_type: 'percentage' },
      {},
      50,
      5,
      55,
    ],
    [
      'no decimals',
      { convenience_fees: 10, convenience_fee_type: 'percentage' },
      { settings: { ...settings, decimal: 0 } },
      35,
      4,
      39,
    ],
    [
      'three decimals',
      { rate_per_unit_distance: 0.12345 },
      { settings: { ...settings, decimal: 3 } },
      16.235,
      0,
      16.235,
    ],
    ['no distance at all', {}, { distanceKm: 0, seconds: 0 }, 0, 0, 0],
  ] as const)('%s', (_, car, rest, total, fee, grand) => {
    const priced = of(car, rest)
    expect([priced.total, priced.convenience_fees, priced.estimateFare]).toEqual([
      total,
      fee,
      grand,
    ])
    expect(priced.driver_share).toBe(total)
  })

  test('a mile is 1.609344 km, and the rate is for a mile then', () => {
    const priced = of(
      { rate_per_hour: 0 },
      { distanceKm: 16.09344, settings: { ...settings, convert_to_mile: true } },
    )
    expect(priced.distance).toBeCloseTo(10, 12)
    expect(priced.total).toBe(20)
  })
})

test('the driver’s share is the fare without the convenience fee, and the lines add up, whatever the rates', () => {
  const random = randomFrom(7)
  for (let n = 0; n < 5000; n++) {
    const decimal = random.pick([0, 2, 3])
    const priced = quote({
      carType: {
        base_fare: random.whole(0, 999) / 100,
        rate_per_unit_distance: random.whole(0, 9999) / 1000,
        rate_per_hour: random.whole(0, 99999) / 1000,
        min_fare: random.whole(0, 4000) / 100,
        convenience_fees: random.whole(0, 3000) / 100,
        convenience_fee_type: random.pick(['flat', 'percentage']),
      },
      distanceKm: random.whole(0, 100000) / 997,
      seconds: random.whole(0, 9000),
      settings: { decimal, convert_to_mile: random.chance(0.5) },
      parcelType: random.chance(0.5)
        ? { description: '', amount: random.whole(0, 9999) / 1000 }
        : undefined,
    })
    expect(
      sum(
        priced.lines.map(({ amount }) => amount),
        decimal,
      ),
    ).toBe(priced.estimateFare)
    expect(sum([priced.driver_share, priced.convenience_fees], decimal)).toBe(priced.estimateFare)
    expect(priced.lines.every(({ amount }) => amount > 0)).toBe(true)
  }
})

test('the lines say what the fare is made of', () => {
  expect(of({ base_fare: 1, min_fare: 40, convenience_fees: 2 }).lines).toEqual([
    { label: 'fare_distance', amount: 20 },
    { label: 'fare_time', amount: 15 },
    { label: 'fare_base', amount: 1 },
    { label: 'fare_minimum', amount: 4 },
    { label: 'fare_convenience', amount: 2 },
  ])
})
