import type { CarType, ChoiceOption, FareLine, Settings } from './entities'
import { toUnit } from './geo'
import { allocate, fromMinor, portion, sum, toMinor } from './money'

/** What a fare is made from. */
export interface FareInput {
  carType: Pick<
    CarType,
    | 'base_fare'
    | 'rate_per_unit_distance'
    | 'rate_per_hour'
    | 'min_fare'
    | 'convenience_fees'
    | 'convenience_fee_type'
  >
  distanceKm: number
  seconds: number
  settings: Pick<Settings, 'convert_to_mile' | 'decimal'>
  parcelType?: ChoiceOption | undefined
  option?: ChoiceOption | undefined
}

export interface Quote {
  /** Kilometres, or miles with convert_to_mile. */
  distance: number
  /** What the grand total consists of; the amounts add up to it exactly. */
  lines: FareLine[]
  /** Without the convenience fee. */
  total: number
  convenience_fees: number
  /** The grand total: what the rider pays. */
  estimateFare: number
  driver_share: number
}

/** Labels of fare lines: translation keys, in the order they are shown. */
export const FARE_LINES = [
  'fare_distance',
  'fare_time',
  'fare_base',
  'fare_parcel_type',
  'fare_option',
  'fare_minimum',
  'fare_convenience',
  'fare_discount',
  'fare_cancellation',
] as const
type FareLabel = (typeof FARE_LINES)[number]

/** The fare of specification 9, in the settings' currency, unit and decimals. */
export const quote = ({
  carType,
  distanceKm,
  seconds,
  settings,
  parcelType,
  option,
}: FareInput): Quote => {
  const { decimal } = settings
  const distance = toUnit(distanceKm, settings)
  const parts: [FareLabel, number][] = [
    ['fare_distance', carType.rate_per_unit_distance * distance],
    ['fare_time', carType.rate_per_hour * (seconds / 3600)],
    ['fare_base', Math.max(0, carType.base_fare)],
    ['fare_parcel_type', parcelType?.amount ?? 0],
    ['fare_option', option?.amount ?? 0],
  ]
  const reckoned = parts.reduce((total, [, amount]) => total + amount, 0)
  parts.push(['fare_minimum', Math.max(0, carType.min_fare - reckoned)])

  const totalMinor = toMinor(Math.max(reckoned, carType.min_fare), decimal)
  const amounts = allocate(
    parts.map(([, amount]) => amount),
    totalMinor,
    decimal,
  )
  const total = fromMinor(totalMinor, decimal)
  const convenience_fees = portion(
    total,
    { type: carType.convenience_fee_type, value: carType.convenience_fees },
    decimal,
  )
  const lines = parts
    .map(([label], i) => ({ label, amount: fromMinor(amounts[i] ?? 0, decimal) }))
    .concat({ label: 'fare_convenience', amount: convenience_fees })
    .filter(({ amount }) => amount !== 0)
  return {
    distance,
    lines,
    total,
    convenience_fees,
    estimateFare: sum([total, convenience_fees], decimal),
    driver_share: total,
  }
}
