import type { SettingsOfDefinitions } from './settingDefinitions'
export interface ChoiceOption {
  description: string
  amount: number
}

/** A parcel type or an option of a vehicle type. */
export interface TranslatedChoice extends ChoiceOption {
  /** The description in other languages, by locale. */
  names?: Record<string, string>
}

export interface CancellationFeeTier {
  minsDelayed: number
  amount: number
}

export const FEE_TYPES = ['flat', 'percentage'] as const

export type FeeType = (typeof FEE_TYPES)[number]

export interface VehicleType {
  id: string
  name: string
  /** The name in other languages, by locale. */
  names?: Record<string, string>
  image?: string
  base_fare: number
  rate_per_unit_distance: number
  rate_per_hour: number
  min_fare: number
  convenience_fees: number
  convenience_fee_type: FeeType
  extra_info?: string
  /** `extra_info` in other languages, by locale. */
  infos?: Record<string, string>
  createdAt?: number
  parcelTypes?: TranslatedChoice[]
  options?: TranslatedChoice[]
  cancelSlab?: CancellationFeeTier[]
}

export interface Promo {
  id: string
  promo_name: string
  promo_description: string
  promo_discount_type: FeeType
  promo_discount_value: number
  max_promo_discount_value: number
  min_order: number
  promo_validity: number
  promo_usage_limit: number
  user_avail?: number
  createdAt?: number
}

export interface CancellationReason {
  label: string
  /** The label in other languages, by locale. */
  names?: Record<string, string>
  value: number
}

/** The settings of a platform. `SETTING_DEFINITIONS` says what each means. */
export type Settings = SettingsOfDefinitions

export const DISPATCH_MODES = [
  'nearest',
  'matched',
  'broadcast',
] as const satisfies readonly NonNullable<Settings['dispatchMode']>[]
export type DispatchMode = (typeof DISPATCH_MODES)[number]

/** A currency, its number of decimals and its symbol. */
export type Currency = Pick<Settings, 'code' | 'decimal' | 'symbol'>

/** Earlier currencies, by the time (ms) at which each ended. */
export type EndedCurrencies = Record<string, Currency>

export interface Language {
  id: string
  langName: string
  langLocale: string
  dateLocale: string
  default: boolean
  /** ISO 8601 time. */
  createdAt: string
  /** The texts that the office has changed or added; the others ship with the product. */
  keyValuePairs: Record<string, string>
}
