import { toDistanceUnit } from '../geo/geo'
import { getFareStep, roundToFareStep, type StepSettings } from '../payments/fareStep'
import {
  allocateUnits,
  fromMinorUnits,
  getPortion,
  sumAmounts,
  toMinorUnits,
  toUnits,
} from './money'
import type { ChoiceOption, Settings, VehicleType } from '../catalog/types'
import type { FareLine } from '../booking/types'
import type { Kilometers, Seconds } from '../language/units'

/** The input of a fare calculation. */
export interface FareInput {
  carType: Pick<
    VehicleType,
    | 'base_fare'
    | 'rate_per_unit_distance'
    | 'rate_per_hour'
    | 'min_fare'
    | 'convenience_fees'
    | 'convenience_fee_type'
  >
  distanceKm: Kilometers
  seconds: Seconds
  settings: Pick<Settings, 'convert_to_mile'> & StepSettings
  parcelType?: ChoiceOption | undefined
  option?: ChoiceOption | undefined
}

export interface FareQuote {
  /** Kilometers, or miles with convert_to_mile. */
  distance: number
  /** The parts of the grand total; their amounts add up to it exactly. */
  lines: FareLine[]
  /** Total without the convenience fee. */
  total: number
  convenience_fees: number
  /** The grand total that the rider pays. */
  estimateFare: number
  driver_share: number
}

/** Translation keys of the fare lines, in display order. */
export const FARE_LINE_LABELS = [
  'fare_distance',
  'fare_time',
  'fare_base',
  'fare_parcel_type',
  'fare_option',
  'fare_minimum',
  'fare_convenience',
  'fare_discount',
  'fare_cancellation',
  'fare_refund',
] as const
type FareLineLabel = (typeof FARE_LINE_LABELS)[number]

/**
 * Calculates a fare in the settings' currency and distance unit. Every line is rounded to the step
 * of fares, so that a card or cash can pay it; the minimum fare is rounded up.
 */
export const quoteFare = ({
  carType,
  distanceKm,
  seconds,
  settings,
  parcelType,
  option,
}: FareInput): FareQuote => {
  const { decimal } = settings
  const distance = toDistanceUnit(distanceKm, settings)
  const parts: [FareLineLabel, number][] = [
    ['fare_distance', carType.rate_per_unit_distance * distance],
    ['fare_time', carType.rate_per_hour * (seconds / 3600)],
    ['fare_base', Math.max(0, carType.base_fare)],
    ['fare_parcel_type', parcelType?.amount ?? 0],
    ['fare_option', option?.amount ?? 0],
  ]
  const reckoned = parts.reduce((total, [, amount]) => total + amount, 0)
  parts.push(['fare_minimum', Math.max(0, carType.min_fare - reckoned)])

  const fareStep = toMinorUnits(getFareStep(settings), decimal)
  const toAmount = (units: number) => fromMinorUnits(units * fareStep, decimal)
  const minimum = Math.ceil(toMinorUnits(carType.min_fare, decimal) / fareStep)
  const units = Math.max(toUnits(reckoned, decimal, fareStep), minimum)
  const amounts = allocateUnits(
    parts.map(([, amount]) => amount),
    units,
    decimal,
    fareStep,
  )
  const total = toAmount(units)
  const convenience_fees = roundToFareStep(
    getPortion(total, { type: carType.convenience_fee_type, value: carType.convenience_fees }),
    settings,
  )
  const lines = parts
    .map(([label], i) => ({ label, amount: toAmount(amounts[i] ?? 0) }))
    .concat({ label: 'fare_convenience', amount: convenience_fees })
    .filter(({ amount }) => amount !== 0)
  return {
    distance,
    lines,
    total,
    convenience_fees,
    estimateFare: sumAmounts([total, convenience_fees], decimal),
    driver_share: total,
  }
}
